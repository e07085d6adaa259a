import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CheckedRun, ListedRun, RunView, SettingsForms } from '../../../src/views/service/dashboard/api.ts';
import { orbweaver } from '../../cli/command.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { servedDashboard } from './served.ts';

// Goal: what is filled in is checked as on the command line, and what is on the disk is listed as it is.

const { folder } = temporaryFolder();
const served = servedDashboard(folder);

const check = async (body: unknown): Promise<{ status: number; body: CheckedRun & { error: string; field: string } }> =>
  await served.ask('/api/check', body) as never;

function crawlOf(settings: object): unknown {
  return { kind: 'live', seeds: ['http://a.example/'], settings };
}

describe('forms', () => {
  test('have every setting with its title and bounds, and the names of graphs', async () => {
    const { body } = await served.ask('/api/settings');
    const { simulation, live, graphs, policies } = body as SettingsForms;
    expect(Object.keys(simulation['properties'] as object)).toEqual(expect.arrayContaining(['processors', 'network']));
    expect(Object.keys(live['properties'] as object)).toEqual(expect.arrayContaining(['processors', 'live', 'seeds']));
    expect(graphs).toContainEqual({ name: 'docs-web', pages: 31_331 });
    expect(policies.map(({ name }) => name)).toContain('opic');
  });

  test('become the command that does the same', async () => {
    const settings = {
      processors: 2, policy: 'breadth-first', network: { latencyMs: '0.02 s' }, queue: { kind: 'cbt' }, maxPages: 50,
    };
    const { status, body: { command, config } } = await check({ kind: 'simulation', graph: 'star', settings });
    expect(status).toBe(200);
    expect(wordsOf(command)).toEqual([
      'orbweaver', 'simulate', 'star', '--processors', '2', '--policy', 'breadth-first', '--queue', 'cbt',
      '--latency-ms', '20', '--max-pages', '50', '--out', join(served.runs, 'star-breadth-first'), '--watch',
    ]);
    expect(config).toMatch(/^processors: 2$/m);
  });

  test('of a live crawl likewise', async () => {
    const live = {
      contact: 'me@example.org', allowNetworks: ['127.0.0.0/8'],
      resolve: [{ host: '*', address: '127.0.0.1', port: 80 }],
    };
    const { body: { command } } = await check({
      kind: 'live', seeds: ['http://a.example/', "http://a.example/it's"], settings: { robots: 3, live }, out: 'mine',
    });
    expect(wordsOf(command)).toEqual([
      'orbweaver', 'crawl', 'http://a.example/', "http://a.example/it's", '--robots', '3',
      '--contact', 'me@example.org',
      '--allow-network', '127.0.0.0/8', '--resolve', '*=127.0.0.1:80', '--out', join(served.runs, 'mine'), '--watch',
    ]);
  });

  test.each([
    ['processors', { kind: 'simulation', graph: 'star', settings: { processors: 0 } }],
    ['network.latencyMs', { kind: 'simulation', graph: 'star', settings: { network: { latencyMs: -1 } } }],
    ['queue.colour', { kind: 'simulation', graph: 'star', settings: { queue: { colour: 1 } } }],
    ['policy', { kind: 'simulation', graph: 'star', settings: { policy: 'none' } }],
    ['graph', { kind: 'simulation', graph: '--help', settings: {} }],
    ['graph', { kind: 'simulation', settings: {} }],
    ['out', { kind: 'simulation', graph: 'star', settings: {}, out: '../elsewhere' }],
    ['out', { kind: 'simulation', graph: 'star', settings: {}, out: '/tmp/elsewhere' }],
    ['seeds', { kind: 'live', seeds: [], settings: {} }],
    ['seeds', { kind: 'live', seeds: ['-o'], settings: { live: { contact: 'me@example.org' } } }],
    ['live.contact', { kind: 'live', seeds: ['http://a.example/'], settings: {} }],
    ['live.maxDepth', crawlOf({ live: { contact: 'a@b.example', maxDepth: 'x' } })],
    ['network', crawlOf({ network: {}, live: { contact: 'a@b.example' } })],
    ['kind', { kind: 'neither' }],
  ])('name %s where it is wrong', async (field, body) => {
    const answer = await check(body);
    expect(answer.status).toBe(400);
    expect(answer.body.field).toBe(field);
    expect(answer.body.error).not.toContain('\n');
  });

  test('of more than JSON are refused', async () => {
    expect((await served.ask('/api/check', '{')).status).toBe(400);
    expect((await served.ask('/api/check', `"${'x'.repeat(5 * 1024 * 1024)}"`)).status).toBe(413);
  });
});

