export { EpochEnded, Log, type LogOptions } from './log/log.ts';
export { MemoryEngine } from './log/memory-streams.ts';
export { RedisStreams, type RedisStreamsOptions } from './log/redis-streams.ts';
export { isBefore, streamStart, type Entry, type EntryId, type Streams } from './log/streams.ts';
export { openRedis, shownRedis, type OpenRedisOptions } from './redis.ts';
export { joinSimulation, type JoinedSimulation, type JoinSimulationOptions } from './simulation/join-simulation.ts';
export { SharedSimulation, type SharedSimulationOptions } from './simulation/shared-simulation.ts';
