export { ConsistentHashing, hostHash, jumpBucket, jumpHash, largestProcessingTime, registrableDomain } from './partition.ts';
export { Outbox, type Pairs } from './mailbox.ts';
export { MemoryTransport, type Barrier, type BarrierCost, type Transport } from './transport.ts';
