import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { InputError } from '../../../src/base/index.ts';
import type { PeerGraph } from './peer-graph.ts';

/** Tolerances tried: from so many targets down, by this factor. */
const loosest = 100;
const finer = 10 ** 0.25;

/**
 * PRPACK's `sccgs` (Kurokawa, Gleich & Greif; also in igraph's C core): Gauss-Seidel in C++ by strongly connected
 * components, in topological order, each until it has converged. The executable is a program around it, of the reader's
 * own, called as
 *
 *     EXECUTABLE GRAPH TOLERANCE RUNS RANKS
 *
 * It reads the in-lists of GRAPH (peer-graph.ts), ranks them at damping 0.85 RUNS times on one thread, prints the two
 * times that PRPACK measures as `preprocessing MS compute MS`, a line per run, and writes the last ranks to RANKS as
 * f64, page by page.
 *
 * @returns medians over the runs.
 */
export function runPrpack(
  executable: string, { file, ranksFile }: PeerGraph, tolerance: number, runs: number,
): { preprocessingMs: number; computeMs: number } {
  const args = [file, String(tolerance), String(runs), ranksFile];
  const { stdout, error, status } = spawnSync(executable, args, { encoding: 'utf8' });
  const times = [...stdout.matchAll(/^preprocessing (\S+) compute (\S+)$/gm)];
  if (error !== undefined || status !== 0 || times.length !== runs) {
    throw new InputError(`${executable}: does not run PRPACK, or failed (${error?.message ?? `exit code ${status}`})`);
  }
  const median = (column: 1 | 2): number =>
    times.map((match) => Number(match[column])).sort((a, b) => a - b)[times.length >> 1];
  return { preprocessingMs: median(1), computeMs: median(2) };
}

/**
 * The loosest tolerance with which its ranks are within each target (L1) of `converged`. It bounds an error by
 * component, loosely, so that it is told how little it has to ask for.
 */
export function prpackTolerances(
  executable: string, peer: PeerGraph, converged: Float64Array, targets: readonly number[],
): number[] {
  return targets.map((target) => {
    for (let tolerance = loosest * target; tolerance > target / loosest; tolerance /= finer) {
      runPrpack(executable, peer, tolerance, 1);
      const { buffer, byteOffset } = Uint8Array.from(readFileSync(peer.ranksFile));
      const ranks = new Float64Array(buffer, byteOffset, converged.length);
      const sum = ranks.reduce((total, rank) => total + rank, 0);
      if (ranks.reduce((error, rank, page) => error + Math.abs(rank / sum - converged[page]), 0) <= target)
        return tolerance;
    }
    throw new InputError(`${executable}: its ranks do not come within ${target} of the true ones`);
  });
}
