import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { RunJson } from '../../src/core/measure/index.ts';
import type { ShownReport } from '../../src/views/report/index.ts';
import { finished, namesBelow, newFolder, orbweaver, start } from './command.ts';
import { writeSmallWeb } from './input/small-web.ts';
import { sampled } from '../sweep.ts';

// Goal: a study goes on where it was killed and ends where it is interrupted; its files are the same however it came to
// its end; finished runs, repeated runs and studies can be compared.

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
writeSmallWeb(at('web'));
writeFileSync(
  at('study.yaml'),
  // With short supersteps: there is time to kill it.
  'graph: web\nexperiment: {maxPages: 800, superstepLimit: 4}\naxes:\n  policy: [opic, breadth-first]\n  processors: [1, 4]\n  seed: [1, 2]\n',
);

const storedRuns = (cache: string): number =>
  readdirSync(at(cache), { recursive: true }).filter((name) => String(name).endsWith('.run')).length;

/** Starts the study and waits until some of its runs are in the cache. */
async function underWay(cache: string, ...more: string[]): Promise<ReturnType<typeof start>> {
  const child = start(['study', 'study.yaml', '--cache', cache, '--threads', '1', ...more], folder);
  while (!readdirSync(folder).includes(cache) || storedRuns(cache) < 2) await sleep(20);
  return child;
}

const files = ['curves.csv', 'report.html', 'results.csv', 'results.parquet', 'study.json'];
const contents = (out: string): string[] => files.map((name) => readFileSync(join(at(out), name), 'latin1'));

test('killed with kill -9, it resumes: what was finished is not run again, and the files are those of two workers undisturbed', async () => {
  const child = await underWay('killed');
  child.kill('SIGKILL');
  const { code } = await finished(child);
  expect(code).toBeNull();
  const before = storedRuns('killed');
  expect(before).toBeGreaterThanOrEqual(2);
  expect(before).toBeLessThan(8);

  const resumed = await orbweaver(
    ['study', 'study.yaml', '--cache', 'killed', '--threads', '1', '--out', 'resumed'], folder,
  );
  expect(resumed).toMatchObject({ code: 0, stderr: '' });
  expect(resumed.stdout).toContain(`\n${before} runs of 8 from the cache.\n`);
  const whole = await orbweaver(
    ['study', 'study.yaml', '--cache', 'whole', '--threads', '2', '--out', 'whole-out'], folder,
  );
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(at('resumed')).sort()).toEqual(files);
  expect(contents('resumed')).toEqual(contents('whole-out'));
  expect(whole.stdout).toMatch(/Per page, (.* gathers? PageRank fastest in |none is faster)/);
});

test('in shares: each adds its runs to the cache, and the study gathers them all', async () => {
  const share = (text: string, ...more: string[]): ReturnType<typeof orbweaver> =>
    orbweaver(['study', 'study.yaml', '--cache', 'shared', '--threads', '1', '--shard', text, ...more], folder);
  const first = await share('1/3');
  expect(first).toEqual({
    code: 0, stderr: '',
    stdout: 'Share 1 of 3: 2 of 2 runs are in the cache, 0 of them from before. The study has 8 runs.\n',
  });
  expect(storedRuns('shared')).toBe(2);
  expect(JSON.parse((await share('1/3', '--json')).stdout)).toEqual({
    share: 1, shares: 3, runs: 2, finished: 2, cached: 2,
  });
  await share('2/3');
  await share('3/3');
  expect(storedRuns('shared')).toBe(8);
  const whole = await orbweaver(['study', 'study.yaml', '--cache', 'shared', '--out', 'gathered'], folder);
  expect(whole.stdout).toContain('\n8 runs of 8 from the cache.\n');
  expect(contents('gathered')).toEqual(contents('whole-out'));
});

test('a share that cannot be one, or is asked for files', async () => {
  const refused = async (...words: string[]): Promise<string> => {
    const { code, stderr } = await orbweaver(['study', 'study.yaml', '--cache', 'refused', ...words], folder);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused('--shard', '4/3')).toContain('--shard 4/3: must be a share and the number of shares');
  expect(await refused('--shard', '1/3', '--out', 'share')).toContain('--out: a share is not analysed');
  expect(readdirSync(folder)).not.toContain('refused');
});

