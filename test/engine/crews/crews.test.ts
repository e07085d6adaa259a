import { expect, test } from 'vitest';
import { assembleCrew, jointParts } from '../../../src/core/engine/assembly.ts';
import { LocalCrew } from '../../../src/core/engine/crews/crew.ts';
import { type ExperimentInput } from '../../../src/core/settings/index.ts';
import { policyNames } from '../../../src/core/policy/index.ts';
import { partitionHosts, settle, settleSeeds, trueRanks } from '../../../src/core/engine/index.ts';
import { crawl } from '../../../src/core/engine/loop.ts';
import { parseExperiment } from '../../../src/core/policy/index.ts';
import { buildGraph, hostsFromNames, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { Sinks } from '../../../src/core/events/index.ts';
import { MemoryRecord, TotalOrder, type RunEvents } from '../../../src/core/measure/index.ts';
import { DrawStream } from '../../../src/base/index.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: a crawl does not depend on how its processors are split into crews, which share nothing between barriers: to
// the last byte of the record it is the crawl of one crew. The loop and `Crew` are the seam at which other machines
// will join.

const draws = new DrawStream(20081030, 'crews test');
const [pages, hosts, processors] = [120, 17, 5];
const graph: WebGraph = buildGraph({
  name: 'web of 120', pages,
  sources: Uint32Array.from({ length: 4 * pages }, (_, arc) => draws.uint32(arc, 0) % pages),
  targets: Uint32Array.from({ length: 4 * pages }, (_, arc) => draws.uint32(arc, 1) % pages),
  hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `h${draws.uint32(page, 2) % hosts}.example.org`)),
});
const scores = Float64Array.from({ length: pages }, (_, page) => draws.uint32(page, 3) % 9);
const ranks = trueRanks(graph);

/** A crawl whose processors are in these crews: all in this thread, each with a page index and outcomes of its own. */
async function crawlBy(
  crewIds: readonly number[][], input: ExperimentInput,
): Promise<{ ended: string; events: RunEvents }> {
  const experiment = parseExperiment({ processors, robots: 2, superstepMs: 3000, politenessMs: 500, ...input });
  const { seedPages, reachable } = settleSeeds(graph, { ...experiment, seedPages: [0, 1, 2] });
  const settled = settle(experiment, 6, seedPages);
  const owners = partitionHosts(graph, settled, reachable);
  const record = new MemoryRecord();
  const order = new TotalOrder([record]);
  const sinks = new Sinks([order]);
  const assemblies = crewIds.map((ids) => assembleCrew(graph, settled, owners, ids, { ranks, scores, sinks }));
  const joint = jointParts(settled);
  order.started({ mayRollBack: joint.recovery !== undefined });
  try {
    const ended = await crawl({ ...joint, sinks, crews: assemblies.map((assembly) => new LocalCrew(assembly)) });
    await order.ended(ended);
    return { ended, events: record.events() };
  } finally {
    for (const assembly of assemblies) assembly.dispose();
  }
}

/** The short sweep takes them in turn. */
const splits = [[[0, 2, 4], [1, 3]], [[3], [0, 1], [2, 4]], [[4], [3], [2], [1], [0]]];

let turn = 0;

async function sameInCrews(input: ExperimentInput): Promise<RunEvents> {
  const whole = await crawlBy([[0, 1, 2, 3, 4]], input);
  const tried = isFullSweep ? splits : [splits[turn++ % splits.length]];
  for (const split of tried) expect(await crawlBy(split, input), JSON.stringify(split)).toEqual(whole);
  return whole.events;
}

test.each(policyNames)('%s, with crashes and a faulty network', async (policy) => {
  const policyOptions = {
    rankEveryPages: 10, hostUrls: 2, resetHosts: 2, weights: { opic: 0.7, 'larger-sites-first': 0.3 },
  };
  const network = {
    serverErrorShare: 0.2, retryAfterShare: 0.5, slowShare: 0.1, notFoundShare: 0.05, timeoutShare: 0.1,
    crashSeconds: 40, restartSeconds: 2,
  };
  const { crashes, order } = await sameInCrews({
    policy, policyOptions, network, checkpointSupersteps: 2, retries: 2, maxSeconds: 200,
  });
  expect(crashes.length).toBeGreaterThan(0);
  expect(order.length).toBeGreaterThan(20);
});

test.each(['bulk', 'batch', 'page'] as const)('exchange by %s, at a price, with limits', async (exchange) => {
  const price = { barrierUs: 100_000, pairUs: 10, messageUs: 1000 };
  const { order } = await sameInCrews({ ...price, exchange, exchangeBatch: 3, partition: 'jump', maxPages: 61 });
  expect(order.length).toBe(61);
});
