import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { crawlLive, resumeCrawl } from '../../src/crawl/index.ts';
import { simulate } from '../../src/engine/index.ts';
import { InputError } from '../../src/base/index.ts';
import type { RunResult } from '../../src/measure/index.ts';
import type { SettledCrawl, MeasureSettings } from '../../src/settings/index.ts';
import { replayedStatistics, RunStatistics, runStatistics } from '../../src/statistics/index.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../crawl/loopback.ts';
import { isFullSweep, sampled } from '../sweep.ts';

// Goal: statistics of runs are those of their records, whatever happened meanwhile, and change nothing.

const web = syntheticWeb(1500, 4);
const methods = ['exact', 'estimate', 'auto'] as const;

/** The statistics that a run's record gives, without its thread. */
function expectReplayed(
  { run: { experiment }, events, statistics }: RunResult<SettledCrawl & MeasureSettings>, graph = web,
): void {
  const replayed = replayedStatistics(experiment, events, { graph, maxPages: Infinity });
  expect(statistics?.failure).toBeUndefined();
  expect(statistics?.rows).toEqual(replayed?.rows);
}

describe('a simulation', () => {
  const settings = { processors: 3, maxPages: 700, superstepMs: 2000, network: { preset: 'hostile' } } as const;

  test.each(methods)('with %s statistics has the same replay hash, and figures of its record', async (statistics) => {
    const plain = await simulate(web, settings);
    const result = await simulate(web, { ...settings, statistics });
    expect(plain.run.summary.statistics).toBeNull();
    expect(result.run.replayHash).toBe(plain.run.replayHash);
    expectReplayed(result);
    const last = result.statistics?.rows.at(-1);
    expect(result.run.summary.statistics).toMatchObject({ pages: 700, atSuperstep: last?.superstep });
  });

  test.runIf(isFullSweep)('that lost supersteps in crashes counts no page twice', async () => {
    const network = { preset: 'hostile', crashSeconds: 20, restartSeconds: 1 } as const;
    const result = await simulate(web, { ...settings, network, checkpointSupersteps: 3, statistics: 'exact' });
    expect(result.run.summary.crashes.length).toBeGreaterThan(2);
    expectReplayed(result);
    expect(result.run.summary.statistics).toMatchObject({ pages: 700 });
  });

  test('of a single page has no distances', async () => {
    const { run } = await simulate(web, { statistics: 'auto', maxPages: 1 });
    expect(run.summary.statistics).toMatchObject({ pages: 1, arcs: 0, components: 1, averageDistance: null });
  });
});

describe('a live crawl', () => {
  const site = graphWeb(web);
  const served = loopback(site);
  afterAll(async () => (await served).close());

  const tried = sampled(['exact', 'auto'] as const, 2);
  test.each(tried)('with %s statistics has those of its record', async (statistics) => {
    const { live, ...crawls } = await served;
    const path = crawls.folder();
    const experiment = { statistics, maxPages: 60, politenessMs: 1, superstepMs: 100, processors: 2 };
    const first = await crawlLive(path, { experiment, live, seeds: urlsOf(site, site.seedPages) });
    expectReplayed(first, first.graph);
    expect(first.run.summary.statistics).toMatchObject({ pages: 60 });
    const second = await resumeCrawl(path, { maxPages: 150 });
    expectReplayed(second, second.graph);
    expect(second.run.summary.statistics).toMatchObject({ pages: 150 });
  });
});

test('of a machine among several, pages of others that are linked to count for nothing', async () => {
  const { run: { experiment }, events } = await simulate(web, { maxPages: 200, statistics: 'exact' });
  const statistics = new RunStatistics('exact', { maxPages: 200, seed: experiment.seed, endOfIds: 2 ** 31 });
  for (const page of events.order) {
    const own = web.outTargets.subarray(web.outOffsets[page], web.outOffsets[page + 1]);
    const links = Uint32Array.of(2 ** 31, ...own, 2 ** 32 - 1);
    const outcome = {
      page, kind: 'fetched', links, sequence: 0, startedAtUs: 0, finishedAtUs: 1, bytes: 1, waitUs: 0,
    } as const;
    for (const sink of statistics.sinks) sink.outcome?.(0, outcome, false);
  }
  const outcomes = {
    size: events.order.length, pages: events.order, processors: events.processors,
    kinds: new Uint8Array(events.order.length), times: events.times,
  };
  statistics.settled({ outcomes, rows: events.rows, crashes: [], changes: [], unobserved: [] });
  await statistics.ended('page limit');
  expect(statistics.result().rows).toEqual(replayedStatistics(experiment, events, { graph: web, maxPages: 200 })?.rows);
  await statistics.close();
});

describe('what goes wrong', () => {
  afterEach(() => { vi.restoreAllMocks(); });

  test('more memory than there is: refused before the run begins, with its bytes', async () => {
    vi.spyOn(process, 'availableMemory').mockReturnValue(1e6);
    await expect(simulate(web, { statistics: 'exact', maxPages: 1000 })).rejects.toThrow(
      /^statistics: exact distances between 1000 pages take 2375000 bytes, and 1000000 can be had/);
    await expect(simulate(web, { statistics: 'exact', maxPages: 1000 })).rejects.toThrow(InputError);
  });

  test('a thread that dies costs the run its statistics, and nothing else', async () => {
    const dying = new URL('data:text/javascript,throw new Error("out of luck")');
    const statistics = new RunStatistics('auto', { maxPages: 10, seed: 1, graph: web }, dying);
    const { events } = await simulate(web, { maxPages: 10 });
    const batch = {
      size: 10, pages: events.order, processors: events.processors, kinds: new Uint8Array(10), times: events.times,
    };
    statistics.settled({ outcomes: batch, rows: events.rows, crashes: [], changes: [], unobserved: [] });
    await statistics.ended('page limit');
    expect(statistics.result().rows).toEqual([]);
    expect(statistics.result().failure?.message).toContain('statistics');
    await statistics.close();
  });

  test('statistics that are off have no parts', async () => {
    const none = runStatistics({ statistics: 'off', seed: 1 }, { maxPages: 5 });
    expect([none.targets, none.sinks, none.result()]).toEqual([[], [], undefined]);
    await none.close();
  });
});
