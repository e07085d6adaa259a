import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type {
  CheckedRun, ListedRun, NewRun, RunView, SettingsForms,
} from '../../../src/views/service/dashboard/api.ts';
import { openRuns } from '../../../src/views/watch/index.ts';
import { orbweaver } from '../../cli/command.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { servedDashboard } from './served.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: plans, tunes and studies are started, watched, stopped and found again as runs are, and what they answer is
// what the command line answers.

const { folder } = temporaryFolder();
const served = servedDashboard(folder);
beforeAll(() => { process.env['ORBWEAVER_STUDIES'] = join(folder, 'studies'); });

const begin = async (run: NewRun): Promise<string> => {
  const { status, body } = await served.ask('/api/runs', run);
  expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(String) as string } });
  return (body as { id: string }).id;
};
const view = async (id: string): Promise<RunView> => (await served.ask(`/api/runs/${id}`)).body as RunView;
const list = async (): Promise<ListedRun[]> => ((await served.ask('/api/runs')).body as { runs: ListedRun[] }).runs;
const check = async (body: unknown): Promise<{ status: number; body: CheckedRun & { error: string; field: string } }> =>
  await served.ask('/api/check', body) as never;

const containing = (text: string): string => expect.stringContaining(text) as string;

/** Waits until it does not go on any more. */
async function ended(id: string): Promise<RunView> {
  for (;;) {
    const now = await view(id);
    if (now.listed.state !== 'running') return now;
    await sleep(30);
  }
}

const smallPlan: NewRun & { kind: 'plan' } = {
  kind: 'plan', graph: 'star', goal: ['50% of rank'], settings: { machines: 1, robots: 2, vary: 'policy' },
};
/** It takes some seconds, of which a test sees the first. */
const longPlan: NewRun & { kind: 'plan' } = {
  kind: 'plan', graph: 'docs-web', goal: ['95% of rank'], settings: { machines: 8 }, out: 'long',
};

describe('a plan', () => {
  test('started by a form answers what the command line answers, and its report is served', async () => {
    const { listed, job, run } = await ended(await begin(smallPlan));
    expect(listed).toMatchObject({ kind: 'plan', name: 'star', state: 'finished', hasReport: true, problem: null });
    expect(run).toBeNull();
    const { code, stdout } = await orbweaver([
      'plan', 'star', '--goal', '50% of rank', '--machines', '1', '--robots', '2', '--vary', 'policy', '--json',
    ], folder);
    expect(code).toBe(0);
    const { answer, best } = JSON.parse(stdout) as { answer: string; best: { cost: number } };
    expect(listed.answer).toBe(answer);
    expect(job).toMatchObject({ phase: 'finished', answer, noun: 'set-up' });
    const [first, ...others] = job!.candidates;
    expect(first).toMatchObject({ standing: 'best' });
    expect(first.estimates[1]?.mean).toBe(best.cost);
    expect(others.map(({ standing }) => standing)).toEqual(others.map(() => 'out'));
    expect(others.length).toBeGreaterThan(2);
    const report = await served.ask(`/api/runs/${listed.id}/report`);
    expect(report.headers.get('content-security-policy')).toContain('sandbox allow-scripts');
    expect(report.body).toContain('A plan for star');
  });

  test.runIf(isFullSweep)('is watched, killed, goes on when it is started again, and is stopped', async () => {
    const id = await begin(longPlan);
    let now = await view(id);
    while (now.job?.candidates.some(({ estimates }) => estimates[0] !== null) !== true) now = await view(id);
    expect(now.listed).toMatchObject({ kind: 'plan', state: 'running', answer: null });
    expect(now.job.progress?.doing).toMatch(/^(pilots|race)/);
    const open = (await openRuns()).find(({ card }) => card.folder?.endsWith('/long'));
    process.kill(open!.card.pid, 'SIGKILL');
    const killed = await ended(id);
    expect(killed.listed).toMatchObject({
      id, kind: 'plan', state: 'interrupted', problem: containing('its process was ended'),
    });
    expect(killed.listed.command).toContain('orbweaver plan docs-web');

    expect(await begin(longPlan)).toBe(id);
    now = await view(id);
    const isFound = (): boolean => now.feed.some(({ text }) => text.includes('found among finished runs'));
    while (now.listed.state === 'running' && !isFound()) now = await view(id);
    expect({ state: now.listed.state, isFound: isFound() }).toEqual({ state: 'running', isFound: true });
    expect(await served.ask(`/api/runs/${id}/control`, { do: 'pause' })).toMatchObject({
      status: 400, body: { error: containing('a plan can only be stopped') },
    });
    expect(await served.ask(`/api/runs/${id}/control`, { do: 'stop' })).toMatchObject({ status: 200 });
    const { listed, job } = await ended(id);
    expect(listed).toMatchObject({ state: 'interrupted', problem: containing('it was stopped') });
    expect(job!.candidates.length).toBeGreaterThan(0);
    expect(existsSync(join(served.runs, 'long/plan.json'))).toBe(false);
  });
});

