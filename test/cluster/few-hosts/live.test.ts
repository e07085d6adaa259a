import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { summarySchema, type RunJson } from '../../../src/core/measure/index.ts';
import { orbweaver, type Finished } from '../../cli/command.ts';
import { graphWeb, loopback, urlsOf, type Loopback } from '../../crawl/loopback.ts';
import { replayCommand, isFullSweep } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { Running } from '../studies/processes.ts';
import { drawnWeb, type DrawnWeb } from './drawn-web.ts';

// Goal: a crawl on several nodes ends on each of them, however few hosts there are: nodes without a page have figures
// that are all defined, can be gone on with, and are merged into what one machine's crawl has.

const { folder } = temporaryFolder();
const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20261205);
const replay = replayCommand(seed, 'test/cluster/few-hosts/live.test.ts');
const webs = Array.from({ length: isFullSweep ? 10 : 3 }, (_, number) => drawnWeb(seed, number));

/** Without time: the order is that of one machine. */
function flagsOf(
  { processors, maxPages, policy }: DrawnWeb, urls: readonly string[], { port }: Pick<Loopback, 'port'>,
): string[] {
  return [
    ...urls, '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8', '--resolve', `*=127.0.0.1:${port}`,
    '--processors', String(processors), '--robots', '1', '--politeness-ms', '0', '--superstep-ms', '0',
    '--superstep-limit', '3', '--reader-threads', '0', '--retries', '0', '--policy', policy, '--measures', 'all',
    ...(maxPages === undefined ? [] : ['--max-pages', String(maxPages)]),
  ];
}

/** All nodes of a crawl, to their ends. */
async function onNodes(server: RedisServer, nodes: number, words: readonly string[]): Promise<Finished[]> {
  const running = Array.from({ length: nodes }, (_, node) => new Running([
    'crawl', ...words, '--cluster', server.url, '--node', String(node), '--nodes', String(nodes),
    '--lease-seconds', '1',
  ], folder));
  return Promise.all(running.map(async (one) => (
    { code: await one.ended, stdout: one.stdout, stderr: one.stderr }
  )));
}

function runOf(path: string): RunJson {
  return JSON.parse(readFileSync(join(folder, path, 'run.json'), 'utf8')) as RunJson;
}

const foldersOf = (out: string, nodes: number): string[] =>
  Array.from({ length: nodes }, (_, node) => `${out}/node-${node}`);

/** Fails unless all figures of a record, and all that is said of it, are defined. */
function expectDefined(path: string, { stdout }: Finished): void {
  expect(summarySchema.safeParse(runOf(path).summary).error, `${path}; ${replay}`).toBeUndefined();
  expect(stdout, replay).not.toMatch(/NaN|undefined|null|Infinity/);
  expect(existsSync(join(folder, path, 'report.html')), replay).toBe(true);
}

describe.skipIf(!redisIsHere)(`crawls of few hosts on nodes${redisIsMissing}`, () => {
  test.each(webs)('$title', async (drawn) => {
    const { graph, seedPages, nodes, title } = drawn;
    const site = graphWeb(graph);
    const web = await loopback(site);
    await using server = await RedisServer.start();
    try {
      const flags = flagsOf(drawn, urlsOf(site, seedPages), web);
      const name = title.slice(0, title.indexOf(':')).replace(' ', '-');
      const folders = foldersOf(name, nodes);
      const ended = await onNodes(server, nodes, [...flags, '--out', name]);
      expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr)), replay).toEqual(folders.map(() => ''));
      folders.forEach((path, node) => { expectDefined(path, ended[node]); });
      // Each goes on, and finds that the crawl has ended.
      const again = await onNodes(server, nodes, ['--resume', name]);
      expect(again.map(({ code }) => code), replay).toEqual(folders.map(() => 0));

      const alone = `${name}-alone`;
      expect(await orbweaver(['crawl', ...flags, '--out', alone], folder), replay).toMatchObject({ code: 0 });
      for (const [out, paths] of [[`${name}-merged`, folders], [`${alone}-merged`, [alone]]] as const) {
        const merged = await orbweaver(['merge', out, ...paths], folder);
        expect(merged, replay).toMatchObject({ code: 0, stderr: '' });
        expectDefined(out, merged);
      }
      const [merged, one] = [runOf(`${name}-merged`), runOf(`${alone}-merged`)];
      expect(merged.summary.pagesFetched, replay).toBe(one.summary.pagesFetched);
      expect(merged.summary.pagesPerProcessor, replay).toEqual(one.summary.pagesPerProcessor);
      expect(merged.dataset, replay).toEqual(one.dataset);
      const sum = folders.reduce((pages, path) => pages + runOf(path).summary.pagesFetched, 0);
      expect(sum, replay).toBe(one.summary.pagesFetched);
    } finally {
      await web.close();
    }
  }, 240_000);

  test('of which no page comes: each node says so, and ends with exit code 4', async () => {
    const drawn = { ...drawnWeb(seed, 1), nodes: 3, processors: 3 };
    const site = graphWeb(drawn.graph);
    const web = await loopback(site);
    await web.close();
    await using server = await RedisServer.start();
    const flags = [...flagsOf(drawn, urlsOf(site, drawn.seedPages), web), '--host-patience', '2s'];
    for (const words of [[...flags, '--out', 'none'], ['--resume', 'none']]) {
      const ended = await onNodes(server, drawn.nodes, words);
      expect(ended.map(({ code }) => code), replay).toEqual([4, 4, 4]);
      ended.forEach((end, node) => {
        expectDefined(`none/node-${node}`, end);
        expect(end.stderr, replay).toMatch(/no page was stored/);
      });
    }
    const merged = await orbweaver(['merge', 'none-merged', ...foldersOf('none', drawn.nodes)], folder);
    expect(merged, replay).toMatchObject({ code: 0, stderr: '' });
    expectDefined('none-merged', merged);
    const givenUp = (path: string): string[] =>
      existsSync(join(folder, path, 'hosts-given-up.csv'))
        ? readFileSync(join(folder, path, 'hosts-given-up.csv'), 'utf8').trimEnd().split('\n').slice(1) : [];
    expect(givenUp('none-merged'), replay).toHaveLength(1);
    expect(givenUp('none-merged'), replay).toEqual(foldersOf('none', drawn.nodes).flatMap(givenUp));
  }, 120_000);
});
