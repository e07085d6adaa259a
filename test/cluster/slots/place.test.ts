import { expect, test } from 'vitest';
import { InputError } from '../../../src/base/index.ts';
import { openRedis } from '../../../src/machines/cluster/index.ts';
import { Place } from '../../../src/machines/cluster/slots/place.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';

// Goal: a crawl has its place as long as one of its nodes is there, however others end.

test.skipIf(!redisIsHere)(`the last node of a crawl gives its place free${redisIsMissing}`, async () => {
  await using server = await RedisServer.start();
  const redis = await openRedis(server.url);
  try {
    const place = (node: number): Place => new Place(server.url, 'crawl', node);
    const [first, second, again, stranger] = [place(0), place(1), place(0), place(0)];
    const refused = async (): Promise<void> => {
      await expect(stranger.hold(redis, { policy: 'opic' })).rejects.toThrow(InputError);
    };
    await first.hold(redis, { policy: 'random' });
    await second.hold(redis, { policy: 'random' });
    await refused();
    await first.release();
    await refused();
    await again.hold(redis, { policy: 'random' });
    await second.release();
    await refused();
    await again.release();
    await stranger.hold(redis, { policy: 'opic' });
    // Its process is killed, and the node comes back and ends.
    const back = place(0);
    await back.hold(redis, { policy: 'opic' });
    await back.release();
    expect(await redis.keys('*')).toEqual([]);
    await stranger.release();
    expect(await redis.keys('*')).toEqual([]);
  } finally {
    redis.disconnect();
  }
});
