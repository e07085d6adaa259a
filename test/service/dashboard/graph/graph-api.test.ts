import { copyFileSync, cpSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../../../src/graphs/catalogue/index.ts';
import { readRunEvents, readRunJson } from '../../../../src/core/measure/index.ts';
import type { ApiError, ListedRun } from '../../../../src/views/service/dashboard/api.ts';
import type {
  CrawlGraph, FoundPages, GraphStructure, PageNeighbourhood,
} from '../../../../src/views/service/dashboard/graph/api.ts';
import { orbweaver } from '../../../cli/command.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../../../crawl/loopback.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { servedDashboard } from '../served.ts';

// Goal: the graph of any run can be asked for, bounded, and what is wrong with a request or a record is said.

const { folder } = temporaryFolder();
const served = servedDashboard(folder);
const copied = join(folder, 'web.owg');

async function idOf(name: string): Promise<string> {
  const { runs } = (await served.ask('/api/runs')).body as { runs: ListedRun[] };
  return runs.find((one) => one.folder === join(served.runs, name))!.id;
}

async function asked<T>(name: string, path = ''): Promise<T> {
  const { status, body } = await served.ask(`/api/runs/${await idOf(name)}/graph${path}`);
  expect({ status, error: (body as ApiError).error }).toEqual({ status: 200, error: undefined });
  return body as T;
}

async function refusedOf(name: string, path = ''): Promise<ApiError> {
  const { status, body } = await served.ask(`/api/runs/${await idOf(name)}/graph${path}`);
  expect(status).toBe(400);
  return body as ApiError;
}

beforeAll(async () => {
  mkdirSync(served.runs, { recursive: true });
  const argv = ['--processors', '3', '--superstep-limit', '20', '--max-pages', '600', '--timeout-share', '0.1'];
  await orbweaver(['simulate', 'docs-web', ...argv, '--out', join(served.runs, 'docs')], folder);
  await orbweaver(['generate', 'copying', '--pages', '5000', '--arcs', '40000', '--out', copied], folder);
  await orbweaver(['simulate', copied, '--max-pages', '50', '--out', join(served.runs, 'copied')], folder);
});

describe('a finished simulation', () => {
  test('has the hosts, pages and links of its record', async () => {
    const graph = await asked<CrawlGraph>('docs');
    const record = join(served.runs, 'docs');
    const { order, rows } = await readRunEvents(record, await readRunJson(record));
    const { hosts } = await openGraph('docs-web');
    const fetched = new Map<string, number>();
    for (const page of order) {
      const name = hosts.names.at(hosts.ofPage[page]);
      fetched.set(name, (fetched.get(name) ?? 0) + 1);
    }
    expect(graph).toMatchObject({ from: 'graph', isOver: true, processors: 3, nodesAre: 'hosts' });
    expect(new Map(graph.nodes.filter((one) => one.fetched.at(-1)! > 0).map((one) => [one.name, one.fetched.at(-1)])))
      .toEqual(fetched);
    expect(graph.supersteps.at(-1)).toBe(rows.at(-1)!.superstep);
    expect(graph.counts.reachable).toBe(466);
    for (const processor of [0, 1, 2]) {
      const own = graph.nodes.filter((one) => one.processor === processor);
      const pages = rows.filter((row) => row.processor === processor).reduce((sum, row) => sum + row.pages, 0);
      expect(own.reduce((sum, one) => sum + one.fetched.at(-1)!, 0)).toBe(pages);
    }
  });

  test('has pages by host and by text, and what is around one', async () => {
    const { nodes: [node] } = await asked<CrawlGraph>('docs');
    const own = await asked<FoundPages>('docs', `/node/${node.id}`);
    expect(own.pages.every(({ name }) => name.startsWith(`${node.name}/`))).toBe(true);
    const found = await asked<FoundPages>('docs', '/pages?find=INDEX.html');
    expect(found.pages).toHaveLength(100);
    expect(found.count).toBeGreaterThan(100);
    expect(found.searched).toBe(31_331);
    const [{ page, linksIn }] = found.pages;
    const around = await asked<PageNeighbourhood>('docs', `/page/${page}`);
    expect(around.page).toEqual(found.pages[0]);
    expect(linksIn).toBeGreaterThan(40);
    expect(around.from).toHaveLength(40);
    expect(around.from.map((one) => one.linksIn)).toEqual(around.from.map((one) => one.linksIn).sort((a, b) => b - a));
    expect((await asked<FoundPages>('docs', `/pages?find=${encodeURIComponent('<script>')}`)).count).toBe(0);
  });

  test('has the components and degrees of its graph', async () => {
    const { computed, pages, links } = await asked<GraphStructure>('docs', '/structure');
    expect({ pages, links }).toEqual({ pages: 31_331, links: 1_172_885 });
    expect(computed).toMatchObject({ strong: { count: 10_356, largest: 10_136 }, weak: { count: 9283 } });
    expect(computed!.bowTie.reduce((sum, { fetched }) => sum + fetched, 0)).toBe(600);
  });

  test('of a graph without URLs says so, and numbers its pages', async () => {
    const graph = await asked<CrawlGraph>('copied');
    expect(graph.hostsAreSynthetic).toBe(true);
    const { pages: [page], count } = await asked<FoundPages>('copied', '/pages?find=page 4321');
    expect([page.name, count]).toEqual(['page 4321', 1]);
  });
});

describe('what cannot be answered', () => {
  test('is 404 for an unknown run, and 400 with the reason for what its graph does not have', async () => {
    for (const path of ['', '/structure', '/node/0', '/page/0'])
      expect((await served.ask(`/api/runs/0123/graph${path}`)).status).toBe(404);
    expect(await refusedOf('docs', '/page/31331'))
      .toEqual({ error: 'page 31331: there are 0 to 31330', field: 'page' });
    expect(await refusedOf('docs', '/node/521')).toEqual({ error: 'node 521: there are 0 to 520', field: 'node' });
    const long = `/pages?find=${'x'.repeat(201)}`;
    for (const [field, paths] of [
      ['page', ['/page/-1', '/page/x', '/page/1e99']], ['node', ['/node/-1', '/node/x']],
      ['find', ['/pages', '/pages?find=', long]],
    ] as const)
      for (const path of paths) expect((await refusedOf('docs', path)).field).toBe(field);
  });

  test('is the name of the file of a damaged record', async () => {
    cpSync(join(served.runs, 'docs'), join(served.runs, 'short'), { recursive: true });
    truncateSync(join(served.runs, 'short', 'order.u32'), 400);
    expect((await refusedOf('short')).error).toMatch(/order\.u32: has 400 bytes/);
    cpSync(join(served.runs, 'docs'), join(served.runs, 'beyond'), { recursive: true });
    writeFileSync(join(served.runs, 'beyond', 'order.u32'), Uint32Array.from({ length: 600 }, (_, i) => 31_000 + i));
    expect((await refusedOf('beyond')).error)
      .toMatch(/^order\.u32: names page 31331, but the graph has pages 0 to 31330/);
  });

  test('is the graph, where it is gone or another one', async () => {
    renameSync(copied, `${copied}.away`);
    cpSync(join(served.runs, 'copied'), join(served.runs, 'gone'), { recursive: true });
    const file = join(served.runs, 'gone', 'run.json');
    const run = await readRunJson(join(served.runs, 'gone'));
    // Another checksum: the graph of the run before is still open.
    writeFileSync(file, JSON.stringify({ ...run, dataset: { ...run.dataset, sha256: '0'.repeat(64) } }));
    expect((await refusedOf('gone')).error)
      .toMatch(/^the graph of the run \(.*web\.owg\) cannot be opened, or has changed/);
    copyFileSync(`${copied}.away`, copied);
  });
});

describe('a live crawl', () => {
  const site = graphWeb(syntheticWeb(2000, 3), { latencyMs: 20 });
  let wire: Loopback;
  beforeAll(async () => { wire = await loopback(site); });
  afterAll(() => wire.close());

  test('has the hosts of its log while it goes on, and its graph when it has ended', async () => {
    const live = { ...wire.live, resolve: [{ host: '*', address: '127.0.0.1', port: wire.port }] };
    const { status, body } = await served.ask('/api/runs', {
      kind: 'live', out: 'live', seeds: urlsOf(site, Array(20).keys()),
      settings: { processors: 2, robots: 8, politenessMs: 0, superstepLimit: 10, live },
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    const { id } = body as { id: string };
    const ask = async (path = ''): Promise<{ status: number; body: unknown }> =>
      served.ask(`/api/runs/${id}/graph${path}`);
    await expect.poll(async () => ((await ask()).body as Partial<CrawlGraph>).nodes?.length ?? 0).toBeGreaterThan(2);
    const going = (await ask()).body as CrawlGraph;
    expect(going).toMatchObject({ from: 'log', isOver: false, processors: 2, links: [], supersteps: [] });
    expect(going.nodes.every(({ fetched, pages }) => fetched.length === 1 && pages === null)).toBe(true);
    expect(await ask('/node/0'))
      .toMatchObject({ status: 400, body: { error: 'pages and links of a live crawl can be read when it has ended' } });
    await served.ask(`/api/runs/${id}/control`, { do: 'stop' });
    await expect.poll(async () => ((await ask()).body as Partial<CrawlGraph>).from).toBe('graph');
    const ended = (await ask()).body as CrawlGraph;
    const now = new Map(ended.nodes.map((node) => [node.name, node]));
    for (const { name, processor, fetched } of going.nodes) {
      expect(now.get(name)?.processor).toBe(processor);
      expect(now.get(name)!.fetched.at(-1)).toBeGreaterThanOrEqual(fetched[0]);
    }
  });
});