describe('a study and a tune', () => {
  test('of a typed study: its cells, its answer, and its file beside its folder', async () => {
    const yaml = 'graph: star\naxes:\n  policy: [opic, breadth-first]\n  seed: [1, 2]\n';
    const { listed, job } = await ended(await begin({ kind: 'study', yaml }));
    expect(listed).toMatchObject({ kind: 'study', state: 'finished', hasReport: true });
    expect(readFileSync(`${listed.folder!}.yaml`, 'utf8')).toBe(yaml);
    expect(job!.candidates.map(({ name, runs }) => [name, runs]).sort()).toEqual([['breadth-first', 2], ['opic', 2]]);
    const study = JSON.parse(readFileSync(join(listed.folder!, 'study.json'), 'utf8')) as { answer: string };
    expect(listed.answer).toBe(study.answer);
  });

  test('of a tune: its trials by R_x, and R_x', async () => {
    const { listed, job } = await ended(await begin({ kind: 'tune', graph: 'star', settings: { processors: 2 } }));
    expect(listed).toMatchObject({ kind: 'tune', state: 'finished' });
    const { sweep, superstepLimit } = JSON.parse(readFileSync(join(listed.folder!, 'tune.json'), 'utf8')) as {
      sweep: { r: number; stale: number }[]; superstepLimit: number;
    };
    expect(job!.candidates.map(({ at, estimates: [error] }) => ({ r: at, stale: error?.mean })))
      .toEqual(sweep.map(({ r, stale }) => ({ r, stale })));
    expect(job!.candidates.find(({ standing }) => standing === 'best')?.at).toBe(superstepLimit);
    expect(listed.answer).toContain(`R_x = ${superstepLimit} `);
  });
});

const tooLarge = `graph: star\naxes:\n  seed: [${numbers(1001)}]\n  robots: [${numbers(1000, 1)}]\n`;

