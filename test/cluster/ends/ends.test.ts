import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openRedis } from '../../../src/machines/cluster/index.ts';
import { hasSuperstep, readIncomplete, recordPartial } from '../../../src/core/measure/index.ts';
import { isFullSweep, sampled } from '../../sweep.ts';
import { isPage, nodeOf, repeatedFetches, urlOf } from '../kills/stored-crawl.ts';
import { redisIsHere, redisIsMissing } from '../redis-server.ts';
import { NodePair } from './node-pair.ts';

// Goal: however a node of a crawl on several ends, it says so in one line, leaves what is whole, and the crawl goes on
// when it is started again: in the order of one machine. Method: two nodes by the command; the web holds what the test
// needs to be under way.

const isOfNode1 = (url: string): boolean => nodeOf(url, 2) === 1;
const pair = async (): Promise<NodePair> => NodePair.open(100, 3);

/** Starts node 1 again, waits for both, and finds them where one machine would be. */
async function expectEnd(crawl: NodePair, first: ReturnType<NodePair['start']>): Promise<void> {
  const second = crawl.start(1);
  expect(await second.ended).toMatchObject({ code: 0 });
  expect(await first.ended).toMatchObject({ code: 0 });
  const { nodes, alone } = await crawl.orders();
  expect(alone.flat().length).toBeGreaterThan(50);
  expect(nodes).toEqual(alone);
}

