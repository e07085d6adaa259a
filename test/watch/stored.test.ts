import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunControl, settleSeeds, simulate } from '../../src/core/engine/index.ts';
import { bestRanks } from '../../src/core/measure/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { recordedFeed, RunWatch, storedFeedBefore, type FeedLine, type RunCard } from '../../src/views/watch/index.ts';
import { rankBound } from '../../src/views/watch/curves/rank-bound.ts';
import { StoredLines, storedLinesBefore } from '../../src/views/watch/stored/stored-lines.ts';
import { docsWebPrepared, docsWebRanks as ranks } from '../docs-web.ts';
import { aCard, privateFolder } from './opened.ts';

// Goal: what was shown of a run is there after its end, also when its process was killed; no run ends for want of it.

let place: ReturnType<typeof privateFolder>;
beforeEach(() => { place = privateFolder(); });
afterEach(() => { place.remove(); });

const crashing: ExperimentInput = {
  processors: 4, robots: 4, superstepLimit: 8, politenessMs: 200, maxPages: 700, checkpointSupersteps: 3,
  statistics: 'off', network: { crashSeconds: 20, restartSeconds: 1 },
};

async function watchedRun(card: RunCard, folder: string): Promise<{
  readonly watch: RunWatch; readonly run: Awaited<ReturnType<typeof simulate>>; readonly lines: readonly FeedLine[];
}> {
  const control = new RunControl();
  const watch = new RunWatch({ card, control, now: () => 0, folder });
  watch.ask({ number: 0, do: 'robots', robots: 3, processor: undefined });
  const run = await simulate(docsWebPrepared, crashing, { ranks, control, sinks: [watch] });
  const [, , , feed] = watch.whole();
  return { watch, run, lines: (feed as { readonly lines: readonly FeedLine[] }).lines };
}

test('the feed is stored as it is shown, and an unwatched run has that part of it which its record knows', async () => {
  const { run: { run, events }, lines } = await watchedRun(aCard(), place.folder);
  expect(lines.filter(({ text }) => text.startsWith('crashed')).length).toBeGreaterThan(0);
  const stored = [...storedFeedBefore(place.folder)].reverse();
  const said = (all: readonly FeedLine[]): unknown => all.map(({ at, processor, text }) => ({ at, processor, text }));
  expect(said(stored)).toEqual(said(lines));
  expect([...storedFeedBefore(place.folder, stored[2].number)].reverse()).toEqual(stored.slice(0, 2));

  const { experiment, summary, changes = [] } = run;
  const derived = recordedFeed({ experiment, summary, changes }, events.rows).map(({ text }) => text);
  const known = lines.map(({ text }) => text).filter((text) => !text.startsWith('rolled back'));
  expect([...derived.slice(0, -1)].sort()).toEqual(known.slice(0, -1).sort());
  expect(known.at(-1)).toContain(derived.at(-1));
});

test('where the feed cannot be stored, the run goes on', async () => {
  const { run, lines } = await watchedRun(aCard(), join(place.folder, 'gone'));
  expect(run.run.summary.pagesFetched).toBe(700);
  expect(lines.at(-1)!.text).toMatch(/^ended/);
});

test('lines that were cut are left out, and what follows them is whole', () => {
  const path = join(place.folder, 'some.jsonl');
  const first = new StoredLines(path);
  for (let i = 0; i < 20_000; i++) first.add({ i });
  // Most of it is on the disk before it is asked for.
  expect(readFileSync(path, 'utf8').length).toBeGreaterThan(100_000);
  first.flush();
  appendFileSync(path, '{"i":20000,"cu');
  const second = new StoredLines(path);
  second.add({ i: 20_001 });
  second.flush();
  const read = [...storedLinesBefore(path)].map(({ value }) => (value as { readonly i: number }).i);
  expect(read).toEqual([20_001, ...Array.from({ length: 20_000 }, (_, i) => 19_999 - i)]);
  expect([...storedLinesBefore(join(place.folder, 'none'))]).toEqual([]);
});

test('the bound is the best order at bounded places, from nothing to all', () => {
  const { reachable } = settleSeeds(docsWebPrepared, {});
  const best = bestRanks(docsWebPrepared, ranks, reachable);
  const { pages, rank } = rankBound(best);
  expect(pages).toHaveLength(200);
  expect([pages[0], pages.at(-1)]).toEqual([0, best.length]);
  const total = best.reduce((sum, one) => sum + one, 0);
  for (const i of [1, 50, 150])
    expect(rank[i]).toBeCloseTo(best.slice(0, pages[i]).reduce((sum, one) => sum + one, 0) / total, 12);
  expect(rank.at(-1)).toBeCloseTo(1, 12);
  // Falling ranks: never below the straight line of a random order.
  for (const [i, one] of rank.entries()) expect(one).toBeGreaterThanOrEqual(pages[i] / best.length - 1e-12);
  expect(rankBound(Float64Array.of(3, 1))).toEqual({ pages: [0, 1, 2], rank: [0, 0.75, 1] });
  expect(rankBound(new Float64Array(0))).toEqual({ pages: [0], rank: [0] });
  expect(rankBound(new Float64Array(3)).rank).toEqual([0, 0, 0, 0]);
});
