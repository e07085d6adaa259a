import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunJson } from '../../../src/index.ts';
import type { CheckedRun, ListedRun, NewRun, RunView } from '../../../src/views/service/dashboard/api.ts';
import type { RunFeed, RunLog } from '../../../src/views/service/dashboard/logs/api.ts';
import { idOfFolder } from '../../../src/views/service/dashboard/runs/recorded-runs.ts';
import { openRuns } from '../../../src/views/watch/index.ts';
import { orbweaver } from '../../cli/command.ts';
import { writeSmallWeb } from '../../cli/input/small-web.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { CountedWeb } from './counted-web.ts';
import { servedDashboard } from './served.ts';
import { askDashboard, startedDashboard } from './started.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: what is started and steered by a dashboard happens, to the record at its end, and needs no dashboard to go on.

const { folder } = temporaryFolder();
const served = servedDashboard(folder);
const second = 1000;

const begin = async (run: NewRun, url = served.url): Promise<string> => {
  const { status, body } = await askDashboard(url, '/api/runs', run);
  expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(String) as string } });
  return (body as { id: string }).id;
};
const view = async (id: string): Promise<RunView> => (await served.ask(`/api/runs/${id}`)).body as RunView;
const steer = async (id: string, body: object): Promise<void> => {
  expect(await served.ask(`/api/runs/${id}/control`, body)).toMatchObject({ status: 200, body: {} });
};

/** Waits until the door of a run is closed; its record. */
async function recordOf(id: string): Promise<RunJson> {
  const isOpen = async (): Promise<boolean> =>
    (await openRuns()).some(({ card: { folder: at } }) => at !== null && idOfFolder(at) === id);
  while (await isOpen()) await sleep(50);
  const { listed: { state, folder: at, problem } } = await view(id);
  expect({ state, problem }).toEqual({
    state: expect.stringMatching(/^(finished|interrupted)$/) as string, problem: null,
  });
  return JSON.parse(readFileSync(join(at!, 'run.json'), 'utf8')) as RunJson;
}

