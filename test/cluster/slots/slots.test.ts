import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe } from 'vitest';
import { MemorySlots, openRedis, RedisSlots } from '../../../src/machines/cluster/index.ts';
import { describeSlots } from '../../conformance/slots.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';

// Goal: a slot has one holder at a time, on every engine, and epochs only rise.

describe('slots in memory', () => {
  describeSlots(async (work) => {
    let nowMs = 0;
    const slots = new MemorySlots(100, () => nowMs);
    await work({
      slots,
      passLease: async () => {
        nowMs += 100;
        return Promise.resolve();
      },
      loseAll: async () => {
        slots.lose();
        return Promise.resolve();
      },
    });
  });
});

describe.skipIf(!redisIsHere)(`slots on Redis${redisIsMissing}`, () => {
  let server: RedisServer;
  let run = 0;
  beforeAll(async () => { server = await RedisServer.start(); });
  afterAll(async () => { await server[Symbol.asyncDispose](); });

  describeSlots(async (work) => {
    const redis = await openRedis(server.url);
    const prefix = `test:{${run++}}`;
    try {
      await work({
        // Long for a busy machine; time passes by Redis's own hand.
        slots: new RedisSlots(redis, prefix, 60_000),
        passLease: async () => {
          for (const key of await redis.keys(`${prefix}:slot:*`)) await redis.pexpire(key, 1);
          while ((await redis.keys(`${prefix}:slot:*`)).length > 0) await sleep(1);
        },
        loseAll: async () => { await redis.flushall(); },
      });
    } finally {
      redis.disconnect();
    }
  });
});
