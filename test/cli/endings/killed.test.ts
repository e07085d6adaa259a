import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { measuring } from '../../../src/cli/answers/incomplete-runs.ts';
import { OpenedGraphs } from '../../../src/cli/answers/compared/graphs.ts';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { comparedIn } from '../../../src/questions/compare/index.ts';
import { simulate } from '../../../src/core/engine/index.ts';
import type { RunSink } from '../../../src/core/events/index.ts';
import { prepare } from '../../../src/graphs/graph/index.ts';
import type { RunJson } from '../../../src/core/measure/index.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { DrawStream } from '../../../src/base/index.ts';
import { isFullSweep } from '../../sweep.ts';
import { finished, namesBelow, newFolder, orbweaver, start, type Finished } from '../command.ts';
import { writeSmallWeb } from '../input/small-web.ts';

// Goal: whatever kills a run, its record reads up to its last superstep, with the figures of the run stopped there.

const webs = newFolder();
const web = join(webs, 'web');
writeSmallWeb(web);
const prepared = prepare(await openGraph(web));
afterAll(() => { rmSync(webs, { recursive: true }); });

let folder: string;
beforeEach(() => { folder = newFolder(); });
afterEach(() => { rmSync(folder, { recursive: true }); });

/** Thousands of supersteps: there is time to kill it. */
const long: ExperimentInput = {
  processors: 64, superstepLimit: 1, superstepMs: 10, retries: 1, network: { serverErrorShare: 0.05 },
  statistics: 'auto',
};
const simulated = (...more: readonly string[]): string[] => [
  'simulate', web, '--processors', '64', '--superstep-limit', '1', '--superstep-ms', '10', '--retries', '1',
  '--server-error-share', '0.05', '--out', 'run', ...more,
];

