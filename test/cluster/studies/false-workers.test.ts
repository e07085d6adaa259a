import { Worker } from 'bullmq';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import { openRedis } from '../../../src/machines/cluster/index.ts';
import { RemoteWorkers, runWorker } from '../../../src/machines/cluster/studies/index.ts';
import { Checks, marksOf, maxAnswerBytes, Trust, type Answer } from '../../../src/machines/cluster/studies/checks.ts';
import { prefix, queueName, type RunJob } from '../../../src/machines/cluster/studies/job.ts';
import { prepare } from '../../../src/graphs/graph/index.ts';
import { machineHours, makePlan, parseGoal } from '../../../src/questions/plan/index.ts';
import { shippedPolicies } from '../../../src/core/policy/index.ts';
import { codeVersion, runStudy, studyOf, type MakeRunner } from '../../../src/questions/study/index.ts';
import { studyReader } from '../../../src/questions/study/run/read-run.ts';
import type { StudyRun, StudyTask } from '../../../src/questions/study/run/one-run.ts';
import { Grid } from '../../../src/questions/study/grid.ts';
import { syntheticWeb } from '../../crawl/loopback.ts';
import { replayCommand, tries } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { entriesOf } from './processes.ts';

// Goal: whatever a false worker answers, figures and cache are those of a study without workers.

const { folder } = temporaryFolder();
const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20261128);
const replay = replayCommand(seed, 'test/cluster/studies/false-workers.test.ts');
const draws = new DrawStream(seed, 'false workers');
const web = prepare(syntheticWeb(200, 1));
const version = codeVersion();
const secret = Buffer.from('the same draws in each run of this test');

