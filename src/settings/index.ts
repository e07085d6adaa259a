export { networkPresetNames, networkSchema } from './network-schema.ts';
export { parseExperiment } from './parse.ts';
export {
  exchanges, experimentSchema, largestBlock, partitionNames, policiesOfOption, policiesUsed, policyNames,
  policyOptionsUsed, policySchema, queueSchema, type Experiment, type ExperimentInput, type SettledExperiment,
} from './schema.ts';
