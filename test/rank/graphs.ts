import fc from 'fast-check';
import { buildGraph, type WebGraph } from '../../src/graph/index.ts';

export type Arc = readonly [source: number, target: number];

export function graphOf(name: string, pages: number, arcs: readonly Arc[]): WebGraph {
  const sources = Uint32Array.from(arcs, ([source]) => source);
  const targets = Uint32Array.from(arcs, ([, target]) => target);
  return buildGraph({ name, pages, sources, targets });
}

/** The links of page 0 ... pages-1 by a rule. */
export function graphByRule(name: string, pages: number, linksOf: (page: number) => readonly number[]): WebGraph {
  const ids = Array.from({ length: pages }, (_, page) => page);
  return graphOf(name, pages, ids.flatMap((page) => linksOf(page).map((target): Arc => [page, target])));
}

/** Small graphs with what trips rankings up: dangling pages, self-loops, parts that do not touch, one page alone. */
export const smallGraphs = fc
  .integer({ min: 1, max: 12 })
  .chain((pages) => {
    const page = fc.nat({ max: pages - 1 });
    return fc.record({ pages: fc.constant(pages), arcs: fc.array(fc.tuple(page, page), { maxLength: 3 * pages }) });
  })
  .map(({ pages, arcs }) => graphOf('random', pages, arcs));

/**
 * The solution of matrix * x = right by Gaussian elimination with row pivoting; `matrix` (rows) and `right` are
 * destroyed.
 */
export function solveDense(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column; row < size; row++) {
      if (Math.abs(matrix[row][column]) > Math.abs(matrix[pivot][column])) pivot = row;
    }
    [matrix[column], matrix[pivot]] = [matrix[pivot], matrix[column]];
    [right[column], right[pivot]] = [right[pivot], right[column]];
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = matrix[row][column] / matrix[column][column];
      for (let k = column; k < size; k++) matrix[row][k] -= factor * matrix[column][k];
      right[row] -= factor * right[column];
    }
  }
  return right.map((value, row) => value / matrix[row][row]);
}

export function l1Distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i] - b[i]);
  return sum;
}

/** `weights` divided by their sum. */
export function normalised(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

const runSeed = Number(process.env['ORBWEAVER_SEED'] ?? 20030520);

/** fc.assert with the run's seed; a failure names the command that repeats it. */
export function assertProperty<T extends unknown[]>(property: fc.IProperty<T>, numRuns: number): void {
  fc.assert(property, {
    seed: runSeed,
    numRuns,
    reporter: (run) => {
      if (!run.failed) return;
      const replay = `ORBWEAVER_SEED=${run.seed} npx vitest run test/rank`;
      throw new Error(`replay: ${replay}\n${fc.defaultReportMessage(run) ?? ''}`);
    },
  });
}
