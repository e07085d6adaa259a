import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ExperimentInput } from '../../src/core/settings/index.ts';
import { policyNames } from '../../src/core/policy/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import { buildGraph, hostsFromNames, type WebGraph } from '../../src/graphs/graph/index.ts';
import type { PolicyName } from '../../src/core/policy/index.ts';
import { isFullSweep, sampled } from '../sweep.ts';
import { modelOrder, models, modelWeights, type Crawled } from './order-models.ts';
import { assertCrawls, crawlCases, linksOf, plainPageRank } from '../engine/random-crawls.ts';
import { docsWeb } from '../docs-web.ts';

// Goal: with one processor and one robot, no delay, supersteps ended by count alone, reinsert 1 and pending = R_x,
// every policy's order equals a model that shares no code with the product but the draws of policy random, which are
// given.

type Given = Omit<Crawled, 'known' | 'waiting'>;

const usual: Given['options'] = {
  opicRoot: 'keep', opicWindow: 1, rankEveryPages: 1000, hostUrls: 300, resetHosts: 5000, weights: modelWeights,
};

/** Scores with ties, and zeros. */
const scoresOf = ({ pages }: WebGraph): Float64Array =>
  Float64Array.from({ length: pages }, (_, page) => (7 * page) % 5);

function given(graph: WebGraph, seedPages: readonly number[], r: number, more: Partial<Given> = {}): Given {
  const ranks = new Float64Array(graph.pages).fill(1 / graph.pages);
  return { graph, seedPages, r, ranks, scores: scoresOf(graph), seed: 1, options: usual, ...more };
}

async function productOrder(
  policy: PolicyName, { graph, seedPages, r, ranks, scores, seed, options }: Given, more: ExperimentInput = {},
): Promise<number[]> {
  const { events, run } = await simulate(graph, {
    processors: 1, robots: 1, politenessMs: 0, superstepMs: 0, reinsert: 1, pending: r, superstepLimit: r,
    policy, policyOptions: { ...options }, seedPages: [...seedPages], seed, ...more,
  }, { ranks, scores: { file: 'scores', values: scores } });
  expect(run.summary.ended).toBe('frontier dry');
  return [...events.order];
}

async function expectModelOrder(policy: PolicyName, crawl: Given, more?: ExperimentInput): Promise<void> {
  const order = await productOrder(policy, crawl, more);
  const model = modelOrder(models[policy], crawl);
  const differs = model.findIndex((page, i) => page !== order[i]);
  expect({ differs, pages: order.length }).toEqual({ differs: -1, pages: model.length });
}

/** The first pages that a breadth-first search finds, with their hosts and the links between them. */
function partOf(graph: WebGraph, pages: number): { graph: WebGraph; seedPages: number[] } {
  const found = new Set<number>(graph.seeds);
  for (const page of found) for (const target of linksOf(graph, page)) if (found.size < pages) found.add(target);
  const old = [...found].sort((a, b) => a - b);
  const idOf = new Map(old.map((page, id) => [page, id]));
  const arcs = old.flatMap((page, id) =>
    [...linksOf(graph, page)].flatMap((target) => (idOf.has(target) ? [[id, idOf.get(target)!]] : [])),
  );
  const part = buildGraph({
    name: 'part of docs-web', pages: old.length, sources: Uint32Array.from(arcs, ([from]) => from),
    targets: Uint32Array.from(arcs, ([, to]) => to),
    hosts: hostsFromNames(old.map((page) => graph.hosts.names.at(graph.hosts.ofPage[page]))),
  });
  return { graph: part, seedPages: [...graph.seeds!].map((page) => idOf.get(page)!) };
}

