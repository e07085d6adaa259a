import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  clusterStatus, openRedis, RedisSlots, RedisStreams, type CrawlStatus,
} from '../../src/machines/cluster/index.ts';
import { arrivalSeq, readySeq, resultSeq, settledSeq } from '../../src/machines/cluster/crews/nodes.ts';
import { statusOf } from '../../src/machines/cluster/status/status.ts';
import { orbweaver, orbweaverProcess } from '../cli/command.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from './redis-server.ts';
import { Running } from './studies/processes.ts';

// Goal: `cluster status` says of each node where it is and for whom it waits, from what the server has, and no more.

const { folder } = temporaryFolder();
const secret = 's3cret';
const nobody = { card: null, leaseMs: -2 };

describe('positions of last records', () => {
  const at = (seq: number, epoch = 1) => ({ ...nobody, last: { epoch, seq } });

  test.each([
    [at(0, 0), { record: 'none', superstep: null, epoch: null }],
    [at(readySeq), { record: 'ready', superstep: null, epoch: 1 }],
    [at(arrivalSeq(0)), { record: 'arrival', superstep: 0 }],
    [at(settledSeq(0), 7), { record: 'settled', superstep: 0, epoch: 7 }],
    [at(arrivalSeq(41)), { record: 'arrival', superstep: 41 }],
    [at(settledSeq(41)), { record: 'settled', superstep: 41 }],
    [at(resultSeq), { record: 'result', superstep: null }],
  ])('%j', (facts, expected) => {
    expect(statusOf([facts], true)).toMatchObject([{ ...expected, process: null, leaseSeconds: null, waitsFor: [] }]);
  });

  test('a node waits for those behind it, and for those of an earlier epoch', () => {
    const waits = (...all: ReturnType<typeof at>[]): unknown => statusOf(all, false).map(({ waitsFor }) => waitsFor);
    expect(waits(at(20), at(20), at(20))).toEqual([[], [], []]);
    expect(waits(at(21), at(20), at(19))).toEqual([[1, 2], [2], []]);
    expect(waits(at(readySeq, 2), at(500))).toEqual([[1], []]);
  });

  test('a card that is none is nobody', () => {
    for (const card of ['', '{', '{"machine":1}', '{"machine":"a","pid":-1,"fetched":1,"known":2}'])
      expect(statusOf([{ ...at(1), card }], false)).toMatchObject([{ process: null, pagesFetched: null }]);
    const card = JSON.stringify({ machine: 'a', pid: 1, fetched: 2, known: null });
    expect(statusOf([{ ...at(1), card }], false))
      .toMatchObject([{ process: { machine: 'a', pid: 1 }, pagesFetched: 2, pagesKnown: null }]);
  });
});

