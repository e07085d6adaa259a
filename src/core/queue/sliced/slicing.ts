/**
 * The two rules of a sliced queue, apart from the queues: which slice an entry belongs to, and how many entries each
 * slice gives. One thread (`sliced-queue.ts`) and T threads (`slice-workers.ts`) follow the same ones, and so give the
 * same entries.
 */
import { assert, DrawStream } from '../../../base/index.ts';
import { entryIndex } from '../entry.ts';
import type { QueueOptions } from '../priority-queue.ts';

/**
 * The slice, 0 ... slices-1, of an index: the high bits of index x 2654435769 mod 2^32 (the golden ratio's multiple of
 * 2^32). It depends on nothing else, so that all entries of a page are in one slice.
 *
 * Consecutive indices are spread more evenly than at random; indices a Fibonacci number apart can fall together, which
 * a crawl's local indices, given in order of discovery, have no reason to be.
 *
 * Source  multiplicative hashing, Knuth, "The Art of Computer Programming" 3, section 6.4.
 */
export function sliceOf(index: number, slices: number): number {
  // Exact: a product below 2^53 divided by a power of two.
  return Math.floor(((Math.imul(index, 0x9e3779b9) >>> 0) * slices) / 2 ** 32);
}

export function assertSlices(slices: number): void {
  assert(
    Number.isInteger(slices) && slices >= 1 && slices <= 2 ** 16,
    () => `${slices} slices; must be an integer in [1, 65536]`,
  );
}

/**
 * Copies entries[from ... to) to `into`, slice by slice, in stable order. Slice s lies at [starts[s],
 * starts[s+1]); `into` has room for all, `starts` for slices + 1. O(to - from + slices).
 */
export function splitBySlice(
  entries: Float64Array, from: number, to: number, slices: number, into: Float64Array, starts: Uint32Array,
): void {
  starts.fill(0);
  for (let at = from; at < to; at++) starts[sliceOf(entryIndex(entries[at]), slices)]++;
  let end = 0;
  for (let slice = 0; slice <= slices; slice++) {
    const length = starts[slice];
    starts[slice] = end;
    end += length;
  }
  for (let at = from; at < to; at++) into[starts[sliceOf(entryIndex(entries[at]), slices)]++] = entries[at];
  // Each start has moved to the start of the next.
  for (let slice = slices; slice > 0; slice--) starts[slice] = starts[slice - 1];
  starts[0] = 0;
}

/**
 * Entries that each slice gives of `leaving`, which is at most the sum of `sizes`: as if they were dealt one at a time,
 * from the lowest slice up and again, past the slices that have none left. O(T) a pass; a pass empties a slice or is
 * the last but one.
 */
export function sharesOf(leaving: number, sizes: readonly number[]): number[] {
  const shares = sizes.map(() => 0);
  for (let rest = leaving; rest > 0; ) {
    const open = [...sizes.keys()].filter((slice) => shares[slice] < sizes[slice]);
    assert(open.length > 0, () => `${leaving} entries wanted of slices that hold ${sizes.join(' + ')}`);
    const each = Math.max(1, Math.floor(rest / open.length));
    for (const slice of open.slice(0, rest)) {
      const share = Math.min(each, sizes[slice] - shares[slice]);
      shares[slice] += share;
      rest -= share;
    }
  }
  return shares;
}

/** The options of a slice: blocks of ceil(R/T) keys, as in the paper, and its own draws, memory and file. */
export function sliceOptions({ slices = 1, memoryBytes = 0, ...options }: QueueOptions, slice: number): QueueOptions {
  assertSlices(slices);
  return {
    ...options,
    slices: 1,
    block: Math.ceil(options.block / slices),
    seed: new DrawStream(options.seed, 'slices').uint32(slice),
    memoryBytes: Math.floor(memoryBytes / slices),
    ...(options.path !== undefined && { path: `${options.path}-${slice}` }),
  };
}
