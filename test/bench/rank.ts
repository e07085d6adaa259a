import { DirectedGraph } from 'graphology';
import { pagerank as graphologyPagerank } from 'graphology-metrics/centrality/index.js';
import { alternate, type BenchReport, type Side } from '../../src/bench/index.ts';
import { transpose, type WebGraph } from '../../src/graph/index.ts';
import { pageRank, plainPageRank, type PageRankSteps } from '../../src/rank/index.ts';

const damping = 0.85;
/** Beyond this many arcs graphology needs too much memory, hundreds of bytes an arc. */
const graphologyArcs = 200_000;

/**
 * Time to a true L1 error, against a converged vector: the kernel and the plain version with the tolerance that certifies it, a
 * power iteration that is told when to stop, graphology on small graphs; then the kernel without one of its steps. Transposing is part
 * of every side of ours, and stands alone as the last.
 */
export async function benchRank(graph: WebGraph, rounds: number): Promise<BenchReport> {
  const { ranks: converged } = plainPageRank(graph, { damping, tolerance: 1e-12 });
  const checked = (name: string, target: number, ranks: Float64Array): void => {
    const error = l1Distance(ranks, converged);
    if (!(error <= target + 1e-12)) throw new Error(`${name}: the error is ${error}, not ${target}`);
  };
  const cases: BenchReport['cases'][number][] = [];
  let machine = '';
  for (const target of [1e-4, 1e-6, 1e-8]) {
    const ours = (name: string, steps: PageRankSteps = {}): Side => {
      const { iterations, ranks } = pageRank(graph, { damping, tolerance: target, steps });
      checked(name, target, ranks);
      return {
        name: `${target.toExponential()}: ${name}, ${iterations} sweeps`,
        run: () => pageRank(graph, { damping, tolerance: target, steps }).ranks[0],
      };
    };
    const plain = plainPageRank(graph, { damping, tolerance: target });
    checked('plain', target, plain.ranks);
    const steps = stepsToError(graph, converged, target);
    const sides = [
      ours('kernel'),
      {
        name: `${target.toExponential()}: plain, ${plain.iterations} sweeps`,
        run: () => plainPageRank(graph, { damping, tolerance: target }).ranks[0],
      },
      { name: `${target.toExponential()}: power iteration, ${steps} steps`, run: () => powerIteration(graph, steps)[0] },
      ours('without self-loops solved', { selfLoops: false }),
      ours('without dangling pages last', { danglingLast: false }),
      ours('without coded lists', { deltaCoded: false }),
      ours('without extrapolation', { extrapolation: false }),
      ...(graph.arcs > graphologyArcs ? [] : [graphologySide(graph, target)]),
      { name: `${target.toExponential()}: transposing alone`, run: () => transpose(graph).inOffsets[graph.pages] },
    ];
    const report = await alternate(sides, rounds);
    machine = report.machine;
    cases.push(...report.cases);
  }
  return { machine, cases };
}

function l1Distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let page = 0; page < a.length; page++) sum += Math.abs(a[page] - b[page]);
  return sum;
}

/** One step of plain power iteration, pushed along the links; dangling rank goes to all pages. */
function powerStep({ pages, outOffsets, outTargets }: WebGraph, from: Float64Array, to: Float64Array): void {
  let dangling = 0;
  to.fill(0);
  for (let page = 0; page < pages; page++) {
    const begin = outOffsets[page];
    const end = outOffsets[page + 1];
    if (begin === end) dangling += from[page];
    const share = (damping * from[page]) / (end - begin);
    for (let arc = begin; arc < end; arc++) to[outTargets[arc]] += share;
  }
  const rest = (damping * dangling + 1 - damping) / pages;
  for (let page = 0; page < pages; page++) to[page] += rest;
}

function stepsToError(graph: WebGraph, converged: Float64Array, target: number): number {
  let [ranks, next] = [new Float64Array(graph.pages).fill(1 / graph.pages), new Float64Array(graph.pages)];
  let steps = 0;
  for (; l1Distance(ranks, converged) > target; steps++) {
    powerStep(graph, ranks, next);
    [ranks, next] = [next, ranks];
  }
  return steps;
}

function powerIteration(graph: WebGraph, steps: number): Float64Array {
  let [ranks, next] = [new Float64Array(graph.pages).fill(1 / graph.pages), new Float64Array(graph.pages)];
  for (let step = 0; step < steps; step++) {
    powerStep(graph, ranks, next);
    [ranks, next] = [next, ranks];
  }
  return ranks;
}

function graphologySide(graph: WebGraph, target: number): Side {
  const other = new DirectedGraph();
  for (let page = 0; page < graph.pages; page++) other.addNode(page);
  for (let page = 0; page < graph.pages; page++) {
    for (let arc = graph.outOffsets[page]; arc < graph.outOffsets[page + 1]; arc++) other.addDirectedEdge(page, graph.outTargets[arc]);
  }
  // It stops at an L1 change of pages x tolerance; what is missing then is damping / (1 - damping) times that at most.
  const tolerance = (target * (1 - damping)) / damping / graph.pages;
  return {
    name: `${target.toExponential()}: graphology-metrics`,
    run: () => graphologyPagerank(other, { alpha: damping, tolerance, maxIterations: 1000, getEdgeWeight: null })['0'],
  };
}