test('SIGINT ends it with what it has, saved and reported', async () => {
  const child = await underWay('interrupted', '--out', 'part');
  child.kill('SIGINT');
  const { code, stdout, stderr } = await finished(child);
  expect(code).toBe(130);
  const [, done] = /^interrupted after (\d+) of 8 runs, which are in the cache; saved in .*part$/m.exec(stderr)!;
  expect(stdout).toContain('The answer');
  expect(storedRuns('interrupted')).toBe(Number(done));
  const { planned, runs } = JSON.parse(readFileSync(join(at('part'), 'study.json'), 'utf8')) as {
    planned: number;
    runs: unknown[];
  };
  expect([planned, runs.length]).toEqual([8, Number(done)]);
  expect(readFileSync(join(at('part'), 'report.html'), 'utf8')).toContain(
    `Interrupted: ${done} of 8 runs are finished and shown.`,
  );
});

const watching = sampled([[[]], [['--watch']]], 2);
test.each(watching)('SIGINT before its first run leaves a finished study as it is: %j', async (more) => {
  writeFileSync(at('long.yaml'), 'graph: docs-web\nexperiment: {superstepLimit: 1}\naxes: {seed: [1, 2]}\n');
  const name = `earlier${more.join('')}`;
  expect((await orbweaver(['study', 'study.yaml', '--cache', 'earlier', '--out', name], folder)).code).toBe(0);
  const before = contents(name);
  const child = start(['study', 'long.yaml', '--cache', 'none', '--threads', '1', '--out', name, ...more], folder);
  while (!readdirSync(folder).includes(`${name}.partial`)) await sleep(5);
  child.kill('SIGINT');
  const { code, stdout, stderr } = await finished(child);
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toMatch(/^interrupted before the first of 2 runs was finished; nothing is saved$/m);
  expect(contents(name)).toEqual(before);
  expect(readdirSync(folder).filter((one) => one.startsWith(name))).toEqual([name]);
});

test.each([
  [['study', 'none.yaml'], /^none\.yaml: there is no such file\n$/],
  [['study'], /^a study file is missing; see orbweaver study --help\n$/],
  [['study', 'study.yaml', '--threads', '0'], /^--threads 0: must be at least 1\n$/],
  [['study', 'bad.yaml', '--out', 'bad'], /^bad\.yaml:2:8: axes: "polic" is not a field; did you mean policy\?\n$/],
  [['study', 'nowhere.yaml', '--out', 'bad'], /^no graph "nowhere": /],
  [['compare', 'empty', 'study.yaml'], /^empty: there is no such folder\n$/],
  [['compare', 'study.yaml', 'resumed'], /^study\.yaml: is a file, and no log of another crawler; name the folder of a run\n$/],
  [['compare', 'killed', 'resumed'], /^killed: contains no run: /],
])('%s', async (args, message) => {
  writeFileSync(at('bad.yaml'), 'graph: star\naxes: {polic: [opic]}\n');
  writeFileSync(at('nowhere.yaml'), 'graph: nowhere\naxes: {}\n');
  const { code, stdout, stderr } = await orbweaver(args, folder);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(readdirSync(folder)).not.toContain('bad');
});

