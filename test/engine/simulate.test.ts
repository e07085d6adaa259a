import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { exchanges, partitionNames, type ExperimentInput } from '../../src/core/settings/index.ts';
import { policyNames } from '../../src/core/policy/index.ts';
import { simulate, tune, type GivenScores, progressSink, type Progress } from '../../src/core/engine/index.ts';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import { verifyRun } from '../../src/core/measure/index.ts';
import { InputError } from '../../src/base/index.ts';
import { isFullSweep, sampled, tries } from '../sweep.ts';
import { assertCrawls, crawlCases, depths, plainPageRank, type CrawlCase } from './random-crawls.ts';
import { oracleCrawl } from './tune/tune-oracle.ts';
import { docsWeb, docsWebPrepared } from '../docs-web.ts';

// Goal: one experiment is one crawl, whatever the queue; every record passes the verifier; every limit ends a run where
// it says.

type Run = Awaited<ReturnType<typeof simulate>>;
const queueKinds = ['quickheap', 'cbt', 'binary-heap'] as const;

const small = crawlCases({ pages: [1, 50], hosts: [1, 8], seedPages: [1, 5] });

/** Settings that make robots wait: slow hosts, short supersteps, fewer pending jobs than the limit, and more. */
const settings: fc.Arbitrary<ExperimentInput> = fc.record({
  processors: fc.constantFrom(1, 2, 5),
  robots: fc.integer({ min: 1, max: 4 }),
  policy: fc.constantFrom(...policyNames),
  policyOptions: fc.record({
    opicRoot: fc.constantFrom('keep', 'known'),
    rankEveryPages: fc.integer({ min: 1, max: 30 }),
    hostUrls: fc.integer({ min: 1, max: 5 }),
    resetHosts: fc.integer({ min: 1, max: 5 }),
    weights: fc.constantFrom(
      { opic: 0.7, 'depth-first': 0.3 }, { 'larger-sites-first': 1, 'partial-pagerank': 1, scores: 1 },
    ),
  }),
  superstepLimit: fc.integer({ min: 1, max: 12 }),
  pending: fc.integer({ min: 1, max: 24 }),
  superstepMs: fc.constantFrom(0, 40, 300, 5000),
  politenessMs: fc.constantFrom(0, 100, 1000),
  partition: fc.constantFrom(...partitionNames),
  exchange: fc.constantFrom(...exchanges),
  exchangeBatch: fc.integer({ min: 1, max: 4 }),
  messageUs: fc.constantFrom(0, 5000),
  reinsert: fc.constantFrom(1, 1.1, 4),
  network: fc.record({
    latencyMs: fc.constantFrom(0, 150, 4000),
    latencySigma: fc.constantFrom(0, 0.5, 2),
    bandwidthBytesPerSecond: fc.constantFrom(0, 1e4, 1e6),
    // A host may be slow to answer, and answers in the end.
    timeoutMs: fc.constant(4e6),
  }),
  barrierUs: fc.constantFrom(1, 1000, 500_000),
  seed: fc.nat(),
});

const crawls = fc.record({ at: small, settings });
const fewPages = crawlCases({ pages: [1, isFullSweep ? 50 : 20], hosts: [1, 8], seedPages: [1, 5] });

function verify(graph: WebGraph, { run, events }: Run): void {
  verifyRun(graph, run.experiment, events, run.summary.ended);
  expect(run.summary.pagesFetched).toBe(events.order.length);
}

/** For policy `scores`, with ties. */
const scoresOf = ({ pages }: WebGraph): GivenScores => ({
  file: 'scores', values: Float64Array.from({ length: pages }, (_, page) => (7 * page) % 5),
});

const simulated = ({ graph, seedPages }: CrawlCase, input: ExperimentInput): Promise<Run> =>
  simulate(graph, { seedPages, ...input }, {
    ranks: new Float64Array(graph.pages).fill(1 / graph.pages),
    scores: scoresOf(graph),
  });

describe('one experiment is one crawl', () => {
  test('the same hash again, and with each of the three queues', async () => {
    await assertCrawls('simulate.test.ts', crawls, isFullSweep ? 100 : 32, async ({ at, settings: input }) => {
      const runs = [...queueKinds, queueKinds[0]].map((kind) =>
        simulated(at, { ...input, queue: { kind, block: 32 } }),
      );
      const hashes = (await Promise.all(runs)).map(({ run }) => run.replayHash);
      expect(new Set(hashes).size, hashes.join()).toBe(1);
    });
  });

  test('on docs-web: one hash for one seed, another for another', async () => {
    const maxPages = isFullSweep ? 1500 : 500;
    const base: ExperimentInput = { maxPages, superstepLimit: 64 };
    const inputs = [...queueKinds.map((kind) => ({ ...base, queue: { kind, block: 32 } })), base, { ...base, seed: 2 }];
    const hashes: string[] = [];
    for (const input of inputs) {
      const result = await simulate(docsWebPrepared, input);
      verify(docsWeb, result);
      expect(result.run.summary).toMatchObject({ ended: 'page limit', pagesFetched: maxPages });
      hashes.push(result.run.replayHash);
    }
    expect(new Set(hashes.slice(0, 4)).size).toBe(1);
    expect(hashes[4]).not.toBe(hashes[0]);
  });
});

