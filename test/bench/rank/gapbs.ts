import { spawnSync } from 'node:child_process';
import { InputError } from '../../../src/base/index.ts';
import { transpose, type WebGraph } from '../../../src/graphs/graph/index.ts';

/** What GAPBS calls ScoreT: `float` as it is shipped. */
export type GapbsScore = 'f32' | 'f64';

/** Beyond these an error is not reached: f32 stands still far above 1e-8. */
const maxSweeps = 300;

/**
 * The PageRank of the GAP Benchmark Suite (`pr`; Beamer, Asanovic & Patterson, arXiv:1508.03619): a C++ loop that
 * pulls, in place, over in-lists that are there. It prints no ranks, so the sweeps it needs to a true error are found
 * by the same loop here; dangling rank, which it loses, and its ranks' sum are made good by dividing them by their sum,
 * which costs it nothing.
 *
 * @returns the median of the milliseconds that so many sweeps take in a few runs of the executable, reading the graph
 * apart.
 */
export function runGapbs(executable: string, graphFile: string, sweeps: number, threads: number): number {
  const args = ['-f', graphFile, '-i', String(sweeps), '-t', '0', '-n', '3'];
  const env = { ...process.env, OMP_NUM_THREADS: String(threads) };
  const { stdout, error, status } = spawnSync(executable, args, { env, encoding: 'buffer' });
  const seconds = [...String(stdout).matchAll(/^Trial Time:\s+(\S+)/gm)]
    .map(([, text]) => Number(text))
    .sort((a, b) => a - b);
  if (error !== undefined || status !== 0 || seconds.length !== 3) {
    throw new InputError(`${executable}: is not GAPBS's pr, or failed (${error?.message ?? `exit code ${status}`})`);
  }
  return 1000 * seconds[1];
}

/**
 * Sweeps of GAPBS's loop until its ranks, divided by their sum, are within `target` (L1) of `converged`; undefined if
 * they never are.
 */
export function gapbsSweeps(
  graph: WebGraph, score: GapbsScore, damping: number, converged: Float64Array, targets: readonly number[],
): (number | undefined)[] {
  const { inOffsets, inSources } = transpose(graph);
  const { pages, outOffsets } = graph;
  const round = score === 'f32' ? Math.fround : (x: number): number => x;
  const base = round((1 - round(damping)) / pages);
  const follow = round(damping);
  const scores = new Float64Array(pages).fill(round(1 / pages));
  const contributions = new Float64Array(pages);
  for (let page = 0; page < pages; page++)
    contributions[page] = round(scores[page] / (outOffsets[page + 1] - outOffsets[page]));
  const found: (number | undefined)[] = targets.map(() => undefined);
  for (let sweep = 1; sweep <= maxSweeps && found.includes(undefined); sweep++) {
    let sum = 0;
    for (let page = 0; page < pages; page++) {
      let incoming = 0;
      for (let arc = inOffsets[page]; arc < inOffsets[page + 1]; arc++)
        incoming = round(incoming + contributions[inSources[arc]]);
      scores[page] = round(base + round(follow * incoming));
      contributions[page] = round(scores[page] / (outOffsets[page + 1] - outOffsets[page]));
      sum += scores[page];
    }
    let error = 0;
    for (let page = 0; page < pages; page++) error += Math.abs(scores[page] / sum - converged[page]);
    targets.forEach((target, i) => {
      if (error <= target) found[i] ??= sweep;
    });
  }
  return found;
}
