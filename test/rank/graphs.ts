import fc from 'fast-check';
import { buildGraph, type WebGraph } from '../../src/graphs/graph/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { replayCommand, tries } from '../sweep.ts';

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

/** Graphs that are hard on an iteration, on its stopping rule or on extrapolation. */
export function adversaries(): WebGraph[] {
  const draws = new DrawStream(1, 'adversaries');
  const random = (name: string, pages: number, degree: (page: number) => number): WebGraph =>
    graphByRule(name, pages, (page) =>
      Array.from({ length: degree(page) }, (_, link) => Math.floor(pages * draws.uniform(page, link) ** 3)),
    );
  const clique = (from: number, page: number): number[] =>
    Array.from({ length: 30 }, (_, i) => from + i).filter((to) => to !== page);
  return [
    random('a random graph with hubs, self-loops and dangling pages', 300, (page) => page % 7),
    graphByRule('a long chain against the order of the sweep', 400, (page) => (page > 0 ? [page - 1] : [])),
    graphByRule('a long ring against the order of the sweep', 400, (page) => [(page + 399) % 400]),
    graphByRule('pages with little but self-loops', 300, (page) => [
      page, ...(page % 10 === 0 ? [(page * 37) % 300] : []),
    ]),
    graphByRule('two cliques weakly linked', 60, (page) => [
      ...clique(page < 30 ? 0 : 30, page), ...(page === 0 ? [30] : []),
    ]),
    graphByRule('rings of many lengths', 210, (page) => {
      const ring = Math.floor((Math.sqrt(8 * page + 1) - 1) / 2);
      const first = (ring * (ring + 1)) / 2;
      return [page > first ? page - 1 : first + ring];
    }),
    graphByRule('templates on every page', 260, (page) => [
      ...Array.from({ length: page % 9 === 0 ? 0 : 20 }, (_, i) => i), page, (page * 7) % 260,
    ]),
    graphByRule('a bipartite star', 200, (page) => (page === 0 ? Array.from({ length: 199 }, (_, i) => i + 1) : [0])),
  ];
}

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

/** fc.assert with the run's seed, `numRuns` times in the full sweep; a failure names the command that repeats it. */
export function assertProperty<T extends unknown[]>(property: fc.IProperty<T>, numRuns: number): void {
  fc.assert(property, {
    seed: runSeed,
    numRuns: tries(numRuns),
    reporter: (run) => {
      if (!run.failed) return;
      const replay = replayCommand(run.seed, 'test/rank');
      throw new Error(`replay: ${replay}\n${fc.defaultReportMessage(run) ?? ''}`);
    },
  });
}
