import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import { openRedis } from '../../../src/machines/cluster/index.ts';
import { isFullSweep } from '../../sweep.ts';
import { orbweaverProcess } from '../../cli/command.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { killedRun, NodeProcess } from './nodes.ts';

// Goal: the guarantee for simulations: whatever ends, nodes or Redis, `kill -9` included, and is started again, all
// nodes end with the replay hash of one process.

const { folder } = temporaryFolder();
const web = join(folder, 'web.owg');
const args = [web, '--processors', '4', '--superstep-limit', '1', '--statistics', 'off'];
beforeAll(async () => {
  const drawn = ['copying', '--pages', '600', '--arcs', '5000', '--out', web];
  expect(await orbweaverProcess(['generate', ...drawn], folder)).toMatchObject({ code: 0 });
});
const draws = new DrawStream(20261124, 'kills of nodes');

async function alone(): Promise<{ replayHash: string; supersteps: number }> {
  const { code, stdout } = await new NodeProcess([...args, '--json']).ended;
  expect(code).toBe(0);
  const { replayHash, summary } = JSON.parse(stdout) as { replayHash: string; summary: { supersteps: number } };
  return { replayHash, supersteps: summary.supersteps };
}

const cases = Array.from({ length: isFullSweep ? 12 : 1 }, (_, i) => ({
  nodes: isFullSweep ? 1 + (i % 4) : 3, appendonly: i % 2 === 1, run: i,
}));

describe.skipIf(!redisIsHere)(`a simulation on several processes${redisIsMissing}`, () => {
  test.each(cases)('$nodes nodes, kills of nodes and of Redis, whose files are there: $appendonly', async (one) => {
    await using server = await RedisServer.start({ appendonly: one.appendonly });
    const { replayHash, supersteps } = await alone();
    const own = new DrawStream(draws.uint32(one.run, 0), 'kills');
    const kills = { ofNodes: isFullSweep ? 4 : 1, ofRedis: 1, flushes: one.nodes > 1 ? 1 : 0, supersteps };
    const run = await killedRun(server, one.nodes, args, kills, own);
    expect(run.replayHashes, run.kills.join(', ')).toEqual(Array(one.nodes).fill(replayHash));
    expect(run.kills).not.toEqual([]);
    // Nothing holds the place for the next simulation.
    const redis = await openRedis(server.url);
    expect(await redis.exists('orbweaver:simulation')).toBe(0);
    redis.disconnect();
  }, 240_000);

  test('a node with other settings is refused by name, and so is one that cannot share', async () => {
    await using server = await RedisServer.start();
    const place = (node: number): string[] => ['--cluster', server.url, '--node', String(node), '--nodes', '2'];
    const first = new NodeProcess([...args, ...place(0)]);
    const redis = await openRedis(server.url);
    await expect.poll(() => redis.exists('orbweaver:simulation')).toBe(1);
    const other = await new NodeProcess([...args, '--policy', 'breadth-first', ...place(1)]).ended;
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain(
      `redis://127.0.0.1:${server.port}: a simulation with other settings runs there: policy is "opic" there and "breadth-first" here`,
    );
    // What waits for others can be interrupted.
    first.kill('SIGINT');
    expect(await first.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('node 0 was interrupted; the others wait until it is started again') as string,
    });
    expect(await redis.exists('orbweaver:simulation')).toBe(0);
    redis.disconnect();
  });
});