describe('the order of one processor with one robot', () => {
  test('the models, by hand: coins that arrive within a block change no key of it, and ties leave by discovery', () => {
    const arcs = [[0, 2], [0, 3], [0, 1], [1, 5], [2, 1], [3, 4], [5, 0]];
    const graph = buildGraph({
      name: 'six', pages: 6, sources: Uint32Array.from(arcs, ([from]) => from),
      targets: Uint32Array.from(arcs, ([, to]) => to), hosts: hostsFromNames(['a', 'b', 'b', 'c', 'c', 'b']),
    });
    const order = (policy: PolicyName, r: number): number[] => modelOrder(models[policy], given(graph, [0], r));
    // 0 gives a third each to 2, 3 and 1, found in this order; 2 gives its third to 1, which now has two and passes
    // them on to 5.
    expect(order('opic', 1)).toEqual([0, 2, 1, 5, 3, 4]);
    expect(order('opic', 3)).toEqual([0, 2, 3, 1, 5, 4]);
    expect(order('breadth-first', 3)).toEqual([0, 2, 3, 1, 4, 5]);
    expect(order('depth-first', 1)).toEqual([0, 1, 5, 3, 4, 2]);
    // 2 makes 1 a page of two links.
    expect(order('backlink-count', 1)).toEqual([0, 2, 1, 3, 5, 4]);
    // After 0, host b has 2 and 1, host c has 3: the larger first, then 3 beside 1, then 5 beside 4.
    expect(order('larger-sites-first', 1)).toEqual([0, 2, 3, 1, 4, 5]);
    // Hosts in the order a, b, c: a turn of each, of one page or of many.
    expect(modelOrder(models.compass, given(graph, [0], 1, { options: { ...usual, hostUrls: 1 } }))).toEqual([
      0, 2, 3, 1, 4, 5,
    ]);
    expect(order('compass', 1)).toEqual([0, 2, 1, 3, 5, 4]);
    expect(order('round-robin', 1)).toEqual([0, 2, 3, 1, 4, 5]);
  });

  describe('on docs-web', () => {
    // All of it takes seconds: in the short sweep every policy takes a part of it.
    const onAll: readonly PolicyName[] = isFullSweep ? ['opic', 'breadth-first', 'random', 'pagerank'] : [];
    let graph: WebGraph;
    let ranks: Float64Array;
    let part: ReturnType<typeof partOf>;
    beforeAll(() => {
      graph = docsWeb;
      if (isFullSweep) ranks = plainPageRank(graph);
      part = partOf(graph, isFullSweep ? 1200 : 600);
    });
    const onAllAndR = onAll.flatMap((policy) => [1, 16].map((r) => ({ policy, r })));
    test.each(onAllAndR)('$policy, R_x = $r', async ({ policy, r }) => {
      await expectModelOrder(policy, given(graph, [...graph.seeds!], r, { ranks, seed: 7 }));
    });

    const variants: [PolicyName, Given['options']][] = [
      ...policyNames
        .filter((policy) => !onAll.includes(policy))
        .map((policy): [PolicyName, Given['options']] => [policy, { ...usual, rankEveryPages: 150 }]),
      ['opic', { ...usual, opicRoot: 'known' }],
      ['opic-cycle', { ...usual, opicRoot: 'known' }],
      ['opic-window', { ...usual, opicWindow: 0.1 }],
      ['compass', { ...usual, hostUrls: 3, resetHosts: 4 }],
    ];
    const variantsAndR = variants.flatMap(([policy, options]) => [1, 16].map((r) => ({ policy, options, r })));
    // The stride gives each second policy; all are below, on random graphs.
    test.each(sampled(variantsAndR, 3))(
      'a part of it, $policy, R_x = $r',
      async ({ policy, options, r }) => {
        await expectModelOrder(policy, given(part.graph, part.seedPages, r, { options, seed: 7 }));
      },
    );
  });

  test('opic where coins are worn down to the last, on chains that lose most of theirs to dangling pages', async () => {
    const chains = fc.array(fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 17, maxLength: 34 }), {
      minLength: 2, maxLength: 4, size: 'max',
    });
    await assertCrawls('orders.test.ts', chains, isFullSweep ? 100 : 40, async (losses) => {
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
      const graph = buildGraph({
        name: 'chains', pages, sources, targets: Uint32Array.from(arcs, ([, target]) => target),
      });
      await expectModelOrder('opic', given(graph, [0], 1));
    });
  });

  test.each(policyNames)('%s on random graphs', async (policy) => {
    const cases = fc.record({
      at: crawlCases({ pages: [2, 60], hosts: [1, 10], seedPages: [1, 8] }),
      r: fc.constantFrom(1, 2, 3, 16),
      seed: fc.nat(),
      latencyMs: fc.constantFrom(0, 150),
      kind: fc.constantFrom('quickheap', 'cbt', 'binary-heap'),
      options: fc.record({
        opicRoot: fc.constantFrom('keep', 'known'),
        opicWindow: fc.constantFrom(0.1, 0.5, 1, 20),
        rankEveryPages: fc.integer({ min: 1, max: 20 }),
        hostUrls: fc.integer({ min: 1, max: 5 }),
        resetHosts: fc.integer({ min: 1, max: 5 }),
        weights: fc.constant(modelWeights),
      }),
    });
    await assertCrawls(
      'orders.test.ts',
      cases,
      60,
      async ({ at: { graph, seedPages }, r, seed, latencyMs, kind, options }) => {
        const opicRoot = policy === 'weighted' ? 'keep' : options.opicRoot;
        const crawl = given(graph, seedPages, r, {
          ranks: plainPageRank(graph), seed, options: { ...options, opicRoot },
        });
        await expectModelOrder(policy, crawl, { queue: { kind }, network: { latencyMs } });
      },
    );
  });
});
