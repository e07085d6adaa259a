import type { RunEvents } from '../record/events.ts';
import { shareOf } from './quality.ts';

/** What a crawl has of the PageRank of its graph: the figure of a budget. */
export interface RankGathered {
  /** PageRank of the pages fetched, as a share of all PageRank within reach; 0 if no page is within reach. */
  readonly ofReachable: number;
  /** The same of all pages of the graph. */
  readonly ofAll: number;
}

/** Virtual seconds until a share of the PageRank within reach was gathered, percent; null where it never was. */
export type SecondsToRank = Record<'50' | '80' | '90', number | null>;

/** @param best true PageRank of the pages within reach, falling. O(pages). */
export function measureGathered(
  { order, times }: Pick<RunEvents, 'order' | 'times'>, ranks: Float64Array, best: Float64Array,
): { rankGathered: RankGathered; secondsToRank: SecondsToRank } {
  // Loops, not callbacks: a run has millions of pages. Each sum follows the order of its pages, so that the
  // record gives it again.
  let all = 0;
  for (let page = 0; page < ranks.length; page++) all += ranks[page];
  let reachable = 0;
  for (let i = 0; i < best.length; i++) reachable += best[i];
  // Rounding: the last page may bring the sum to just below the whole.
  const marks = ([50, 80, 90] as const).map((percent) => ({ percent, rank: (percent / 100 - 1e-12) * reachable }));
  const seconds: Record<string, number | null> = { 50: null, 80: null, 90: null };
  let sum = 0;
  for (let i = 0, next = 0; i < order.length; i++) {
    sum += ranks[order[i]];
    for (; next < marks.length && sum >= marks[next].rank; next++)
      seconds[marks[next].percent] = times[2 * i + 1] / 1e6;
  }
  return {
    rankGathered: { ofReachable: shareOf(sum, reachable), ofAll: shareOf(sum, all) },
    secondsToRank: seconds as SecondsToRank,
  };
}