describe.skipIf(!redisIsHere)(`a node that ends${redisIsMissing}`, () => {
  test.each(
    sampled(['SIGTERM', 'SIGINT'] as const, 2),
  )('by %s: what is under way ends, and nothing is fetched twice', async (signal) => {
    await using crawl = await pair();
    const { gate, web } = crawl.crawled;
    gate.open(20, isOfNode1);
    const first = crawl.start(0);
    const node = crawl.start(1);
    const held = await gate.held();
    node.child.kill(signal);
    gate.open(Infinity);
    const { code, stderr, stdout } = await node.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr.split('\n').slice(1)).toEqual([
      'node 1 was interrupted; the others wait until it is started again, with --resume', '',
    ]);
    expect(web.log.filter(({ end }) => end !== 'sent')).toEqual([]);
    const stored = await crawl.stored(1);
    expect(stored).toEqual(expect.arrayContaining(held));
    expect(stored.sort()).toEqual(web.log.filter(isPage).map(urlOf).filter(isOfNode1).sort());
    expect(hasSuperstep(join(crawl.folderOf(1), recordPartial))).toBe(true);
    readIncomplete(join(crawl.folderOf(1), recordPartial));

    await expectEnd(crawl, first);
    expect(repeatedFetches(web.log)).toEqual(new Map());
  }, 120_000);

  test.runIf(isFullSweep)('by SIGTERM, while a host does not answer: after 10 s', async () => {
    await using crawl = await pair();
    const { gate, web } = crawl.crawled;
    gate.open(20, isOfNode1);
    const first = crawl.start(0);
    const node = crawl.start(1);
    const held = await gate.held();
    node.child.kill('SIGTERM');
    expect(await node.ended).toMatchObject({ code: 130 });
    expect((await crawl.stored(1)).filter((url) => held.includes(url))).toEqual([]);
    gate.open(Infinity);
    await expectEnd(crawl, first);
    expect(repeatedFetches(web.log)).toEqual(new Map());
  }, 120_000);

  test('by SIGTERM, while it waits for another node, or for its slot: at once', async () => {
    await using crawl = await pair();
    const interrupted = {
      code: 130, stderr: 'node 0 was interrupted; the others wait until it is started again, with --resume\n',
    };
    const redis = await openRedis(crawl.redis.url);
    const first = crawl.start(0);
    while (await redis.exists('orbweaver:{crawl}:log:0') === 0) await sleep(20);
    first.child.kill('SIGTERM');
    expect(await first.ended).toMatchObject(interrupted);

    await redis.set('orbweaver:{crawl}:slot:0', 'another process', 'PX', 3_600_000);
    const waiting = crawl.start(0, { leaseSeconds: 3600 });
    while (await redis.exists('orbweaver:crawl') === 0) await sleep(20);
    waiting.child.kill('SIGTERM');
    expect(await waiting.ended).toMatchObject(interrupted);
    redis.disconnect();
  }, 120_000);

  test('for a damaged record of another node: it is named, and a new epoch has no need of it', async () => {
    await using crawl = await pair();
    const { gate } = crawl.crawled;
    gate.open(20, (url) => !isOfNode1(url));
    // The way of node 1 to Redis: what comes after the 20th page is damaged.
    let isDamaging = false;
    const way = createServer((socket) => {
      const server = connect(crawl.redis.port, '127.0.0.1');
      server.on('data', (bytes) => {
        const at = isDamaging ? bytes.indexOf('OWCL') : -1;
        if (at >= 0 && at + 12 < bytes.length) bytes[at + 12] ^= 1;
        socket.write(bytes);
      });
      socket.pipe(server);
      for (const [one, other] of [[socket, server], [server, socket]])
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }).listen(0, '127.0.0.1');
    await once(way, 'listening');
    const first = crawl.start(0);
    const node = crawl.start(1, { cluster: `redis://127.0.0.1:${(way.address() as AddressInfo).port}` });
    await gate.held();
    isDamaging = true;
    gate.open(Infinity);
    const { code, stderr } = await node.ended;
    way.close();
    expect(stderr.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^record \d+ of node 0: is damaged: its checksum does not match$/), '',
    ]);
    expect(code).toBe(3);
    await crawl.stored(1);
    await expectEnd(crawl, first);
  }, 120_000);

  test('for want of memory in Redis: in one line, and with memory both go on', async () => {
    await using crawl = await pair();
    const { gate } = crawl.crawled;
    gate.open(20, isOfNode1);
    const nodes = [crawl.start(0), crawl.start(1)];
    await gate.held();
    const redis = await openRedis(crawl.redis.url);
    await redis.config('SET', 'maxmemory', '1');
    gate.open(Infinity);
    for (const { ended } of nodes) {
      const { code, stderr } = await ended;
      expect(stderr.split('\n').slice(1)).toEqual([
        `Redis at 127.0.0.1:${crawl.redis.port} is full: it has reached its maxmemory; raise it, or use another server`, '',
      ]);
      // It cannot write, or cannot renew its lease, whichever comes first.
      expect([3, 75]).toContain(code);
    }
    await redis.config('SET', 'maxmemory', '0');
    redis.disconnect();
    await expectEnd(crawl, crawl.start(0));
  }, 120_000);

  // Of the store of one machine: a node needs more than half of it, and its report is longer than all of it.
  test.each(
    sampled([0.5, 0.3, 0.75], 3),
  )('for want of room on its disk (%d of the store): a file is named, and with room it goes on', async (share) => {
    await using crawl = await NodePair.open(250, 3);
    const { size } = statSync(join(crawl.crawled.alone, 'store', 'data.mdb'));
    const first = crawl.start(0);
    const { code, stderr, stdout } = await crawl.start(1, { maxFileKiB: Math.floor(share * size / 1024) }).ended;
    expect({ code, stdout }, stderr).toEqual({ code: 3, stdout: '' });
    expect(stderr.split('\n').filter((line) => !/^(all 2 nodes are there.*)?$/.test(line))).toEqual([
      expect.stringMatching(/node-1\/.*: could not be written: EFBIG/),
    ]);
    const stored = await crawl.stored(1);
    await expectEnd(crawl, first);
    const repeated = [...repeatedFetches(crawl.crawled.web.log)];
    expect(repeated.filter(([url, count]) => count > 2 || stored.includes(url) || !isOfNode1(url))).toEqual([]);
    expect(repeated.length).toBeLessThanOrEqual(3);
  }, 120_000);
});
