import {
  cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import { RunCache } from '../../src/questions/study/run/run-cache.ts';
import {
  analyse, resultColumns, resultsCsv, resultsParquet, runStudy, studyDocument, studyOf, studyReport, type StudyOptions,
  type StudyResult,
} from '../../src/questions/study/index.ts';
import { machineName } from '../../src/base/files/index.ts';
import { WorldError } from '../../src/base/index.ts';
import { builtScripts } from '../built-scripts.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

// Goal: a study gives what its runs give one by one, whatever the number of workers, from the cache as anew; nothing
// that happens to a worker or to the cache changes a figure.

const { folder } = temporaryFolder();
const graph = await openGraph('star');
const study = studyOf(
  'graph: star\nexperiment: {politenessMs: 50}\naxes: {policy: [opic, random], processors: [1, 3], seed: [1, 2]}\n',
  's.yaml',
);

let caches = 0;
async function run(
  options: Partial<StudyOptions> = {},
): Promise<{ result: StudyResult; remarks: string[]; cache: string }> {
  const remarks: string[] = [];
  const cache = join(folder, `cache-${caches++}`);
  const result = await runStudy(graph, study, {
    cache, workers: 1, onRemark: (text) => remarks.push(text), ...options,
  });
  return { result, remarks, cache: options.cache ?? cache };
}

/** The study as one worker runs it; `cached` is a copy of its cache. */
const whole = await run();
function cached(): string {
  const cache = join(folder, `cache-${caches++}`);
  cpSync(whole.cache, cache, { recursive: true });
  return cache;
}

/** Everything that is written of a study. */
async function written(result: StudyResult): Promise<string> {
  const analysis = analyse(result);
  const columns = resultColumns(result);
  return JSON.stringify([
    resultsCsv(columns), Buffer.from(await resultsParquet(columns)).toString('hex'), studyDocument(result, analysis),
    studyReport(result, analysis, 'orbweaver study s.yaml'),
  ]);
}

const entries = (cache: string): string[] =>
  readdirSync(cache, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.run'))
    .map((name) => join(cache, name))
    .sort();
const partials = (cache: string): string[] =>
  readdirSync(cache, { recursive: true }).map(String).filter((name) => name.endsWith('.partial'));
const dying = await builtScripts(
  folder, ...['always', 'once'].map((name) => new URL(`../engine/dying-workers/${name}.ts`, import.meta.url)),
);

test('every run is what simulate gives', async () => {
  const { result } = whole;
  expect(result.outcomes.map(({ at }) => at.join(''))).toEqual([
    '000', '001', '010', '011', '100', '101', '110', '111',
  ]);
  const { run: alone } = await simulate(graph, { politenessMs: 50, policy: 'random', processors: 3, seed: 2 });
  expect(result.outcomes[7]).toMatchObject({ seed: 2, replayHash: alone.replayHash, summary: alone.summary });
  expect(result.outcomes[7].curve).toMatchObject({ pages: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
});

test('one worker, two, and the cache give the same bytes', async () => {
  const one = whole;
  const two = await run({ workers: 2 });
  const again = await run({ cache: cached(), workers: 2 });
  expect([one.result.cached, two.result.cached, again.result.cached]).toEqual([0, 0, 8]);
  expect(await written(two.result)).toBe(await written(one.result));
  expect(await written(again.result)).toBe(await written(one.result));
  expect(entries(one.cache).map((path) => readFileSync(path, 'utf8'))).toEqual(
    entries(two.cache).map((path) => readFileSync(path, 'utf8')),
  );
});

describe('orders', () => {
  test('are those of the runs, on any number of threads and from the cache', async () => {
    const one = await run({ withOrders: true });
    const two = await run({ withOrders: true, workers: 2 });
    const again = await run({ withOrders: true, cache: one.cache });
    expect([two.result.cached, again.result.cached]).toEqual([0, 8]);
    const orders = ({ result }: typeof one): unknown => result.outcomes.map(({ order }) => order);
    expect([orders(two), orders(again)]).toEqual([orders(one), orders(one)]);
    const { events } = await simulate(graph, { politenessMs: 50, policy: 'random', processors: 3, seed: 2 });
    expect(one.result.outcomes[7].order).toEqual(events.order);
    const keys = one.result.outcomes.map(({ key }) => key);
    const outcomes = whole.result.outcomes.map((outcome, i) => ({ ...outcome, key: keys[i] }));
    expect(await written(one.result)).toBe(await written({ ...whole.result, outcomes }));
  });

  test('are not in the runs of a study that asks for none, which never stand for runs that have them', async () => {
    expect(whole.result.outcomes.some(({ order }) => order !== undefined)).toBe(false);
    const cache = cached();
    expect((await run({ cache, withOrders: true })).result.cached).toBe(0);
    // Now both are there, each for those who ask for it.
    const [plain, ordered] = [await run({ cache }), await run({ cache, withOrders: true })];
    expect([plain.result.cached, ordered.result.cached]).toEqual([8, 8]);
    expect(plain.result.outcomes.some(({ order }) => order !== undefined)).toBe(false);
    expect(ordered.result.outcomes.every(({ order }) => order?.length === 9)).toBe(true);
  });

  test('of more pages than fit in memory are refused before a run', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => i + 1);
    const large = studyOf(JSON.stringify({ graph: 'x', axes: { seed: many, politenessMs: many } }), 's.json');
    const cache = join(folder, 'large');
    expect(await inputErrorOf(runStudy(await openGraph('docs-web'), large, { cache, withOrders: true }))).toBe(
      'the orders of 1,000,000 runs over 31,331 pages are too many to be judged: at most 268,435,456 pages in all ' +
      'runs together',
    );
    expect(existsSync(cache)).toBe(false);
  });
});

describe('the cache', () => {
  test('an entry that was altered, cut or put under another name is run again, and reported', async () => {
    const cache = cached();
    const [altered, cut, moved, other, ...rest] = entries(cache);
    const bytes = readFileSync(altered);
    bytes[bytes.length - 40] ^= 1;
    writeFileSync(altered, bytes);
    truncateSync(cut, statSync(cut).size - 1);
    writeFileSync(moved, readFileSync(other));
    rmSync(rest[0]);
    const again = await run({ cache });
    expect(again.result.cached).toBe(4);
    expect(again.remarks.sort()).toEqual(
      [altered, cut, moved].map((path) => `${path}: is damaged; its run is repeated`),
    );
    expect(await written(again.result)).toBe(await written(whole.result));
    expect((await run({ cache })).result.cached).toBe(8);
  });

  test('other settings are other runs; the same ones are shared by studies', async () => {
    const cache = cached();
    const other = studyOf(
      'graph: star\naxes: {politenessMs: [50, 60], policy: [opic], processors: [1], seed: [1]}\n', 's.yaml',
    );
    expect((await runStudy(graph, other, { cache, workers: 1 })).cached).toBe(1);
    // An equal graph of another name is the same graph; another graph is not.
    expect((await runStudy({ ...graph, name: 'other' }, study, { cache, workers: 1 })).cached).toBe(8);
    expect((await runStudy(await openGraph('clique'), study, { cache, workers: 1 })).cached).toBe(0);
  });

  test('what a killed process left half written is swept up, what a living one writes is not', async () => {
    const cache = cached();
    const [entry] = entries(cache);
    const here = machineName();
    // No process has this id: it is above the greatest that Linux gives.
    writeFileSync(`${entry}.${here}-4194999-1.partial`, 'half');
    writeFileSync(`${entry}.${here}-${process.pid}-999.partial`, 'half');
    expect((await run({ cache })).result.cached).toBe(8);
    expect(partials(cache)).toEqual([expect.stringContaining(`.${here}-${process.pid}-999.`)]);
  });

  test('what another machine writes is swept up only when it is old, by the clock of the file server', async () => {
    const cache = cached();
    const [young, old, oldest] = entries(cache);
    // The ids of another machine's processes mean nothing here; the name without a machine is of an earlier version.
    writeFileSync(`${young}.other-machine-4026531836-4194999-1.partial`, 'half');
    writeFileSync(`${old}.other-machine-4026531836-${process.pid}-1.partial`, 'half');
    writeFileSync(`${oldest}.4194999-1.partial`, 'half');
    const yesterday = Date.now() / 1000 - 25 * 3600;
    for (const name of partials(cache)) {
      if (!name.includes(basename(young))) utimesSync(join(cache, name), yesterday, yesterday);
    }
    expect((await run({ cache })).result.cached).toBe(8);
    expect(partials(cache)).toEqual([expect.stringContaining(basename(young))]);
  });

  test('opened by many at once', async () => {
    const cache = cached();
    for (const entry of entries(cache)) {
      writeFileSync(`${entry}.${machineName()}-4194999-1.partial`, 'half');
      writeFileSync(`${entry}.other-machine-0-4194999-1.partial`, 'half');
      utimesSync(`${entry}.other-machine-0-4194999-1.partial`, 1, 1);
    }
    await Promise.all(Array.from({ length: 20 }, () => RunCache.open(cache)));
    expect(partials(cache)).toEqual([]);
  });

  test('a folder that cannot be one', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await inputErrorOf(run({ cache: join(folder, 'file') }))).toMatch(
      /cannot store finished runs .*--cache$/,
    );
  });
});

