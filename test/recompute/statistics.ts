import type { WebGraph } from '../../src/graphs/graph/index.ts';

type Figures = Record<string, unknown>;

/**
 * `summary.statistics` from the pages fetched until its superstep. What follows from samples, the other parts of the
 * bow-tie and the exponent are copied: test/statistics judges them.
 */
export function plainStatistics(graph: WebGraph, fetched: readonly number[], recorded: Figures): Figures {
  const number = new Map(fetched.map((page, i) => [page, i]));
  const targets = fetched.map((page) => [...new Set(graph.outTargets.subarray(
    graph.outOffsets[page], graph.outOffsets[page + 1]))].filter((target) => target !== page && number.has(target))
    .map((target) => number.get(target)!));
  const sources: number[][] = fetched.map(() => []);
  targets.forEach((row, source) => { for (const target of row) sources[target].push(source); });
  const sizes = componentSizes(targets, sources);
  return {
    ...recorded,
    pages: fetched.length,
    arcs: targets.reduce((sum, row) => sum + row.length, 0),
    danglingPages: targets.filter((row) => row.length === 0).length,
    components: sizes.length,
    corePages: Math.max(...sizes),
    inDegrees: byDoubling(sources.map(({ length }) => length)),
    outDegrees: byDoubling(targets.map(({ length }) => length)),
    ...(recorded['method'] === 'exact' ? plainDistances(targets) : {}),
  };
}

/** How many are 0, 1, 2 to 3, 4 to 7, ... */
function byDoubling(degrees: readonly number[]): number[] {
  const counts: number[] = [];
  for (let least = 0, end = 1; counts.length === 0 || degrees.some((one) => one >= least); least = end, end *= 2)
    counts.push(degrees.filter((one) => one >= least && one < end).length);
  return counts;
}

/** Pages that a page reaches along some rows, itself included. */
function reached(rows: readonly (readonly number[])[], start: number, allowed: (page: number) => boolean): number[] {
  const found = new Set([start]);
  for (const page of found) for (const next of rows[page]) if (allowed(next)) found.add(next);
  return [...found];
}

/** A component is what a page reaches and is reached by. */
function componentSizes(targets: readonly number[][], sources: readonly number[][]): number[] {
  const isDone = targets.map(() => false);
  return targets.flatMap((_, page) => {
    if (isDone[page]) return [];
    // Pages of other components may be left out: no path within this one leads through them.
    const ahead = new Set(reached(targets, page, (next) => !isDone[next]));
    const both = reached(sources, page, (next) => ahead.has(next));
    for (const one of both) isDone[one] = true;
    return [both.length];
  });
}

function plainDistances(targets: readonly number[][]): Figures {
  const at: number[] = [];
  for (const start of targets.keys()) {
    const found = new Set([start]);
    for (let level = [start], distance = 1; level.length > 0; distance++) {
      const next: number[] = [];
      for (const page of level) {
        for (const target of targets[page]) {
          if (found.has(target)) continue;
          found.add(target);
          next.push(target);
        }
      }
      if (next.length > 0) at[distance] = (at[distance] ?? 0) + next.length;
      level = next;
    }
  }
  const pairs = at.reduce((sum, count) => sum + count, 0);
  if (pairs === 0) return {};
  const average = at.reduce((sum, count, distance) => sum + count * distance, 0) / pairs;
  let within = 0;
  let distance = 1;
  while (within + at[distance] < 0.9 * pairs) within += at[distance++];
  const effective = distance - 1 + (0.9 * pairs - within) / at[distance];
  return {
    diameter: at.length - 1, maxDiameter: at.length - 1,
    averageDistance: average, averageDistanceLow: average, averageDistanceHigh: average,
    effectiveDiameter: effective, effectiveDiameterLow: effective, effectiveDiameterHigh: effective,
  };
}
