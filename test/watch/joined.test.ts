import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleSeeds, simulate, type SimulateOptions } from '../../src/core/engine/index.ts';
import type { Change, RunSink } from '../../src/core/events/index.ts';
import { bestRanks } from '../../src/core/measure/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { docsWebPrepared, docsWebRanks as ranks } from '../docs-web.ts';
import { opened, privateFolder, Watcher, type Opened } from './opened.ts';

// Goal: who joins a run sees what its record says afterwards, steers it, and what was steered is recorded, so that the
// same run comes of it again.

const { reachable } = settleSeeds(docsWebPrepared, {});
const best = bestRanks(docsWebPrepared, ranks, reachable);
const usual: ExperimentInput = { processors: 4, robots: 4, superstepLimit: 8, politenessMs: 200, maxPages: 4000 };

let place: ReturnType<typeof privateFolder>;
let open: Opened;
beforeEach(async () => {
  place = privateFolder();
  open = await opened(place.folder);
});
afterEach(() => { place.remove(); });

/** Holds a run at the first barrier with more pages than that, until it is let go: it cannot end before. */
function holdAfter(pages: number): { readonly sink: RunSink; letGo: () => void } {
  let letGo!: () => void;
  const gone = new Promise<void>((resolve) => { letGo = resolve; });
  return { sink: { superstep: ({ pagesFetched }) => (pagesFetched > pages ? gone : undefined) }, letGo };
}

/** A run that its watcher can follow: it waits a little at each barrier. */
function run(input: ExperimentInput = {}, options: SimulateOptions = {}) {
  open.watch.rankBy(ranks, best);
  const slow: RunSink = { superstep: () => sleep(1) };
  return simulate(docsWebPrepared, { ...usual, ...input }, {
    ranks, control: open.control, sinks: [open.watch, slow],
    onStatistics: (row) => { open.watch.statistics(row); }, ...options,
  });
}

