export { alternate, machine, type BenchCase, type BenchReport, type Side } from './alternate.ts';
export { countingContenders, kernelContenders, ourContenders, type BatchQueue, type Contender } from './contenders.ts';
export { countComparisons, figure8, figure8Blocks, perEntry, type Comparisons, type Figure8Row, type Figure8Stream } from './figure-8.ts';
export { hold, holdPlan, type HoldPlan, type HoldResult } from './hold-model.ts';
export { javascriptPeers, type Absent } from './peers/javascript.ts';
export { stdPriorityQueue, stdVariants } from './peers/std-priority-queue.ts';
export { crawlSource, holdSource, RecordingQueue, replay, syntheticGraph, type PriorityStream, type StreamSource } from './priority-streams.ts';
export { benchQueues, queueBenchDefaults, type HoldCase, type QueueBenchOptions, type QueueBenchReport } from './queues.ts';
export { explainedFrom, paperTable1, sharings, table1, type Table1Row, type Work } from './table-1.ts';
