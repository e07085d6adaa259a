import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ExperimentInput } from '../../src/core/settings/index.ts';
import { policyNames } from '../../src/core/policy/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import { buildGraph, hostsFromNames } from '../../src/graphs/graph/index.ts';
import { InputError } from '../../src/base/index.ts';
import { isFullSweep, tries } from '../sweep.ts';
import { assertCrawls, crawlCases, depths } from '../engine/random-crawls.ts';

// Goal: whatever orders a crawl, it fetches what can be reached, with coins conserved to the coin, also where
// processors crash.

const weights = { 'opic-window': 0.7, 'round-robin': 0.3, scores: 1 };

const settings = fc.record({
  processors: fc.constantFrom(2, 5),
  robots: fc.integer({ min: 1, max: 3 }),
  superstepLimit: fc.integer({ min: 3, max: 12 }),
  superstepMs: fc.constantFrom(0, 300),
  reinsert: fc.constantFrom(1, 1.1, 4),
  checkpointSupersteps: fc.integer({ min: 1, max: 4 }),
  network: fc.record({ crashSeconds: fc.constantFrom(8, 20), restartSeconds: fc.constantFrom(0, 1) }),
  policyOptions: fc.record({
    opicRoot: fc.constantFrom('keep', 'known'),
    rankEveryPages: fc.integer({ min: 1, max: 30 }),
    hostUrls: fc.integer({ min: 1, max: 5 }),
    resetHosts: fc.integer({ min: 1, max: 5 }),
    weights: fc.constant(weights),
  }),
  seed: fc.nat(),
});

describe('every policy, where processors crash', () => {
  let [crashed, finished] = [0, 0];
  test.each(policyNames)('%s', async (policy) => {
    const cases = fc.record({ at: crawlCases({ pages: [2, 50], hosts: [1, 10], seedPages: [1, 5] }), input: settings });
    const crawls = isFullSweep ? 16 : 32;
    await assertCrawls('in-crawls.test.ts', cases, crawls, async ({ at: { graph, seedPages }, input }) => {
      const scores = Float64Array.from({ length: graph.pages }, (_, page) => (7 * page) % 5);
      const { run, events } = await simulate(graph, { ...input, policy, seedPages, maxSeconds: 400 }, {
        ranks: scores, scores: { file: 'scores', values: scores },
      });
      if (run.summary.ended !== 'frontier dry') return;
      finished++;
      if (events.crashes.length > 0) crashed++;
      expect([...events.order].sort((a, b) => a - b)).toEqual(
        [...depths(graph, seedPages).keys()].sort((a, b) => a - b),
      );
    });
  });
  test('which many did, and most came to an end', () => {
    expect(crashed).toBeGreaterThan(tries(policyNames.length));
    expect(finished).toBeGreaterThan(tries(8 * policyNames.length));
  });
});

describe('policy weighted', () => {
  const graph = buildGraph({
    name: 'two', pages: 2, sources: Uint32Array.of(0), targets: Uint32Array.of(1), hosts: hostsFromNames(['a', 'b']),
  });
  const crawl = (policyOptions: ExperimentInput['policyOptions']) =>
    simulate(graph, { policy: 'weighted', seedPages: [0], policyOptions });

  test('needs weights, and not of two policies whose links pass something on', async () => {
    await expect(crawl({})).rejects.toThrow(InputError);
    await expect(crawl({})).rejects.toThrow(/needs weights/);
    await expect(crawl({ weights: { opic: 1, 'partial-pagerank': 1, random: 1 } })).rejects.toThrow(
      /weights of opic and partial-pagerank/,
    );
    await expect(crawl({ weights: { scores: 1 } })).rejects.toThrow(/needs a score for each page/);
    await expect(crawl({ weights: { opic: 0 } })).rejects.toThrow(/experiment\.policyOptions\.weights\.opic/);
  });

  test('with one weight is that policy, whatever the weight', async () => {
    const cases = fc.record({
      at: crawlCases({ pages: [2, 50], hosts: [1, 10], seedPages: [1, 5] }),
      name: fc.constantFrom('breadth-first', 'depth-first', 'pagerank'),
    });
    await assertCrawls('in-crawls.test.ts', cases, 15, async ({ at: { graph: random, seedPages }, name }) => {
      const ranks = Float64Array.from({ length: random.pages }, (_, page) => 1 / (1 + ((7 * page) % random.pages)));
      const alone = await simulate(random, { policy: name, seedPages }, { ranks });
      const composed = await simulate(
        random, { policy: 'weighted', seedPages, policyOptions: { weights: { [name]: 3 } } }, { ranks },
      );
      expect(composed.events.order).toEqual(alone.events.order);
    });
  });
});
