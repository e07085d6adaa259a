import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  checkpointAfter, RunControl, simulate, type RunSnapshot, type SimulateOptions,
} from '../../src/core/engine/index.ts';
import type { Change, RunSink } from '../../src/core/events/index.ts';
import { verifyRun } from '../../src/core/measure/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { docsWeb as graph, docsWebPrepared, docsWebRanks as ranks } from '../docs-web.ts';

// Goal: a run can be looked into and changed while it goes on, and what was changed is recorded so that the same run
// comes of it again, to its hash.

const usual: ExperimentInput = { processors: 4, robots: 4, superstepLimit: 32, politenessMs: 200, maxPages: 1500 };

/** Does something at barriers. */
const at = (acts: Readonly<Record<number, () => void>>): RunSink =>
  ({ superstep: ({ superstep }) => { (acts[superstep] as (() => void) | undefined)?.(); } });

const run = (options: SimulateOptions, input: ExperimentInput = {}) =>
  simulate(docsWebPrepared, { ...usual, ...input }, { ranks, ...options });

describe('a steered simulation', () => {
  test.each<[string, ExperimentInput]>([
    ['of the usual network', {}],
    ['with crashes', { network: { crashSeconds: 30, restartSeconds: 1 }, checkpointSupersteps: 3 }],
    [
      'with one processor that works for thousands of outcomes',
      { processors: 1, superstepLimit: 6000, superstepMs: 0, maxPages: 3000 },
    ],
  ])('%s is repeated by its changes', async (_name, input) => {
    const control = new RunControl();
    const draws = new DrawStream(7, 'control test');
    let draw = 0;
    const changed: Change[] = [];
    const whim = (): void => {
      if (draws.uint32(draw++, 0) % 2 === 0) return;
      const snapshot = control.inspect();
      if (snapshot === undefined) return;
      const what = draws.uint32(draw, 3) % 4;
      const host = draws.uint32(draw, 2) % graph.hosts.count;
      if (what === 0) control.raiseHostDelay(host, draws.uint32(draw, 1) % 3000);
      else if (what === 1 && draws.uint32(draw, 1) % 10 === 0) control.blockHost(host);
      else control.setRobots(1 + (draws.uint32(draw, 1) % 9), draws.uint32(draw, 2) % snapshot.processors.length);
    };
    // Between supersteps, and amid them, where the run lets other work go on.
    let isOver = false;
    const amid = async (): Promise<void> => {
      while (!isOver) {
        await turn();
        whim();
      }
    };
    const sinks: RunSink[] = [{
      superstep: whim, changed: (change) => { changed.push(change); }, ended: () => { isOver = true; },
    }];
    const [steered] = await Promise.all([run({ control, sinks }, input), amid()]);
    verifyRun(graph, { ...steered.run.experiment, robots: 9 }, steered.events, steered.run.summary.ended);
    expect(changed.length).toBeGreaterThan(2);
    expect(steered.run.changes).toEqual(changed);

    const plain = await run({}, input);
    expect(steered.run.replayHash).not.toBe(plain.run.replayHash);
    const { changes } = JSON.parse(JSON.stringify(steered.run)) as { changes: Change[] };
    const again = await run({ changes }, input);
    expect(again.run.replayHash).toBe(steered.run.replayHash);
    expect(again.run.changes).toEqual(changed);
    expect(again.run.summary).toEqual(steered.run.summary);
  });

  test('halved and doubled: robot time sums over the robots of each time', async () => {
    const control = new RunControl();
    const { events, run: { summary } } = await run({
      control, sinks: [at({ 4: () => { control.setRobots(2); }, 9: () => { control.setRobots(8); } })],
    });
    let beforeUs = 0;
    for (const row of events.rows.filter(({ processor }) => processor === 0)) {
      const robots = row.superstep <= 4 ? 4 : row.superstep <= 9 ? 2 : 8;
      const robotUs = row.busyUs + row.stalledUs + row.noJobUs + row.barrierWaitUs;
      expect(robotUs, `superstep ${row.superstep}`).toBe(robots * (row.barrierUs - beforeUs));
      beforeUs = row.barrierUs;
    }
    const { busy, stalled, noJob, barrier } = summary.robots;
    expect(busy + stalled + noJob + barrier).toBeCloseTo(1, 12);
  });

  test('stopped, it ends at that barrier, and so does its repetition', async () => {
    const control = new RunControl();
    const stopped = await run({ control, sinks: [at({ 6: () => { control.stop(); } })] });
    expect(stopped.run.summary).toMatchObject({ ended: 'interrupted', supersteps: 7 });
    const { changes = [] } = stopped.run;
    expect(changes).toEqual([{ superstep: 6, processor: 0, observed: 0, setting: 'stop', value: 1 }]);
    const again = await run({ changes });
    expect(again.run.replayHash).toBe(stopped.run.replayHash);
    expect(again.run.summary).toEqual(stopped.run.summary);
  });
});

