/** Orders of the frontier: `definePolicy` and its types for authors of policies, the registry for runs. */
export {
  definePolicy, type OptionValues, type PolicyDefinition, type PolicyOptions,
} from './define-policy.ts';
export { checkIsModule, isPolicyFile, loadPolicy, policyChecksum, policyFilesIn } from './load-policy.ts';
export type { Amounts, Cash, PageOrder, Policy, PolicyContext, RunFacts } from './policy.ts';
export { PolicyState, type SavedState } from './policy-state.ts';
export { PolicyRegistry, type PolicyInput } from './registry.ts';
export { parseExperiment, parseLiveCrawl, policyNames, shippedPolicies, type PolicyName } from './shipped.ts';
