import { execFileSync } from 'node:child_process';
import {
  cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { simulate } from '../../../src/core/engine/index.ts';
import { DiskRecord } from '../../../src/core/measure/index.ts';
import type { ListedRun, RunView } from '../../../src/views/service/dashboard/api.ts';
import { idOfFolder } from '../../../src/views/service/dashboard/runs/recorded-runs.ts';
import { orbweaver } from '../../cli/command.ts';
import { writeSmallWeb } from '../../cli/input/small-web.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { sampled, tries } from '../../sweep.ts';
import { servedDashboard } from './served.ts';

// Goal: whatever a stranger puts into a folder of runs, the dashboard lists what it can read and says why it cannot
// read the rest, shows nothing from elsewhere, and lives on.

const { folder } = temporaryFolder();
const served = servedDashboard(folder);
const at = (...names: string[]): string => join(folder, ...names);
const inRuns = (...names: string[]): string => join(served.runs, ...names);
const secret = 'the secret of another file';

/** A record of each kind: of a run that ended, of one that was killed, of a crawl, and of a job. */
const kinds = ['ended', 'killed', 'crawl', 'job'] as const;
type Kind = (typeof kinds)[number];
const recordOf = (kind: Kind, name: string): string => inRuns(kind === 'killed' ? `${name}.partial` : name);
const documentOf: Readonly<Record<Kind, string>> = {
  ended: 'run.json', killed: 'started.json', crawl: 'run.json', job: 'job.json',
};

const job = {
  kind: 'plan', name: 'a plan', command: 'orbweaver plan', startedAt: '2026-01-01T00:00:00.000Z', elapsedSeconds: 1,
  ended: 'finished', noun: 'set-up', unlisted: 0, answer: null,
  measures: [{ name: 'cost', form: 'number', better: 'less', limit: null }],
  candidates: [{ name: 'one', at: null, standing: 'best', runs: 1, estimates: [{ mean: 1, low: null, high: null }] }],
};

beforeAll(async () => {
  writeFileSync(at('secret.txt'), secret);
  writeSmallWeb(at('web'));
  await orbweaver(['import', at('web'), '--out', at('web.owg')], folder);
  const run = ['simulate', at('web.owg'), '--max-pages', '60', '--superstep-ms', '1000', '--processors', '2'];
  expect(await orbweaver([...run, '--timeout-share', '0.2', '--out', at('ended')], folder)).toMatchObject({ code: 0 });
  const record = new DiskRecord(at('killed'), { graph: at('web.owg') });
  await simulate(
    await openGraph(at('web.owg')), { maxPages: 60, superstepMs: 1000, processors: 2, network: { timeoutShare: 0.2 } },
    { record },
  );
  record.close();
  cpSync(at('ended'), at('crawl'), { recursive: true });
  const ended = JSON.parse(readFileSync(at('ended', 'run.json'), 'utf8')) as { experiment: object };
  writeFileSync(at('crawl', 'run.json'), JSON.stringify({ ...ended, experiment: { ...ended.experiment, live: {} } }));
  writeFileSync(at('crawl', 'crawl.log'), '2026-01-01T00:00:00Z 200 10 fetched 0 http://h.example/ - -\n');
  writeFileSync(at('crawl', 'outcomes.jsonl'), '{"processor":0,"page":0,"url":"http://h.example/","kind":"fetched",' +
    '"startedUs":0,"finishedUs":1,"bytes":10}\n');
  writeFileSync(at('crawl', 'feed.jsonl'), '{"at":0,"processor":0,"text":"started"}\n');
  cpSync(at('web.owg'), at('crawl', 'graph.owg'));
  mkdirSync(at('job'));
  writeFileSync(at('job', 'job.json'), JSON.stringify(job));
  mkdirSync(served.runs);
  for (const kind of kinds) cpSync(at(kind), recordOf(kind, `good-${kind}`), { recursive: true });
});

/** Every question about a run. */
const questions = [
  '', '/report', '/log', '/log?find=h', '/feed', '/graph', '/graph/structure', '/graph/node/0', '/graph/pages?find=h',
  '/graph/page/0', '/superstep/last', '/superstep/0', '/trace?from=0&to=9',
];

async function asked(path: string): Promise<{ status: number; body: unknown }> {
  const answer = await served.ask(path);
  expect([path, answer.status < 500, answer.status, answer.status < 500 || answer.body])
    .toEqual([path, true, answer.status, true]);
  expect(JSON.stringify(answer.body)).not.toContain(secret.slice(0, 10));
  return answer;
}

const listed = async (): Promise<ListedRun[]> => ((await asked('/api/runs')).body as { runs: ListedRun[] }).runs;

/** Puts a record of a kind into the folder of runs, with something wrong; asks all there is to ask. */
async function listedWith(kind: Kind, spoil: (record: string) => void): Promise<ListedRun | undefined> {
  const record = recordOf(kind, 'hostile');
  cpSync(at(kind), record, { recursive: true });
  try {
    spoil(record);
    const runs = await listed();
    for (const good of kinds)
      expect(runs.find(({ id }) => id === idOfFolder(inRuns(`good-${good}`)))?.state).not.toBe('damaged');
    const id = idOfFolder(inRuns('hostile'));
    const found = runs.find((run) => run.id === id);
    for (const question of questions) await asked(`/api/runs/${id}${question}`);
    if (found?.state === 'damaged') expect(found.problem).toMatch(/hostile/);
    return found;
  } finally {
    rmSync(record, { recursive: true, force: true });
  }
}

test('what is good is shown', async () => {
  for (const kind of kinds) {
    const id = idOfFolder(inRuns(`good-${kind}`));
    const { listed: run, curves, job: state } = (await asked(`/api/runs/${id}`)).body as RunView;
    expect([kind, run.state]).toEqual([kind, kind === 'killed' ? 'interrupted' : 'finished']);
    expect([kind, curves.pages.length > 0, state !== null]).toEqual([kind, kind.length === 5, kind === 'job']);
    for (const question of questions) await asked(`/api/runs/${id}${question}`);
  }
  for (const question of ['/graph', '/superstep/last', '/log', '/report'])
    expect((await asked(`/api/runs/${idOfFolder(inRuns('good-ended'))}${question}`)).status).toBe(200);
});

/** What can be in the place of a file. */
const spoilers: Readonly<Record<string, (path: string) => void>> = {
  pipe: (path) => { execFileSync('mkfifo', [path]); },
  zeros: (path) => { symlinkSync('/dev/zero', path); },
  'the secret': (path) => { symlinkSync(at('secret.txt'), path); },
  'a file of the system': (path) => { symlinkSync('/etc/passwd', path); },
  'the secret, by way of a folder': (path) => { symlinkSync(join('..', '..', 'secret.txt'), path); },
  nowhere: (path) => { symlinkSync(at('none'), path); },
  itself: (path) => { symlinkSync(path, path); },
  folder: (path) => { mkdirSync(path); },
  'a terabyte': (path) => { writeFileSync(path, ''); truncateSync(path, 2 ** 40); },
};
const files: Readonly<Record<Kind, readonly string[]>> = {
  ended: [
    'run.json', 'supersteps.csv', 'failures.csv', 'order.u32', 'times.f64', 'report.html', 'curves.json', 'feed.jsonl',
  ],
  killed: ['started.json', 'journal.jsonl', 'supersteps.csv', 'failures.csv', 'order.u32', 'times.f64', 'feed.jsonl'],
  crawl: ['run.json', 'crawl.log', 'graph.owg', 'outcomes.jsonl', 'feed.jsonl', 'report.html', 'order.u32'],
  job: ['job.json'],
};
const replaced = fc.constantFrom(...kinds).chain((kind) =>
  fc.tuple(fc.constant(kind), fc.constantFrom(...files[kind]), fc.constantFrom(...Object.keys(spoilers))));

const hasPipes = process.platform === 'linux';
const long = { timeout: 300_000 };

test.runIf(hasPipes)('a file that is no file, a link elsewhere, or endless', long, async () => {
  await fc.assert(fc.asyncProperty(replaced, async ([kind, name, how]) => {
    const found = await listedWith(kind, (record) => {
      rmSync(join(record, name), { force: true });
      spoilers[how](join(record, name));
    });
    // Logs are read from their end, in pieces; a folder is no document of a job.
    const mayBeRead = how === 'a terabyte' && /\.(jsonl|log|owg)$/.test(name) && name !== 'journal.jsonl';
    if (kind === 'job' && how === 'folder') expect(found).toBeUndefined();
    else if (!mayBeRead) expect([found?.state, found?.problem]).toEqual(['damaged', expect.stringContaining(name)]);
  }), { numRuns: tries(160) });
});

const depths = '['.repeat(100_000);
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null, true, -1, 0.5, 1e9, 2 ** 32, 2 ** 53, 1e308, '', 'x'.repeat(100_000), [], {}, [null], { length: 1e9 },
    '../../secret.txt', '/dev/zero', '/etc/passwd', '\u0000', '\u001b[2J', '<script>alert(1)</script>', '__proto__',
  ),
  fc.jsonValue(),
);

