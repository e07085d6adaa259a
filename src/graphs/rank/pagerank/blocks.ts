import { BLOCK_PAGES } from './pagerank-memory.ts';

/** Cost of a page per sweep besides its list, in list entries. */
const PAGE_COST = 6;
/** Blocks are swept once more if they hold this share of the change, at this share of a sweep's cost or less. */
const RESTLESS_CHANGE = 0.8;
const RESTLESS_COST = 0.4;

/**
 * The cost of sweeping each block, in list entries.
 *
 * @param starts - of the blocks' lists, which are contiguous from the first block of each of `regions` (the first of
 * each, and the end) to that region's end in `ends`.
 */
export function blockCosts(
  starts: Uint32Array, ends: readonly number[], regions: readonly number[] = [0, starts.length],
): Float64Array {
  let region = 0;
  return Float64Array.from(starts, (start, block) => {
    while (regions[region + 1] <= block) region++;
    const end = block + 1 === regions[region + 1] ? ends[region] : starts[block + 1];
    return (end - start) / 4 + PAGE_COST * BLOCK_PAGES;
  });
}

/** First block of each of so many parts of about equal cost, and the end. */
export function evenParts(costs: Float64Array, parts: number): number[] {
  const costBefore = new Float64Array(costs.length + 1);
  for (let block = 0; block < costs.length; block++) costBefore[block + 1] = costBefore[block] + costs[block];
  const total = costBefore[costs.length];
  return Array.from({ length: parts + 1 }, (_, part) =>
    part === parts ? costs.length : costBefore.findIndex((cost) => cost >= (total * part) / parts),
  );
}

/**
 * The blocks of [first, end) that changed most for their cost, as many as hold most of the change, as runs: the first
 * block of each, and its end. None if that takes too many of them.
 */
export function restlessRuns(changes: Float64Array, costs: Float64Array, first: number, end: number): number[] {
  const byDensity = Array.from({ length: end - first }, (_, i) => first + i)
    .sort((a, b) => changes[b] / costs[b] - changes[a] / costs[a] || a - b);
  const sumOf = (numbers: Float64Array): number => byDensity.reduce((sum, block) => sum + numbers[block], 0);
  const enough = RESTLESS_CHANGE * sumOf(changes);
  const tooMuch = RESTLESS_COST * sumOf(costs);
  let [change, cost, count] = [0, 0, 0];
  for (; change < enough && cost < tooMuch; count++) {
    change += changes[byDensity[count]];
    cost += costs[byDensity[count]];
  }
  return cost < tooMuch ? runsOf(byDensity.slice(0, count).sort((a, b) => a - b)) : [];
}

function runsOf(ascending: readonly number[]): number[] {
  const runs: number[] = [];
  for (const block of ascending) {
    if (runs.at(-1) === block) runs[runs.length - 1]++;
    else runs.push(block, block + 1);
  }
  return runs;
}
