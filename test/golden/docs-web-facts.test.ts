/** Facts of docs-web that other programs and earlier releases agree on. */
import { beforeAll, describe, expect, test } from 'vitest';
import { simulate } from '../../src/core/engine/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import type { RunResult } from '../../src/core/measure/index.ts';
import { isFullSweep, sampled } from '../sweep.ts';
import { docsWeb as graph, docsWebPrepared } from '../docs-web.ts';

const run = (input: ExperimentInput): Promise<RunResult> => simulate(docsWebPrepared, input);
const policies = ['breadth-first', 'opic', 'pagerank', 'random'] as const;

describe('a full crawl of docs-web', () => {
  let whole: RunResult;
  beforeAll(async () => {
    whole = await run({});
  });

  test('fetches 20,746 pages on 466 hosts, each once', () => {
    const { order } = whole.events;
    expect(order).toHaveLength(20_746);
    expect(new Set(order).size).toBe(20_746);
    expect(new Set([...order].map((page) => graph.hosts.ofPage[page])).size).toBe(466);
    expect(whole.run.summary).toMatchObject({ ended: 'frontier dry', pagesFetched: 20_746, reachablePages: 20_746 });
  });

  test('lays the pages on eight processors by the hash of their hosts', () => {
    expect(whole.run.summary.pagesPerProcessor).toEqual([2867, 2983, 1973, 1463, 2610, 3705, 2261, 2884]);
  });

  test('has the bound .832428 and the random area (B+1)/2B', () => {
    const { bound, random } = whole.run.summary.quality;
    expect(bound).toBeCloseTo(0.832428, 6);
    expect(random).toBeCloseTo(20_747 / (2 * 20_746), 12);
  });

  test('has one replay hash, again and with every queue', async () => {
    expect((await run({})).run.replayHash).toBe(whole.run.replayHash);
    // So few pending jobs that the queues fill.
    const few: ExperimentInput = { pending: 40, maxPages: isFullSweep ? undefined : 8000 };
    const again = await run(few);
    const most: Record<string, number> = {};
    for (const kind of ['quickheap', 'cbt', 'binary-heap'] as const) {
      const { replayHash, summary } = (await run({ ...few, queue: { kind, block: 32 } })).run;
      expect(replayHash, kind).toBe(again.run.replayHash);
      most[kind] = summary.queueStructureMost;
    }
    expect(most['cbt']).toBeGreaterThanOrEqual(4);
    // Some thousand entries a processor: a run and a split or two.
    expect(most['quickheap']).toBeGreaterThanOrEqual(1);
  });
});

const splits = ([
  [2, 0.94, 219_681], [4, 0.7755, 318_006], [8, 0.6999, 351_447], [16, 0.4422, 378_390],
] as const).flatMap((split) => policies.map((policy) => [...split, policy] as const));
test.each(sampled(splits, 15))(
  "docs-web on %i processors: %d of the pages' balance and %i crossing links: %s",
  async (processors, balance, crossLinks, policy) => {
    const { summary } = (await run({ processors, policy })).run;
    expect(summary.balance.pagesWholeRun).toBeCloseTo(balance, 4);
    expect(Math.round(summary.communication.crossLinksPerPage! * summary.pagesFetched)).toBe(crossLinks);
  },
);

describe('one processor and one robot, a page at a time and no delay', () => {
  test.each(sampled([
    ['breadth-first', 0.709737], ['pagerank', 0.779876],
  ] as const, 2))('%s gathers an area of %f', async (policy, area) => {
    const { summary } = (await run({
      policy, processors: 1, robots: 1, superstepLimit: 1, pending: 1, superstepMs: 0, politenessMs: 0,
    })).run;
    expect(summary.pagesFetched).toBe(20_746);
    expect(summary.quality.pagerankArea).toBeCloseTo(area, 6);
  });
});

test.each(sampled([1, 7, 100, 999, 5003, 20_000], 3))('a limit of %i pages is met exactly', async (maxPages) => {
  const { run: { summary }, events } = await run({ maxPages, processors: 8, robots: 4 });
  expect(summary).toMatchObject({ ended: 'page limit', pagesFetched: maxPages, pagesInFlight: 0 });
  expect(new Set(events.order).size).toBe(maxPages);
});