const journal = (path = 'run.partial'): string => {
  const file = join(folder, path, 'journal.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** Starts the run and kills it so long after the first lines of its journal. */
async function killed(args: readonly string[], afterMs: number, path?: string, lines = 1): Promise<void> {
  const child = start(args, folder);
  const end = finished(child);
  while (journal(path).split('\n').length <= lines) await sleep(2);
  await sleep(afterMs);
  child.kill('SIGKILL');
  const { code, stderr } = await end;
  expect({ code, stderr }).toEqual({ code: null, stderr: '' });
}

/** The same run, ended by a signal at a superstep. */
async function stoppedAt(superstep: number, input: ExperimentInput): Promise<RunJson> {
  const controller = new AbortController();
  const stop: RunSink = { superstep: (end) => { if (end.superstep === superstep) controller.abort(); } };
  return (await simulate(prepared, input, { sinks: [stop], signal: controller.signal })).run;
}

/** Checks what is in `path` against the run stopped there; the superstep. */
async function expectStopped(path: string, input: ExperimentInput): Promise<number> {
  const opened = new OpenedGraphs();
  opened.add(prepared);
  const [{ records: [{ run, readUpTo }] }] = await comparedIn(join(folder, path), measuring(opened, []));
  const stopped = await stoppedAt(readUpTo!, input);
  // Killed after its last superstep, a run has a record that does not say that it was the last.
  if (stopped.summary.ended === 'interrupted')
    expect(run.summary).toEqual({ ...stopped.summary, ended: 'incomplete' });
  else expect(run.summary.pagesFetched).toBe(stopped.summary.pagesFetched);
  expect(run).toMatchObject({
    version: stopped.version, replayHash: stopped.replayHash, dataset: stopped.dataset, experiment: stopped.experiment,
  });
  return readUpTo!;
}

const moments = isFullSweep ? 20 : 2;
test(`killed at ${moments} of 20 moments; npm run test:all tries all`, async () => {
  const draws = new DrawStream(Number(process.env['ORBWEAVER_SEED'] ?? 1), 'killed');
  const found: number[] = [];
  for (let i = 0; i < moments; i++) {
    // Of two kills the second waits for a superstep after the first one's, or both might meet the same.
    const lines = isFullSweep ? 1 : 2 + (found[0] ?? 0);
    await killed(simulated(), (isFullSweep ? 800 : 100) * draws.uniform(i, 0), undefined, lines);
    found.push(await expectStopped('run.partial', long));
    rmSync(join(folder, 'run.partial'), { recursive: true });
  }
  expect(new Set(found).size).toBeGreaterThan(1);
}, 300_000);

test.runIf(isFullSweep)('with crashes, up to the last checkpoint', async () => {
  const crashing = [
    '--crash-seconds', '500', '--restart-seconds', '1', '--checkpoint-supersteps', '50', '--max-seconds', '10000',
  ];
  await killed(simulated(...crashing), 0, undefined, 2);
  const superstep = await expectStopped('run.partial', {
    ...long, maxSeconds: 10_000, checkpointSupersteps: 50,
    network: { serverErrorShare: 0.05, crashSeconds: 500, restartSeconds: 1 },
  });
  expect(superstep).toBeGreaterThan(0);
});

test.runIf(isFullSweep)('of repeated runs, those that ended and the one that was killed', async () => {
  await killed(simulated('--repeat', '9', '--max-pages', '20'), 20, 'run.partial/seed-2');
  const { code, stdout } = await orbweaver(['compare', 'run.partial', '--json'], folder);
  expect(code).toBe(0);
  const { runs } = JSON.parse(stdout) as { runs: { label: string; incomplete?: object }[] };
  expect(runs[0]).toMatchObject({ label: 'run.partial/seed-1' });
  expect(runs[0].incomplete).toBeUndefined();
  expect(runs.length).toBeGreaterThan(1);
});

describe('what a killed run left', () => {
  let left: string;
  beforeAll(async () => {
    left = folder = newFolder();
    expect(await orbweaver(['simulate', web, '--max-pages', '500', '--out', 'run'], folder))
      .toMatchObject({ code: 0 });
    // So many supersteps have failures.
    await killed(simulated(), 0, undefined, 500);
  });
  afterAll(() => { rmSync(left, { recursive: true }); });
  beforeEach(() => { cpSync(left, folder, { recursive: true }); });

  const compare = async (...args: readonly string[]): Promise<Finished> => orbweaver(['compare', ...args], folder);

  test('is reported as incomplete in text, JSON and report, beside the earlier run, which is untouched', async () => {
    const superstep = journal().split('\n').length - 2;
    const reported = `run.partial (incomplete: read up to superstep ${superstep})`;
    const text = await compare('run', 'run.partial', '--out', 'compared');
    expect(text.code).toBe(0);
    expect(text.stdout.replace(/\s+/g, ' ')).toContain(reported);
    expect(readFileSync(join(folder, 'compared', 'report.html'), 'utf8').includes(reported)).toBe(true);
    const { runs } = JSON.parse((await compare('run', 'run.partial', '--json')).stdout) as { runs: object[] };
    const incomplete = { readUpToSuperstep: superstep };
    expect(runs).toMatchObject([{ label: 'run' }, { label: 'run.partial', incomplete }]);
    expect(runs[0]).not.toHaveProperty('incomplete');
  });

  test('can be repeated from what it was started with', async () => {
    const { code, stdout } = await orbweaver(
      ['simulate', web, '--config', 'run.partial/started.json', '--print-config'], folder,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('processors: 64');
  });

  test('is replaced by the next run, which says so; the earlier run stays until then', async () => {
    const { code, stderr } = await orbweaver(['simulate', 'star', '--out', 'run'], folder);
    expect({ code, stderr }).toEqual({
      code: 0, stderr: 'run.partial: what a run left there that did not end is replaced\n',
    });
    expect(readdirSync(folder)).toEqual(['run']);
    expect(namesBelow(join(folder, 'run'))).toEqual(
      [
        'curves.csv', 'failures.csv', 'order.u32', 'report.html', 'run.json', 'statistics.csv', 'supersteps.csv',
        'times.f64',
      ],
    );
  });

  test('is named where only it is there', async () => {
    rmSync(join(folder, 'run'), { recursive: true });
    expect(await compare('run', 'run.partial')).toMatchObject({
      code: 2, stderr: 'run: there is no such folder; run.partial contains what an unfinished run left\n',
    });
  });

  test('needs its graph: a missing one and another one are named', async () => {
    const started = join(folder, 'run.partial', 'started.json');
    const text = readFileSync(started, 'utf8');
    writeFileSync(started, text.replace(`"graph": "${web}"`, `"graph": "${join(folder, 'gone.owg')}"`));
    const gone = await compare('run', 'run.partial');
    expect(gone.code).toBe(2);
    expect(gone.stderr).toMatch(
      /^run\.partial: the figures of a run that was killed take the graph .* name it with --graph, for no graph .*gone\.owg.*\n$/,
    );
    expect(await compare('run', 'run.partial', '--graph', web)).toMatchObject({ code: 0 });
    writeFileSync(started, text.replace(`"graph": "${web}"`, '"graph": "star"'));
    const other = await compare('run', 'run.partial');
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(
      /name it with --graph, for star is another now \(SHA-256 [0-9a-f]{16}\.\.\., not [0-9a-f]{16}\.\.\.\)\n$/,
    );
  });

  test('where it is damaged, one line names the file', async () => {
    const text = (from: RegExp, to: string) => (bytes: Buffer): string => {
      const changed = String(bytes).replace(from, to);
      expect(changed).not.toBe(String(bytes));
      return changed;
    };
    const cases: readonly [string, (bytes: Buffer) => Buffer | string, RegExp][] = [
      ['order.u32', (bytes) => bytes.fill(0xee, 0, 4), /order\.u32: contains page 4008636142, which the graph does not/],
      ['times.f64', (bytes) => bytes.fill(255, 0, 8), /times\.f64: page 0 /],
      ['supersteps.csv', text(/\n0,1,/, '\n0,2,'), /supersteps\.csv: lacks rows/],
      ['supersteps.csv', text(/(\n0,0(,\d+){17}),\d/, '$1,9'), /copy: the record is damaged: robot time/],
      ['failures.csv', text(/\n(\d+),\d+,/, '\n$1,99,'), /failures\.csv: page \d+ does not belong to processor 99/],
      ['started.json', () => '', /started\.json: is not JSON/],
      ['journal.jsonl', () => '\0\n', /journal\.jsonl:1: is not a line/],
    ];
    for (const [name, change, message] of cases) {
      cpSync(join(folder, 'run.partial'), join(folder, 'copy'), { recursive: true });
      const path = join(folder, 'copy', name);
      writeFileSync(path, change(readFileSync(path)));
      const { code, stderr } = await compare('run', 'copy');
      expect([code, stderr.split('\n').length], stderr).toEqual([2, 2]);
      expect(stderr).toMatch(message);
      rmSync(join(folder, 'copy'), { recursive: true });
    }
  });
});

test('two at once: the second is refused with one sentence, and the first ends well', async () => {
  const first = start(simulated('--max-pages', '50'), folder);
  const end = finished(first);
  while (!journal().includes('\n')) await sleep(2);
  const { code, stderr } = await orbweaver(['simulate', 'star', '--out', 'run'], folder);
  expect(code).toBe(2);
  expect(stderr).toMatch(/run\.partial: is being written by process \d+; wait for it\n$/);
  expect(stderr.split('\n')).toHaveLength(2);
  expect(await end).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toEqual(['run']);
});

test('a folder of that name which is not our own is refused', async () => {
  mkdirSync(join(folder, 'run.partial'));
  writeFileSync(join(folder, 'run.partial', 'thesis.txt'), 'mine');
  const { code, stderr } = await orbweaver(['simulate', 'star', '--out', 'run'], folder);
  expect(code).toBe(2);
  expect(stderr).toMatch(/run\.partial: holds other files, and is where a run is written until it ends/);
  expect(namesBelow(folder)).toEqual(['run.partial', 'run.partial/thesis.txt']);
});
