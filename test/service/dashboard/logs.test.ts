import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { simulate } from '../../../src/core/engine/index.ts';
import { prepare, urlOf } from '../../../src/graphs/graph/index.ts';
import { DiskRecord, readFailures, readRunEvents, readRunJson } from '../../../src/core/measure/index.ts';
import type { ListedRun, RunView } from '../../../src/views/service/dashboard/api.ts';
import type { RunFeed, RunLog } from '../../../src/views/service/dashboard/logs/api.ts';
import { MAX_SCANNED, search } from '../../../src/views/service/dashboard/logs/search.ts';
import type { StartedRun } from '../../../src/views/watch/contract.ts';
import { orbweaver } from '../../cli/command.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { servedDashboard } from './served.ts';

// Goal: every outcome and every line of the feed of a run can be read and found, from the record alone, in bounded
// pieces, while it goes on, after its end, and after its death.

const { folder } = temporaryFolder();
const served = servedDashboard(folder);
const argv = [
  'docs-web', '--processors', '3', '--superstep-limit', '20', '--max-pages', '400', '--timeout-share', '0.1',
];
let graph: Awaited<ReturnType<typeof openGraph>>;

const runOf = async (name: string): Promise<ListedRun> => {
  const { runs } = (await served.ask('/api/runs')).body as { readonly runs: readonly ListedRun[] };
  return runs.find((one) => one.folder === join(served.runs, name))!;
};
const logOf = async ({ id }: ListedRun, query = ''): Promise<RunLog> => {
  const { status, body } = await served.ask(`/api/runs/${id}/log?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as RunLog;
};
const feedOf = async ({ id }: ListedRun, query = ''): Promise<RunFeed> =>
  (await served.ask(`/api/runs/${id}/feed?${query}`)).body as RunFeed;

/** All pages of a log, joined. */
async function wholeLog(run: ListedRun, query: string): Promise<RunLog['rows']> {
  let page = await logOf(run, query);
  let rows = page.rows;
  while (page.older !== null) {
    page = await logOf(run, `${query}&before=${page.older}`);
    rows = [...rows, ...page.rows];
  }
  return rows;
}

beforeAll(async () => {
  graph = await openGraph('docs-web');
  mkdirSync(served.runs, { recursive: true });
  await orbweaver(['simulate', ...argv, '--watch', '--out', join(served.runs, 'watched')], folder);
  await orbweaver(['simulate', ...argv, '--out', join(served.runs, 'plain')], folder);
});

describe('the log of a run', () => {
  test('is empty before the first superstep, when its files are', async () => {
    const record = new DiskRecord(join(served.runs, 'begun.partial'), { command: 'orbweaver simulate docs-web' });
    const { runs } = (await served.ask('/api/runs')).body as { readonly runs: readonly ListedRun[] };
    const run = runs.find(({ folder: at }) => at === join(served.runs, 'begun'))!;
    expect(await logOf(run)).toMatchObject({ rows: [], older: null });
    record.close();
    rmSync(join(served.runs, 'begun.partial'), { recursive: true });
  });

  test('is its record, outcome by outcome, the last one first', async () => {
    const run = await runOf('plain');
    const rows = (await wholeLog(run, 'limit=70')).toReversed();
    const [events, failures] = [
      await readRunEvents(run.folder!, await readRunJson(run.folder!)),
      await readFailures(run.folder!, await readRunJson(run.folder!)),
    ];
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, i) => i));
    const fetched = rows.filter(({ kind }) => kind === 'fetched');
    expect(fetched.map(({ name }) => name)).toEqual(Array.from(events.order, (page) => urlOf(graph, page)));
    expect(fetched.flatMap(({ startedUs, finishedUs }) => [startedUs, finishedUs])).toEqual([...events.times]);
    expect(failures.length).toBeGreaterThan(10);
    expect(rows.filter(({ kind }) => kind !== 'fetched').map(({ number: position, processor, kind }) =>
      ({ position, processor, kind }))).toEqual(failures.map(({ position, processor, kind }) =>
      ({ position, processor, kind })));
    const { summary } = await readRunJson(run.folder!);
    for (const [processor, pages] of summary.pagesPerProcessor.entries())
      expect(fetched.filter((one) => one.processor === processor)).toHaveLength(pages);
  });

  test('is searched by processor, kind and part of a name', async () => {
    const run = await runOf('watched');
    const all = await wholeLog(run, 'limit=500');
    expect(await wholeLog(run, 'limit=40&processor=1')).toEqual(all.filter(({ processor }) => processor === 1));
    expect(await wholeLog(run, 'kind=failed')).toEqual(all.filter(({ kind }) => kind !== 'fetched'));
    expect(await wholeLog(run, 'kind=timeout&limit=7')).toEqual(all.filter(({ kind }) => kind === 'timeout'));
    const some = all[200].name.slice(3, 20);
    expect(await wholeLog(run, `find=${encodeURIComponent(some.toUpperCase())}`))
      .toEqual(all.filter(({ name }) => name.includes(some)));
    expect(await logOf(run, 'find=there+is+none')).toMatchObject({ rows: [], older: null });
  });

  test('what cannot be asked is refused with its field', async () => {
    const { id } = await runOf('plain');
    const { older } = await logOf(await runOf('plain'), 'limit=5');
    for (const [query, field] of [
      ['limit=0', 'limit'], ['limit=501', 'limit'], ['processor=-1', 'processor'], ['kind=none', 'kind'],
      [`find=${'x'.repeat(201)}`, 'find'], ['before=x', 'before'], ['before=1', 'before'], ['before=1.2.3', 'before'],
      [`before=9${older}`, 'before'], ['before=9999999.0.0', 'before'],
    ]) {
      const { status, body } = await served.ask(`/api/runs/${id}/log?${query}`);
      expect([query, status, (body as { field?: string }).field]).toEqual([query, 400, field]);
    }
    for (const path of ['0123/log', '0123/feed']) expect((await served.ask(`/api/runs/${path}`)).status).toBe(404);
    expect((await served.ask(`/api/runs/${id}/feed?before=1.2`)).status).toBe(400);
  });

  test('of a run that was killed is there as far as it was written, and so is its feed', async () => {
    const path = join(served.runs, 'killed.partial');
    const record = new DiskRecord(path, { graph: 'docs-web', command: 'orbweaver simulate docs-web' });
    const { events } = await simulate(prepare(graph), { processors: 2, maxPages: 100, superstepLimit: 10 }, { record });
    record.close();
    writeFileSync(join(path, 'feed.jsonl'), '{"at":1,"processor":1,"text":"first"}\n{"at":2,"processor":null,"te');
    for (const name of ['failures.csv', 'order.u32', 'times.f64'])
      writeFileSync(join(path, name), 'cut', { flag: 'a' });
    const run = await runOf('killed');
    expect(run.state).toBe('interrupted');
    const rows = await wholeLog(run, 'limit=30');
    expect(rows.map(({ name }) => name).reverse()).toEqual(Array.from(events.order, (page) => urlOf(graph, page)));
    const { lines, from } = await feedOf(run);
    expect([lines.map(({ text }) => text), from]).toEqual([['first'], 'stored']);
    rmSync(path, { recursive: true });
  });

  test('without the graph names pages by their numbers, and only failures have processors', async () => {
    const there = join(served.runs, 'lost');
    cpSync(join(served.runs, 'plain'), there, { recursive: true });
    const path = join(there, 'run.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"sha256": "[^"]+"/, '"sha256": "of another graph"'));
    const { rows, hasProcessors } = await logOf(await runOf('lost'), 'limit=100');
    expect(hasProcessors).toBe(false);
    expect(rows.every(({ name }) => /^page \d+$/.test(name))).toBe(true);
    expect(rows.every(({ kind, processor }) => (kind === 'fetched') === (processor === null))).toBe(true);
    writeFileSync(join(there, 'order.u32'), 'short');
    const { status, body } = await served.ask(`/api/runs/${(await runOf('lost')).id}/log`);
    expect([status, (body as { error: string }).error]).toEqual([400, expect.stringContaining('order.u32')]);
    rmSync(there, { recursive: true });
  });

  test('of a live crawl that was watched has what its own file has: names, processors, bytes', async () => {
    const there = join(served.runs, 'live');
    cpSync(join(served.runs, 'plain'), there, { recursive: true });
    const line = (i: number): string => JSON.stringify({
      processor: i % 2, page: i, url: `https://a.example/${i}${'<'.repeat(i === 7 ? 9000 : 0)}`, startedUs: i,
      kind: i % 3 === 0 ? 'timeout' : 'fetched', finishedUs: i + 1, bytes: 10 * i,
    });
    writeFileSync(join(there, 'outcomes.jsonl'), Array.from({ length: 200 }, (_, i) => `${line(i)}\n`).join(''));
    const run = await runOf('live');
    const rows = await wholeLog(run, 'limit=60');
    expect(rows.map(({ finishedUs }) => finishedUs)).toEqual(Array.from({ length: 200 }, (_, i) => 200 - i));
    expect(rows[0]).toMatchObject({ name: 'a.example/199', processor: 1, bytes: 1990, kind: 'fetched' });
    expect(rows.at(-8)!.name).toHaveLength(501);
    expect(await wholeLog(run, 'kind=timeout&processor=0')).toHaveLength(34);
    expect(await logOf(run, 'find=example/19')).toMatchObject({ rows: { length: 11 } });
    rmSync(there, { recursive: true });
  });
});