describe('a host', () => {
  /** Starts and ends of downloads by host, after a superstep. */
  const downloads = (events: Awaited<ReturnType<typeof run>>['events'], since: number): Map<number, number[][]> => {
    const begunUs = events.rows.find(({ superstep }) => superstep === since)!.barrierUs;
    const of = new Map<number, number[][]>();
    events.order.forEach((page, i) => {
      const [startedUs, finishedUs] = [events.times[2 * i], events.times[2 * i + 1]];
      const host = graph.hosts.ofPage[page];
      if (startedUs > begunUs) of.set(host, [...of.get(host) ?? [], [startedUs, finishedUs]]);
    });
    return of;
  };
  const largest = (of: Map<number, number[][]>): number => [...of].sort(([, a], [, b]) => b.length - a.length)[0][0];

  test('whose delay is raised rests so long between two downloads, and a shorter delay changes nothing', async () => {
    const plain = await run({});
    const host = largest(downloads(plain.events, 4));
    const control = new RunControl();
    const { events, run: { changes } } = await run({ control, sinks: [at({
      4: () => { control.raiseHostDelay(host, 900); }, 6: () => { control.raiseHostDelay(host, 300); },
    })] });
    const gaps = [...downloads(events, 4).get(host)!].sort(([a], [b]) => a - b)
      .flatMap(([startedUs], i, all) => i === 0 ? [] : [startedUs - all[i - 1][1]]);
    expect(gaps.length).toBeGreaterThan(3);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(900_000);
    expect(changes).toContainEqual({
      superstep: 5, processor: 0, observed: 0, setting: 'hostDelayMs', value: 900, host,
    });
  });

  test('that is blocked is not asked any more, the run ends by itself, and a fork of it is the same', async () => {
    const whole = { maxPages: 50_000 };
    const plain = await run({}, whole);
    const host = largest(downloads(plain.events, 4));
    const control = new RunControl();
    const steered = await run({ control, sinks: [at({ 4: () => { control.blockHost(host); } })] }, whole);
    expect(downloads(steered.events, 5).get(host)).toBeUndefined();
    expect(steered.run.summary).toMatchObject({ ended: 'frontier dry' });
    expect(steered.run.summary.pagesFetched).toBeLessThan(plain.run.summary.pagesFetched);

    const { changes = [], experiment, replayHash } = steered.run;
    const from = await checkpointAfter(docsWebPrepared, [{ experiment, untilSuperstep: 9 }], { ranks, changes });
    const forked = await simulate(docsWebPrepared, experiment, { ranks, from });
    expect(forked.run.replayHash).toBe(replayHash);
  });

  test.each<[string, (control: RunControl) => void, string]>([
    ['a delay that is no number', (control) => { control.raiseHostDelay(0, NaN); }, 'delayMs: NaN'],
    ['a delay of more than a day', (control) => { control.raiseHostDelay(0, 86_400_001); }, 'from 0 to 86400000'],
    ['no id', (control) => { control.blockHost(-1); }, 'host -1 is not an id'],
  ])('cannot have %s', (_name, change, message) => {
    expect(() => { change(new RunControl()); }).toThrow(message);
  });
});

