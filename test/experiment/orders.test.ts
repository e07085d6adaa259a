import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../src/dataset/index.ts';
import { simulate, type ExperimentInput } from '../../src/experiment/index.ts';
import { buildGraph, type WebGraph } from '../../src/graph/index.ts';
import { DrawStream } from '../../src/std/index.ts';
import { assertCrawls, bitsOf, crawlCases, linksOf, plainPageRank } from './random-crawls.ts';

// Goal: with one processor and one robot, no delay, supersteps ended by count alone, reinsert 1 and pending = R_x, every policy's
// order equals a model that shares no code with the product but the draws of policy random, which are given.

const policies = ['opic', 'breadth-first', 'random', 'pagerank'] as const;
type Policy = (typeof policies)[number];

/** Key of a page by its id and its local index, where it stays the same; OPIC's is its coins. */
function fixedKey(policy: Policy, ranks: Float64Array, seed: number): ((page: number, local: number) => number) | undefined {
  const draws = new DrawStream(seed, 'policy random');
  switch (policy) {
    case 'opic': return undefined;
    case 'breadth-first': return (_, local) => 0x7fefffff - local;
    case 'random': return (_, local) => Math.floor((draws.uint32(local, 0) / 2 ** 32) * 0x7ff00000);
    case 'pagerank': return (page) => bitsOf(ranks[page]);
  }
}

/** Order of a crawl that extracts the best r pages at once, then fetches them one after another. */
function modelOrder(graph: WebGraph, seedPages: readonly number[], r: number, keyOf?: (page: number, local: number) => number): number[] {
  const known: number[] = [];
  const localOf = new Int32Array(graph.pages).fill(-1);
  const [keys, coins, waiting] = [new Uint32Array(graph.pages), new Float64Array(graph.pages), new Uint8Array(graph.pages)];
  const give = (page: number, share: number): void => {
    if (localOf[page] < 0) waiting[localOf[page] = known.push(page) - 1] = 1;
    coins[page] += share;
    keys[localOf[page]] = keyOf?.(page, localOf[page]) ?? bitsOf(coins[page]);
  };
  for (const page of seedPages) give(page, Math.floor(2 ** 52 / seedPages.length));
  for (const order: number[] = []; ; ) {
    const block: number[] = [];
    for (let best = 0; best >= 0 && block.length < r; ) {
      best = -1;
      for (let local = 0; local < known.length; local++) if (waiting[local] === 1 && (best < 0 || keys[local] > keys[best])) best = local;
      if (best >= 0) waiting[block[block.push(best) - 1]] = 0;
    }
    if (block.length === 0) return order;
    for (const page of block.map((local) => known[local])) {
      const links = linksOf(graph, page);
      const share = Math.floor(coins[page] / links.length);
      coins[page] = 0;
      for (const target of links) give(target, share);
      order.push(page);
    }
  }
}

async function productOrder(graph: WebGraph, input: ExperimentInput & { superstepLimit: number }, ranks: Float64Array): Promise<number[]> {
  const { events, run } = await simulate(graph, {
    processors: 1, robots: 1, politenessMs: 0, superstepMs: 0, reinsert: 1, pending: input.superstepLimit, ...input,
  }, { ranks });
  expect(run.summary.ended).toBe('frontier dry');
  return [...events.order];
}

describe('the order of one processor with one robot', () => {
  test('the model, by hand: coins that arrive within a block change no key of it, and ties leave by discovery', () => {
    const arcs = [[0, 2], [0, 3], [0, 1], [1, 5], [2, 1], [3, 4], [5, 0]];
    const graph = buildGraph({
      name: 'six', pages: 6, sources: Uint32Array.from(arcs, ([from]) => from), targets: Uint32Array.from(arcs, ([, to]) => to),
    });
    // 0 gives a third each to 2, 3 and 1, found in this order; 2 gives its third to 1, which now has two and passes them on to 5.
    expect(modelOrder(graph, [0], 1)).toEqual([0, 2, 1, 5, 3, 4]);
    expect(modelOrder(graph, [0], 3)).toEqual([0, 2, 3, 1, 5, 4]);
    expect(modelOrder(graph, [0], 3, (_, local) => 0x7fefffff - local)).toEqual([0, 2, 3, 1, 4, 5]);
  });

  describe('on docs-web', () => {
    let graph: WebGraph;
    let ranks: Float64Array;
    beforeAll(async () => {
      graph = await openGraph('docs-web');
      ranks = plainPageRank(graph);
    });
    test.each(policies.flatMap((policy) => [1, 16].map((r) => ({ policy, r }))))('$policy, R_x = $r', async ({ policy, r }) => {
      const seedPages = [...graph.seeds!];
      const order = await productOrder(graph, { policy, superstepLimit: r, seed: 7 }, ranks);
      const model = modelOrder(graph, seedPages, r, fixedKey(policy, ranks, 7));
      const differs = model.findIndex((page, i) => page !== order[i]);
      expect({ differs, pages: order.length }).toEqual({ differs: -1, pages: model.length });
    });
  });

  test('opic where coins are worn down to the last, on chains that lose most of theirs to dangling pages', async () => {
    const chains = fc.array(fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 17, maxLength: 34 }), { minLength: 2, maxLength: 4, size: 'max' });
    await assertCrawls('orders.test.ts', chains, 100, async (losses) => {
      const arcs: [number, number][] = [];
      let pages = 1;
      for (const chain of losses) {
        let at = 0;
        for (const loss of chain) {
          const first = pages;
          for (let i = 0; i <= loss; i++) arcs.push([at, pages++]);
          at = first;
        }
      }
      const sources = Uint32Array.from(arcs, ([source]) => source);
      const graph = buildGraph({ name: 'chains', pages, sources, targets: Uint32Array.from(arcs, ([, target]) => target) });
      const ranks = new Float64Array(pages).fill(1 / pages);
      const order = await productOrder(graph, { policy: 'opic', superstepLimit: 1, seedPages: [0] }, ranks);
      expect(order).toEqual(modelOrder(graph, [0], 1));
    });
  });

  test.each(policies)('%s on random graphs', async (policy) => {
    const cases = fc.record({
      at: crawlCases({ pages: [2, 60], hosts: [1, 10], seedPages: [1, 8] }),
      r: fc.constantFrom(1, 2, 3, 16),
      seed: fc.nat(),
      latencyMs: fc.constantFrom(0, 150),
      kind: fc.constantFrom('quickheap', 'cbt', 'binary-heap'),
    });
    await assertCrawls('orders.test.ts', cases, 100, async ({ at: { graph, seedPages }, r, seed, latencyMs, kind }) => {
      const ranks = plainPageRank(graph);
      const order = await productOrder(graph, { policy, superstepLimit: r, seed, seedPages, queue: { kind }, network: { latencyMs } }, ranks);
      expect(order).toEqual(modelOrder(graph, seedPages, r, fixedKey(policy, ranks, seed)));
    });
  });
});
