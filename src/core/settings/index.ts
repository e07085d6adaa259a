export { changesSchema, maxHostDelayMs } from './changes.ts';
export {
  largestBlock, partitionNames, queueSchema, type CrawlSettings, type SettledCrawl,
} from './crawl-settings.ts';
export { currentName, earlierName, withCurrentNames, withEarlierDefaults } from './names/earlier-names.ts';
export {
  simulatedOnly, type Experiment, type ExperimentInput, type LiveCrawlInput, type LiveCrawlSettings,
  type SettledExperiment,
} from './experiment.ts';
export { flagMeant, keyMeant, settingMeant, settingNamed, synonymOf } from './names/meant.ts';
export { measureSettingsSchema, type MeasureSettings } from './measure-settings.ts';
export { networkPresetNames, networkSchema, type NetworkOptions } from './network-schema.ts';
export {
  checkUserPolicies, isWeights, policiesOfOption, policiesUsed, policyNeeds, policyOptionsUsed, recordedPolicies,
  recordOf, userPoliciesNamed, userPoliciesSchema, weighable, type ChoiceOption, type NumberOption, type OptionValue,
  type PolicyChoice, type PolicyFacts, type PolicyNeed, type PolicyOption, type PolicyOrigin, type UserPolicy,
  type WeightsOption,
} from './policy-settings.ts';
export { camelCase, flagName, hiddenFlagNames, kebabCase } from './names/setting-names.ts';
export { checkedSettings, fieldOf, Settings } from './settings.ts';
export {
  firstPending, grownPending, maxSuperstepLimit, pendingOrigin, superstepLimitOf, superstepLimitOrigin,
} from './scaling.ts';
export {
  exchanges, simulatedQueueSchema, simulationSettingsSchema, type SimulationSettings,
} from './simulation-settings.ts';