test('a simulation goes as slowly as it is asked to, and is the same run', async () => {
  const plain = await run({});
  const control = new RunControl();
  let waits = 0;
  control.setPace(() => {
    waits++;
    return Promise.resolve();
  });
  const { run: { replayHash, summary, changes } } = await run({
    control, sinks: [at({ 9: () => { control.setPace(undefined); } })],
  });
  expect(waits).toBe(9);
  expect(summary.supersteps).toBeGreaterThan(10);
  expect(replayHash).toBe(plain.run.replayHash);
  expect(changes).toBeUndefined();
});

test('paused, a simulation waits, can be looked into, and is the same run afterwards', async () => {
  const control = new RunControl();
  const plain = await run({});
  let supersteps = 0;
  const counting: RunSink = { superstepBegins: () => { supersteps++; } };
  const running = run({ control, sinks: [at({ 5: () => { control.pause(); } }), counting] });
  while (!control.isPaused) await turn();
  for (let i = 0; i < 20; i++) await turn();
  const before = control.inspect();
  for (let i = 0; i < 20; i++) await turn();
  expect(supersteps).toBe(6);
  expect(control.inspect()).toEqual(before);
  expect(before?.isPaused).toBe(true);
  control.resume();
  const { run: { replayHash, changes } } = await running;
  expect(replayHash).toBe(plain.run.replayHash);
  expect(changes).toBeUndefined();
});

test('a run that is paused can be stopped', async () => {
  const control = new RunControl();
  const running = run({ control, sinks: [at({ 2: () => { control.pause(); } })] });
  while (!control.isPaused) await turn();
  control.stop();
  expect((await running).run.summary.ended).toBe('interrupted');
});

test('a run that is paused ends when it is interrupted, and one that is interrupted cannot be paused', async () => {
  for (const isPausedFirst of [true, false]) {
    const [control, controller] = [new RunControl(), new AbortController()];
    const acts = [() => { control.pause(); }, () => { controller.abort(); }];
    if (isPausedFirst) {
      const running = run({ control, signal: controller.signal, sinks: [at({ 2: acts[0] })] });
      while (!control.isPaused) await turn();
      for (let i = 0; i < 20; i++) await turn();
      acts[1]();
      expect((await running).run.summary).toMatchObject({ ended: 'interrupted', supersteps: 3 });
    } else {
      const both = at({ 2: () => { for (const act of acts.reverse()) act(); } });
      const { run: { summary } } = await run({ control, signal: controller.signal, sinks: [both] });
      expect(summary).toMatchObject({ ended: 'interrupted', supersteps: 3 });
    }
  }
});

test('what a snapshot says adds up', async () => {
  const control = new RunControl();
  expect(control.inspect()).toBeUndefined();
  const seen: RunSnapshot[] = [];
  const { run: { summary } } = await run({ control, sinks: [{ superstep: () => { seen.push(control.inspect()!); } }] });
  expect(seen).toHaveLength(summary.supersteps);
  for (const { processors } of seen) {
    expect(new Set(processors.map(({ nowUs }) => nowUs)).size).toBe(1);
    for (const one of processors) {
      expect(one.openDownloads.length).toBeLessThanOrEqual(one.robots);
      for (const { startedAtUs } of one.openDownloads) expect(startedAtUs).toBeLessThanOrEqual(one.nowUs);
      expect(one.pagesFetched + one.pagesQueued + one.pendingJobs).toBeLessThanOrEqual(one.pagesKnown);
    }
  }
  const last = seen.at(-1)!.processors;
  expect(last.map(({ pagesFetched }) => pagesFetched)).toEqual(summary.pagesPerProcessor);
  expect(last.some(({ lastOutcome }) => lastOutcome?.kind === 'fetched')).toBe(true);
});

test.each([[0, undefined], [1.5, undefined], [65_537, undefined], [2, 4], [2, -1]])(
  '%s robots of processor %s are refused', async (robots, processor) => {
    const control = new RunControl();
    let message = '';
    await run({ control, sinks: [at({ 1: () => {
      try {
        control.setRobots(robots, processor);
      } catch (error) {
        ({ message } = error as Error);
      }
    } })] }, { maxPages: 500 });
    expect(message).toMatch(/is not an integer from 1 to 65536|the run has processors 0 to 3/);
  },
);
