import { describe, expect, test } from 'vitest';
import { compareAddress, routeOf, runAddress } from '../../src/views/dashboard/routes.ts';
import { joined, noCurves } from '../../src/views/dashboard/run/curves.ts';
import { factsOf, progressOf, statisticsOf } from '../../src/views/dashboard/run/facts.ts';
import { afterMessage, noRun, withView, type RunData } from '../../src/views/dashboard/run/run-data.ts';
import { shownProcessors } from '../../src/views/dashboard/run/shown-processors.ts';
import {
  compareCommand, everything, isComparable, shownRuns, type Sought,
} from '../../src/views/dashboard/run/shown-runs.ts';
import { aState, card, curvesOf, listed, started, statistics } from './made.ts';

// Goal: whatever the order and number of connections, the page shows what the run has sent, once.
describe('a run as data', () => {
  test('messages of two connections make the same run as those of one', () => {
    const [first, rest] = [curvesOf([1, 2, 3]), curvesOf([4, 5])];
    const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => ({
      number: from + i, at: from + i, processor: null, text: `line ${from + i}`,
    }));
    const once: RunData = [
      { is: 'card', card } as const, { is: 'started', run: started } as const, { is: 'curves', curves: first } as const,
      { is: 'points', curves: rest } as const, { is: 'feed', lines: lines(0, 7) } as const,
    ].reduce(afterMessage, noRun);
    const again: RunData = [
      { is: 'card', card } as const, { is: 'curves', curves: joined(first, rest) } as const,
      { is: 'points', curves: rest } as const, { is: 'feed', lines: lines(3, 7) } as const,
    ].reduce(afterMessage, once);
    expect(again).toEqual(once);
    expect(again.card).toEqual(started);
    expect(again.curves.superstep).toEqual([1, 2, 3, 4, 5]);
  });

  test('the feed stays bounded; a message leaves alone what it does not concern', () => {
    const lines = Array.from({ length: 700 }, (_, number) => ({ number, at: 0, processor: 1, text: '' }));
    const fed = afterMessage(noRun, { is: 'feed', lines });
    expect([fed.feed.length, fed.feed[0].number]).toEqual([500, 200]);
    const after = afterMessage(fed, { is: 'state', state: aState() });
    expect(after.feed).toBe(fed.feed);
    expect(after.curves).toBe(fed.curves);
    expect(afterMessage(fed, { is: 'feed', lines: lines.slice(300) })).toEqual(fed);
    expect(joined(noCurves, noCurves)).toBe(noCurves);
  });

  test("a column without values stays so: no run's rank is invented", () => {
    const without = { ...curvesOf([1, 2]), rank: [] };
    expect(joined(without, { ...curvesOf([3]), rank: [] })).toMatchObject({ rank: [], superstep: [1, 2, 3] });
  });

  test('an answer of the server does not undo later events', () => {
    const now = afterMessage(afterMessage(noRun, { is: 'state', state: aState({ pagesFetched: 90 }) }), {
      is: 'curves', curves: curvesOf([1, 2, 3]),
    });
    const view = {
      listed, run: started, state: aState({ pagesFetched: 10 }), job: null, curves: curvesOf([1]), feed: [],
      summary: null, limits: null, processors: [],
    };
    expect(withView(now, view)).toMatchObject({ state: { pagesFetched: 90 }, card: started, curves: now.curves });
    expect(withView(noRun, view)).toMatchObject({ state: { pagesFetched: 10 }, curves: { superstep: [1] } });
  });

  test('progress is a share of the nearer limit, or of the pages known', () => {
    const data = (limits: object): RunData => ({ ...noRun, card: { ...started, ...limits }, state: aState() });
    const progress = (limits: object) => progressOf(factsOf(data(limits), null)!, data(limits));
    expect(progress({ maxPages: 400, maxSeconds: null })).toEqual({ share: 0.25, words: '100 of at most 400 pages' });
    expect(progress({ maxPages: 400, maxSeconds: 60 }).share).toBe(0.5);
    expect(progress({})).toEqual({ share: 0.2, words: '100 of 500 pages known so far' });
  });

  test('statistics say how they are known, and why one is absent', () => {
    const data: RunData = { ...noRun, card: started, state: aState() };
    const said = (facts: Partial<ReturnType<typeof factsOf>>, isOver = false) =>
      new Map(statisticsOf({ ...factsOf(data, null)!, ...facts }, data, isOver).map((fact) => [fact.name, fact]));
    expect(said({}).get('Diameter')).toMatchObject({ value: 'absent' });
    expect(said({}).get('Diameter')!.note).toMatch(/no statistics/);
    const row = statistics({ superstep: 7, diameter: 9, averageDistance: 3.257, averageDistanceLow: 3.1 });
    expect(said({ statistics: row, figures: null }).get('Components')).toMatchObject({ note: 'not computed yet' });
    const known = said({ statistics: row, figures: { ...row, averageDistanceHigh: 3.4 } });
    expect(known.get('Diameter')).toEqual({ name: 'Diameter', value: 'at least 9', note: 'at superstep 7' });
    expect(known.get('Average distance')).toMatchObject({
      value: '3.26 links', note: '95 %: 3.10 to 3.40, at superstep 7',
    });
    expect(known.get('URLs per second')).toMatchObject({ value: '3.33' });
  });

  test('a finished run has the figures of its record', () => {
    const summary = { pagesFetched: 7, pagesFailed: 1, bytes: 900, virtualSeconds: 2, supersteps: 3, statistics: null };
    const view = {
      listed, run: null, state: null, job: null, curves: noCurves, feed: [], summary, limits: null, processors: [],
    };
    expect(factsOf(noRun, view)).toMatchObject({ pages: 7, failures: 1, seconds: 2, supersteps: 3, figures: null });
    expect(factsOf(noRun, null)).toBeNull();
  });
});