/** Paths of all values within a document. */
function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
  const below = value !== null && typeof value === 'object'
    ? Object.entries(value).slice(0, 40).flatMap(([name, inner]) => pathsIn(inner, [...path, name])) : [];
  return path.length === 0 ? below : [[...path], ...below];
}

function replacedAt(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  const inner = (value as Record<string, unknown>)[name];
  const changed = rest.length === 0 ? by : replacedAt(inner, rest, by);
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...(value as object), [name]: changed };
}

describe('a document', () => {
  test('with anything in any place of it', long, async () => {
    const form = fc.record({
      kind: fc.constantFrom(...kinds), value: hostile,
      place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    await fc.assert(fc.asyncProperty(form, async ({ kind, place, value }) => {
      await listedWith(kind, (record) => {
        const path = join(record, documentOf[kind]);
        const written: unknown = JSON.parse(readFileSync(path, 'utf8'));
        const paths = pathsIn(written);
        writeFileSync(path, JSON.stringify(replacedAt(written, paths[Math.floor(place * paths.length)], value)));
      });
    }), { numRuns: tries(400) });
  });

  const fields: [string, unknown][] = [
    ['forkOf', {}], ['forkOf', { superstep: 1 }], ['forkOf', { folder: 5, superstep: 1 }], ['forkOf', []],
    ['experiment.processors', 1e9], ['experiment.processors', -1], ['experiment.processors', 0.5],
    ['experiment.processors', '8'], ['experiment.robots', 1e9], ['experiment.robots', -1], ['experiment.policy', {}],
    ['experiment.partition', 'none'], ['experiment.partitionPoints', 1e9], ['experiment.seedPages', [-1]],
    ['summary.pagesFetched', 1e15], ['summary.pagesFetched', -1], ['summary.limits', { named: ['none'] }],
    ['summary.limits', 5], ['summary.crashes', [null]], ['summary.statistics', { inDegrees: 5 }],
    ['dataset.name', {}], ['dataset.name', 'x'.repeat(1e6)], ['dataset.sha256', 5], ['changes', [{}]],
    ['changes', [{ superstep: 0, processor: 4000, observed: 0, setting: 'robots', value: 4 }]],
    ['replayHash', { toString: 1 }], ['origin', { graph: 7 }], ['origin', { command: {} }],
  ];
  test.each(sampled(fields, 4))('with %s = %j is listed with what is wrong', async (field, value) => {
    const found = await listedWith('ended', (record) => {
      const path = join(record, 'run.json');
      const run = JSON.parse(readFileSync(path, 'utf8')) as object;
      writeFileSync(path, JSON.stringify(replacedAt(run, field.split('.'), value)));
    });
    expect([found?.state, found?.problem]).toEqual(['damaged', expect.stringContaining(field.split('.')[0])]);
  });

  test.each(kinds)('that is nested deeply, empty, cut or no JSON: %s', async (kind) => {
    for (const spoilt of sampled([
      (text: string) => text.replace('{', `{"deep":${depths}${']'.repeat(depths.length)},`),
      () => '', () => '{', () => 'null',
      (text: string) => text.slice(0, -20), () => '\u0000'.repeat(1000), () => '[]', () => depths,
    ], 3)) {
      const found = await listedWith(kind, (record) => {
        const path = join(record, documentOf[kind]);
        writeFileSync(path, spoilt(readFileSync(path, 'utf8')));
      });
      expect(['damaged', kind === 'job' ? 'finished' : 'damaged']).toContain(found?.state);
    }
  });
});

const cell = fc.constantFrom(
  '-1', '1e9', '1e308', 'Infinity', '0.5', '9007199254740993', '4294967296', '4096', 'x', '',
);

describe('a table', () => {
  const form = fc.record({
    kind: fc.constantFrom('ended' as const, 'killed' as const),
    name: fc.constantFrom('supersteps.csv', 'failures.csv'), row: fc.nat(30), column: fc.nat(40), cell,
    count: fc.constantFrom(1, 1, 1, 10_000),
  });
  test('with anything in any cell of it', long, async () => {
    await fc.assert(fc.asyncProperty(form, async ({ kind, name, row, column, cell: text, count }) => {
      await listedWith(kind, (record) => {
        const path = join(record, name);
        const lines = readFileSync(path, 'utf8').split('\n');
        const at = 1 + (row % (lines.length - 2));
        const values = lines[at].split(',');
        lines[at] = values.with(column % values.length, text).join(',');
        writeFileSync(path, lines.toSpliced(at, 1, ...Array<string>(count).fill(lines[at])).join('\n'));
      });
    }), { numRuns: tries(160) });
  });
});

test('numbers of other files: cut, too many, not of this run', long, async () => {
  const name = fc.constantFrom(
    'order.u32', 'times.f64', 'journal.jsonl', 'feed.jsonl', 'outcomes.jsonl', 'curves.json',
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }), fc.constant(new Uint8Array(0)), fc.constant(new Uint8Array(4000).fill(255)),
    fc.json().map((text) => Buffer.from(`${text}\n${text}\n`)),
  );
  await fc.assert(fc.asyncProperty(fc.constantFrom(...kinds), name, bytes, async (kind, file, content) => {
    await listedWith(kind, (record) => { writeFileSync(join(record, file), content); });
  }), { numRuns: tries(160) });
});

test.runIf(hasPipes)('graphs that records name: pipes, devices, folders of them', long, async () => {
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('pipes'));
  const names = ['pages.tsv', 'arcs.tsv', 'a.warc', 'a.parquet', 'a.html'];
  for (const name of names) execFileSync('mkfifo', [at('pipes', name)]);
  const graphs = [
    at('pipe'), at('pipes'), '/dev/zero', '/etc/passwd', '/proc/self/mem', '/', '\u0000', '-', 'http://127.0.0.1:9/',
  ];
  for (const graph of sampled(graphs, 3)) {
    const found = await listedWith('ended', (record) => {
      const path = join(record, 'run.json');
      const run = JSON.parse(readFileSync(path, 'utf8')) as object;
      writeFileSync(path, JSON.stringify(replacedAt(run, ['origin', 'graph'], graph)));
    });
    expect(found?.state).toBe('finished');
  }
});

test.runIf(existsSync('/dev/shm'))('a record of a time that no calendar has', async () => {
  const found = await listedWith('ended', (record) => { utimesSync(join(record, 'run.json'), 9e12, 9e12); });
  expect(found?.state).toBe('finished');
});
