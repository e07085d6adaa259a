export type { ProcessorState } from './checkpoint.ts';
export { newCounts, type SuperstepCounts } from './counts.ts';
export { Frontier, pageStates, stateCode, type PageState } from './frontier.ts';
export { CashInvariant, cashOf, Invariants, type CashHeld } from './invariants.ts';
export { PendingJobs } from './pending-jobs.ts';
export { Processor, type ProcessorOptions } from './processor.ts';
export { backoffUs } from './retries.ts';