describe('compare', () => {
  test('a run, repeated runs and a study: settings that differ, figures, and why there are no curves', async () => {
    for (const args of [['--out', 'one'], ['--policy', 'random', '--repeat', '3', '--out', 'three']]) {
      expect((await orbweaver(['simulate', 'web', '--max-pages', '500', ...args], folder)).code).toBe(0);
    }
    const { code, stdout } = await orbweaver(['compare', 'one', 'three', 'resumed', '--out', 'compared'], folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/They differ in processors, policy, maxPages\./);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/Only opic · processors 1, .* have superstepLimit \(4\)\./);
    expect(stdout).toMatch(/^ +three +three +3 +8$/m);
    expect(stdout).toMatch(/^ +three +random +500 +-$/m);
    expect(stdout).toMatch(/^ +three +0\.\d{3} ± 0\.\d{3}/m);
    expect(stdout).toMatch(/ resumed: breadth-first, processors 4 +2 +4$/m);
    expect(stdout).toMatch(/ breadth-first · processors 4 +breadth-first +800 +4$/m);
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/different numbers of pages B \(500, 800\): only those/);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'The report has figures alone: resumed: opic, processors 1 is of a study, which keeps no record of each page.',
    );
    expect(namesBelow(at('compared'))).toEqual(['compare.json', 'report.html']);
  });

  const reportIn = (name: string): unknown => JSON.parse(
    /id="report-data">(.*?)<\/script>/s.exec(readFileSync(join(at(name), 'report.html'), 'utf8'))![1],
  );
  interface DrawnRuns {
    readonly runs: readonly { label: string; replayHash: string; rankByPages: { x: number[]; y: number[] } }[];
  }

  test("runs with their records are drawn again, from their order: the report's curves end at what run.json says", async () => {
    const three = ['one', 'three/seed-1', 'three/seed-2'];
    const { code, stdout } = await orbweaver(['compare', ...three, '--out', 'drawn'], folder);
    expect({ code, more: /figures alone/.test(stdout) }).toEqual({ code: 0, more: false });
    const { runs } = reportIn('drawn') as DrawnRuns;
    expect(runs.length).toBe(3);
    const { replayHash, summary } = JSON.parse(readFileSync(join(at('one'), 'run.json'), 'utf8')) as RunJson;
    expect(runs[0].replayHash).toBe(replayHash);
    expect(runs[0].rankByPages.x.at(-1)).toBe(summary.pagesFetched);
    // The report of the run itself drew the same curve from the run in memory, where one run has the room of four.
    expect(runs[0].rankByPages).toEqual((reportIn('one') as DrawnRuns).runs[0].rankByPages);
  });

  test('repeated runs are one curve, which ends at their mean', async () => {
    const { stdout } = await orbweaver(['compare', 'one', 'three', '--out', 'means'], folder);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/^What differs ═+ 2 runs of web\. They differ in policy \(opic, random\)\. Fewer than two seeds in common cannot show whether these figures differ .*opic and random have seed 1 alone in common: differences are of that seed, not of the means\. /);
    const { parts } = reportIn('means') as ShownReport;
    const [byPages, bySeconds] = parts.find(({ name }) => name === 'curves')!.shown.charts;
    for (const { series } of [byPages, bySeconds]) expect(series.map(({ name }) => name)).toEqual(['opic', 'random']);
    const ends = [1, 2, 3].map((seed) =>
      (reportIn(join('three', `seed-${seed}`)) as DrawnRuns).runs[0].rankByPages.y.at(-1)!);
    const last = byPages.series[1].points.at(-1)!;
    expect(last.x).toBe(500);
    // Here all are judged over the pages of the shortest, by themselves each over its own.
    expect(last.y).toBeCloseTo((ends[0] + ends[1] + ends[2]) / 3, 2);
    expect(last.band![0]).toBeLessThan(last.y);
  });

  test('an order that was changed, and other graphs, are reported', async () => {
    const order = readFileSync(join(at('three'), 'seed-2', 'order.u32'));
    writeFileSync(
      join(at('three'), 'seed-2', 'order.u32'), Buffer.concat([order.subarray(-400), order.subarray(0, -400)]),
    );
    const changed = await orbweaver(['compare', 'one', 'three', '--out', 'changed'], folder);
    expect(changed.code).toBe(2);
    expect(changed.stderr).toMatch(/^three\/seed-2: its order gives the area .*damaged, or of another version\n$/);
    expect((await orbweaver(['simulate', 'star', '--out', 'star'], folder)).code).toBe(0);
    const other = await orbweaver(['compare', 'one', 'star'], folder);
    expect(other.stdout).toMatch(/These runs are of 2 different graphs \(web \w{8}, star \w{8}\)/);
  });
});
