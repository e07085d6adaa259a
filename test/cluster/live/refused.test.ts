import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder, orbweaver } from '../../cli/command.ts';
import { openLmdbStore } from '../../../src/core/live/index.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';

// Goal: what cannot hold on several nodes is refused in one line, by the name of the setting, and leaves nothing
// behind.

const alone = ['crawl', 'https://example.org/', '--contact', 'test@localhost', '--out', 'crawled'];

describe.skipIf(!redisIsHere)(`a node that cannot take part${redisIsMissing}`, () => {
  let redis: RedisServer;
  let folder: string;
  beforeAll(async () => {
    redis = await RedisServer.start({ password: 'secret' });
    folder = newFolder();
  });
  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  const asked = async (...flags: readonly string[]) => orbweaver([...alone, ...flags], folder);
  const ofTwo = (): string[] => ['--cluster', redis.url, '--nodes', '2', '--node', '1'];

  test.each<[string, readonly string[], RegExp]>([
    ['the same content once', ['--content-seen'], /contentSeen: not on several nodes: a node does not know the bodies/],
    ['more nodes than processors', ['--processors', '1'], /^2 nodes: each needs a processor, and there are 1\n$/],
    ['the dashboard', ['--watch'], /^--watch and --cluster cannot be combined\n$/],
  ])('%s', async (_, flags, message) => {
    const { code, stderr } = await asked(...ofTwo(), ...flags);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('secret');
    expect(code).toBe(2);
  });

  test('a node that there is not, and flags that are missing', async () => {
    const two = ['--cluster', redis.url, '--nodes', '2'];
    expect(await asked(...two, '--node', '2')).toMatchObject({
      code: 2, stderr: 'node 2: nodes are numbered from 0 to 1\n',
    });
    expect(await asked(...two)).toMatchObject({
      code: 2, stderr: '--node is missing: --cluster <URL>, --node <n> and --nodes <N> belong together\n',
    });
    expect(await asked('--lease-seconds', '5')).toMatchObject({
      code: 2, stderr: '--lease-seconds is for nodes: --cluster is missing\n',
    });
  });

  test('a node that there is not, before Redis is asked for: it may be away', async () => {
    const nowhere = ['--cluster', 'redis://127.0.0.1:1', '--nodes', '2', '--node', '5'];
    const message = { code: 2, stderr: 'node 5: nodes are numbered from 0 to 1\n' };
    expect(await asked(...nowhere)).toMatchObject(message);
    expect(await orbweaver(['crawl', '--resume', 'other', ...nowhere], folder)).toMatchObject(message);
    expect(await orbweaver(['simulate', 'star', ...nowhere], folder)).toMatchObject(message);
    expect(existsSync(join(folder, 'crawled'))).toBe(false);
  });

  test('a server whose memory is full', async () => {
    await using full = await RedisServer.start({ args: ['--maxmemory', '1'] });
    const at = ['--cluster', full.url, '--nodes', '2', '--node', '1'];
    const message = {
      code: 3, stderr: `Redis at 127.0.0.1:${full.port} is full: it has reached its maxmemory; raise it, or use another server\n`,
    };
    expect(await asked(...at)).toMatchObject(message);
    expect(await orbweaver(['simulate', 'star', ...at], folder)).toMatchObject(message);
  });

  test('a folder of another node, or of none', async () => {
    const store = await openLmdbStore(join(folder, 'other', 'node-1', 'store'), {
      ...stored, cluster: { node: 0, nodes: 2, id: 'x' },
    });
    await store.close();
    const { code, stderr } = await orbweaver(['crawl', '--resume', 'other', ...ofTwo()], folder);
    expect(stderr).toBe(
      'other/node-1: is the folder of node 0 of a crawl on 2, and cannot go on as the one of node 1 of a crawl on 2\n',
    );
    expect(code).toBe(2);
    expect((await orbweaver(['crawl', '--resume', 'other/node-1'], folder)).stderr).toBe(
      'other/node-1: is the folder of node 0 of a crawl on 2, and cannot go on as the one of a crawl on one machine\n',
    );
  });
});

/** Settings as a store has them. */
const stored = {
  experiment: { processors: 2 }, live: { contact: 'test@localhost' }, seeds: ['https://example.org/'],
};
