/**
 * The Experiment: every setting of a run, with unit, range and default. Imports zod only, so that a browser can use it
 * too.
 */
import { z } from 'zod';
import { amount, count } from './ranges.ts';
import { withPreset } from './network-presets.ts';
import { networkSchema } from './network-schema.ts';

export { networkPresetNames, networkSchema } from './network-schema.ts';

export const policyNames = [
  'backlink-count', 'batch-pagerank', 'breadth-first', 'compass', 'depth-first', 'larger-sites-first', 'opic',
  'opic-cycle', 'opic-window', 'pagerank', 'partial-pagerank', 'random', 'round-robin', 'scores', 'spawc', 'weighted',
] as const;
export type PolicyName = (typeof policyNames)[number];
export const opicRoots = ['keep', 'known'] as const;
export const queueKinds = ['quickheap', 'cbt', 'binary-heap'] as const;
export const slicings = ['exact', 'approximate'] as const;
export const measureSets = ['usual', 'all'] as const;
export const exchanges = ['bulk', 'batch', 'page'] as const;
export const partitionNames = ['host-hash', 'consistent', 'jump', 'domain', 'lpt'] as const;

/** Keys that a block of the CBT can have: queue/'s `blockSizeLimit`. */
export const largestBlock = 2 ** 22;

export const queueSchema = z
  .strictObject({
    kind: z.enum(queueKinds).default('quickheap').describe('priority queue'),
    block: count(largestBlock)
      .optional()
      .describe('keys in a block of the CBT, shared by its slices; the superstep limit by default, 2^22 at most'),
    slices: count(64).default(1).describe('slices of the queue, T'),
    slicing: z.enum(slicings).default('exact').describe('what slices give: the exact top, or their own tops'),
    memoryBytes: z
      .int()
      .min(0)
      .max(2 ** 40)
      .default(0)
      .describe(
        "bytes of memory for the entries of a processor's queue, the rest in temporary files; 0 = all in memory",
      ),
  })
  .refine(({ kind, memoryBytes }) => memoryBytes === 0 || kind !== 'binary-heap', {
    path: ['memoryBytes'],
    message:
      "a binary-heap cannot be kept in files, since each entry's way touches as many places as it has levels; take cbt or quickheap",
  });

/** Settings of single policies; another policy does not read them. */
export const policySchema = z.strictObject({
  opicRoot: z
    .enum(opicRoots)
    .default('keep')
    .describe(
      "of opic, opic-cycle, opic-window: a root's coins stay with it, or go to the pages known to its processor at each barrier",
    ),
  opicWindow: z
    .number()
    .positive()
    .max(1e6)
    .default(1)
    .describe('of opic-window: the window, in times that the processors together move all cash'),
  rankEveryPages: count(2 ** 32)
    .default(1000)
    .describe('of batch-pagerank, partial-pagerank: pages that the run fetches between rankings'),
  hostUrls: count(2 ** 31)
    .default(300)
    .describe('of compass: most pages taken from a host at once'),
  resetHosts: count(2 ** 31)
    .default(5000)
    .describe('of compass: hosts gone through before it begins again, then twice as many, thrice, and so on'),
  weights: z
    .partialRecord(z.enum(policyNames).exclude(['weighted']), z.number().positive().max(1e6))
    .optional()
    .describe(
      'of weighted: the policies whose scores are multiplied, each with the power to which its score is raised',
    ),
});
type PolicyOption = keyof typeof policySchema.shape;

/** The policies that read each setting. */
export const policiesOfOption: Readonly<Record<PolicyOption, readonly PolicyName[]>> = {
  opicRoot: ['opic', 'opic-cycle', 'opic-window'],
  opicWindow: ['opic-window'],
  rankEveryPages: ['batch-pagerank', 'partial-pagerank'],
  hostUrls: ['compass'],
  resetHosts: ['compass'],
  weights: ['weighted'],
};

