import { expect, test } from 'vitest';
import { simulate } from '../../../src/core/engine/index.ts';
import { buildGraph, hostsFromNames } from '../../../src/graphs/graph/index.ts';
import { isFullSweep } from '../../sweep.ts';
import { hostOwners } from './tune-oracle.ts';

// Goal: with reinsert 1 a queued page may be inserted again at every superstep, for as many supersteps as a crawl has.

// `npm test` has reinsert 1 in the models of orders.test.ts and in the swarm.
// A count of a page's entries in 16 bits would wrap: "the queue returned page 2, which was not put in".
test.runIf(isFullSweep)('a page may be inserted again more than 65,535 times', async () => {
  const feeders = 65_600;
  const candidates = Array.from({ length: 3 * feeders }, (_, i) => `h${i}.example.org`);
  const ownerOf = hostOwners(
    buildGraph({
      name: 'hosts', pages: candidates.length, sources: new Uint32Array(0), targets: new Uint32Array(0),
      hosts: hostsFromNames(candidates),
    }),
    2,
  );
  const slow = candidates.find((_, page) => ownerOf(page) === 0)!;
  const others = candidates.filter((_, page) => ownerOf(page) === 1).slice(0, feeders + 2);
  // Pages 0 and 1 lie on one host of processor 0, whose delay keeps 1 its only pending job. Meanwhile processor 1
  // fetches, one a superstep and each on a host of its own, two pages without links and then the feeders, which all
  // link to page 2.
  const sources = Uint32Array.from({ length: feeders }, (_, i) => 5 + i);
  const graph = buildGraph({
    name: 'feeders', pages: 5 + feeders, sources, targets: new Uint32Array(feeders).fill(2),
    hosts: hostsFromNames([slow, slow, slow, ...others]),
  });
  const { run } = await simulate(graph, {
    processors: 2, robots: 1, pending: 1, superstepLimit: 1, superstepMs: 1, barrierUs: 1, politenessMs: 66_000,
    reinsert: 1, policy: 'opic', seedPages: Array.from({ length: graph.pages }, (_, page) => page),
    network: { latencyMs: 0, bandwidthBytesPerSecond: 0, processorBandwidthBytesPerSecond: 0 },
  }, { ranks: new Float64Array(graph.pages).fill(1 / graph.pages) });
  expect(run.summary.pagesFetched).toBe(graph.pages);
});
