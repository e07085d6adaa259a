import { maxBoundPoints, type RankBound } from '../contract.ts';

/**
 * The best order that a run could have: the shares of the rank within reach that its best pages have, at a bounded
 * number of places, closer to each other at the beginning, where the curve is steep.
 *
 * @param best - ranks of the pages within reach, falling. Cost  O(pages).
 */
export function rankBound(best: Float64Array): RankBound {
  const last = Math.min(best.length, maxBoundPoints - 1);
  const placeOf = (i: number): number => (last === best.length ? i : Math.round(best.length * (i / last) ** 2));
  // Rounded, some of the first places are the same.
  const pages = [...new Set(Array.from({ length: last + 1 }, (_, i) => placeOf(i)))];
  let next = 0;
  let sum = 0;
  const sums = pages.map((place) => {
    for (; next < place; next++) sum += best[next];
    return sum;
  });
  return { pages, rank: sums.map((part) => (sum === 0 ? 0 : part / sum)) };
}