describe('records', () => {
  beforeAll(async () => {
    mkdirSync(served.runs, { recursive: true });
    await orbweaver(['simulate', 'star', '--out', join(served.runs, 'deep/star')], folder);
    cpSync(join(served.runs, 'deep/star'), join(served.runs, 'damaged'), { recursive: true });
    writeFileSync(join(served.runs, 'damaged/run.json'), '{"version"');
  });

  test('are listed with their figures; a damaged one with what is wrong', async () => {
    const { runs } = (await served.ask('/api/runs')).body as { runs: ListedRun[] };
    const whole = runs.find(({ folder: at }) => at === join(served.runs, 'deep/star'));
    expect(whole).toMatchObject({
      kind: 'simulation', state: 'finished', hasReport: true,
      figures: { pages: 9, processors: 8, robots: 4, policy: 'opic', rank: expect.closeTo(1, 9) as number },
    });
    expect(runs.find(({ state }) => state === 'damaged')).toMatchObject({
      name: 'runs/damaged', figures: null, problem: expect.stringContaining('run.json') as string,
    });
    const { body } = await served.ask(`/api/runs/${whole?.id}`);
    const { summary, curves, state, run, limits } = body as RunView;
    expect(limits).toMatch(/^This crawl is limited by /);
    expect(run).toMatchObject({ name: 'star', maxPages: 9, processors: 8, settings: { policy: 'opic' } });
    expect(state).toBeNull();
    expect(summary?.['pagesFetched']).toBe(9);
    expect(curves.pages.at(-1)).toBe(9);
    expect(curves.superstep).toHaveLength(summary?.['supersteps'] as number);
    const report = await served.ask(`/api/runs/${whole?.id}/report`);
    expect(report.headers.get('content-security-policy')).toContain('sandbox allow-scripts');
    expect(report.body).toContain('<!doctype html>');
  });

  test('whose report comes later are listed with it then', async () => {
    const folderOf = join(served.runs, 'later');
    cpSync(join(served.runs, 'deep/star'), folderOf, { recursive: true });
    const report = join(folderOf, 'report.html');
    renameSync(report, `${report}.hidden`);
    const hasReport = async (): Promise<boolean | undefined> => {
      const { runs } = (await served.ask('/api/runs')).body as { runs: ListedRun[] };
      return runs.find(({ folder: at }) => at === folderOf)?.hasReport;
    };
    expect(await hasReport()).toBe(false);
    renameSync(`${report}.hidden`, report);
    expect(await hasReport()).toBe(true);
  });

  test('that there are not are 404', async () => {
    for (const path of ['/api/runs/0123', '/api/runs/0123/report', '/api/runs/..%2f..%2fetc', '/api/nothing'])
      expect((await served.ask(path)).status).toBe(404);
  });

  test('steer nothing', async () => {
    const answer = await served.ask('/api/runs/0123/control', { do: 'pause' });
    expect(answer).toMatchObject({ status: 409, body: { error: 'the run has ended' } });
    for (const body of [{ do: 'robots' }, { do: 'robots', robots: 0 }, { do: 'jump' }, []])
      expect((await served.ask('/api/runs/0123/control', body)).status).toBe(400);
  });
});

/** A shell's words: plain, or in single quotes. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:[^\s'\\]|'[^']*'|\\.)+/g)]
    .map(([word]) => word.replaceAll(/'([^']*)'|\\(.)/g, (_, quoted?: string, one?: string) => quoted ?? one ?? ''));
}
