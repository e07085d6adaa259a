import { assert, InputError, noneOf } from '../../base/index.ts';

/** The precondition of insertMany in every queue: 0 <= from <= to <= length, integers. */
export function assertBatch(entries: Float64Array, from: number, to: number): void {
  assert(
    Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= entries.length,
    () => `insertMany of [${from}, ${to}) from an array of ${entries.length}: 0 <= from <= to <= length must hold`,
  );
}

/** The precondition of extractTop in every queue. Returns the number of entries that will leave, min(k, size). */
export function assertExtraction(k: number, size: number, into: Float64Array): number {
  assert(Number.isInteger(k) && k >= 0, () => `extractTop(${k}): k must be an integer >= 0`);
  const leaving = Math.min(k, size);
  assert(leaving <= into.length, () => `extractTop(${k}) of ${size} entries into an array of only ${into.length}`);
  return leaving;
}

/** The greatest R of a CBT over sorted blocks. */
export const blockSizeLimit = 2 ** 22;

export function assertBlockSize(blockSize: number): void {
  assert(
    Number.isInteger(blockSize) && blockSize >= 1 && blockSize <= blockSizeLimit,
    () => `CBT: a block of ${blockSize} entries; must be an integer in [1, ${blockSizeLimit}]`,
  );
}

export interface BucketQuickHeapOptions {
  /** F: minimum entries of a filled run, if there are so many; default: max(1.5 block, 1024). Tests make it small. */
  readonly shortestRun?: number;
}

/** Maximum block of a bucket QuickHeap. */
export const MAX_QUICKHEAP_BLOCK = 2 ** 20;

/** F for a block. Throws AssertionError if either is out of range. */
export function shortestRunFor(block: number, options: BucketQuickHeapOptions): number {
  assert(
    Number.isInteger(block) && block >= 1 && block <= MAX_QUICKHEAP_BLOCK,
    () => `QuickHeap: a block of ${block}; must be an integer in [1, 2^20]`,
  );
  const { shortestRun = Math.max(Math.ceil(1.5 * block), 1024) } = options;
  assert(
    Number.isInteger(shortestRun) && shortestRun >= 4 && shortestRun <= 2 ** 21,
    () => `QuickHeap: runs of at least ${shortestRun} entries; must be an integer in [4, 2^21]`,
  );
  return shortestRun;
}

/** @throws InputError for a kind that is not among `kinds`, naming the kind that it resembles. */
export function checkKind(kind: string, kinds: readonly string[]): void {
  if (!kinds.includes(kind)) throw new InputError(`kind: ${noneOf(kind, kinds)}`, { field: 'kind' });
}