export const experimentSchema = z.strictObject({
  processors: count(4096).default(8).describe('processors P'),
  robots: count(65_536).default(4).describe('robots of each processor, r'),
  superstepLimit: z
    .union([count(2 ** 31), z.literal('auto')])
    .default(96)
    .describe('pages a processor may fetch in a superstep, R_x; auto = tuned first'),
  superstepMs: amount(1e9).default(10_000).describe('longest superstep, virtual milliseconds; 0 = no limit'),
  pending: count(2 ** 31)
    .optional()
    .describe('pending jobs to fill up to; 4 times the superstep limit by default'),
  policy: z.enum(policyNames).default('opic').describe('order of the frontier'),
  policyOptions: policySchema.prefault({}),
  scores: z
    .strictObject({ file: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
    .optional()
    .describe(
      'scores of the pages for policy scores, by itself or weighted: where they came from, and the SHA-256 of them as little-endian float64',
    ),
  queue: queueSchema.prefault({}),
  partition: z.enum(partitionNames).default('host-hash').describe('hosts onto processors'),
  partitionPoints: count(65_536)
    .default(128)
    .describe('places of each processor on the circle of partition consistent'),
  politenessMs: amount(1e9).default(1000).describe('delay between downloads from one host, milliseconds'),
  retries: z.int().min(0).max(1000).default(3).describe('how often a page is tried again after trouble that may pass'),
  backoffMs: amount(1e9)
    .default(1000)
    .describe("delay after a host's failure, milliseconds; doubles with each further one in a row"),
  backoffMostMs: amount(1e9).default(300_000).describe('longest such delay, milliseconds'),
  checkpointSupersteps: z
    .int()
    .min(0)
    .max(1e9)
    .default(10)
    .describe('supersteps between checkpoints, kept where a processor may crash; 0 = the start alone'),
  reinsert: z
    .number()
    .min(1)
    .max(1e9)
    .default(1.1)
    .describe('growth or fall of a score at which a queued page is inserted again'),
  network: z.preprocess(withPreset, networkSchema).prefault({}),
  barrierUs: count(1e9).default(1000).describe('cost of a barrier, L, microseconds'),
  pairUs: amount(1e9).default(1).describe('cost of a pair, g, microseconds'),
  exchange: z
    .enum(exchanges)
    .default('bulk')
    .describe('what shares a message: all pairs for a processor in a superstep, so many of them, or those of one page'),
  exchangeBatch: count(1e9).default(64).describe('pairs in a message of exchange batch'),
  messageUs: amount(1e9).default(0).describe('cost of a message, o, microseconds'),
  messageHeaderBytes: z
    .int()
    .min(0)
    .max(1e6)
    .default(40)
    .describe('bytes of a message besides its pairs, for the figures; 40 = IPv4 and TCP'),
  pairBytes: z
    .int()
    .min(1)
    .max(1e6)
    .default(12)
    .describe('bytes of a pair, for the figures; 12 = id and amount, as in memory'),
  seedPages: z
    .array(
      z
        .int()
        .min(0)
        .max(2 ** 32 - 1),
    )
    .min(1)
    .optional()
    .describe('page ids to start from'),
  maxPages: count(2 ** 32)
    .optional()
    .describe('pages to fetch; all by default'),
  maxSeconds: z.number().positive().max(1e9).optional().describe('virtual seconds to run; no limit by default'),
  measures: z
    .enum(measureSets)
    .default('usual')
    .describe(
      'figures of the record; all = also the tau-b of the PageRank of the pages fetched, which takes a third of a run',
    ),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1).describe('root seed of every draw'),
});

/** An experiment as its user writes it: what is left out has a default. */
export type ExperimentInput = z.input<typeof experimentSchema>;
export type Experiment = z.output<typeof experimentSchema>;

/** The policy, and those that it is composed of. */
export function policiesUsed({
  policy = 'opic', policyOptions,
}: Pick<ExperimentInput, 'policy' | 'policyOptions'>): readonly string[] {
  return policy === 'weighted' ? [policy, ...Object.keys(policyOptions?.weights ?? {})] : [policy];
}

/** Settings of single policies that the experiment's policy reads. */
export function policyOptionsUsed(experiment: Pick<ExperimentInput, 'policy' | 'policyOptions'>): PolicyOption[] {
  const used = policiesUsed(experiment);
  return (Object.keys(policiesOfOption) as PolicyOption[]).filter((option) =>
    policiesOfOption[option].some((name) => used.includes(name)),
  );
}

/** An experiment with everything settled: what `run.json` holds, and what replays the run. */
export interface SettledExperiment extends Experiment {
  readonly superstepLimit: number;
  readonly pending: number;
  readonly queue: Experiment['queue'] & { readonly block: number };
  readonly seedPages: number[];
}
