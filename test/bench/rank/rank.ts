import { availableParallelism } from 'node:os';
import { DirectedGraph } from 'graphology';
import { pagerank as graphologyPagerank } from 'graphology-metrics/centrality/index.js';
import { alternate, type BenchReport, type Side } from '../../../src/questions/bench/index.ts';
import { transpose, type WebGraph } from '../../../src/graphs/graph/index.ts';
import {
  pageRank, PageRankSolver, PageRankThreads, type PageRankSteps,
} from '../../../src/graphs/rank/index.ts';
import { PageRankKernel } from '../../../src/graphs/rank/pagerank/pagerank-kernel.ts';
import { singleThread } from '../../../src/graphs/rank/pagerank/pagerank-memory.ts';
import { kernelSteps, solved, sweepToTolerance } from '../../../src/graphs/rank/pagerank/pagerank.ts';
import { sweepsBesideOracle } from '../../rank/oracle.ts';
import { gapbsSweeps, runGapbs, type GapbsScore } from './gapbs.ts';
import { PeerGraph } from './peer-graph.ts';
import { prpackTolerances, runPrpack } from './prpack.ts';
import { plainPageRank } from '../../rank/plain-pagerank.ts';

const damping = 0.85;
/** Beyond this many arcs graphology needs too much memory, hundreds of bytes an arc. */
const graphologyArcs = 200_000;

const targets = [1e-4, 1e-6, 1e-8];

export interface RankBenchOptions {
  /** Executables of GAPBS's pr: as shipped, and built with double for ScoreT and kDamp. */
  readonly gapbs: Readonly<Partial<Record<GapbsScore, string>>>;
  /** An executable that runs PRPACK, as prpack.ts describes it. */
  readonly prpack?: string | undefined;
  /** Also on so many threads. */
  readonly threads: number;
  /** Leaves out the plain versions and the steps, which take long on large graphs. */
  readonly brief: boolean;
}

/**
 * Time to a true L1 error, against a converged vector. Ours stops where it is certified, and says how many sweeps an
 * oracle would have saved; GAPBS, PRPACK and the power iteration know when to stop. What ours knows, by rows:
 *
 * in-lists ready   as GAPBS: the in-lists are there, to be coded. Threads are started, too, and have coded theirs.
 * known stop       the same, stopping when GAPBS does: without the sweeps and the measurement that certify.
 * lists coded      a graph ranked before, with other damping or preference (PageRankSolver).
 * whole            the graph alone: transposing is part of it, and fresh memory. PRPACK's: its components and order,
 *                  made of in-lists which are there, and fresh memory.
 */
export async function benchRank(
  graph: WebGraph, rounds: number, { gapbs, prpack, threads, brief }: RankBenchOptions,
): Promise<BenchReport> {
  const { ranks: converged } = plainPageRank(graph, { damping, tolerance: 1e-12 });
  const checked = (name: string, target: number, ranks: Float64Array): void => {
    const error = l1Distance(ranks, converged);
    if (!(error <= target + 1e-12)) throw new Error(`${name}: the error is ${error}, not ${target}`);
  };
  const kernel = new PageRankKernel(graph, kernelSteps({}), singleThread(graph, false));
  const spare = singleThread(graph, false);
  const solver = new PageRankSolver(graph);
  const team = threads > 1 ? new PageRankThreads(graph, threads) : undefined;
  await team?.started;
  const executables = Object.entries(gapbs) as [GapbsScore, string][];
  const peer = executables.length > 0 || prpack !== undefined ? new PeerGraph(graph) : undefined;
  const peerSweeps = executables.map(([score]) => gapbsSweeps(graph, score, damping, converged, targets));
  const cases: BenchReport['cases'][number][] = [];
  let machine = '';
  try {
    const prpackTolerance = prpack === undefined ? [] : prpackTolerances(prpack, peer!, converged, targets);
    for (const [nth, target] of targets.entries()) {
      const named = (name: string): string => `${target.toExponential()}: ${name}`;
      const ours = (name: string, steps: PageRankSteps = {}): Side => {
        const { iterations, ranks } = pageRank(graph, { damping, tolerance: target, steps });
        checked(name, target, ranks);
        return {
          name: named(`${name}, ${iterations} sweeps`),
          run: () => pageRank(graph, { damping, tolerance: target, steps }).ranks[0],
        };
      };
      const { certified, oracle } = sweepsBesideOracle(graph, target, { damping, converged });
      stoppedByOracle(kernel, oracle, target);
      checked('known stop', target, normalised(kernel.ranks()));
      const sides: Side[] = [
        {
          name: named(`in-lists ready, ${certified} sweeps (oracle ${oracle})`),
          run: () => {
            kernel.code();
            return solved(graph, kernel, { damping, tolerance: target }).ranks[0];
          },
        },
        { name: named(`known stop, ${oracle} sweeps`), run: () => stoppedByOracle(kernel, oracle, target) },
        { name: named('lists coded'), run: () => solver.solve({ damping, tolerance: target }).ranks[0] },
        ours('whole'),
      ];
      if (team !== undefined) {
        const { ranks, iterations } = await team.solve({ damping, tolerance: target });
        checked('threads', target, ranks);
        sides.push({
          name: named(`lists coded, ${threads} threads, ${iterations} sweeps`),
          run: async () => (await team.solve({ damping, tolerance: target })).ranks[0],
        });
      }
      for (const [i, [score, executable]] of executables.entries()) {
        const sweeps = peerSweeps[i][nth];
        // A loop that never gets there has no time.
        if (sweeps === undefined) continue;
        for (const cores of new Set([1, threads])) {
          sides.push({
            name: named(`GAPBS ${score}, ${cores} thread${cores > 1 ? 's' : ''}, ${sweeps} sweeps`),
            measuresIn: 'ms',
            run: () => runGapbs(executable, peer!.file, sweeps, cores),
          });
        }
      }
      if (prpack !== undefined) sides.push(...prpackSides(prpack, peer!, prpackTolerance[nth], named));
      sides.push(
        {
          name: named('transposing alone, kernel'),
          run: () => new PageRankKernel(graph, kernelSteps({}), spare).differencesOfACycle,
        },
        { name: named('transposing alone, TypeScript'), run: () => transpose(graph).inOffsets[graph.pages] },
      );
      if (!brief) sides.push(...slowerSides(graph, converged, target, named, checked), ...stepSides(ours));
      const report = await alternate(sides, rounds);
      machine = `${report.machine}; ${availableParallelism()} cores to have`;
      cases.push(...report.cases);
    }
  } finally {
    await team?.close();
    peer?.dispose();
  }
  return { machine, cases };
}

