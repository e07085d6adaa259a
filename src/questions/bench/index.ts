export type { AdversariesResult, AdversaryRow } from './adversaries/adversaries-shown.ts';
export { adversariesPart } from './adversaries/adversaries.ts';
export { adversaries, type Adversary, type Step } from './adversaries/adversary-steps.ts';
export { alternate, machine, spread, type BenchCase, type BenchReport, type Side, type Spread } from './alternate.ts';
export { countingContenders, kernelContenders, ourContenders, type Contender } from './contenders.ts';
export { hold, holdPlan } from './hold/hold-model.ts';
export type { HoldBench, HoldCase } from './hold/hold-shown.ts';
export { holdPart } from './hold/hold.ts';
export { steadySelect } from './literature/steady-select.ts';
export { drain, type Drained } from './paged/drain.ts';
export { overheadBytes, pagedDrainPart } from './paged/paged-drain.ts';
export { peakOf, ranked, replayPaged, type PhaseCounts } from './paged/paged-replay.ts';
export { paperThreads, type Figure10Result } from './paper/figure-10-shown.ts';
export { figure10Part, modelSlices } from './paper/figure-10.ts';
export {
  countComparisons, figure8, figure8Part, perEntry, type Comparisons, type Figure8Stream,
} from './paper/figure-8.ts';
export { paperRatio, ratioOf, type Figure9Result } from './paper/figure-9-shown.ts';
export { fallingSource, figure9, figure9Part, figure9Shares, uniformSource } from './paper/figure-9.ts';
export {
  explainedFrom, paperTable1, type Table1Result, type Table1Row, type Work, yardsticks,
} from './paper/table-1-shown.ts';
export { table1Part } from './paper/table-1.ts';
export type { Part, PartContext } from './part.ts';
export { javascriptPeers, type Absent } from './peers/javascript.ts';
export { stdPriorityQueue, stdVariants } from './peers/std-priority-queue.ts';
export { stxxlName, stxxlPriorityQueue } from './peers/stxxl-priority-queue.ts';
export {
  crawlSource, holdSource, RecordingQueue, replay, syntheticGraph, type PriorityStream,
} from './paper/priority-streams.ts';
export {
  benchQueues, queueBenchDefaults, queueParts, type MeasuredPart, type QueueBenchOptions, type QueueBenchReport,
} from './queues.ts';
export { crawlWorkload, holdWorkload } from './slices/slice-workloads.ts';

export type { Axis, Chart, Column, Point, Series, Shown, ShownTable } from './part.ts';

export { isDimacs, readDimacs } from './growing/dimacs.ts';
export { chosenEntrants, entrantsOf, isAlgorithm1, type Entrant, type Kind } from './growing/entrants.ts';
export { GRAPH_FILE_MAGIC, isGraphFile, readGraphFile, writeGraphFile } from './growing/graph-file.ts';
export { answerOf, graphbenchShown } from './growing/graphbench-shown.ts';
export { graphbench, graphbenchDefaults, maxPrintedPages } from './growing/graphbench.ts';
export type { GraphbenchCase, GraphbenchReport } from './growing/result.ts';
export { densityOf, INFINITE, sequenceOfArcs, sequenceOfGraph, type ArcSequence } from './growing/sequence.ts';
export { spawcGraph, spawcGraphNames } from './growing/spawc-graphs.ts';
export { wholeComponents, wholeDistances } from './growing/whole-results.ts';
