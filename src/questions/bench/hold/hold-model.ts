import { entryKey, keyLimit, packEntry } from '../../../core/queue/index.ts';
import { assert, DrawStream, xorshift32 } from '../../../base/index.ts';
import type { BatchQueue } from '../contenders.ts';

export interface HoldOptions {
  /** Entries held, N. */
  readonly entries: number;
  /** Entries of a batch, R <= N. */
  readonly block: number;
  /** Entries to take out and to put in while it is measured; rounded up to whole batches. */
  readonly operations: number;
  readonly seed: number;
}

/** The hold model settled: what a queue in another language needs to do exactly the same. */
export interface HoldPlan {
  readonly entries: number;
  readonly block: number;
  /** Batches before the measured ones: queues differ in what they put off, and the first batch pays for it. */
  readonly warmBatches: number;
  readonly batches: number;
  /** First state of the xorshift32 generator, not 0. */
  readonly state: number;
  /**
   * Initial keys spread over 2^unitBits, a key that is put back lies up to 2^(unitBits + 1) below the least one taken
   * out.
   */
  readonly unitBits: number;
}

export function holdPlan({ entries, block, operations, seed }: HoldOptions): HoldPlan {
  assert(Number.isInteger(entries) && entries >= 1 && entries < 2 ** 31, () => `hold model of ${entries} entries`);
  assert(
    Number.isInteger(block) && block >= 1 && block <= entries,
    () => `batches of ${block} from ${entries} entries`,
  );
  const batches = Math.max(1, Math.ceil(operations / block));
  const warmBatches = Math.ceil(batches / 5);
  // All N entries must have left before keys are 2^(unitBits + 2) lower: the keys never run out.
  const turns = Math.ceil(((batches + warmBatches) * block) / entries);
  const unitBits = Math.floor(Math.log2(keyLimit / (4 * turns + 6)));
  return { entries, block, warmBatches, batches, state: new DrawStream(seed, 'hold model').uint32(0) || 1, unitBits };
}

export interface HoldResult {
  /**
   * Mean time to take one entry out and put one in, the generation of keys apart: it happens while the clock stands.
   */
  readonly nsPerElement: number;
  readonly worstBatchMs: number;
  /** Comparisons to take one entry out and put one in; null where the queue does not count. */
  readonly comparisonsPerElement: number | null;
  readonly worstBatchComparisons: number | null;
  /** Most keys that one batch, out and in, copied inside the structure; null where the queue does not count them. */
  readonly worstBatchMoved: number | null;
  /** Comparisons of the very first batch, before the measured ones. */
  readonly firstBatchComparisons: number | null;
  /** Depends on the keys of every batch, not on their order within it: equal for queues that return the same keys. */
  readonly checksum: number;
}

/**
 * The hold model: N entries held; a batch takes the R greatest out and puts R new ones in. The new keys are draws below
 * the least key taken out, so that they depend on what left and not on the order in which a queue hands it over.
 * `queue` must be empty, and holds N entries afterwards. Four readings of the clock a batch: below 2 ns an element from
 * R = 128 on.
 */
export function hold(queue: BatchQueue, plan: HoldPlan): HoldResult {
  const { entries, block, warmBatches, batches, unitBits } = plan;
  const batch = new Float64Array(block);
  const state = Uint32Array.of(plan.state);
  let index = 0;
  for (let queueSize = 0; queueSize < entries; queueSize += block) {
    const size = Math.min(block, entries - queueSize);
    for (let i = 0; i < size; i++) batch[i] = packEntry(keyLimit - 1 - draw(state, unitBits), index++);
    queue.insertMany(batch, 0, size);
  }

  const counted = queue.comparisons;
  const count = (): number => (counted === undefined ? 0 : counted.insert + counted.extract);
  const { copies: moved } = queue;
  let checksum = 0;
  let ms = 0;
  let worstBatchMs = 0;
  let comparisons = 0;
  let worstBatchComparisons = 0;
  let firstBatchComparisons = 0;
  let worstBatchMoved = 0;
  for (let round = -warmBatches; round < batches; round++) {
    const countBefore = count();
    const movedBefore = moved?.total ?? 0;
    const t0 = performance.now();
    const extracted = queue.extractTop(block, batch);
    const t1 = performance.now();
    assert(extracted === block, () => `${extracted} entries left a queue of ${entries}, not ${block}`);
    const { least, sum } = leastAndSum(batch);
    checksum = (Math.imul(checksum, 31) + sum) >>> 0;
    assert(least >= 2 ** (unitBits + 1), () => 'the keys of the hold model have run out');
    for (let i = 0; i < block; i++) batch[i] = packEntry(least - draw(state, unitBits + 1), index++);
    const t2 = performance.now();
    queue.insertMany(batch, 0, block);
    const batchMs = performance.now() - t2 + (t1 - t0);
    const batchComparisons = count() - countBefore;
    if (round === -warmBatches) firstBatchComparisons = batchComparisons;
    if (round < 0) continue;
    ms += batchMs;
    worstBatchMs = Math.max(worstBatchMs, batchMs);
    comparisons += batchComparisons;
    worstBatchComparisons = Math.max(worstBatchComparisons, batchComparisons);
    worstBatchMoved = Math.max(worstBatchMoved, (moved?.total ?? 0) - movedBefore);
  }
  const elements = batches * block;
  return {
    nsPerElement: (1e6 * ms) / elements,
    worstBatchMs,
    comparisonsPerElement: counted === undefined ? null : comparisons / elements,
    worstBatchComparisons: counted === undefined ? null : worstBatchComparisons,
    firstBatchComparisons: counted === undefined ? null : firstBatchComparisons,
    worstBatchMoved: moved === undefined ? null : worstBatchMoved,
    checksum,
  };
}

/** An integer in [0, 2^bits) from xorshift32; the same in std-priority-queue.cpp. */
function draw(state: Uint32Array, bits: number): number {
  state[0] = xorshift32(state[0]);
  return state[0] >>> (32 - bits);
}

function leastAndSum(batch: Float64Array): { least: number; sum: number } {
  let least = batch[0];
  let sum = 0;
  for (const entry of batch) {
    if (entry < least) least = entry;
    sum = (sum + entryKey(entry)) >>> 0;
  }
  return { least: entryKey(least), sum };
}
