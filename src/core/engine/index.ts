export type { QueueMaker, WorldMaker } from './assembly.ts';
export { RunControl, type ProcessorSnapshot, type RunSnapshot } from './control/control.ts';
export {
  LocalCrew, snapshots, stateOf, type Arrival, type Crew, type Letter, type Revived, type Settled, type Settlement,
  type Standing, type SuperstepWork, type Worked,
} from './crews/crew.ts';
export type { SharedCrawl, SharedRun } from './crews/shared-crawl.ts';
export { crawl, type CrawlSetup } from './loop.ts';
export { breathe, crawlLimits, newProcessor, frontierSettings } from './processors.ts';
export { progressSink, type Progress } from './progress.ts';
export { datasetFacts } from './result/dataset-facts.ts';
export { peakResidentBytes, runHeader, runResult, type EndedCrawl } from './result/run-result.ts';
export { hostAddresses, sharersOf } from '../simulation/index.ts';
export type { HostAddresses } from '../world/index.ts';
export { fitNetwork, type FittedNetwork } from './setup/fitted-network.ts';
export { partitionHosts, processorByName } from './setup/owners.ts';
export { WholeGraph, type CrawledGraph } from './setup/graph/crawled-graph.ts';
export { PartialGraph } from './setup/graph/partial-graph.ts';
export { PreparedFile, preparedPath, writePrepared, type PreparedHeader } from './setup/graph/prepared-file.ts';
export { trueRanks, withScores, type GivenScores } from './setup/ranks.ts';
export type { ExactCheckpoint, ExactCheckpoints } from './setup/exact-checkpoint.ts';
export { reportHistory, type FetchedOf } from './setup/history.ts';
export { originsOf, settle, settleCrawl, settleSeeds, type SettledSeeds } from './setup/settled.ts';
export { checkpointAfter } from './fork.ts';
export { simulate, simulateOn, type SimulateOptions } from './simulate.ts';
export {
  runTrial, tuneContext, untimed, type SweepRow, type Trial, type TrialOptions, type TuneContext,
} from './tune/trial.ts';
export { tuneTimed, type TimedGoal, type TimedResult, type TimedRow } from './tune/timed.ts';
export { tune, type TunedTrial, type TuneOptions, type TuneResult } from './tune/tune.ts';
