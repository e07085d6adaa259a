import type { WebGraph } from '../web-graph.ts';

/** How often each value occurs: values ascend; counts, one per value, are at least 1. */
export interface Histogram {
  readonly values: Uint32Array;
  readonly counts: Uint32Array;
}

/** O(length + largest) time, 4 bytes times the largest value. */
export function histogramOf(numbers: Uint32Array): Histogram {
  let largest = 0;
  for (let i = 0; i < numbers.length; i++) if (numbers[i] > largest) largest = numbers[i];
  const countOf = new Uint32Array(largest + 1);
  for (let i = 0; i < numbers.length; i++) countOf[numbers[i]]++;
  let distinct = 0;
  for (let value = 0; value <= largest; value++) if (countOf[value] > 0) distinct++;
  const values = new Uint32Array(distinct);
  const counts = new Uint32Array(distinct);
  let at = 0;
  for (let value = 0; value <= largest; value++) {
    if (countOf[value] === 0) continue;
    values[at] = value;
    counts[at++] = countOf[value];
  }
  return { values, counts };
}

/** How many of the numbers are 0, 1, 2 to 3, 4 to 7, ...: range r > 0 has those from 2^(r-1) to 2^r - 1. */
export function doublingRanges({ values, counts }: Histogram): number[] {
  const ranges: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const range = 32 - Math.clz32(values[i]);
    while (ranges.length <= range) ranges.push(0);
    ranges[range] += counts[i];
  }
  return ranges;
}

/** Links to each page, including self-loops. */
export function inDegrees({ pages, outTargets }: Pick<WebGraph, 'pages' | 'outTargets'>): Uint32Array {
  const degrees = new Uint32Array(pages);
  for (let i = 0; i < outTargets.length; i++) degrees[outTargets[i]]++;
  return degrees;
}

/** Links from each page. */
export function outDegrees({ pages, outOffsets }: Pick<WebGraph, 'pages' | 'outOffsets'>): Uint32Array {
  const degrees = new Uint32Array(pages);
  for (let page = 0; page < pages; page++) degrees[page] = outOffsets[page + 1] - outOffsets[page];
  return degrees;
}

/**
 * Places of the `count` largest numbers, largest first; ties in ascending place. O(n + count log count) unless there
 * are many ties.
 */
export function placesOfLargest(numbers: Uint32Array, count: number): number[] {
  if (count === 0) return [];
  const least = numbers.slice().sort()[Math.max(0, numbers.length - count)];
  const above: number[] = [];
  const ties: number[] = [];
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] > least) above.push(i);
    else if (numbers[i] === least && ties.length < count) ties.push(i);
  }
  return [...above.sort((a, b) => numbers[b] - numbers[a] || a - b), ...ties].slice(0, count);
}
