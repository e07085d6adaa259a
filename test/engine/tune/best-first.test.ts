import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate, untimed } from '../../../src/core/engine/index.ts';
import { BestFirst } from '../../../src/core/engine/tune/best-first.ts';
import { byRank } from '../../../src/core/engine/tune/by-rank.ts';
import { partitionHosts } from '../../../src/core/engine/setup/owners.ts';
import { settleSeeds } from '../../../src/core/engine/setup/settled.ts';
import { prepare } from '../../../src/graphs/graph/index.ts';
import { bySuperstep } from '../../../src/core/measure/index.ts';
import { parseExperiment } from '../../../src/core/policy/index.ts';
import { docsWebPrepared, docsWebRanks } from '../../docs-web.ts';
import { assertCrawls, crawlCases, plainPageRank } from '../random-crawls.ts';

// Goal: the crawl of trials is that of the scheduler where nothing takes time: page by page, superstep by superstep.

const cases = fc.record({
  at: crawlCases({ pages: [2, 80], hosts: [1, 12], seedPages: [1, 6] }), coarse: fc.boolean(),
  processors: fc.integer({ min: 1, max: 4 }), robots: fc.integer({ min: 1, max: 5 }),
  r: fc.constantFrom(1, 2, 3, 7, 20, 100),
});

type Case = Pick<typeof cases extends fc.Arbitrary<infer C> ? C : never, 'processors' | 'robots' | 'r'>;

async function expectSame(
  given: Parameters<typeof prepare>[0], ranks: Float64Array, seedPages: readonly number[] | undefined,
  { processors, robots, r }: Case,
): Promise<void> {
  const prepared = prepare(given);
  const input = untimed(parseExperiment({
    processors, robots, pending: r, superstepLimit: r, ...(seedPages && { seedPages: [...seedPages] }),
  }));
  const { run, events } = await simulate(prepared, input, { ranks });
  const renumbered = byRank(prepared, input, ranks);
  const settled = settleSeeds(renumbered.prepared, renumbered.experiment);
  const crawl = new BestFirst({
    graph: renumbered.prepared.graph, ranks: renumbered.ranks, seedPages: settled.seedPages, processors, robots, r,
    processorOfHost: partitionHosts(renumbered.prepared, input, settled.reachable), sequential: undefined,
  });
  const sizes: number[] = [];
  for (let size = crawl.superstep(); size !== undefined; size = crawl.superstep()) sizes.push(size);
  const { order, supersteps, pairs, balance } = crawl.result;
  expect(Array.from(order, (page) => renumbered.formerPages[page])).toEqual([...events.order]);
  expect(sizes).toEqual(bySuperstep(events.rows).map((ofOne) => ofOne.reduce((sum, { pages }) => sum + pages, 0)));
  expect(supersteps).toBe(run.summary.supersteps);
  expect(pairs).toBe(events.rows.reduce((sum, row) => sum + row.pairsSent, 0));
  expect(balance).toBeCloseTo(run.summary.balance.pages!, 12);
}

test('of random graphs, with and without ties', async () => {
  await assertCrawls('best-first.test.ts', cases, 60, async ({ at: { graph, seedPages }, coarse, ...settings }) => {
    const ranks = plainPageRank(graph);
    const scores = coarse ? ranks.map((rank) => Math.ceil(100 * rank) / 128) : ranks;
    await expectSame(graph, scores, seedPages, settings);
  });
});

test('of docs-web', async () => {
  await expectSame(docsWebPrepared, docsWebRanks, undefined, { processors: 8, robots: 4, r: 100 });
});
