export { changesSchema } from './changes.ts';
export {
  crawlSettingsSchema, largestBlock, partitionNames, queueSchema, type CrawlSettings, type SettledCrawl,
} from './crawl-settings.ts';
export {
  experimentSchema, liveCrawlSchema, simulatedOnly, type Experiment, type ExperimentInput, type LiveCrawlInput,
  type LiveCrawlSettings, type SettledExperiment,
} from './experiment.ts';
export { measureSettingsSchema, type MeasureSettings } from './measure-settings.ts';
export { networkPresetNames, networkSchema } from './network-schema.ts';
export { parseExperiment, parseLiveCrawl } from './parse.ts';
export { policiesOfOption, policiesUsed, policyNames, policyOptionsUsed, policySchema } from './policy-settings.ts';
export {
  exchanges, simulatedQueueSchema, simulationSettingsSchema, type SimulationSettings,
} from './simulation-settings.ts';
