import type { WebGraph } from '../web-graph.ts';

/** An estimated figure and its standard error, which is 0 if the figure is exact. */
export interface Estimate {
  readonly value: number;
  readonly standardError: number;
}

/** Figures over the ordered pairs of different pages of which the first reaches the second. */
export interface Distances {
  /**
   * N(t) for t = 0, 1, ...: pairs within t links, including each page with itself; the last one counts all pairs that
   * are reached.
   */
  readonly neighbourhoods: Float64Array;
  readonly reachablePairs: Estimate;
  /** Mean length of a shortest path in links. Null here and below if no page reaches another. */
  readonly average: Estimate | null;
  /** Distance in links within which 90 % of the pairs are, interpolated between whole numbers. */
  readonly effectiveDiameter: Estimate | null;
  /**
   * All ordered pairs, over the sum of 1 / distance, to which pairs that are not reached add nothing (Marchiori &
   * Latora 2000).
   */
  readonly harmonicMean: Estimate | null;
  /** Length in links of the longest shortest path found. */
  readonly longest: number;
}

/**
 * Figures of a neighbourhood function, or of several estimates of it by runs with independent draws: then of their
 * mean, with the jackknife's standard error (Tukey 1958), following Boldi & Vigna.
 * @param runs each N(t) from t = 0 until it no longer grows; they may differ in length.
 */
export function distancesOf(pages: number, runs: readonly ArrayLike<number>[]): Distances {
  const totals = totalOf(runs);
  const neighbourhoods = totals.map((total) => total / runs.length);
  const without = runs.length === 1 ? [] : runs.map((run) =>
    totals.map((total, t) => (total - continued(run, t)) / (runs.length - 1)));
  const estimate = (figure: (function_: Float64Array) => number): Estimate => {
    const values = without.map(figure);
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
    return { value: figure(neighbourhoods), standardError: Math.sqrt(variance * Math.max(0, values.length - 1)) };
  };
  const isReached = reachedPairs(neighbourhoods) > 0;
  return {
    neighbourhoods,
    reachablePairs: estimate(reachedPairs),
    average: isReached ? estimate(averageDistance) : null,
    effectiveDiameter: isReached ? estimate(effectiveDiameter) : null,
    harmonicMean: isReached ? estimate((function_) => (pages * (pages - 1)) / inverseDistances(function_)) : null,
    longest: neighbourhoods.length - 1,
  };
}

/** The sum of functions, each continued by its last value. */
function totalOf(runs: readonly ArrayLike<number>[]): Float64Array {
  const length = Math.max(...runs.map((run) => run.length));
  return Float64Array.from({ length }, (_, t) => runs.reduce((sum, run) => sum + continued(run, t), 0));
}

function continued(run: ArrayLike<number>, t: number): number {
  return run[Math.min(t, run.length - 1)];
}

function reachedPairs(function_: Float64Array): number {
  return function_[function_.length - 1] - function_[0];
}

function averageDistance(function_: Float64Array): number {
  let sum = 0;
  for (let t = 1; t < function_.length; t++) sum += t * (function_[t] - function_[t - 1]);
  return sum / reachedPairs(function_);
}

function inverseDistances(function_: Float64Array): number {
  let sum = 0;
  for (let t = 1; t < function_.length; t++) sum += (function_[t] - function_[t - 1]) / t;
  return sum;
}

/** Leskovec, Kleinberg & Faloutsos, "Graph evolution", ACM TKDD 1(1), 2007, section 3.2. */
function effectiveDiameter(function_: Float64Array): number {
  return distanceOfShare(function_, 0.9);
}

/**
 * Distance in links within which a share of the pairs of different pages are, of those that are reached at all;
 * interpolated between whole numbers.
 * @param function_ - a neighbourhood function that grows.
 */
export function distanceOfShare(function_: ArrayLike<number>, share: number): number {
  const pairs = function_[0] + share * (function_[function_.length - 1] - function_[0]);
  let t = 1;
  while (t < function_.length - 1 && function_[t] < pairs) t++;
  return t - 1 + (pairs - function_[t - 1]) / (function_[t] - function_[t - 1]);
}

/**
 * The neighbourhood function itself, by a breadth-first search from every page. O(n (n + m)) time, 8n bytes.
 * @param onPage called after each page's search.
 */
export function exactNeighbourhoods(
  { pages, outOffsets, outTargets }: Pick<WebGraph, 'pages' | 'outOffsets' | 'outTargets'>,
  onPage: (pages: number) => void = () => undefined,
): Float64Array {
  const reachedBy = new Uint32Array(pages); // The page + 1 whose search reached this page last.
  const queue = new Uint32Array(pages);
  const pairsAt: number[] = [0];
  for (let start = 0; start < pages; start++) {
    reachedBy[start] = start + 1;
    queue[0] = start;
    let end = 1;
    let head = 0;
    for (let distance = 0; head < end; distance++) {
      const levelEnd = end;
      pairsAt[distance] = (pairsAt[distance] ?? 0) + (levelEnd - head);
      for (; head < levelEnd; head++) {
        const page = queue[head];
        for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
          const target = outTargets[i];
          if (reachedBy[target] === start + 1) continue;
          reachedBy[target] = start + 1;
          queue[end++] = target;
        }
      }
    }
    onPage(start + 1);
  }
  let sum = 0;
  return Float64Array.from(pairsAt, (pairs) => (sum += pairs));
}
