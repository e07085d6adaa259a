export {
  partitionHosts, policyContext, processorByName, processorSettings, settle, settleCrawl, settleSeeds, type QueueMaker,
  type VisitLog, type WorldMaker,
} from './assembly.ts';
export { stateOf } from './crew.ts';
export { datasetFacts } from './dataset-facts.ts';
export { crawl, type CrawlSetup } from './loop.ts';
export { trueRanks, withScores, type GivenScores } from './ranks.ts';
export { peakResidentBytes } from './resident.ts';
export { runResult, type EndedCrawl } from './run-result.ts';
export { simulate, type Progress, type SimulateOptions } from './simulate.ts';
export {
  runTrial, tuneContext, untimed, type SweepRow, type Trial, type TrialOptions, type TuneContext,
} from './tune/trial.ts';
export { tune, type TuneOptions, type TuneResult } from './tune/tune.ts';
