import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPagedQueue, type IoCounts, type PagedQueueKind } from '../../src/queue/index.ts';
import { DrawStream } from '../../src/std/index.ts';

export interface PagedBench {
  readonly kind: PagedQueueKind;
  readonly entries: number;
  readonly cacheBytes: number;
  readonly io: IoCounts;
  /** Comparisons an entry, in and out. */
  readonly comparisons: number;
  /** The most by which resident memory exceeded that before the queue was made; the engine's own garbage included. */
  readonly residentGrowthBytes: number;
  readonly insertMs: number;
  readonly extractMs: number;
}

export interface PagedBenchOptions {
  readonly kind: PagedQueueKind;
  readonly entries: number;
  readonly cacheBytes: number;
  readonly pageBytes?: number;
}

const BATCH = 8192;

/**
 * Inserts uniform keys in batches of 8192, then extracts all in batches as large, and throws unless they come out in order, batch by
 * batch, and are those that went in (number, and sum of the keys modulo 2^32).
 */
export function benchPaged({ kind, entries, cacheBytes, pageBytes = 65536 }: PagedBenchOptions): PagedBench {
  const path = join(tmpdir(), `orbweaver-bench-${process.pid}-${kind}.owq`);
  const draws = new DrawStream(1, 'paged bench');
  const batch = new Float64Array(BATCH);
  const before = process.memoryUsage().rss;
  let resident = before;
  let sum = 0;
  const queue = createPagedQueue({ kind, path, cacheBytes, pageBytes });
  try {
    const started = performance.now();
    for (let made = 0; made < entries; made += BATCH) {
      const count = Math.min(BATCH, entries - made);
      for (let i = 0; i < count; i++) {
        batch[i] = draws.uint32(made + i);
        sum = (sum + batch[i]) | 0;
      }
      queue.insertMany(batch, 0, count);
      if (made % (64 * BATCH) === 0) resident = Math.max(resident, process.memoryUsage().rss);
    }
    const inserted = performance.now();
    let least = Infinity;
    for (let taken = 0; taken < entries; ) {
      const count = queue.extractTop(BATCH, batch);
      let lowest = Infinity;
      for (let i = 0; i < count; i++) {
        if (batch[i] > least) throw new Error(`${kind}: entry ${batch[i]} came after ${least}`);
        lowest = Math.min(lowest, batch[i]);
        sum = (sum - batch[i]) | 0;
      }
      least = lowest;
      if (taken % (64 * BATCH) === 0) resident = Math.max(resident, process.memoryUsage().rss);
      taken += count;
    }
    const extracted = performance.now();
    if (queue.size !== 0 || sum !== 0) throw new Error(`${kind}: ${queue.size} entries left, sum of keys off by ${sum}`);
    return {
      kind, entries, cacheBytes, io: { ...queue.io },
      comparisons: (queue.comparisons.insert + queue.comparisons.extract) / entries,
      residentGrowthBytes: resident - before,
      insertMs: inserted - started,
      extractMs: extracted - inserted,
    };
  } finally {
    queue.dispose();
    rmSync(path);
  }
}

export interface PagedHold {
  readonly kind: PagedQueueKind;
  readonly model: HoldModel;
  readonly m: number;
  readonly share: number;
  /** An extraction of R and an insertion of R, mean over the rounds counted. */
  readonly readsARound: number;
  readonly writesARound: number;
  readonly comparisonsAnEntry: number;
}

/**
 * The keys of a hold: `uniform`, of which in the long run nearly all that is inserted leaves at once, above a bulk that never does;
 * `first rounds`, the same over the first m/2R rounds only; `falling`, each key taken comes back lower by a draw from [0, 2), as events
 * of a simulation do.
 */
export const holdModels = ['uniform', 'first rounds', 'falling'] as const;
export type HoldModel = (typeof holdModels)[number];

/**
 * The hold model: m keys, then rounds that take the R greatest and insert R; memory `share` of the queue's bytes. A page holds R keys.
 * Counted are 2m/R rounds after m/R that are not, or the first rounds.
 */
export function holdPaged(kind: PagedQueueKind, model: HoldModel, m: number, block: number, share: number): PagedHold {
  const path = join(tmpdir(), `orbweaver-hold-${process.pid}-${kind}.owq`);
  const draws = new DrawStream(1, 'paged hold');
  const batch = new Float64Array(block).fill(2 ** 20);
  const queue = createPagedQueue({ kind, path, cacheBytes: Math.floor(8 * m * share), pageBytes: 8 * block });
  const comparisons = (): number => queue.comparisons.insert + queue.comparisons.extract;
  let made = 0;
  const insert = (keyOf: (taken: number) => number): void => {
    for (let i = 0; i < block; i++) batch[i] = keyOf(batch[i]);
    queue.insertMany(batch, 0, block);
  };
  const uniform = (): number => draws.uniform(made++);
  const falling = (taken: number): number => taken - 2 * draws.uniform(made++);
  try {
    const next = model === 'falling' ? falling : uniform;
    for (let filled = 0; filled < m; filled += block) {
      batch.fill(2 ** 20);
      insert(next);
    }
    const [warming, rounds] = model === 'first rounds' ? [0, m / (2 * block)] : [m / block, (2 * m) / block];
    let before = { io: { ...queue.io }, comparisons: comparisons() };
    for (let round = -warming; round < rounds; round++) {
      if (round === 0) before = { io: { ...queue.io }, comparisons: comparisons() };
      queue.extractTop(block, batch);
      insert(next);
    }
    return {
      kind, model, m, share,
      readsARound: (queue.io.reads - before.io.reads) / rounds,
      writesARound: (queue.io.writes - before.io.writes) / rounds,
      comparisonsAnEntry: (comparisons() - before.comparisons) / (rounds * block),
    };
  } finally {
    queue.dispose();
    rmSync(path);
  }
}
