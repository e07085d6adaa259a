import { expect, test } from 'vitest';
import { partitionNames, type ExperimentInput } from '../../src/core/settings/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import { buildGraph, hostsFromNames, type WebGraph } from '../../src/graphs/graph/index.ts';
import { docsWeb, docsWebPrepared } from '../docs-web.ts';

// Goal: where one host has more than n/P pages, no partition of hosts helps, and every run says so.

/** A ring of pages, each linked to one further on as well: `large` of host 0, the rest five to a host. */
function lopsided(pages: number, large: number): WebGraph {
  const names = Array.from(
    { length: pages },
    (_, page) => `h${page < large ? 0 : 1 + Math.floor((page - large) / 5)}.example`,
  );
  const arcs = Array.from({ length: pages }, (_, page) => [
    page, (page + 1) % pages, page, (7 * page + 3) % pages,
  ]).flat();
  return buildGraph({
    name: 'lopsided', pages, hosts: hostsFromNames(names),
    sources: Uint32Array.from(arcs.filter((_, i) => i % 2 === 0)),
    targets: Uint32Array.from(arcs.filter((_, i) => i % 2 === 1)),
  });
}

const quick: ExperimentInput = { policy: 'breadth-first', politenessMs: 0, superstepLimit: 500 };

test.each([0.1, 0.5, 0.9])('a generated graph, %d of whose pages are one host\'s', async (share) => {
  const graph = lopsided(1000, 1000 * share);
  for (const partition of partitionNames) {
    const { run: { summary } } = await simulate(graph, { ...quick, partition, processors: 4 });
    expect(summary.pagesFetched).toBe(1000);
    expect(summary.partition).toMatchObject({ largestHost: 'h0.example', largestHostShare: share });
    expect(summary.partition.efficiencyBound).toBeCloseTo(Math.min(1, 0.25 / share), 12);
    expect(summary.balance.pagesWholeRun, partition).toBeLessThanOrEqual(summary.partition.efficiencyBound + 1e-12);
    // The largest host alone on its processor, the others evenly on the rest: nothing is better.
    if (partition === 'lpt') expect(summary.balance.pagesWholeRun).toBeCloseTo(summary.partition.efficiencyBound, 12);
  }
});

test('docs-web with all pages of core-core-arch among the seed pages, since few of them are linked', async () => {
  const graph = docsWeb;
  const names = Array.from({ length: graph.hosts.count }, (_, host) => graph.hosts.names.at(host));
  const arch = names.indexOf('core-core-arch.rust.example');
  const inside = Array.from(graph.hosts.ofPage.keys()).filter((page) => graph.hosts.ofPage[page] === arch);
  expect(inside).toHaveLength(9242);
  const seedPages = [...new Set([...(graph.seeds ?? []), ...inside])];
  for (const partition of ['host-hash', 'lpt'] as const) {
    const { run: { summary } } = await simulate(docsWebPrepared, { ...quick, partition, seedPages });
    expect(summary.partition.largestHost).toBe('core-core-arch.rust.example');
    expect(summary.partition.largestHostShare).toBe(9242 / summary.reachablePages);
    expect(summary.partition.efficiencyBound).toBeCloseTo(0.4056, 3);
    expect(summary.balance.pagesWholeRun).toBeLessThanOrEqual(summary.partition.efficiencyBound + 1e-12);
    if (partition === 'lpt') expect(summary.balance.pagesWholeRun).toBeCloseTo(summary.partition.efficiencyBound, 12);
  }
});
