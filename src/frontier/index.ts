export { newCounts, type SuperstepCounts } from './counts.ts';
export { Outboxes, type Exchange } from './outboxes.ts';
export { PageQueue } from './page-queue.ts';
export { Frontier, type FrontierOptions } from './frontier.ts';
export { PageStates, pageStates, stateCode, type PageState } from './page-states.ts';
export { PendingJobs } from './pending-jobs.ts';
export { PendingTarget } from './pending-target.ts';
export { backoffUs, type HostDelays } from './retries.ts';
export type { FrontierState } from './saved.ts';
