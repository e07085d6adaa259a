import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { orbweaver } from '../../cli/command.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../../crawl/loopback.ts';
import { visitedUrls } from '../../live-runs/killing.ts';
import { reachOf, scopeFlags, TaggedSite } from '../../live/urls/scoped-web.ts';
import { isFullSweep, replayCommand } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { Running } from '../studies/processes.ts';

// Goal: a scope with links beyond it, and dropped parameters, mean on several nodes what they mean on one machine.

const { folder, file } = temporaryFolder();
const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20261206);
const replay = replayCommand(seed, 'test/cluster/few-hosts/scoped.test.ts');

/** Pages that a crawl has fetched, by its stores. */
async function fetchedIn(paths: readonly string[]): Promise<string[]> {
  const sets = await Promise.all(paths.map(async (path) => visitedUrls(join(folder, path))));
  return sets.flatMap((urls) => [...urls]).sort();
}

function onNode(server: RedisServer, node: number, words: readonly string[]): Running {
  return new Running([
    'crawl', ...words, '--cluster', server.url, '--nodes', '2', '--node', String(node), '--lease-seconds', '2',
  ], folder);
}

describe.skipIf(!redisIsHere)(`a scope on nodes${redisIsMissing}`, () => {
  const seeds = Array.from({ length: isFullSweep ? 4 : 1 }, (_, i) => seed + i);
  test.each(seeds)('web %i: the pages of one machine', async (drawn) => {
    const graph = graphWeb(syntheticWeb(120, drawn, 12));
    const web = await loopback(new TaggedSite(graph));
    await using server = await RedisServer.start();
    try {
      const urls = urlsOf(graph, graph.seedPages);
      const flags = [
        ...urls, '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8',
        '--resolve', `*=127.0.0.1:${web.port}`,
        '--politeness-ms', '0', '--superstep-ms', '20', '--processors', '4', '--robots', '2', '--reader-threads', '0',
        '--no-warc', ...scopeFlags(urls, urlsOf(graph, Array(120).keys()), folder),
      ];
      const alone = `alone-${drawn}`;
      expect(await orbweaver(['crawl', ...flags, '--out', alone], folder), replay).toMatchObject({ code: 0 });
      web.log.length = 0;
      const out = `nodes-${drawn}`;
      const nodes = [0, 1].map((node) => onNode(server, node, [...flags, '--out', out]));
      for (const node of nodes) expect(await node.ended, `${node.stderr}${replay}`).toBe(0);
      const folders = [0, 1].map((node) => `${out}/node-${node}`);
      const pages = await fetchedIn([alone]);
      expect(pages.length, replay).toBeGreaterThan(20);
      expect(pages.length, replay).toBeLessThan(120);
      expect(await fetchedIn(folders), replay).toEqual(pages);
      const asked = web.log.filter(({ status, path }) => status === 200 && path !== '/robots.txt');
      expect(asked.map(({ host, path }) => `http://${host}${path}`).sort(), replay).toEqual(pages);
      // A node may know pages of the other one farther away than they are: who fetches a page has it as near as it is.
      const reach = new Set((await Promise.all(folders.map((path) => reachOf(join(folder, path))))).flat());
      const fetched = new Set(pages);
      for (const page of await reachOf(join(folder, alone)))
        if (fetched.has(page.split(' ')[0])) expect(reach.has(page), `${page}; ${replay}`).toBe(true);
    } finally {
      await web.close();
    }
  }, 120_000);

  const host = 'scope: [{host: a.test}]';
  test.each<[string, string, readonly string[], RegExp]>([
    ['another scope', 'scope: [{host: a.test, extraHops: 1}]', [], /scope.*extraHops/],
    ['other dropped parameters', host, ['--drop-query', 'sid'], /dropQuery.*sid/],
  ])('a node with %s is refused', async (name, second, more, says) => {
    await using server = await RedisServer.start();
    const out = name.replaceAll(' ', '-');
    const flags = ['http://a.test/', '--contact', 'test@localhost', '--processors', '2', '--out', out];
    const waiting = onNode(server, 0, [...flags, '--scope', file(`${name} 1.yaml`, host)]);
    await waiting.says('node');
    const refused = onNode(server, 1, [...flags, '--scope', file(`${name} 2.yaml`, second), ...more]);
    expect(await refused.ended, replay).toBe(2);
    expect(refused.stderr).toMatch(/with other settings/);
    expect(refused.stderr).toMatch(says);
    expect(refused.stderr.trimEnd().split('\n')).toHaveLength(1);
    await waiting.end('SIGKILL');
  }, 60_000);
});
