/**
 * Orbweaver as a library: open or build a web graph, simulate crawls of it, look into them while they go on, and
 * measure them. The queues alone are in `orbweaver/queue`, live crawls in `orbweaver/crawl`, and what an author of a
 * policy needs in `orbweaver/policy`.
 *
 * @example
 * ```ts
 * import { openGraph, prepare, simulate, type RunSink } from 'orbweaver';
 *
 * // Prepared, a graph computes its PageRank once for all runs on it.
 * const graph = prepare(await openGraph('star'));
 * let supersteps = 0;
 * const counter: RunSink = { superstep: () => void supersteps++ };
 * for (const policy of ['breadth-first', 'opic'] as const) {
 *   const { run } = await simulate(graph, { policy, processors: 2, maxPages: 5 }, { sinks: [counter] });
 *   console.log(policy, run.summary.quality.pagerankArea, run.replayHash);
 * }
 * console.log(supersteps);
 * ```
 *
 * @packageDocumentation
 */
export { AssertionError, InputError, WorldError } from './base/index.ts';
export { openGraph } from './graphs/catalogue/index.ts';
export {
  fitNetwork, RunControl, simulate, trueRanks, tune, type RunSnapshot, type SimulateOptions, type TuneResult,
} from './core/engine/index.ts';
export type { RunSink, RunStarted, SuperstepEnd } from './core/events/index.ts';
export { writeOwg } from './graphs/formats/index.ts';
export {
  buildGraph, copying, copyingDefaults, defaultSeeds, prepare, reach, type GraphParts, type PreparedGraph,
  type WebGraph,
} from './graphs/graph/index.ts';
export { fromGraphology, toGraphology } from './graphs/graph/graphology/index.ts';
export {
  compareOrders, measureQuality, readRunEvents, readRunJson, recordFiles, type RunEvents, type RunJson,
  type RunResult,
} from './core/measure/index.ts';
export { policyNames } from './core/policy/index.ts';
export { opicRank, opicResidual, pageRank, pageRankResidual } from './graphs/rank/index.ts';
export { reportHtml } from './views/report/index.ts';
export type { ExperimentInput } from './core/settings/index.ts';
export { readStudy, runStudy, type StudyResult } from './questions/study/index.ts';
export type { Outcome } from './core/world/index.ts';
