import type { WebGraph } from '../../graph/index.ts';

/** More links lead out of the pair often enough for sweeps to be fast. */
const MOST_LINKS = 2;

/**
 * Pairs of pages with links to each other and at most two links each, in which rank goes back and forth for long: page,
 * lower page, and so on, in ascending order. O(n) time.
 */
export function mutualLinks({ outOffsets, outTargets }: Pick<WebGraph, 'outOffsets' | 'outTargets'>): Uint32Array {
  const pairs: number[] = [];
  let begin = 0;
  for (let page = 0; page + 1 < outOffsets.length; page++) {
    const end = outOffsets[page + 1];
    if (end - begin <= MOST_LINKS) {
      for (let arc = begin; arc < end; arc++) {
        const lower = outTargets[arc];
        if (lower < page && outOffsets[lower + 1] - outOffsets[lower] <= MOST_LINKS && linksTo(lower, page))
          pairs.push(page, lower);
      }
    }
    begin = end;
  }
  return Uint32Array.from(pairs);

  function linksTo(page: number, target: number): boolean {
    for (let arc = outOffsets[page]; arc < outOffsets[page + 1]; arc++) if (outTargets[arc] === target) return true;
    return false;
  }
}

/**
 * Raises the factor of the first page of each pair so that its equation is solved together with the lower one's: what
 * it gives comes back in the same sweep. Both must be in [first, end), which one thread sweeps: the shares of other
 * threads' pages do not answer in the same sweep, and the sweeps might diverge.
 */
export function solveTogether(
  pairs: Uint32Array, factors: Float64Array, damping: number, first: number, end: number,
): void {
  for (let i = 0; i < pairs.length; i += 2) {
    const [page, lower] = [pairs[i], pairs[i + 1]];
    if (lower >= first && page < end) factors[page] /= 1 - damping ** 2 * factors[page] * factors[lower];
  }
}
