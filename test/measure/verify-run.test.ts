import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { verifyRun, type RunEvents } from '../../src/core/measure/index.ts';
import { AssertionError } from '../../src/base/index.ts';
import { docsWeb, docsWebPrepared } from '../docs-web.ts';


describe('passes real runs', () => {
  test.each<ExperimentInput>([
    { maxPages: 3000 }, { maxSeconds: 60, policy: 'random', processors: 3 },
    { policy: 'breadth-first', superstepMs: 0, superstepLimit: 7, maxPages: 999 },
  ])('docs-web %j', async (input) => {
    const { run, events } = await simulate(docsWebPrepared, input);
    verifyRun(docsWeb, run.experiment, events, run.summary.ended);
  });

  test.each(['chain', 'clique', 'cycle', 'star'])('%s', async (name) => {
    const graph = await openGraph(name);
    for (const processors of [1, 2, 3]) {
      const { run, events } = await simulate(graph, { processors });
      verifyRun(graph, run.experiment, events, run.summary.ended);
    }
  });
});

describe('throws on damage', async () => {
  const settings: ExperimentInput = { processors: 2, robots: 2, superstepLimit: 8 };
  const { run, events } = await simulate(docsWebPrepared, { ...settings, maxPages: 500 });
  const copy = (): { -readonly [K in keyof RunEvents]: RunEvents[K] } => structuredClone(events);
  const { experiment } = run;
  const hostOf = (i: number): number => docsWeb.hosts.ofPage[events.order[i]];
  /** Place of the first page whose host had one before, and of that one. */
  const second = [...events.order.keys()].find((i) =>
    [...events.order.keys()].slice(0, i).some((j) => hostOf(j) === hostOf(i)),
  )!;
  const first = [...events.order.keys()].slice(0, second).findLast((j) => hostOf(j) === hostOf(second))!;
  const fails = (damaged: RunEvents, message: RegExp, change = {}, ended = run.summary.ended): void => {
    const check = (): void => verifyRun(docsWeb, { ...experiment, ...change }, damaged, ended);
    expect(check).toThrow(AssertionError);
    expect(check).toThrow(message);
  };

  test('none where there is none', () => {
    verifyRun(docsWeb, experiment, copy(), run.summary.ended);
  });

  test('a page twice', () => {
    const damaged = copy();
    damaged.order[400] = damaged.order[10];
    fails(damaged, /fetched twice/);
  });

  test('a page that the graph does not have', () => {
    const damaged = copy();
    damaged.order[499] = docsWeb.pages;
    fails(damaged, /not in the graph/);
  });

  test('a page before it was known', () => {
    fails(copy(), /before a link to it was known/, { seedPages: experiment.seedPages.slice(1) });
    const damaged = copy();
    damaged.order.reverse();
    fails(damaged, /before a link to it was known/);
  });

  test('a delay not observed, by one microsecond', () => {
    const damaged = copy();
    damaged.times[2 * second] = events.times[2 * first + 1] + 999_999;
    fails(damaged, /before the delay/);
    fails(copy(), /before the delay/, { politenessMs: 1e6 });
  });

  test('two processors for one host', () => {
    const damaged = copy();
    damaged.processors[second] = 1 - damaged.processors[second];
    fails(damaged, /lie on two processors/);
  });

  test('too many robots', () => {
    fails(copy(), /with 1 robots/, { robots: 1 });
  });

  test('the superstep limit passed', () => {
    const damaged = copy();
    damaged.rows = damaged.rows.map((row, i) => (i === 2 ? { ...row, pages: row.drained + 9 } : row));
    fails(damaged, /superstep 1 passed the limit on processor 0/);
    damaged.rows = damaged.rows.map((row, i) => (i === 2 ? { ...row, pages: row.drained, failures: 9 } : row));
    fails(damaged, /passed the limit/);
  });

  test('rows that do not add up, and a barrier before the last', () => {
    const damaged = copy();
    damaged.rows = events.rows.slice(0, -2);
    fails(damaged, /do not add up/);
    damaged.rows = events.rows.map((row, i) => (i > 3 ? { ...row, barrierUs: 1 } : row));
    fails(damaged, /lies before the last/);
  });

  test('a reachable page missing, where the frontier is said to have run dry', () => {
    fails(copy(), /known and never fetched/, {}, 'frontier dry');
  });

  test('more pages than the limit', () => {
    fails(copy(), /more pages .* than the page limit/, { maxPages: 499 });
  });

  test('an order that is not by time, and an end before the beginning', () => {
    const damaged = copy();
    damaged.times.set(events.times.subarray(800, 802), 200);
    fails(damaged, /finished later/);
    damaged.times[201] = damaged.times[200] - 1;
    fails(damaged, /ended before it began/);
  });
});
