export { CashInvariant, cashOf, Invariants, type CashHeld } from './invariants.ts';
export type { SteeredSetting } from './steering.ts';
export { Processor, type ProcessorOptions } from './processor.ts';
