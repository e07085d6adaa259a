export { measureBalance } from './balance.ts';
export { horizonsInWords } from './horizons-in-words.ts';
export { interval, isBeyondNoise, pairedDifference, studentQuantile, type Interval } from './interval.ts';
export { largestHost, type LargestHost } from './largest-host.ts';
export { limitKinds, type LimitKind } from './limits/kinds.ts';
export { LimitsSoFar, measureLimits, type Limits } from './limits/limits.ts';
export { findingsInWords, limitNoun, limitsInWords } from './limits/limits-in-words.ts';
export { measureTitles } from './measure-titles.ts';
export type { ParallelFigures } from './parallel.ts';
export { agreement, kendallTauB, type Agreement, type TopOverlap } from './quality/agreement.ts';
export { measureGathered, type RankGathered, type SecondsToRank } from './quality/gathered.ts';
export type { Harvest } from './quality/harvest.ts';
export type { HotPageRecall } from './quality/hot-pages.ts';
export { commonRanks, compareOrders, placesByProcessor, type OrderAgreement } from './quality/order-agreement.ts';
export {
  bestRanks, fallingRanks, measureQuality, type Milestones, type Quality, type QualityInput, type RunCurves,
} from './quality/quality.ts';
export type { Tail } from './quality/tail.ts';
export { DiskRecord, JOURNAL_FILE, recordPartial, STARTED_FILE } from './record/disk-record.ts';
export {
  HOSTS_GIVEN_UP_FILE, laterColumns, recordedKinds, statisticsColumns, superstepColumns, type Failure,
  type HostGivenUpRow, type RunEvents, type StatisticsRow,
} from './record/events.ts';
export { MemoryRecord } from './record/memory-record.ts';
export {
  endOfIncomplete, endOfRecord, outcomesBefore, type OutcomePlace, type RecordedOutcome,
} from './record/read/outcomes-before.ts';
export { pagesCsv, type PageOutcomes } from './record/pages-csv.ts';
export {
  hasSuperstep, isIncomplete, readIncomplete, readStarted, type IncompleteRun,
} from './record/read/read-incomplete.ts';
export { readFailures, readHostsGivenUp, readRunEvents, readRunJson } from './record/read/read-run.ts';
export {
  failuresInWords, type Balance, type Communication, type DatasetFacts, type PartitionFigures, type RunJson,
  type ForkLeg, type ForkOf, type GraphStatistics, type RunMemory, type RunOrigin, type RunResult, type RunSummary,
  type StatisticsResult,
} from './record/record.ts';
export { replayHash, ReplayHash } from './record/replay-hash.ts';
export { summarySchema } from './record/summary-schema.ts';
export { OutputFolder, partialOf, recordFiles, runFile, statisticsCsv } from './record/run-folder.ts';
export { recordFormat, type Origins, type RunHeader, type RunRecord } from './record/run-record.ts';
export { TotalOrder, type OrderedTarget, type OutcomeBatch, type Settled } from './record/total-order.ts';
export { verifyRun, type VerifiedSettings } from './record/verify-run.ts';
export {
  bySuperstep, everyRow, restingUs, rowAtRest, superstepEnds, type RobotSettings,
} from './supersteps.ts';
export { summarise, type SummaryInput } from './summary.ts';

export type { Crash, SuperstepRow } from './record/events.ts';
