export { CashInvariant, cashOf, Invariants, type CashHeld } from './invariants.ts';
export type { SteeredSetting } from './steering.ts';
export { Processor, type ProcessorOptions, type ProcessorState } from './processor.ts';
