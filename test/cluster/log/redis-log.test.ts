import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedis, RedisStreams } from '../../../src/machines/cluster/index.ts';
import { describeLog } from '../../conformance/log.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';

// Goal: the log of a crawl on several machines holds on Redis Streams, over restarts, lost connections and lost keys.

describe.skipIf(!redisIsHere)(`a log on Redis${redisIsMissing}`, () => {
  let server: RedisServer;
  let run = 0;
  beforeAll(async () => { server = await RedisServer.start({ appendonly: true }); });
  afterAll(async () => { await server[Symbol.asyncDispose](); });

  const open = async (prefix: string): Promise<RedisStreams> =>
    new RedisStreams(await openRedis(server.url), { prefix, nodes: 3, expiresMs: 60_000 });

  describeLog(async (work) => {
    const prefix = `test:{${run++}}`;
    const redis = await openRedis(server.url);
    try {
      await work({
        connect: async () => open(prefix),
        loseAll: async () => { await redis.flushall(); },
        interrupt: async () => { await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'); },
        settle: async () => Promise.resolve(),
      });
    } finally {
      redis.disconnect();
    }
  });

  test('goes on after kill -9 of the server', async () => {
    await using own = await RedisServer.start({ appendonly: true });
    const options = { prefix: 'test:{killed}', nodes: 2, expiresMs: 0 };
    const [writer, reader] = [
      new RedisStreams(await openRedis(own.url), options), new RedisStreams(await openRedis(own.url), options),
    ];
    const entry = (seq: number) => ({ stream: 0, id: { epoch: 1, seq }, bytes: Uint8Array.of(seq) });
    await writer.append(entry(1), { epoch: 0, seq: 0 });
    const read = (async () => {
      const found = [];
      while (found.length === 0) found.push(...await reader.read(new Map([[0, { epoch: 1, seq: 1 }]])));
      return found;
    })();
    await own.kill();
    const append = writer.append(entry(2), { epoch: 1, seq: 1 });
    await own.restart();
    expect(await append).toBeUndefined();
    expect((await read).map(({ id }) => id.seq)).toEqual([2]);
    for (const streams of [writer, reader]) streams.close();
  });

  test('forgets a run that nobody works on', async () => {
    const redis = await openRedis(server.url);
    const streams = new RedisStreams(redis.duplicate(), { prefix: 'test:{forgotten}', nodes: 1, expiresMs: 20 });
    await streams.append({ stream: 0, id: { epoch: 1, seq: 1 }, bytes: Uint8Array.of(1) }, { epoch: 0, seq: 0 });
    await expect.poll(async () => redis.keys('test:{forgotten}*')).toEqual([]);
    expect(await streams.last(0)).toEqual({ epoch: 0, seq: 0 });
    redis.disconnect();
    streams.close();
  });

  test('a refusal of Redis is one line', async () => {
    const prefix = 'test:{other}';
    const redis = await openRedis(server.url);
    await redis.set(`${prefix}:log:0`, 'no stream');
    const streams = await open(prefix);
    await expect(streams.append({ stream: 0, id: { epoch: 1, seq: 1 }, bytes: Uint8Array.of(1) }, { epoch: 0, seq: 0 }))
      .rejects.toThrow(/^Redis at 127\.0\.0\.1:\d+: WRONGTYPE/);
    redis.disconnect();
    streams.close();
  });
});
