import * as z from 'zod';
import {
  policyNameSchema, policyOptionsSchema, userPoliciesSchema, type PolicyFacts,
} from './policy-settings.ts';
import { amount, between, count, sha256, whole } from './ranges.ts';
import { maxSuperstepLimit, pendingRule, superstepLimitRule } from './scaling.ts';

// Settings shared by simulated and live crawls. The file of a setting decides its help, checks and JSON Schema.

export const queueKinds = ['quickheap', 'cbt', 'binary-heap'] as const;
export const slicings = ['exact', 'approximate'] as const;
export const pendingKeys = ['follow', 'frozen'] as const;
export const deniedCosts = ['none', 'delay'] as const;
export const partitionNames = ['host-hash', 'consistent', 'jump', 'domain', 'lpt'] as const;

/** R_x as a number. */
export const superstepLimit = count(maxSuperstepLimit);

/** Most keys in a block of the CBT: queue/'s `blockSizeLimit`. */
export const largestBlock = 2 ** 22;

/** A priority queue in memory. */
export const queueSchema = z.strictObject({
  kind: z.enum(queueKinds).default('quickheap').describe('priority queue'),
  block: count(largestBlock)
    .optional()
    .describe('keys per block of the CBT, shared by its slices, up to 2^22; by default the superstep limit if it is set, otherwise 96'),
  slices: count(64).default(1).describe('number of slices of the queue, T'),
  slicing: z.enum(slicings).default('exact').describe('what extraction returns: the exact top, or the top of each slice'),
});

/** @param policies those that the crawl can choose from. */
export const crawlSettingsSchema = (policies: readonly PolicyFacts[]) => z.strictObject({
  processors: count(4096).default(8).describe('number of processors, P'),
  robots: count(65_536).default(4).describe('robots per processor, r'),
  superstepLimit: superstepLimit
    .optional()
    .describe(`maximum pages per processor and superstep, R_x; ${superstepLimitRule}`),
  superstepMs: amount(1e9).default(10_000).describe('maximum length of a superstep, milliseconds; 0 = no limit'),
  pending: count(2 ** 31).optional().describe(`target number of pending jobs, D; ${pendingRule}`),
  pendingKeys: z.enum(pendingKeys).default('follow')
    .describe('keys of pending jobs: they follow the scores of their pages at barriers, or stay as they left the queue'),
  policy: policyNameSchema(policies),
  policyOptions: policyOptionsSchema(policies).prefault({}).describe('settings of single policies'),
  userPolicies: userPoliciesSchema,
  scores: z
    .strictObject({
      file: z.string().describe('the file with the scores'),
      sha256: sha256.describe('SHA-256 of the scores as little-endian float64, in hexadecimal'),
    })
    .optional()
    .describe('page scores for a policy that needs them: their file, and their SHA-256 as little-endian float64'),
  queue: queueSchema.prefault({}).describe('priority queue of each processor'),
  partition: z.enum(partitionNames).default('host-hash').describe('how hosts are assigned to processors'),
  partitionPoints: count(65_536)
    .default(128)
    .describe('points per processor on the circle of the consistent partition'),
  politenessMs: amount(1e9).default(1000).describe('delay between downloads from the same host, milliseconds'),
  retries: whole(1000).default(3).describe('retries per page after a transient failure'),
  backoffMs: amount(1e9)
    .default(1000)
    .describe('delay after a failure of a host, milliseconds; doubles with each consecutive failure'),
  maxBackoffMs: amount(1e9).default(300_000).describe('maximum of that delay, milliseconds'),
  hostPatienceMs: amount(30 * 86_400_000)
    .default(900_000)
    .describe(
      'how long a host may be out of reach before its pages are given up, milliseconds; until then they wait and ' +
        'lose no try; 0 = every failure counts as a try of its page',
    ),
  deniedCost: z
    .enum(deniedCosts)
    .default('none')
    .describe('what a page costs that rules of robots.txt deny, once they are known: nothing, or the delay of its host'),
  reinsert: between(1, 1e9).default(1.1)
    .describe('factor by which the score of a queued page must change before it is reinserted'),
  maxPages: count(2 ** 32).optional().describe('maximum number of pages to fetch; by default all'),
  maxSeconds: z.number().positive().max(1e9).optional().describe('maximum duration, seconds; by default no limit'),
  seed: whole(Number.MAX_SAFE_INTEGER).default(1).describe('root seed of all random draws'),
});

export type CrawlSettings = z.output<ReturnType<typeof crawlSettingsSchema>>;

/** The settings of a crawl with those that follow from others. `scaling.ts` decides what stays open as it goes on. */
export interface SettledCrawl extends CrawlSettings {
  readonly queue: CrawlSettings['queue'] & { readonly block: number };
}
