export { goodbye } from './goodbye.ts';
export { agree, type Agreement } from './live/agree.ts';
export { LiveNode, type LiveEpoch, type LiveNodeOptions, type NodeStore, type NodeWork } from './live/live-node.ts';
export type { FoundPage, PageNumbers } from './live/live-letters.ts';
export type { End, NodeState } from './live/live-records.ts';
export { meetAtRedis, type MeetAtRedisOptions, type Meeting } from './live/meeting.ts';
export { systemClock, type MemberClock } from './live/member.ts';
export { EpochEnded, Log, type LogOptions } from './log/log.ts';
export { MemoryEngine } from './log/memory-streams.ts';
export { RedisStreams, type RedisStreamsOptions } from './log/redis-streams.ts';
export { isBefore, streamStart, type Entry, type EntryId, type Streams } from './log/streams.ts';
export { openRedis, type OpenRedisOptions } from './redis.ts';
export { shownRedis } from './redis-url.ts';
export { differenceOf, settingsByName, type Identity } from './simulation/identity.ts';
export { joinSimulation, type JoinedSimulation, type JoinSimulationOptions } from './simulation/join-simulation.ts';
export { SharedSimulation, type SharedSimulationOptions } from './simulation/shared-simulation.ts';
export { HeldSlot, type HeldSlotOptions } from './slots/held-slot.ts';
export { MemorySlots } from './slots/memory-slots.ts';
export { RedisSlots } from './slots/redis-slots.ts';
export type { Claimant, Claimed, Slots } from './slots/slots.ts';
export { countedCrew, type CountedCrew } from './status/counted-crew.ts';
export type { NodePages } from './status/node-card.ts';
export {
  clusterStatus, type CrawlStatus, type LastRecord, type NodeStatus,
} from './status/status.ts';