describe.skipIf(!redisIsHere)(`cluster status${redisIsMissing}`, () => {
  const web = join(folder, 'web.owg');
  beforeAll(async () => {
    const drawn = ['copying', '--pages', '300', '--arcs', '2000', '--out', web];
    expect(await orbweaverProcess(['generate', ...drawn], folder)).toMatchObject({ code: 0 });
  });
  const shown = (url: string, ...more: string[]) => orbweaver(['cluster', 'status', url, ...more], folder);

  test('refuses a server that has no crawl, and one that is none, in one line', async () => {
    await using server = await RedisServer.start({ password: secret });
    expect(await shown(server.url)).toEqual({
      code: 2, stdout: '',
      stderr: `redis://127.0.0.1:${server.port}: has no crawl or simulation on several nodes; there is one while its nodes run\n`,
    });
    expect((await shown(`redis://127.0.0.1:${server.port}`)).stderr).toContain('asks for a password');
    expect(await shown('localhost')).toMatchObject({ code: 2 });
  });

  test('shows a simulation that waits for a node, and one that has ended', async () => {
    await using server = await RedisServer.start({ password: secret });
    const place = (node: number): string[] => ['--cluster', server.url, '--node', String(node), '--nodes', '2'];
    const args = [web, '--processors', '4', '--statistics', 'off', '--json'];
    const first = new Running(['simulate', ...args, ...place(0)], folder);
    const status = async (): Promise<CrawlStatus | undefined> =>
      (await clusterStatus(server.url).catch(() => []))[0];
    await expect.poll(async () => (await status())?.nodes[0].record).toBe('ready');
    expect(await status()).toMatchObject({
      kind: 'simulation', settings: { nodes: '2', processors: '4' },
      nodes: [
        { node: 0, process: { pid: expect.any(Number) as number }, epoch: 1, waitsFor: [1], pagesFetched: null },
        { node: 1, process: null, epoch: null, record: 'none', waitsFor: [] },
      ],
    });
    const { code, stdout, stderr } = await shown(server.url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      new RegExp(`^Simulation of synthetic copying graph, seed 1, policy opic, 4 processors on 2 nodes, at redis://127.0.0.1:${server.port}\n`),
    );
    expect(stdout).toMatch(/\n +0 +\S+ \([0-9]+\) +1 +ready +- +- +1\n/);
    expect(stdout).toMatch(/\n +1 +nobody +- +not begun +- +- +-\n/);
    expect(stdout).toMatch(/\nNode 1 is away, and all others wait: start it again with its own command\.\n$/);

    const second = new Running(['simulate', ...args, ...place(1)], folder);
    expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
    const ended = await shown(server.url, '--json');
    expect(ended.stdout).not.toContain(secret);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      crawls: [{ settings: null, nodes: [{ record: 'result', process: null }, { record: 'result', waitsFor: [] }] }],
    });
    expect((await shown(server.url)).stdout).toMatch(/\nAll nodes have ended\.\n$/);
  });

  test('shows slots, leases and epochs of a crawl, beside another one', async () => {
    await using server = await RedisServer.start();
    const redis = await openRedis(server.url);
    const streamsOf = (id: string): RedisStreams =>
      new RedisStreams(redis.duplicate(), { prefix: `orbweaver:{${id}}`, nodes: 3, expiresMs: 0 });
    const news = streamsOf('news');
    const write = async (stream: number, ...ids: { epoch: number; seq: number }[]): Promise<void> => {
      for (const id of ids) {
        const after = await news.last(stream);
        expect(await news.append({ stream, id, bytes: Buffer.from('x') }, after)).toBeUndefined();
      }
    };
    const slots = new RedisSlots(redis, 'orbweaver:{news}', 60_000);
    for (const slot of [0, 1, 2]) await slots.take({ slot, token: `t${slot}`, seenEpoch: 0 });
    await slots.release({ slot: 2, token: 't2', seenEpoch: 0 });
    await write(0, { epoch: 3, seq: readySeq }, { epoch: 3, seq: arrivalSeq(1041) });
    await write(1, { epoch: 3, seq: readySeq }, { epoch: 3, seq: settledSeq(1041) });
    await write(2, { epoch: 2, seq: settledSeq(1041) });
    const other = streamsOf('other');
    await other.append({ stream: 1, id: { epoch: 1, seq: resultSeq }, bytes: Buffer.from('x') }, await other.last(1));
    // Keys of another kind concern nobody here.
    await redis.set('orbweaver:{news}:more', 'x');
    await redis.set('orbweaver:runs-1:meta', 'x');

    const [crawl, simulation] = await clusterStatus(server.url);
    expect(crawl).toMatchObject({ kind: 'crawl', id: 'news', settings: null });
    expect(crawl.nodes).toMatchObject([
      { epoch: 3, record: 'arrival', superstep: 1041, waitsFor: [2] },
      { epoch: 3, record: 'settled', superstep: 1041, waitsFor: [0, 2] },
      { epoch: 2, record: 'settled', superstep: 1041, waitsFor: [], leaseSeconds: null },
    ]);
    for (const { leaseSeconds } of crawl.nodes.slice(0, 2)) {
      expect(leaseSeconds).toBeGreaterThan(0);
      expect(leaseSeconds).toBeLessThanOrEqual(60);
    }
    expect(simulation).toMatchObject({
      kind: 'simulation', id: 'other', nodes: [{ record: 'none' }, { record: 'result', waitsFor: [0] }],
    });
    const { stdout } = await shown(server.url);
    expect(stdout).toMatch(/\n +0 +unknown +[0-9]+ s +3 +barrier of superstep 1041 +- +- +2\n/);
    expect(stdout).toMatch(/\n +2 +nobody +none +2 +superstep 1042 +- +- +-\n/);
    expect(stdout).toContain('\nNode 2 is away, and all others wait: start it again with its own command.\n');
    for (const streams of [news, other]) streams.close();
    redis.disconnect();
  });
});