test('joined before it starts, steered and stopped, a simulation is repeated by its changes', async () => {
  const watcher = await Watcher.join(open.run);
  const { joined } = watcher;
  await watcher.until(() => watcher.state?.phase === 'preparing');
  await expect(joined.ask({ do: 'robots', robots: 2, processor: 0 })).rejects.toThrow('the run has not started');
  await joined.ask({ do: 'pause' });
  const { sink, letGo } = holdAfter(300);
  const running = run({}, { sinks: [open.watch, sink] });
  await watcher.until(() => watcher.state?.phase === 'paused');
  await joined.ask({ do: 'robots', robots: 2 });
  await joined.ask({ do: 'robots', robots: 9, processor: 1 });
  await expect(joined.ask({ do: 'robots', robots: 9, processor: 4 })).rejects.toThrow('processors 0 to 3');
  await expect(joined.ask({ do: 'robots', robots: 0 })).rejects.toThrow('robots: 0 is not an integer');
  await joined.ask({ do: 'resume' });
  await watcher.until(() => watcher.state!.pagesFetched > 300);
  expect(watcher.state).toMatchObject({ phase: 'running', error: null });
  expect(watcher.state!.processors.map(({ robots }) => robots)).toEqual([2, 9, 2, 2]);
  await joined.ask({ do: 'stop' });
  letGo();
  const { run: { changes = [], summary, replayHash } } = await running;
  await expect(joined.ask({ do: 'resume' })).rejects.toThrow('the run has ended');
  await open.finish();
  await watcher.until(() => watcher.isClosed);
  expect(watcher.state).toMatchObject({ phase: 'finished', pagesFetched: summary.pagesFetched });
  expect(watcher.feed.map(({ number }) => number)).toEqual(watcher.feed.map((_, i) => i));
  expect(watcher.feed.map(({ text, processor }) => [text.split(/[(,]/)[0], processor])).toEqual([
    ['paused', null], ['started: policy opic', null], ['resumed', null], ['robots: 2 on processors 0', null],
    ['robots: 9', 1], ['robots: 2 on processors 2', null], ['stop asked for: the run ends at its next barrier', null],
    ['ended ', null],
  ]);

  expect(changes.map(({ setting }) => setting)).toContain('stop');
  const recorded = JSON.parse(JSON.stringify(changes)) as Change[];
  const again = await simulate(docsWebPrepared, usual, { ranks, changes: recorded });
  expect(again.run.replayHash).toBe(replayHash);
});

/** A pace that the dashboard refuses too. JSON has no others. */
const unboundPace = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((pace) => pace < 0.1 || pace > 1000);

test('a host is slowed and blocked by its name, and the pace of a run is no part of it', async () => {
  const watcher = await Watcher.join(open.run);
  const { joined } = watcher;
  await expect(joined.ask({ do: 'host', host: 'a.test', delayMs: 5 })).rejects.toThrow('the run has not started');
  await joined.ask({ do: 'pause' });
  await fc.assert(fc.asyncProperty(unboundPace, async (maxSuperstepsPerSecond) => {
    await expect(joined.ask({ do: 'pace', maxSuperstepsPerSecond }))
      .rejects.toThrow('is not a number from 0.1 to 1000');
  }));
  for (const maxSuperstepsPerSecond of [0.1, 1000, 50]) await joined.ask({ do: 'pace', maxSuperstepsPerSecond });
  const { sink, letGo } = holdAfter(100);
  const running = run({ maxPages: 600 }, { sinks: [open.watch, sink] });
  await watcher.until(() => watcher.state?.phase === 'paused');
  const [first, second] = [0, 1].map((host) => docsWebPrepared.graph.hosts.names.at(host));
  await expect(joined.ask({ do: 'host', host: 'no.test', delayMs: 5 })).rejects.toThrow('host no.test: is not known');
  await expect(joined.ask({ do: 'host', host: first, delayMs: 0.5 })).rejects.toThrow('delayMs: 0.5');
  await joined.ask({ do: 'host', host: first, delayMs: 2500 });
  await joined.ask({ do: 'host', host: second, delayMs: null });
  await joined.ask({ do: 'resume' });
  await watcher.until(() => watcher.state!.pagesFetched > 100);
  expect(watcher.state!.pace).toBe(50);
  await joined.ask({ do: 'pace', maxSuperstepsPerSecond: null });
  letGo();
  const { run: { changes = [], replayHash } } = await running;
  await open.finish();
  await watcher.until(() => watcher.isClosed);
  const said = watcher.feed.map(({ text }) => text);
  expect(said.filter((text) => text === `${first}: at least 2.5 s between two downloads`)).toHaveLength(1);
  expect(said.filter((text) => text === `${second}: blocked`)).toHaveLength(1);
  expect(said).toContain('slowed to 50 supersteps per second');
  expect(said).toContain('at full speed');
  expect(changes.map(({ setting, value, host }) => [setting, value, host])).toEqual(
    [0, 1, 2, 3].flatMap(() => [['hostDelayMs', 2500, 0], ['hostBlocked', 1, 1]]),
  );
  const recorded = JSON.parse(JSON.stringify(changes)) as Change[];
  const again = await simulate(docsWebPrepared, { ...usual, maxPages: 600 }, { ranks, changes: recorded });
  expect(again.run.replayHash).toBe(replayHash);
});

test('two watchers, of whom one joins late, see the same run, and that is the record', async () => {
  const early = await Watcher.join(open.run);
  const { sink, letGo } = holdAfter(300);
  const running = run(
    { network: { crashSeconds: 20, restartSeconds: 1 }, checkpointSupersteps: 3, maxPages: 1000 },
    { sinks: [open.watch, sink] },
  );
  await early.until(() => (early.state?.pagesFetched ?? 0) > 300);
  const late = await Watcher.join(open.run);
  await late.until(() => late.state !== undefined);
  letGo();
  const { run: { summary }, events } = await running;
  await open.finish();
  await Promise.all([early, late].map((watcher) => watcher.until(() => watcher.isClosed)));
  expect(late.curves).toEqual(early.curves);
  expect(late.feed).toEqual(early.feed);
  expect(late.state).toEqual(early.state);
  expect(late.messages.map(({ is }) => is).slice(0, 5)).toEqual(['card', 'started', 'curves', 'feed', 'state']);

  const { curves, feed, state } = early;
  expect(curves!.superstep).toHaveLength(summary.supersteps);
  expect(curves!.seconds.at(-1)).toBe(summary.virtualSeconds);
  expect(curves!.pages.at(-1)).toBe(summary.pagesFetched);
  // Pages fetched again after a crash count once, and those drained at the last barrier were reported as well.
  const fetched = new Set(events.order);
  const rank = [...fetched].reduce((sum, page) => sum + ranks[page], 0) / best.reduce((sum, one) => sum + one);
  expect(curves!.rank.at(-1)).toBeGreaterThanOrEqual(rank - 1e-12);
  expect(curves!.rank.at(-1)).toBeLessThan(rank * 1.1);
  const sum = (column: readonly number[]): number => column.reduce((a, b) => a + b, 0);
  expect(sum(curves!.pairs)).toBe(events.rows.reduce((a, { pairsSent }) => a + pairsSent, 0));
  expect(summary.crashes.length).toBeGreaterThan(0);
  expect(feed.filter(({ text }) => text.startsWith('crashed'))).toHaveLength(summary.crashes.length);
  expect(feed.some(({ text }) => text.startsWith('rolled back'))).toBe(true);
  expect(state!.processors.map(({ fetched: pages }) => pages)).toEqual(summary.pagesPerProcessor);
  expect(state!.bytes).toBe(state!.processors.reduce((a, { bytes }) => a + bytes, 0));
  expect(state!.bytes).toBeGreaterThanOrEqual(summary.bytes);
});

test('figures of the graph fetched are there while it grows', async () => {
  const watcher = await Watcher.join(open.run);
  // The run sends a thousand pages at a time, and waits here for what is known of them.
  const waiting: RunSink = { superstep: async ({ pagesFetched }) => {
    if (pagesFetched > 1200) await watcher.until(() => watcher.state!.figures !== null);
  } };
  const { statistics } = await run({ statistics: 'estimate', maxPages: 1300 }, { sinks: [open.watch, waiting] });
  await open.finish();
  await watcher.until(() => watcher.isClosed);
  const { state } = watcher;
  expect(state!.statistics).toEqual(statistics!.rows.at(-1));
  expect(state!.figures).toEqual(statistics!.rows.findLast(({ components }) => components !== null));
});

test('robot time of the curves is that of the rows, also where processors rest', async () => {
  const watcher = await Watcher.join(open.run);
  const { run: { experiment, summary }, events } = await run({ maxPages: 300, processors: 256, superstepLimit: 4 });
  await open.finish();
  await watcher.until(() => watcher.isClosed);
  const barriers = [...new Set(events.rows.map(({ barrierUs }) => barrierUs))];
  expect(events.rows.length).toBeLessThan(256 * summary.supersteps);
  for (const [i, barrierUs] of barriers.entries()) {
    const busyUs = events.rows.reduce((sum, row) => sum + (row.barrierUs === barrierUs ? row.busyUs : 0), 0);
    const robotUs = 256 * experiment.robots * (barrierUs - (barriers[i - 1] ?? 0));
    expect(watcher.curves!.busy[i]).toBeCloseTo(busyUs / robotUs, 9);
  }
});

test('a run that fails says so last', async () => {
  const watcher = await Watcher.join(open.run);
  const failing: RunSink = { superstep: ({ superstep }) => { if (superstep === 3) throw new Error('disk full'); } };
  await expect(run({}, { sinks: [open.watch, failing] })).rejects.toThrow('disk full');
  await open.finish('the disk is full');
  await watcher.until(() => watcher.isClosed);
  expect(watcher.state).toMatchObject({ phase: 'failed', error: 'the disk is full', superstep: 3 });
  expect(watcher.feed.at(-1)!.text).toBe('failed: the disk is full');
  await expect(watcher.joined.ask({ do: 'stop' })).rejects.toThrow('the run has ended');
  await expect(Watcher.join(open.run)).rejects.toThrow('cannot be joined');
});

test('hosts that fail again and again are named once, until they answer', () => {
  const { watch } = open;
  const names = { hostOf: () => 7, hostName: (host: number) => `host${host}.test`, urlOf: () => undefined };
  const settings = { processors: 1, robots: 1, policy: 'opic' };
  watch.started({ settings, names, firstSuperstep: 0, maxPages: 9 } as unknown as Parameters<typeof watch.started>[0]);
  const ends = (kind: 'timeout' | 'fetched'): void => {
    watch.outcome(0, {
      page: 1, sequence: 0, kind, startedAtUs: 0, finishedAtUs: 5e6, bytes: 0, waitUs: 0, links: new Uint32Array(0),
    });
  };
  const named = (): number => watch.whole().flatMap((one) => (one.is === 'feed' ? one.lines : []))
    .filter(({ text }) => text === 'host7.test: 10 downloads in a row failed, the last one: timeout').length;
  for (let i = 0; i < 9; i++) ends('timeout');
  ends('fetched');
  for (let i = 0; i < 9; i++) ends('timeout');
  expect(named()).toBe(0);
  for (let i = 0; i < 30; i++) ends('timeout');
  expect(named()).toBe(1);
  ends('fetched');
  for (let i = 0; i < 10; i++) ends('timeout');
  expect(named()).toBe(2);
});