function prpackSides(
  executable: string, peer: PeerGraph, tolerance: number, named: (name: string) => string,
): Side[] {
  return [
    {
      name: named('PRPACK sccgs, compute'),
      measuresIn: 'ms',
      run: () => runPrpack(executable, peer, tolerance, 3).computeMs,
    },
    {
      // In fresh memory, as ours is.
      name: named('PRPACK sccgs, whole'),
      measuresIn: 'ms',
      run: () => {
        const { preprocessingMs, computeMs } = runPrpack(executable, peer, tolerance, 1);
        return preprocessingMs + computeMs;
      },
    },
  ];
}

/** The kernel's sweeps and its ranks, of which no bound is measured. */
function stoppedByOracle(kernel: PageRankKernel, sweeps: number, tolerance: number): number {
  const enough = new Error('enough');
  kernel.code();
  try {
    const onSweep = (done: number): void => { if (done === sweeps) throw enough; };
    sweepToTolerance(kernel, { onSweep }, { damping, tolerance, preference: undefined });
  } catch (error) {
    if (error !== enough) throw error;
  }
  kernel.finish();
  return kernel.ranks()[0];
}

function normalised(ranks: Float64Array): Float64Array {
  const sum = ranks.reduce((total, rank) => total + rank, 0);
  return ranks.map((rank) => rank / sum);
}

function slowerSides(
  graph: WebGraph, converged: Float64Array, target: number, named: (name: string) => string,
  checked: (name: string, target: number, ranks: Float64Array) => void,
): Side[] {
  const plain = plainPageRank(graph, { damping, tolerance: target });
  checked('plain', target, plain.ranks);
  const steps = stepsToError(graph, converged, target);
  return [
    {
      name: named(`plain, ${plain.iterations} sweeps`),
      run: () => plainPageRank(graph, { damping, tolerance: target }).ranks[0],
    },
    { name: named(`power iteration, ${steps} steps`), run: () => powerIteration(graph, steps)[0] },
    ...(graph.arcs > graphologyArcs ? [] : [graphologySide(graph, target)]),
  ];
}

function stepSides(ours: (name: string, steps: PageRankSteps) => Side): Side[] {
  return [
    ours('without self-loops solved', { selfLoops: false }),
    ours('without mutual links solved', { mutualLinks: false }),
    ours('without dangling pages last', { danglingLast: false }),
    ours('without coded lists', { deltaCoded: false }),
    ours('without restless blocks swept again', { restless: false }),
    ours('without extrapolation', { extrapolation: false }),
  ];
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
    for (let arc = graph.outOffsets[page]; arc < graph.outOffsets[page + 1]; arc++)
      other.addDirectedEdge(page, graph.outTargets[arc]);
  }
  // It stops at an L1 change of pages x tolerance; what is missing then is damping / (1 - damping) times that at most.
  const tolerance = (target * (1 - damping)) / damping / graph.pages;
  return {
    name: `${target.toExponential()}: graphology-metrics`,
    run: () => graphologyPagerank(other, { alpha: damping, tolerance, maxIterations: 1000, getEdgeWeight: null })['0'],
  };
}
