import { assert } from '../base/index.ts';

/** What every queue asks of insertMany's arguments: 0 <= from <= to <= length, integers. */
export function assertBatch(entries: Float64Array, from: number, to: number): void {
  assert(
    Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= entries.length,
    () => `insertMany of [${from}, ${to}) from an array of ${entries.length}: 0 <= from <= to <= length must hold`,
  );
}

/** What every queue asks of extractTop's arguments. Returns the number of entries that will leave, min(k, size). */
export function assertExtraction(k: number, size: number, into: Float64Array): number {
  assert(Number.isInteger(k) && k >= 0, () => `extractTop(${k}): k must be an integer >= 0`);
  const leaving = Math.min(k, size);
  assert(leaving <= into.length, () => `extractTop(${k}) of ${size} entries into an array of only ${into.length}`);
  return leaving;
}

export interface BucketQuickHeapOptions {
  /**
   * F: entries the run is filled with at least, where there are so many; by default max(1.5 block, 1024). Tests make it
   * small.
   */
  readonly shortestRun?: number;
}

/** The greatest block of a bucket QuickHeap. */
export const largestQuickHeapBlock = 2 ** 20;

/** F for a block. Throws AssertionError if either cannot be. */
export function shortestRunFor(block: number, options: BucketQuickHeapOptions): number {
  assert(
    Number.isInteger(block) && block >= 1 && block <= largestQuickHeapBlock,
    () => `QuickHeap: a block of ${block}; must be an integer in [1, 2^20]`,
  );
  const { shortestRun = Math.max(Math.ceil(1.5 * block), 1024) } = options;
  assert(
    Number.isInteger(shortestRun) && shortestRun >= 4 && shortestRun <= 2 ** 21,
    () => `QuickHeap: runs of at least ${shortestRun} entries; must be an integer in [4, 2^21]`,
  );
  return shortestRun;
}
