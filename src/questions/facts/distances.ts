import {
  counterDeviation, distancesOf, exactNeighbourhoods, hyperBall, hyperBallBytes, maxKernelBytes, minRegistersLog2,
  maxRegistersLog2, type Distances, type WebGraph,
} from '../../graphs/graph/index.ts';

export interface DistanceSettings {
  readonly distances: 'auto' | 'off' | 'exact' | 'approximate';
  readonly registersLog2: number | undefined;
  readonly seed: number;
}

/** Distances, and how they were computed. */
export interface MeasuredDistances extends Distances {
  readonly method: 'exact' | 'HyperBall';
  readonly hyperBall: {
    readonly registersLog2: number;
    readonly runs: number;
    /** Relative standard deviation of a single counter in a run. */
    readonly counterDeviation: number;
    readonly seed: number;
    readonly memoryBytes: number;
  } | null;
}

/** Why there are none: they are off, or there are more than `links` links, and HyperBall needs `bytes`. */
export type WhyNoDistances = { readonly why: 'off' } | {
  readonly why: 'links'; readonly links: number; readonly bytes: number;
};

/** How far a measurement is: at `page` of a search from every page, or `links` deep in a run of HyperBall. */
export type DistanceStep =
  | { readonly page: number }
  | { readonly run: number; readonly runs: number; readonly links: number; readonly share: number };

/** Up to this many (pages x links), auto searches from every page: it takes a second. */
const maxExactSteps = 1e9;
/** Up to this many links, auto runs HyperBall: it takes about ten seconds. */
const maxApproximateLinks = 5e6;
/**
 * Counters off by 9.4 %; six runs of them bring totals to 4 %, and mean distances to far less. A jackknife of fewer is
 * unreliable.
 */
const standardRegistersLog2 = 7;
const runs = 6;

/**
 * The requested distances; for `auto` those that take seconds.
 * @param settings registersLog2 at most fittingRegistersLog2; no effect on exact distances.
 */
export function measureDistances(
  graph: WebGraph, { distances, registersLog2, seed }: DistanceSettings, onStep: (step: DistanceStep) => void,
): { measured: MeasuredDistances } | WhyNoDistances {
  const { pages, arcs } = graph;
  const isExact =
    distances === 'exact' || (distances === 'auto' && registersLog2 === undefined && pages * arcs <= maxExactSteps);
  if (distances === 'off') return { why: 'off' };
  if (isExact) {
    const exact = exactNeighbourhoods(graph, (page) => onStep({ page }));
    return { measured: { method: 'exact', hyperBall: null, ...distancesOf(pages, [exact]) } };
  }
  const standard = Math.max(minRegistersLog2, Math.min(standardRegistersLog2, fittingRegistersLog2(graph)));
  if (distances === 'auto' && registersLog2 === undefined && arcs > maxApproximateLinks)
    return { why: 'links', links: maxApproximateLinks, bytes: hyperBallBytes(graph, standard) };
  const used = registersLog2 ?? standard;
  const neighbourhoods = hyperBall(graph, {
    registersLog2: used, runs, seed,
    onProgress: (run, links, share) => onStep({ run, runs, links, share }),
  });
  return {
    measured: {
      method: 'HyperBall',
      hyperBall: {
        registersLog2: used, runs, counterDeviation: counterDeviation(used), seed,
        memoryBytes: hyperBallBytes(graph, used),
      },
      ...distancesOf(pages, neighbourhoods),
    },
  };
}

/** The largest b whose registers the kernel can hold for a graph. */
export function fittingRegistersLog2(graph: WebGraph): number {
  let most = maxRegistersLog2;
  while (most > minRegistersLog2 && hyperBallBytes(graph, most) > maxKernelBytes) most--;
  return most;
}
