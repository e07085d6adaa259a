export { simulate, type Progress, type SimulateOptions } from './simulate.ts';
export { tune, type TuneOptions, type TuneResult } from './tune.ts';
export { runTrial, tuneContext, untimed, type SweepRow, type Trial, type TrialOptions, type TuneContext } from './trial.ts';
export { peakResidentBytes } from './resident.ts';
export { trueRanks, type GivenScores } from './ranks.ts';
export { parseExperiment } from './parse.ts';
export { partitionHosts, policyContext, processorByName, processorSettings, settle, settleSeeds, type QueueMaker, type VisitLog, type WorldMaker } from './assembly.ts';
export {
  exchanges, experimentSchema, networkPresetNames, networkSchema, partitionNames, policiesUsed, policyNames, policyOptionsUsed,
  type Experiment, type ExperimentInput, type SettledExperiment,
} from './schema.ts';
export { crawl, type CrawlSetup } from './loop.ts';
export { stateOf } from './crew.ts';
export { runResult, type EndedCrawl } from './run-result.ts';