describe('every crawl', () => {
  test('passes the verifier, and fetches each page reachable once', async () => {
    await assertCrawls('simulate.test.ts', crawls, isFullSweep ? 300 : 120, async ({ at, settings: input }) => {
      const result = await simulated(at, input);
      verify(at.graph, result);
      expect(result.run.summary.ended).toBe('frontier dry');
      const reachable = [...depths(at.graph, at.seedPages).keys()].sort((a, b) => a - b);
      expect([...result.events.order].sort((a, b) => a - b)).toEqual(reachable);
      expect(result.run.summary).toMatchObject({ pagesInFlight: 0, pagesFailed: 0, reachablePages: reachable.length });
      const { busy, stalled, noJob, barrier } = result.run.summary.robots;
      expect(busy + stalled + noJob + barrier).toBeCloseTo(1, 9);
      const { lowerBoundSeconds, virtualSeconds } = result.run.summary;
      expect(lowerBoundSeconds).toBeLessThanOrEqual(virtualSeconds + 1e-9);
    });
  });

  test('fetches exactly as many pages as it may, for every number of them', async () => {
    const cases = fc.record({ at: fewPages, settings });
    await assertCrawls('simulate.test.ts', cases, 25, async ({ at, settings: input }) => {
      const reachable = depths(at.graph, at.seedPages).size;
      for (let maxPages = 1; maxPages <= reachable + 1; maxPages++) {
        const result = await simulated(at, { ...input, maxPages });
        verify(at.graph, result);
        expect(result.events.order.length, `of ${maxPages} pages`).toBe(Math.min(maxPages, reachable));
        if (maxPages < reachable) expect(result.run.summary.ended).toBe('page limit');
        if (maxPages > reachable) expect(result.run.summary.ended).toBe('frontier dry');
      }
    });
  });

  test('ends in time', async () => {
    const timed = fc.record({ at: small, settings, maxSeconds: fc.constantFrom(0.05, 0.5, 2, 10) });
    let cut = 0;
    await assertCrawls('simulate.test.ts', timed, 100, async ({ at, settings: input, maxSeconds }) => {
      const result = await simulated(at, { ...input, maxSeconds });
      verify(at.graph, result);
      const { ended, virtualSeconds } = result.run.summary;
      // The barrier after the last superstep takes L, g for each pair and o for each message, of at most as many as
      // there are links.
      const costUs = input.barrierUs! + (1 + input.messageUs!) * at.graph.arcs;
      expect(virtualSeconds).toBeLessThanOrEqual(maxSeconds + costUs / 1e6 + 1e-9);
      expect(result.events.times.every((us, i) => i % 2 === 1 || us <= maxSeconds * 1e6)).toBe(true);
      const whole = await simulated(at, input);
      if (ended === 'time limit') cut++;
      else expect(result.run.replayHash).toBe(whole.run.replayHash);
      if (whole.run.summary.virtualSeconds < maxSeconds) expect(ended).toBe('frontier dry');
    });
    expect(cut).toBeGreaterThan(tries(20));
  });
});

