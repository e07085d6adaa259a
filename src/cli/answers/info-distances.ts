import type { WebGraph } from '../../graph/index.ts';
import { InputError } from '../../base/index.ts';
import {
  counterDeviation, distancesOf, exactNeighbourhoods, hyperBall, hyperBallBytes, kernelBytesMost, registersLog2Least,
  registersLog2Most, type Distances,
} from '../../graph/index.ts';
import { grouped } from '../text/figures.ts';
import { remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';

export interface DistanceSettings {
  readonly distances: 'auto' | 'off' | 'exact' | 'approximate';
  readonly registersLog2: number | undefined;
  readonly seed: number;
}

/** Distances, and how they were found. */
export interface MeasuredDistances extends Distances {
  readonly method: 'exact' | 'HyperBall';
  readonly hyperBall: {
    readonly registersLog2: number;
    readonly runs: number;
    /** Relative standard deviation of one counter of one run. */
    readonly counterDeviation: number;
    readonly seed: number;
    readonly memoryBytes: number;
  } | null;
}

/** A search from every page is made unasked below so many (pages x links): it takes a second. */
const exactMost = 1e9;
/** HyperBall is made unasked below so many links: it takes some ten seconds at most. */
const approximateMost = 5e6;
/**
 * Counters off by 9.4 %; six runs of them bring totals to 4 %, and mean distances to far less. A jackknife of fewer is
 * worth little.
 */
const standardRegistersLog2 = 7;
const runs = 6;

/** What `--distances` asks for; where it is not asked for and would take long, a sentence on what makes it. */
export function measureDistances(
  graph: WebGraph, { distances, registersLog2, seed }: DistanceSettings, onStep: (text: string) => void,
): { measured: MeasuredDistances | null; leftOut?: string } {
  const { pages, arcs } = graph;
  const isExact =
    distances === 'exact' || (distances === 'auto' && registersLog2 === undefined && pages * arcs <= exactMost);
  if (registersLog2 !== undefined && (isExact || distances === 'off')) {
    remark(`--registers-log2 means nothing to --distances ${distances} and is ignored`);
  }
  if (distances === 'off') return { measured: null, leftOut: 'distances, as --distances off asks for' };
  if (isExact) {
    const exact = exactNeighbourhoods(graph, (done) => onStep(`page ${grouped(done)} of ${grouped(pages)}`));
    return { measured: { method: 'exact', hyperBall: null, ...distancesOf(pages, [exact]) } };
  }
  const fitting = mostRegistersLog2(graph);
  const standard = Math.max(registersLog2Least, Math.min(standardRegistersLog2, fitting));
  const mebibytes = (log2: number): string => `${grouped(hyperBallBytes(graph, log2) / 2 ** 20)} MiB`;
  if (distances === 'auto' && registersLog2 === undefined && arcs > approximateMost) {
    const cure = `--distances approximate makes them, with ${mebibytes(standard)} for counters`;
    return { measured: null, leftOut: `distances, for there are more than ${grouped(approximateMost)} links: ${cure}` };
  }
  if (registersLog2 !== undefined && registersLog2 > fitting) {
    throw new InputError(
      `--registers-log2 ${registersLog2}: takes ${mebibytes(registersLog2)} for ${printable(graph.name)}, and ` +
        `${grouped(kernelBytesMost / 2 ** 20)} can be had: must be at most ${fitting}`,
    );
  }
  const used = registersLog2 ?? standard;
  const neighbourhoods = hyperBall(graph, {
    registersLog2: used, runs, seed,
    onProgress: (run, step, share) => onStep(`run ${run + 1} of ${runs}, ${step} links, ${Math.round(100 * share)} %`),
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
function mostRegistersLog2(graph: WebGraph): number {
  let most = registersLog2Most;
  while (most > registersLog2Least && hyperBallBytes(graph, most) > kernelBytesMost) most--;
  return most;
}