describe('what ends a run', () => {
  test('a worker that dies: its run is repeated once, and reported', async () => {
    process.env['ORBWEAVER_TEST_DEATH'] = join(folder, 'died-once');
    const { result, remarks } = await run({ worker: dying('once') });
    expect(remarks).toEqual([
      expect.stringMatching(
        /^the study's threads: one has ended \(.*code: 7\), in the run of policy "random", processors 1, seed 2; the run is repeated$/,
      ),
    ]);
    expect(await written(result)).toBe(await written(whole.result));
  });

  test('twice: the study ends, and keeps what is finished', async () => {
    const cache = join(folder, 'died-twice');
    const failed = await run({ worker: dying('always'), cache }).then(() => undefined, (error: unknown) => error);
    expect(failed).toBeInstanceOf(WorldError);
    expect((failed as Error).message).toMatch(
      /^the run of policy "random", processors 1, seed 2: the study's threads: one has ended \(.*code: 7\), the second in this run; finished runs are stored$/,
    );
    expect((await run({ cache })).result.cached).toBe(5);
  });

  test('threads that die before they are ready, out of memory: the study ends, and does not wait for ever', async () => {
    const failed = await run({ workers: 2, workerHeapMegabytes: 6 }).then(() => undefined, (error: unknown) => error);
    expect(failed).toBeInstanceOf(WorldError);
    expect((failed as Error).message).toMatch(/^the run of .*: the study's threads do not start \(.*memory/);
  });

  test('settings that a graph does not allow: the run is named', async () => {
    const bad = studyOf('graph: star\naxes: {seedPages: [[0], [99]]}\n', 's.yaml');
    expect(await inputErrorOf(runStudy(graph, bad, { cache: join(folder, 'bad'), workers: 1 })))
      .toBe('the run of seedPages [99]: seed page 99 does not exist: star has pages 0 to 8');
    const fitting = studyOf('graph: star\naxes: {policy: [scores]}\n', 's.yaml');
    expect(await inputErrorOf(runStudy(graph, fitting, { cache: join(folder, 'bad'), workers: 1 }))).toMatch(
      /policy scores needs a score for each page/,
    );
  });

  test('given scores are part of what a run is', async () => {
    const by = studyOf('graph: star\naxes: {policy: [scores]}\n', 's.yaml');
    const cache = join(folder, 'scores');
    const given = (values: number[]) =>
      runStudy(graph, by, { cache, workers: 1, scores: { file: 'a', values: Float64Array.from(values) } });
    const first = await given([9, 1, 2, 3, 4, 5, 6, 7, 8]);
    const other = await given([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect([first.cached, other.cached, (await given([9, 1, 2, 3, 4, 5, 6, 7, 8])).cached]).toEqual([0, 0, 1]);
    expect(other.outcomes[0].replayHash).not.toBe(first.outcomes[0].replayHash);
  });

  test('a run that cannot be stored says where', async () => {
    const refused = join(folder, 'refused');
    const cache = await RunCache.open<unknown>(refused);
    // A file where the folder of its runs would be.
    writeFileSync(join(refused, 'ab'), '');
    const message = await inputErrorOf(cache.write('abcdef', {}));
    expect(message).toContain(`${join(refused, 'ab', 'abcdef.run')}: there is no folder`);
  });

  test('an interrupt: what is finished is there', async () => {
    const controller = new AbortController();
    const { result, cache } = await run({
      signal: controller.signal,
      onProgress: ({ run: done }) => {
        if (done === 3) controller.abort();
      },
    });
    expect(result.outcomes).toHaveLength(3);
    expect((await run({ cache })).result.cached).toBe(3);
  });
});
