export { amountOf, Outbox, type OutboxState, type Pairs } from './mailbox.ts';
export {
  ConsistentHashing, hostHash, jumpBucket, jumpHash, largestProcessingTime, registrableDomain,
} from './partition.ts';
export {
  MemoryTransport, noTraffic, type Barrier, type BarrierCost, type SavedMail, type Traffic, type Transport,
} from './transport.ts';
