export { CashInvariant, cashOf, Invariants, type CashHeld } from './invariants.ts';
export type { Asked, Steer } from './steering.ts';
export { barrierOf, Processor, type ProcessorOptions, type ProcessorState } from './processor.ts';