describe('the feed of a run', () => {
  test('of a watched run is stored whole, and searched', async () => {
    const run = await runOf('watched');
    const { lines, older, from } = await feedOf(run);
    expect([lines.map(({ text }) => text.split(' ')[0]), older, from]).toEqual([['ended', 'started:'], null, 'stored']);
    expect((await feedOf(run, 'find=POLICY')).lines).toHaveLength(1);
    expect((await feedOf(run, 'processor=1')).lines).toEqual([]);
    const first = await feedOf(run, 'limit=1');
    expect(first.lines).toHaveLength(1);
    expect((await feedOf(run, `limit=1&before=${first.older}`)).lines[0].text).toMatch(/^started/);
  });

  test('of any other run is what its record has', async () => {
    const { lines, from } = await feedOf(await runOf('plain'));
    expect([lines.map(({ text }) => text.split(' ')[0]), from]).toEqual([['ended', 'started:'], 'record']);
  });
});

test('a finished run has its processors, its degrees, and if it was watched the bound of its rank', async () => {
  const { id } = await runOf('watched');
  const { processors, run, summary } = (await served.ask(`/api/runs/${id}`)).body as RunView;
  const { pagesPerProcessor } = (await readRunJson(join(served.runs, 'watched'))).summary;
  expect(processors.map(({ fetched }) => fetched)).toEqual(pagesPerProcessor);
  expect(processors.every(({ updatedAt, bytes }) => updatedAt! > 0 && bytes > 0)).toBe(true);
  expect((run as StartedRun).bound!.rank.at(-1)).toBeCloseTo(1, 9);
  const { inDegrees } = summary!['statistics'] as { inDegrees: number[] };
  expect(inDegrees.reduce((sum, pages) => sum + pages)).toBe(400);
  // One that an earlier version recorded has no bound.
  const curves = join(served.runs, 'watched', 'curves.json');
  const whole = readFileSync(curves, 'utf8');
  writeFileSync(curves, JSON.stringify({ ...JSON.parse(whole) as object, bound: undefined }));
  const earlier = (await served.ask(`/api/runs/${id}`)).body as RunView;
  expect((earlier.run as StartedRun).bound).toBeNull();
  expect(earlier.curves.rank.length).toBeGreaterThan(0);
});

test('one request looks at a bounded part, and says where the next goes on', () => {
  let looked = 0;
  const items = function* (): Generator<{ readonly item: number; readonly before: string }> {
    for (let item = 100_000; item > 0; item--) {
      looked++;
      yield { item, before: String(item) };
    }
  };
  const found = search(items(), (item) => item % 15_000 === 0, 5);
  expect([found.items, found.older, found.last]).toEqual([[90_000], '80001', 80_001]);
  expect(looked).toBe(MAX_SCANNED);
});
