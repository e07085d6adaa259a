import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterStatus } from '../../../src/machines/cluster/index.ts';
import type { RunJson } from '../../../src/core/measure/index.ts';
import { orbweaver } from '../../cli/command.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../../crawl/loopback.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { Running } from '../studies/processes.ts';

// Goal: what the nodes of a real crawl left is merged into the graph that one machine's crawl of the same web has, byte
// for byte; and while they crawl, their status is shown.

const { folder } = temporaryFolder();
const at = (name: string): string => join(folder, name);
const nodes = 3;

let web: Loopback;
beforeAll(async () => {
  const site = graphWeb(syntheticWeb(300, 3));
  web = await loopback(site);
  const { code, stdout } = await orbweaver([
    'crawl', ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8',
    '--resolve', `*=127.0.0.1:${web.port}`, '--processors', '4', '--robots', '2', '--politeness-ms', '1',
    '--superstep-limit', '20', '--reader-threads', '0', '--print-config',
  ], folder);
  expect(code).toBe(0);
  writeFileSync(at('crawl.yaml'), stdout);
});
afterAll(async () => web.close());

describe.skipIf(!redisIsHere)(`folders of a crawl on several nodes${redisIsMissing}`, () => {
  test('give the graph of the crawl on one machine', async () => {
    await using server = await RedisServer.start();
    const start = (node: number): Running => new Running([
      'crawl', '--config', 'crawl.yaml', '--out', 'wide', '--cluster', server.url, '--node', String(node),
      '--nodes', String(nodes),
    ], folder);
    const running = Array.from({ length: nodes - 1 }, (_, node) => start(node));
    // They wait for the last one, so that their status does not change.
    const status = async () => (await clusterStatus(server.url).catch(() => []))[0]?.nodes ?? [];
    await expect.poll(async () => (await status()).slice(0, 2).map(({ waitsFor }) => waitsFor), { timeout: 120_000 })
      .toEqual([[2], [2]]);
    const shown = await orbweaver(['cluster', 'status', server.url], folder);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^Crawl, policy opic, 4 processors on 3 nodes, at redis:/);
    expect(shown.stdout).toMatch(/\n +0 +\S+ \([0-9]+\) +[0-9]+ s +[0-9]+ +ready +- +- +2\n/);
    expect(shown.stdout).toMatch(/\n +2 +nobody +none +- +not begun +- +- +-\n/);
    running.push(start(2));
    for (const node of running) expect(await node.ended, node.stderr).toBe(0);

    expect((await orbweaver(['crawl', '--config', 'crawl.yaml', '--out', 'one'], folder)).code).toBe(0);
    const folders = Array.from({ length: nodes }, (_, node) => `wide/node-${node}`);
    for (const [out, paths] of [['merged', folders], ['alone', ['one']]] as const)
      expect(await orbweaver(['merge', out, ...paths], folder)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(at('merged/graph.owg')).equals(readFileSync(at('alone/graph.owg')))).toBe(true);
    const [merged, alone] = ['merged', 'alone'].map(
      (name) => JSON.parse(readFileSync(at(`${name}/run.json`), 'utf8')) as RunJson,
    );
    expect(merged.summary.pagesFetched).toBe(alone.summary.pagesFetched);
    expect(merged.summary.pagesPerProcessor).toEqual(alone.summary.pagesPerProcessor);
    expect(merged.summary.failuresByKind).toEqual(alone.summary.failuresByKind);
  }, 240_000);
});