/** With which at least four of these runs of the liar are drawn. */
function tellingSecret(keys: readonly string[]): Buffer {
  for (let i = 0; ; i++) {
    const own = Buffer.from(`secret ${i}`);
    const trust = new Trust(() => undefined, own);
    trust.isDrawn('1/liar', '');
    if (keys.filter((key) => trust.isDrawn('1/liar', key)).length >= 4) return own;
  }
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Fields = { [name: string]: Json };

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Any place within a value, drawn. */
function drawnPlace(value: Json, draw: number): { readonly at: Fields; readonly name: string } {
  let at = value as Fields;
  for (let step = 0; ; step++) {
    const names = Object.keys(at);
    const name = names[draws.uint32(draw, 100 + step) % names.length];
    const inner = at[name];
    if (inner === null || typeof inner !== 'object' || Object.keys(inner).length === 0) return { at, name };
    if (draws.uniform(draw, 200 + step) < 0.1) return { at, name };
    at = inner as Fields;
  }
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const runOf = (answer: Json): Fields => (answer as Fields)['run'] as Fields;
const summaryOf = (answer: Json): Fields => (runOf(answer)['run'] as Fields)['summary'] as Fields;

/** Lies that the check alone finds: the text of an answer. @param other - a true answer to another job. */
const refused: Readonly<Record<string, (answer: Json, other: Json, draw: number) => string>> = {
  'no JSON': (_answer, _other, draw) => ['', '{', 'undefined', 'NaN'][draw % 4],
  'of no form': (_answer, _other, draw) => JSON.stringify([null, [], {}, 7, 'run', true, { run: null }][draw % 7]),
  'null as run': (answer) => JSON.stringify({ ...answer as Fields, run: null }),
  'the run alone': (answer) => JSON.stringify(runOf(answer)),
  'the answer to another job': (_answer, other) => JSON.stringify(other),
  'one run for all': (answer, other) => JSON.stringify({ ...answer as Fields, run: runOf(other) }),
  'other settings': (answer, _other, draw) => {
    const { at, name } = drawnPlace((runOf(answer)['run'] as Fields)['experiment'], draw);
    at[name] = at[name] === 3 ? 4 : 3;
    return JSON.stringify(answer);
  },
  'a mark less': (answer, _other, draw) => {
    const job = (answer as Fields)['job'] as Fields;
    Reflect.deleteProperty(job, Object.keys(job)[draw % Object.keys(job).length]);
    return JSON.stringify(answer);
  },
  'another mark': (answer, _other, draw) => {
    const job = (answer as Fields)['job'] as Fields;
    job[Object.keys(job)[draw % Object.keys(job).length]] = 'another';
    return JSON.stringify(answer);
  },
  'a field less': (answer, _other, draw) => {
    let { at, name } = drawnPlace(answer, draw);
    // An array that is shorter may be another true one.
    if (Array.isArray(at) || name === 'harvest') [at, name] = [runOf(answer), 'curve'];
    Reflect.deleteProperty(at, name);
    return JSON.stringify(answer);
  },
  'a field more': (answer, _other, draw) => {
    const at = [answer as Fields, runOf(answer), summaryOf(answer), runOf(answer)['run'] as Fields][draw % 4];
    return JSON.stringify({ ...answer as Fields, ...(at === answer && { more: 1 }), run: runOf(answer) })
      .replace(JSON.stringify(at), JSON.stringify({ ...at, more: 1 }));
  },
  'a value of another type': (answer, _other, draw) => {
    const { at, name } = drawnPlace(answer, draw);
    at[name] = typeof at[name] === 'string' ? 5 : 'five';
    return JSON.stringify(answer);
  },
  'an absurd number': (answer, _other, draw) => {
    const name = ['pagesFetched', 'reachablePages', 'virtualSeconds', 'bytes', 'pagesFailed'][draw % 5];
    const value = ['-1', '-1e300', '1e999', 'null'][(draw >> 3) % 4];
    summaryOf(answer)[name] = 123_454_321;
    return JSON.stringify(answer).replace('123454321', value);
  },
  'more pages than there are': (answer) => {
    summaryOf(answer)['pagesFetched'] = 2 ** 40;
    return JSON.stringify(answer);
  },
  'deep nesting': (answer, _other, draw) => {
    const at = [runOf(answer), summaryOf(answer), (runOf(answer)['run'] as Fields)['experiment'] as Fields][draw % 3];
    at['deep'] = 'here';
    return JSON.stringify(answer).replace('"here"', nested(200_000));
  },
  'a huge text': (answer) => {
    summaryOf(answer)['lowerBoundHost'] = 'x'.repeat(2 ** 22);
    return JSON.stringify(answer);
  },
  'a huge list': (answer) => {
    (runOf(answer)['curve'] as Fields)['pages'] = Array<Json>(500_000).fill('x');
    return JSON.stringify(answer);
  },
};

/** Lies of the right form, which only a repetition finds. */
const repeated: Readonly<Record<string, (answer: Json) => void>> = {
  'another replay hash': (answer) => { (runOf(answer)['run'] as Fields)['replayHash'] = 'ab'.repeat(32); },
  'a better figure': (answer) => { (summaryOf(answer)['quality'] as Fields)['pagerankArea'] = 1; },
};

const studyText = (seeds: number): string => 'graph: web\naxes:\n  policy: [opic, breadth-first]\n' +
  `  seed: [${Array.from({ length: seeds }, (_, i) => i + 1).join(', ')}]\n`;

/** A study by threads of this process: its cache, and what comes of it. */
async function alone(seeds: number): Promise<{ cache: string; outcomes: unknown; truth: Map<string, Json> }> {
  const cache = join(folder, `alone-${seeds}`);
  const { outcomes } = await runStudy(web, studyOf(studyText(seeds), 's.yaml'), { cache, workers: 1 });
  return { cache, outcomes, truth: truthIn(cache) };
}

/** Runs by their keys. */
function truthIn(cache: string): Map<string, Json> {
  return new Map([...entriesOf(cache)].map(([name, text]) => (
    [name.slice(3, -4), JSON.parse(text.slice(text.indexOf('\n'))) as Json]
  )));
}

describe('what a worker answers', () => {
  test('is refused with the place where it is not the run of its job', async () => {
    const { truth } = await alone(3);
    const study = studyOf(studyText(3), 's.yaml');
    const grid = new Grid(study);
    const read = studyReader(web.graph, undefined, study.policies);
    const needs = { graph: { checksum: 'c', name: 'web' }, scores: undefined, fit: undefined, policyFiles: [] };
    const jobs = Array.from({ length: grid.count }, (_, i) => {
      const task: StudyTask = { experiment: grid.run(i).experiment, withOrder: false };
      const job = { kind: 'study', needs, task } as const;
      const run = [...truth.values()].find((one) => {
        const { seed: own, policy } = (one as { run: { experiment: Fields } }).run.experiment;
        return own === task.experiment.seed && policy === task.experiment.policy;
      });
      return { job, answer: { job: marksOf(job, version), run } as unknown as Json };
    });
    const own = { run: { replayHash: 'own' } } as StudyRun;
    for (let draw = 0; draw < tries(80); draw++) {
      for (const [kind, lie] of Object.entries(refused)) {
        const remarks: string[] = [];
        const trust = new Trust((text) => remarks.push(text));
        const taken: string[] = [];
        const checks = new Checks<StudyTask, StudyRun>({
          trust, read, here: async () => Promise.resolve(own),
          takeBack: async (key) => { taken.push(key); return Promise.resolve(); },
        });
        const at = draws.uint32(draw, 0) % jobs.length;
        const { job, answer } = jobs[at];
        const text = lie(copyOf(answer), copyOf(jobs[(at + 1) % jobs.length].answer), draw);
        const left = { worker: '1/liar', answer: text.length > maxAnswerBytes(web.graph.pages) ? undefined : text };
        expect(await checks.believed('key', job, marksOf(job, version), left), `${kind} ${draw}: ${replay}`).toBe(own);
        expect(remarks, `${kind} ${draw}: ${replay}`).toEqual([expect.stringMatching(
          /^worker 1\/liar is dropped, and its runs are repeated by others: its answer is refused: [\w. ]+: /,
        )]);
        expect(remarks[0].length).toBeLessThan(500);
      }
    }
  }, 120_000);
});

/** A worker that speaks the protocol and knows the true runs, but answers what it likes. */
async function falseWorker(
  url: string, name: string, truth: ReadonlyMap<string, Json>,
  lie: (answer: Json, jobs: number, key: string) => unknown,
): Promise<AsyncDisposable> {
  const redis = await openRedis(url);
  let jobs = 0;
  const worker = new Worker<RunJob>(queueName(version), async (job) => {
    const run = copyOf(truth.get(job.id!) ?? null);
    const answer: Answer = { job: marksOf(job.data, version), run };
    return Promise.resolve(lie(answer as unknown as Json, jobs++, job.id!));
  }, { connection: redis, prefix, name: `1/${name}` });
  worker.on('error', () => undefined);
  await worker.waitUntilReady();
  return {
    [Symbol.asyncDispose]: async () => {
      await worker.close(true);
      redis.disconnect();
    },
  };
}

/** Runs something by workers, and says what they were dropped for. */
async function byWorkers<T>(url: string, run: (runner: MakeRunner) => Promise<T>, own: Uint8Array = secret): Promise<{
  readonly result: T; readonly remarks: readonly string[];
}> {
  const remarks: string[] = [];
  const workers = await RemoteWorkers.open(url, {
    graphs: join(folder, 'graphs'), onRemark: (text) => remarks.push(text), secret: own,
  });
  try {
    return { result: await run(workers.runner), remarks };
  } finally {
    await workers.close();
  }
}

let caches = 0;
async function studyByWorkers(url: string, seeds: number, expected: Awaited<ReturnType<typeof alone>>, why: string) {
  const cache = join(folder, `cache-${++caches}`);
  const { result, remarks } = await byWorkers(url, async (runner) => runStudy(
    web, studyOf(studyText(seeds), 's.yaml'), { cache, runner },
  ));
  expect(result.outcomes, why).toEqual(expected.outcomes);
  expect(result.cached, why).toBe(0);
  expect(entriesOf(cache), why).toEqual(entriesOf(expected.cache));
  return remarks.filter((text) => text.includes('is dropped'));
}

describe.skipIf(!redisIsHere)(`a study with a false worker${redisIsMissing}`, () => {
  // BullMQ writes JSON, and cannot write what is nested so deeply.
  const kinds = [...Object.keys(refused), ...Object.keys(repeated)]
    .filter((kind) => kind !== 'no JSON' && kind !== 'deep nesting');
  test.each(kinds)('%s', async (kind) => {
    await using server = await RedisServer.start();
    const expected = await alone(3);
    const others = [...expected.truth.values()];
    await using liar = await falseWorker(server.url, 'liar', expected.truth, (answer, jobs) => {
      if (kind in repeated) {
        repeated[kind](answer);
        return answer;
      }
      const own = JSON.stringify(runOf(answer));
      const other: Fields = { ...answer as Fields, run: others.find((one) => JSON.stringify(one) !== own)! };
      if (kind === 'the answer to another job') return { ...other, job: { ...other['job'] as Fields, settings: 'x' } };
      return JSON.parse(refused[kind](answer, other, jobs)) as unknown;
    });
    expect(liar).toBeDefined();
    const dropped = await studyByWorkers(server.url, 3, expected, `${kind}: ${replay}`);
    expect(dropped, replay).toEqual([expect.stringContaining(`worker 1/liar is dropped`)]);
    expect(dropped[0]).toContain(kind in repeated ? 'a run of it was repeated, and its' : 'its answer is refused');
  }, 60_000);

  test('that answers truly at first, beside a true one: its earlier runs are repeated too', async () => {
    await using server = await RedisServer.start();
    const expected = await alone(60);
    const ending = new AbortController();
    await using liar = await falseWorker(server.url, 'turncoat', expected.truth, (answer, jobs) => {
      if (jobs >= 10) repeated['a better figure'](answer);
      return answer;
    });
    expect(liar).toBeDefined();
    const truly = runWorker(server.url, {
      threads: 1, graphs: { folder: join(folder, 'graphs') }, signal: ending.signal, lostAfterMs: 30_000,
      onRemark: () => undefined,
    });
    const dropped = await studyByWorkers(server.url, 60, expected, replay);
    ending.abort();
    await truly;
    expect(dropped).toEqual([
      'worker 1/turncoat is dropped, and its runs are repeated by others: a run of it was repeated, and its figures ' +
      'are others than here',
    ]);
  }, 120_000);

  test('that says that a run fails which does not', async () => {
    await using server = await RedisServer.start();
    const expected = await alone(3);
    await using liar = await falseWorker(server.url, 'liar', expected.truth, (_answer, jobs) => {
      throw new Error(['InputError: no', 'x'.repeat(1e5), 'TypeError: no\n  at once'][jobs % 3]);
    });
    expect(liar).toBeDefined();
    const dropped = await studyByWorkers(server.url, 3, expected, replay);
    expect(dropped).toHaveLength(1);
    expect(dropped[0]).toContain('it says that a run fails which does not');
  }, 60_000);

  test('a true worker is not dropped, and one run in twenty of it is repeated', () => {
    const trust = new Trust(() => { throw new Error('nobody is dropped'); }, secret);
    const drawn = Array.from({ length: 20_000 }, (_, i) => trust.isDrawn('1/true', String(i)));
    expect(drawn[0]).toBe(true);
    expect(drawn.filter(Boolean).length / drawn.length).toBeCloseTo(1 / 20, 2);
    // Another owner draws others.
    const other = new Trust(() => undefined);
    expect(Array.from({ length: 20_000 }, (_, i) => other.isDrawn('1/true', String(i)))).not.toEqual(drawn);
  });
});

describe.skipIf(!redisIsHere)(`a plan with a false worker${redisIsMissing}`, () => {
  test.each(['a false hash at once', 'false figures later', 'null'])('%s', async (kind) => {
    await using server = await RedisServer.start();
    const request = {
      goals: [parseGoal('50% of rank')], withinSeconds: Infinity, machines: 1, robots: 4, prices: machineHours,
      base: {}, values: { policy: ['opic', 'random'], superstepLimit: [undefined], pending: [undefined] },
    };
    const near = join(folder, 'plan');
    const expected = await makePlan(web, request, shippedPolicies, { cache: near, workers: 1 });
    const truth = truthIn(near);
    const own = tellingSecret([...truth.keys()]);
    const draw = new Trust(() => undefined, own);
    draw.isDrawn('1/liar', '');
    await using liar = await falseWorker(server.url, 'liar', truth, (answer, jobs, key) => {
      if (kind === 'null') return { ...answer as Fields, run: null };
      const trial = runOf(answer);
      if (kind === 'a false hash at once') trial['replayHash'] = 'ab'.repeat(32);
      else if (jobs >= 3 && draw.isDrawn('1/liar', key)) trial['seconds'] = 1;
      return answer;
    });
    expect(liar).toBeDefined();
    const cache = join(folder, `plan-${++caches}`);
    const { result, remarks } = await byWorkers(server.url, async (runner) => (
      makePlan(web, request, shippedPolicies, { cache, runner })
    ), own);
    const dropped = remarks.filter((text) => text.includes('is dropped'));
    expect(dropped).toEqual([expect.stringContaining('worker 1/liar')]);
    expect(result).toEqual(expected);
    expect(entriesOf(cache)).toEqual(entriesOf(near));
  }, 120_000);
});