describe('the list of runs', () => {
  const aPlan = { ...listed, id: 'c', kind: 'plan' as const, figures: null, answer: 'The cheapest set-up: 1 machine' };
  const others = [listed, { ...listed, id: 'b', name: 'tiny', state: 'failed' as const, folder: "/r/it's" }, aPlan];

  test('is found by words and state', () => {
    const found = (sought: Partial<Sought>): string[] =>
      shownRuns(others, { ...everything, ...sought }).map(({ id }) => id);
    expect(found({})).toEqual(['a', 'b', 'c']);
    expect(found({ words: 'TINY' })).toEqual(['b']);
    expect(found({ state: 'finished' })).toEqual(['a', 'c']);
    expect(found({ words: 'tiny spawc' })).toEqual([]);
    expect(found({ kind: 'plan' })).toEqual(['c']);
    expect(found({ policy: 'opic', state: 'failed' })).toEqual(['b']);
    expect(found({ words: 'cheapest' })).toEqual(['c']);
  });

  test('lets those be compared that have a record of their own', () => {
    expect(others.filter(isComparable).map(({ id }) => id)).toEqual(['a']);
  });

  test('is compared by a command that a shell reads as meant', () => {
    expect(compareCommand(others.slice(0, 2))).toBe(`orbweaver compare /r/a '/r/it'\\''s'`);
  });
});

test('addresses lead back to what they were made of', () => {
  for (const id of ['a-1', 'runs/with space', '%', 'ü?#'])
    expect(routeOf(runAddress(id))).toEqual({ view: 'run', id });
  expect(routeOf('#/run/%')).toEqual({ view: 'run', id: '%' });
  expect(routeOf(compareAddress(['a', 'b&c', 'a']))).toEqual({ view: 'compare', ids: ['a', 'b&c'] });
  const views = ['', '#/new', '#/elsewhere'].map((hash) => routeOf(hash).view);
  expect(views).toEqual(['runs', 'new', 'runs']);
});

test('processors have their share of the mean, while the run goes on and after its end', () => {
  const [one] = aState().processors;
  const lastOutcome = { name: 'a', kind: 'fetched', at: 7 };
  const state = aState({ processors: [{ ...one, fetched: 30, lastOutcome }, { ...one, processor: 1, fetched: 10 }] });
  expect(shownProcessors(state, null).map(({ balance, updatedAt }) => [balance, updatedAt]))
    .toEqual([[1.5, 7], [0.5, null]]);
  const recorded = { processor: 0, robots: 4, queued: 1, pending: 2, fetched: 0, failures: 1, bytes: 0, updatedAt: 9 };
  const view = {
    listed, run: null, state: null, job: null, curves: noCurves, feed: [], summary: null, limits: null,
    processors: [recorded],
  };
  expect(shownProcessors(null, view)).toEqual([
    { ...recorded, known: null, open: [], openCount: 0, lastOutcome: null, balance: null },
  ]);
  expect(shownProcessors(null, null)).toEqual([]);
});