describe('an aborted signal', () => {
  test('ends the crawl at the next barrier, with a record that passes the verifier', async () => {
    const cases = fc.record({ at: small, settings, barriers: fc.integer({ min: 1, max: 6 }) });
    let interrupted = 0;
    await assertCrawls(
      'simulate.test.ts',
      cases,
      60,
      async ({ at: { graph, seedPages }, settings: input, barriers }) => {
        const experiment = { ...input, seedPages };
        const scores = scoresOf(graph);
        const whole = await simulate(graph, experiment, { scores });
        const abort = new AbortController();
        const seen: Progress[] = [];
        const onProgress = (progress: Progress): void => {
          if (seen.push(progress) === barriers) abort.abort();
        };
        const result = await simulate(graph, experiment, {
          scores, sinks: [progressSink(onProgress)], signal: abort.signal,
        });
        verify(graph, result);
        const { ended, supersteps } = result.run.summary;
        if (whole.run.summary.supersteps > barriers + 1) {
          interrupted++;
          expect(ended).toBe('interrupted');
          expect([barriers, barriers + 1]).toContain(supersteps);
          expect(seen.length).toBe(supersteps);
        }
        if (result.run.experiment.processors === 1) {
          expect([...result.events.order]).toEqual([...whole.events.order.subarray(0, result.events.order.length)]);
        }
      },
    );
    expect(interrupted).toBeGreaterThan(tries(20));
  });

  test('before the first superstep leaves a record all the same', async () => {
    const [{ graph, seedPages }] = fc.sample(small, { numRuns: 1, seed: 5 });
    const result = await simulate(graph, { seedPages }, { signal: AbortSignal.abort() });
    verify(graph, result);
    expect(result.run.summary.ended).toBe('interrupted');
    expect(result.run.summary.supersteps).toBeLessThanOrEqual(1);
  });

  test.each([1, 2])(
    'while R_x is tuned, in %i threads, ends the tuning with the trials that are done',
    async (threads) => {
      const [{ graph, seedPages }] = fc.sample(small, { numRuns: 1, seed: 5 });
      const whole = await tune(graph, { seedPages }, [2], { threads: 1 });
      for (const wanted of threads === 1 ? [0, 1, 2] : sampled([1, 0, 2], 3)) {
        const abort = new AbortController();
        if (wanted === 0) abort.abort();
        const onProgress = (done: number): void => {
          if (done === wanted) abort.abort();
        };
        const [tuned] = await tune(graph, { seedPages }, [2], { threads, signal: abort.signal, onProgress });
        expect(tuned).toMatchObject({ superstepLimit: null, reason: 'interrupted' });
        expect(tuned.sweep.length).toBeGreaterThanOrEqual(wanted);
        expect(tuned.sweep.length).toBeLessThan(whole[0].sweep.length);
        for (const row of tuned.sweep) expect(whole[0].sweep).toContainEqual(row);
      }
    },
  );

  test('while the limit is tuned for a run leaves a record all the same', async () => {
    const [{ graph, seedPages }] = fc.sample(small, { numRuns: 1, seed: 5 });
    const result = await simulate(graph, { seedPages, superstepLimit: 'auto' }, { signal: AbortSignal.abort() });
    expect(result.run.summary).toMatchObject({
      ended: 'interrupted', superstepLimitOrigin: expect.stringContaining('interrupted') as string,
    });
  });
});

describe('settings', () => {
  let at: CrawlCase;
  beforeAll(() => {
    [at] = fc.sample(small, { numRuns: 1, seed: 11 });
  });

  test.each([
    { name: 'one past the last', page: () => at.graph.pages },
    { name: 'far past it', page: () => 4_000_000_000 },
  ])('a seed page that the graph does not have, $name, is named', async ({ page }) => {
    const wrong = simulate(at.graph, { seedPages: [0, page()] });
    await expect(wrong).rejects.toThrow(InputError);
    await expect(wrong).rejects.toThrow(new RegExp(`\\b${page()}\\b.*\\b0 to ${at.graph.pages - 1}\\b`));
  });

  test('a seed page named twice, and a field out of range, are named', async () => {
    await expect(simulate(at.graph, { seedPages: [0, 0] })).rejects.toThrow(/seed page 0 .*twice/);
    const wrong = simulate(at.graph, { processors: 0, politenessMs: -1 });
    await expect(wrong).rejects.toThrow(InputError);
    await expect(wrong).rejects.toThrow(/experiment\.processors.*given: 0.*experiment\.politenessMs.*given: -1/);
  });
});

describe('superstep limit auto', () => {
  const shape = crawlCases({ pages: [60, 60], hosts: [6, 10], seedPages: [1, 2] });
  const processors = 3;

  /**
   * The first of some random graphs on which messages held back for one page a processor already cost that much, or
   * that little.
   */
  function graphWhere(holds: (staleAtOne: number) => boolean): CrawlCase {
    const found = fc.sample(shape, { numRuns: 60, seed: 17 }).find(({ graph, seedPages }) => {
      const one = oracleCrawl(graph, { scores: plainPageRank(graph), seedPages, processors, r: 1 });
      return one.order.length >= 40 && holds(one.row.stale);
    });
    if (found === undefined) throw new Error('no such graph among those drawn');
    return found;
  }

  test('is tuned first', async () => {
    const { graph, seedPages } = graphWhere((stale) => stale <= 0.02);
    const { run } = await simulate(graph, { seedPages, processors, superstepLimit: 'auto' });
    expect(run.summary.superstepLimitOrigin).toMatch(/^tuned/);
    const staleAt = (r: number): number =>
      oracleCrawl(graph, { scores: plainPageRank(graph), seedPages, processors, r, robots: 4 }).row.stale;
    expect(staleAt(run.summary.superstepLimit)).toBeLessThanOrEqual(0.05);
    expect(run.experiment).toMatchObject({ superstepLimit: run.summary.superstepLimit });
    // What the record holds replays the run.
    const again = await simulate(graph, run.experiment);
    expect(again.run.replayHash).toBe(run.replayHash);
    expect(again.run.summary.superstepLimitOrigin).toBe('given');
  });

  test('is a twentieth of a processor\'s share where tuning finds none, and says so', async () => {
    const { graph, seedPages } = graphWhere((stale) => stale > 0.06);
    const { run } = await simulate(graph, { seedPages, processors, superstepLimit: 'auto' });
    expect(run.summary.superstepLimit).toBe(Math.ceil(depths(graph, seedPages).size / (20 * processors)));
    expect(run.summary.superstepLimitOrigin).toMatch(/^ceil\(reachable\/\(20 P\)\).*R = 1/);
  });
});