describe('a live crawl', () => {
  let web: CountedWeb;
  afterEach(() => web.close());

  test('opens as many downloads as it has robots, none while it is paused, and leaves record and report', async () => {
    web = await CountedWeb.open(3000, 200);
    const id = await begin(web.crawl({ robots: 8 }));
    await expect.poll(() => web.open, { timeout: 20 * second }).toBe(8);

    // Its log has URLs and bytes while it goes on.
    const log = async (): Promise<RunLog> => (await served.ask(`/api/runs/${id}/log?kind=fetched`)).body as RunLog;
    await expect.poll(async () => (await log()).rows.length, { timeout: 20 * second }).toBeGreaterThan(0);
    const [{ name, bytes, processor }] = (await log()).rows;
    expect([/^[\w.-]+\//.test(name), bytes! > 0, processor]).toEqual([true, true, 0]);

    await steer(id, { do: 'robots', robots: 4 });
    // So many requests as 8 robots make in 2 seconds: counted, for a busy machine is late.
    const atHalf = web.begun;
    await expect.poll(() => web.mostOpen, { timeout: 20 * second }).toBe(4);
    expect(web.begun - 12).toBeLessThan(atHalf + 80);

    const atDouble = web.begun;
    await steer(id, { do: 'robots', robots: 16 });
    await expect.poll(() => web.open, { timeout: 20 * second }).toBe(16);
    expect(web.begun).toBeLessThan(atDouble + 80);

    await steer(id, { do: 'pause' });
    await expect.poll(() => web.open, { timeout: 20 * second }).toBe(0);
    const atRest = web.begun;
    await sleep(300);
    expect(web.begun).toBe(atRest);
    expect((await view(id)).state?.phase).toBe('paused');
    await steer(id, { do: 'resume' });
    await expect.poll(() => web.begun, { timeout: 20 * second }).toBeGreaterThan(atRest);

    await steer(id, { do: 'stop' });
    const { summary: { pagesFetched }, changes = [] } = await recordOf(id);
    expect(pagesFetched).toBeGreaterThan(20);
    expect(changes.filter(({ setting }) => setting === 'robots').map(({ value }) => value)).toEqual([4, 16]);
    const report = await served.ask(`/api/runs/${id}/report`);
    expect(report.body).toContain('<!doctype html>');
    const { from, lines } = (await served.ask(`/api/runs/${id}/feed?find=robots`)).body as RunFeed;
    expect([from, ...lines.map(({ text }) => text.split(':')[0])]).toEqual(['stored', 'robots', 'robots', 'started']);
  });

  test.runIf(isFullSweep)('goes on when the dashboard that started it is killed, and another shows it', async () => {
    web = await CountedWeb.open(120, 100);
    const { url, child } = await startedDashboard(folder, served.runs);
    const dead = new Promise((resolve) => child.once('exit', resolve));
    const id = await begin(web.crawl({ robots: 4 }), url);
    await expect.poll(() => web.begun, { timeout: 20 * second }).toBeGreaterThan(3);
    child.kill('SIGKILL');
    await dead;
    const { begun } = web;
    await expect.poll(() => web.begun, { timeout: 20 * second }).toBeGreaterThan(begun + 4);
    const { runs } = (await served.ask('/api/runs')).body as { runs: ListedRun[] };
    expect(runs.find((one) => one.id === id)).toMatchObject({ kind: 'live', state: 'running', name: web.seeds[0] });
    expect((await view(id)).state).toMatchObject({ phase: 'running', processors: [{ robots: 4 }] });
    const { summary } = await recordOf(id);
    const { listed, curves } = await view(id);
    expect(listed).toMatchObject({ state: 'finished', figures: { pages: summary.pagesFetched }, hasReport: true });
    expect(summary.pagesFetched).toBeGreaterThan(20);
    expect(curves.pages.at(-1)).toBe(summary.pagesFetched);

    // What it met is a network for simulations of any graph.
    const fitted: NewRun = { kind: 'simulation', graph: 'star', settings: { seed: 3 }, networkOf: id };
    const { command, config } = (await served.ask('/api/check', fitted)).body as CheckedRun;
    expect(command).toContain(`--network ${listed.folder!} `);
    expect(config).toContain(listed.folder);
    const { experiment } = await recordOf(await begin(fitted));
    expect(experiment).toMatchObject({ seed: 3, network: { fit: { file: listed.folder } } });
    const refused = (settings: object, networkOf = id): Promise<unknown> =>
      served.ask('/api/check', { ...fitted, settings, networkOf });
    expect(await refused({ network: { preset: 'lan' } })).toMatchObject({
      status: 400, body: { field: 'network.preset' },
    });
    for (const other of ['none', idOfFolder(join(served.runs, 'star-opic'))])
      expect(await refused({}, other)).toMatchObject({ status: 400, body: { field: 'networkOf' } });
  });
});

test('a fork with nothing changed is the run again, and so is a fork of it', async () => {
  const graph = join(folder, 'web');
  writeSmallWeb(graph);
  const settings = { policy: 'breadth-first', superstepMs: 1000, pending: 2, statistics: 'off' };
  const first = await begin({ kind: 'simulation', graph, settings });
  const { replayHash } = await recordOf(first);
  const same = await begin({ kind: 'fork', run: first, at: 3, settings: {} });
  expect((await recordOf(same)).replayHash).toBe(replayHash);
  const again = await begin({ kind: 'fork', run: same, at: 5, settings: {} });
  expect((await recordOf(again)).replayHash).toBe(replayHash);
  const other = await begin({ kind: 'fork', run: same, at: 2, settings: { policy: 'opic' } });
  expect((await recordOf(other)).replayHash).not.toBe(replayHash);
  const { listed: { forkOf } } = await view(other);
  expect(forkOf).toEqual({ id: same, superstep: 2 });
});

test.runIf(isFullSweep)('a steered run is repeated by a fork of it, and by its record', async () => {
  const steered = await begin({
    kind: 'simulation', graph: 'docs-web', settings: { processors: 2, superstepLimit: 8, statistics: 'off' },
  });
  await steer(steered, { do: 'pause' });
  await steer(steered, { do: 'robots', robots: 9 });
  await steer(steered, { do: 'resume' });
  await expect.poll(async () => (await view(steered)).state?.pagesFetched ?? 0, { timeout: 20 * second })
    .toBeGreaterThan(0);
  await steer(steered, { do: 'stop' });
  const record = await recordOf(steered);
  const at = (await view(steered)).listed.folder!;
  expect(existsSync(join(at, 'report.html'))).toBe(true);
  const half = Math.floor(record.summary.supersteps / 2);
  const forked = await begin({ kind: 'fork', run: steered, at: half, settings: {} });
  expect((await recordOf(forked)).replayHash).toBe(record.replayHash);
  const { stdout } = await orbweaver(['simulate', 'docs-web', '--config', join(at, 'run.json'), '--json'], folder);
  expect((JSON.parse(stdout) as RunJson).replayHash).toBe(record.replayHash);
});