describe('forms', () => {
  test('have the flags of each, and the settings that it has', async () => {
    const { plan, tune, studies } = (await served.ask('/api/settings')).body as SettingsForms;
    const namesIn = (schema: SettingsForms['plan']): string[] => Object.keys(schema['properties'] as object);
    expect(namesIn(plan)).toEqual(expect.arrayContaining(['within', 'machines', 'robots', 'delay', 'cost', 'vary']));
    for (const name of ['processors', 'politenessMs', 'maxPages']) expect(namesIn(plan)).not.toContain(name);
    const network = (plan['properties'] as Record<string, { properties: object }>)['network'].properties;
    expect(network).toHaveProperty('preset');
    expect(network).not.toHaveProperty('bandwidthBytesPerSecond');
    expect(namesIn(tune)).toEqual(expect.arrayContaining(['for', 'epsilon', 'processors', 'robots']));
    expect(namesIn(tune)).not.toContain('superstepLimit');
    expect(studies.map(({ name }) => name)).toEqual(['pending-keys', 'policies', 'searchers', 'tiny']);
  });

  test('become the command that does the same, and its file', async () => {
    const { body: { command, config } } = await check({
      kind: 'plan', graph: 'star', goal: ['80% of rank', '2 hosts'], out: 'mine',
      settings: { within: '10m', machines: 3, delay: '2s', network: { preset: 'web' } },
    });
    expect(command).toBe(
      "orbweaver plan star --goal '80% of rank' --goal '2 hosts' --within 10m --machines 3 --delay 2s --network web " +
        `--out ${join(served.runs, 'mine')} --watch`,
    );
    expect(config).toContain('goal:\n  - 80% of rank\n  - 2 hosts\n');
    const tuned = await check({ kind: 'tune', graph: 'star', settings: { epsilon: 0.1, robots: 2 }, out: 'tuned' });
    expect(tuned.body.command).toContain('orbweaver tune star --epsilon 0.1 --robots 2 --out ');
  });

  test.each<[string, RegExp, unknown]>([
    ['graph', /no graph/, { ...smallPlan, graph: 'nowhere' }],
    ['graph', /no graph/, { kind: 'tune', graph: 'nowhere', settings: {} }],
    ['graph', /must not begin/, { ...smallPlan, graph: '--help' }],
    ['goal', /a share or a number/, { ...smallPlan, goal: ['most of it'] }],
    ['goal', /more than 100 %/, { ...smallPlan, goal: ['120% of rank'] }],
    ['goal', /name a goal/, { ...smallPlan, goal: [] }],
    ['within', /^within: /, { ...smallPlan, settings: { within: 'soon' } }],
    ['machines', /from 1 to 4096/, { ...smallPlan, settings: { machines: 0 } }],
    ['cost', /must be machine=PRICE/, { ...smallPlan, settings: { cost: 'cheap' } }],
    ['vary', /must be among/, { ...smallPlan, settings: { vary: 'colour' } }],
    ['processors', /a plan has no such setting/, { ...smallPlan, settings: { processors: 2 } }],
    ['seed', /expected number to be >=0/, { ...smallPlan, settings: { seed: -1 } }],
    ['epsilon', /<1/, { kind: 'tune', graph: 'star', settings: { epsilon: 2 } }],
    ['maxSeconds', /needs that time/, { kind: 'tune', graph: 'star', settings: { for: 'rank' } }],
    ['yaml', /^line:2:\d+: /, { kind: 'study', yaml: 'graph: star\naxes: { policy: [opic }\n' }],
    ['yaml', /^line:3:3: .*colour/, { kind: 'study', yaml: 'graph: star\naxes:\n  colour: [1]\n' }],
    ['yaml', /at most 1,000,000/, { kind: 'study', yaml: tooLarge }],
    ['yaml', /no graph/, { kind: 'study', yaml: 'graph: nowhere\naxes: {}\n' }],
    ['yaml', /./, { kind: 'study', yaml: 'x'.repeat(300_000) }],
    ['yaml', /alias/, { kind: 'study', yaml: aliasBomb() }],
    ['graph', /no graph/, { kind: 'study', yaml: 'graph: star\naxes: {}\n', graph: 'nowhere' }],
    ['out', /must be a folder in/, { kind: 'study', yaml: 'graph: star\naxes: {}\n', out: '../elsewhere' }],
  ])('name %s where it is wrong: %s', async (field, message, body) => {
    const answer = await check(body);
    expect({ status: answer.status, field: answer.body.field }).toEqual({ status: 400, field });
    expect(answer.body.error).toMatch(message);
  });
});

describe('folders', () => {
  test('of jobs that nobody watched are listed; damaged ones with what is wrong', async () => {
    const at = (name: string): string => join(served.runs, name);
    expect((await orbweaver(['tune', 'star', '--processors', '2', '--out', at('unwatched')], folder)).code).toBe(0);
    for (const [name, file, text] of [
      ['broken', 'plan.json', '{"version"'], ['hostile', 'job.json', '{"kind":"plan","candidates":7}'],
    ] as const) {
      mkdirSync(at(name), { recursive: true });
      writeFileSync(join(at(name), file), text);
    }
    const runs = await list();
    const found = (name: string): ListedRun | undefined => runs.find((run) => run.folder === at(name));
    expect(found('unwatched')).toMatchObject({
      kind: 'tune', state: 'finished', name: 'star', hasReport: true, answer: containing('R_x = '),
    });
    expect(found('broken')).toMatchObject({ state: 'damaged', problem: containing('plan.json') });
    expect(found('hostile')).toMatchObject({ state: 'damaged', problem: containing('job.json') });
    expect((await view(found('unwatched')!.id)).job).toBeNull();
    expect((await view(found('broken')!.id)).listed.state).toBe('damaged');
  });
});

function numbers(count: number, first = 0): string {
  return Array.from({ length: count }, (_, i) => i + first).join(', ');
}

/** Grows tenfold with each of its lines. */
function aliasBomb(): string {
  const lines = Array.from({ length: 9 }, (_, i) =>
    `a${i}: &a${i} [${Array.from({ length: 10 }, () => (i === 0 ? 'x' : `*a${i - 1}`)).join(', ')}]`);
  return `${lines.join('\n')}\ngraph: star\naxes: {}\n`;
}
