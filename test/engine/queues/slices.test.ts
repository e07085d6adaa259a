import { beforeAll, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { simulate, partitionHosts, settle, settleSeeds } from '../../../src/core/engine/index.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { assemble } from '../../../src/core/engine/assembly.ts';
import { Sinks } from '../../../src/core/events/index.ts';
import { crawl } from '../../../src/core/engine/loop.ts';
import { parseExperiment } from '../../../src/core/policy/index.ts';
import type { WebGraph } from '../../../src/graphs/graph/index.ts';
import { verifyRun } from '../../../src/core/measure/index.ts';
import { createQueue, SlicedQueue } from '../../../src/core/queue/index.ts';
import { assertCrawls, crawlCases } from '../random-crawls.ts';
import { isFullSweep } from '../../sweep.ts';
import { docsWeb, docsWebPrepared } from '../../docs-web.ts';

// Goal: a crawl does not know in how many exact slices its queues are; and with approximate ones it is another crawl,
// and a sound one.

const queueKinds = ['quickheap', 'cbt', 'binary-heap'] as const;

describe('on docs-web', () => {
  let graph: WebGraph;
  let ranks: Float64Array;
  beforeAll(() => {
    graph = docsWeb;
    ranks = new Float64Array(graph.pages).fill(1 / graph.pages);
  });
  const base: ExperimentInput = { processors: 2, maxPages: isFullSweep ? 2000 : 1000, superstepLimit: 64 };
  const run = (queue: ExperimentInput['queue']) => simulate(docsWebPrepared, { ...base, queue }, { ranks });

  test('one replay hash for T = 1, 2, 4, 8 of every kind; the structures are those of T queues', async () => {
    const hashes = new Set<string>();
    const most: Record<string, number> = {};
    for (const kind of queueKinds) {
      for (const slices of [1, 2, 4, 8]) {
        const { replayHash, summary } = (await run({ kind, slices, block: 64 })).run;
        hashes.add(replayHash);
        most[`${kind} ${slices}`] = summary.queueStructureMost;
      }
    }
    expect([...hashes]).toHaveLength(1);
    // 2,000 pages fetched leave some 2^13 known to a processor: T heaps have 13 - lg T levels each. As many blocks of
    // 64/T each as T trees have take T times as many. A QuickHeap of so few entries has a pivot or two, and in many
    // slices none: a run is enough.
    expect(most['quickheap 1']).toBeGreaterThan(0);
    for (const [fewer, more] of [[1, 2], [2, 4], [4, 8]]) {
      for (const kind of ['cbt', 'binary-heap'])
        expect(most[`${kind} ${more}`], `${kind} ${more}`).toBeGreaterThan(1.3 * most[`${kind} ${fewer}`]);
    }
  });

  test.each(queueKinds)('%s: each of the 8 slices of each queue was at work', async (kind) => {
    const experiment = parseExperiment({ ...base, queue: { kind, slices: 8 } });
    const { seedPages, reachable } = settleSeeds(graph, experiment);
    const settled = settle(experiment, 64, seedPages);
    const assembly = assemble(graph, settled, partitionHosts(graph, settled, reachable), {
      ranks, sinks: new Sinks([]), makeQueue: createQueue,
    });
    await crawl(assembly);
    for (const { frontier: { options: { queue } } } of assembly.processors) {
      const slices = queue instanceof SlicedQueue ? queue.slices : [];
      expect(slices).toHaveLength(8);
      for (const { size, comparisons } of slices) {
        expect(Math.min(size, comparisons.insert, comparisons.extract)).toBeGreaterThan(0);
      }
    }
  });

  test('approximate slices: another crawl, the same one again, and its record passes the verifier', async () => {
    const runs = [];
    for (const slicing of ['exact', 'approximate', 'approximate'] as const)
      runs.push(await run({ slices: 8, slicing }));
    const [exact, approximate, again] = runs;
    expect(approximate.run.replayHash).not.toBe(exact.run.replayHash);
    expect(again.run.replayHash).toBe(approximate.run.replayHash);
    verifyRun(graph, approximate.run.experiment, approximate.events, approximate.run.summary.ended);
  });
});

test('on random graphs: any number of slices, few entries', async () => {
  const cases = fc.record({
    at: crawlCases({ pages: [1, 50], hosts: [1, 8], seedPages: [1, 5] }),
    kind: fc.constantFrom(...queueKinds),
    slices: fc.integer({ min: 2, max: 64 }),
    superstepLimit: fc.integer({ min: 1, max: 12 }),
    seed: fc.nat(),
  });
  await assertCrawls(
    'slices.test.ts',
    cases,
    100,
    async ({ at: { graph, seedPages }, kind, slices, superstepLimit, seed }) => {
      const ranks = new Float64Array(graph.pages).fill(1 / graph.pages);
      const run = (queue: ExperimentInput['queue']) =>
        simulate(graph, { processors: 2, seedPages, superstepLimit, seed, queue }, { ranks });
      const [whole, exact, approximate] = [
        await run({ kind }), await run({ kind, slices }), await run({ kind, slices, slicing: 'approximate' }),
      ];
      expect(exact.run.replayHash).toBe(whole.run.replayHash);
      verifyRun(graph, approximate.run.experiment, approximate.events, approximate.run.summary.ended);
      expect(approximate.run.summary.pagesFetched).toBe(whole.run.summary.pagesFetched);
    },
  );
});
