export { openRedis, shownRedis, type OpenRedisOptions } from './redis.ts';
