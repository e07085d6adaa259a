import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../../../src/core/engine/index.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { assertCrawls, crawlCases, plainPageRank, type CrawlCase } from '../random-crawls.ts';

// Goal: with keys that follow, the queue and the pending jobs are one order, however many jobs are pending: without
// delays, and with one robot on one processor, nothing but R_x decides which scores are known at a choice.

const policies = [
  'opic', 'opic-window', 'backlink-count', 'partial-pagerank', 'batch-pagerank', 'larger-sites-first', 'round-robin',
  'breadth-first', 'depth-first', 'random', 'pagerank',
] as const;

async function orderOf({ graph, seedPages }: CrawlCase, input: ExperimentInput): Promise<number[]> {
  const { events } = await simulate(graph, {
    seedPages, processors: 1, robots: 1, superstepMs: 0, politenessMs: 0, statistics: 'off',
    pendingKeys: 'follow', ...input,
    network: { latencyMs: 10, latencySigma: 0, bandwidthBytesPerSecond: 0, processorBandwidthBytesPerSecond: 0 },
  }, { ranks: plainPageRank(graph) });
  return [...events.order];
}

const cases = crawlCases({ pages: [20, 120], hosts: [1, 6], seedPages: [1, 3] });
const settings = fc.record({
  policy: fc.constantFrom(...policies), superstepLimit: fc.integer({ min: 1, max: 20 }), more: fc.nat(40),
  reinsert: fc.constantFrom(1, 1.1, 3), rankEveryPages: fc.constantFrom(1, 7, 1000),
});

test('any number of pending jobs gives one order', async () => {
  let differing = 0;
  await assertCrawls('pending-keys.test.ts', fc.tuple(cases, settings), 150, async ([crawl, drawn]) => {
    const { more, rankEveryPages, ...input } = drawn;
    const policyOptions = input.policy.endsWith('-pagerank') ? { rankEveryPages } : {};
    const numbers = [input.superstepLimit, input.superstepLimit + more, 2 ** 31];
    const orders = await Promise.all(numbers.map((pending) => orderOf(crawl, { ...input, policyOptions, pending })));
    expect(orders[1]).toEqual(orders[0]);
    expect(orders[2]).toEqual(orders[0]);
    const frozen = await orderOf(crawl, { ...input, policyOptions, pending: 2 ** 31, pendingKeys: 'frozen' });
    if (JSON.stringify(frozen) !== JSON.stringify(orders[0])) differing++;
  });
  expect(differing, 'keys that stay as they were give other orders').toBeGreaterThan(0);
});
