import { z } from 'zod';
import {
  policyNameSchema, policyOptionsSchema, userPoliciesSchema, type PolicyFacts,
} from './policy-settings.ts';
import { amount, count } from './ranges.ts';

/**
 * Settings that a simulated crawl and a live one share. Whoever adds one decides which of the files here it is in: that
 * is where help, defaults, checks and the JSON Schema come from.
 */

export const queueKinds = ['quickheap', 'cbt', 'binary-heap'] as const;
export const slicings = ['exact', 'approximate'] as const;
export const partitionNames = ['host-hash', 'consistent', 'jump', 'domain', 'lpt'] as const;


/** R_x as a number. */
export const superstepLimit = count(2 ** 31);

/** Keys that a block of the CBT can have: queue/'s `blockSizeLimit`. */
export const largestBlock = 2 ** 22;

/** A priority queue in memory. */
export const queueSchema = z.strictObject({
  kind: z.enum(queueKinds).default('quickheap').describe('priority queue'),
  block: count(largestBlock)
    .optional()
    .describe('keys in a block of the CBT, shared by its slices; the superstep limit by default, 2^22 at most'),
  slices: count(64).default(1).describe('slices of the queue, T'),
  slicing: z.enum(slicings).default('exact').describe('what slices give: the exact top, or their own tops'),
});

/** @param policies which the crawl can choose from. */
export const crawlSettingsSchema = (policies: readonly PolicyFacts[]) => z.strictObject({
  processors: count(4096).default(8).describe('processors P'),
  robots: count(65_536).default(4).describe('robots of each processor, r'),
  superstepLimit: superstepLimit.default(96).describe('pages a processor may fetch in a superstep, R_x'),
  superstepMs: amount(1e9).default(10_000).describe('longest superstep, milliseconds; 0 = no limit'),
  pending: count(2 ** 31)
    .optional()
    .describe('pending jobs to fill up to; 4 times the superstep limit by default'),
  policy: policyNameSchema(policies),
  policyOptions: policyOptionsSchema(policies).prefault({}),
  userPolicies: userPoliciesSchema,
  scores: z
    .strictObject({ file: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
    .optional()
    .describe(
      'scores of the pages for a policy that needs them: where they came from, and the SHA-256 of them as little-endian float64',
    ),
  queue: queueSchema.prefault({}),
  partition: z.enum(partitionNames).default('host-hash').describe('hosts onto processors'),
  partitionPoints: count(65_536)
    .default(128)
    .describe('places of each processor on the circle of partition consistent'),
  politenessMs: amount(1e9).default(1000).describe('delay between downloads from one host, milliseconds'),
  retries: z.int().min(0).max(1000).default(3).describe('how often a page is tried again after a transient failure'),
  backoffMs: amount(1e9)
    .default(1000)
    .describe("delay after a host's failure, milliseconds; doubles with each further one in a row"),
  backoffMostMs: amount(1e9).default(300_000).describe('longest such delay, milliseconds'),
  reinsert: z
    .number()
    .min(1)
    .max(1e9)
    .default(1.1)
    .describe('growth or fall of a score at which a queued page is inserted again'),
  maxPages: count(2 ** 32)
    .optional()
    .describe('pages to fetch; all by default'),
  maxSeconds: z.number().positive().max(1e9).optional().describe('seconds to run; no limit by default'),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1).describe('root seed of every draw'),
});

export type CrawlSettings = z.output<ReturnType<typeof crawlSettingsSchema>>;

/** The same with the settings that follow from others. */
export interface SettledCrawl extends CrawlSettings {
  readonly pending: number;
  readonly queue: CrawlSettings['queue'] & { readonly block: number };
}
