import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../src/dataset/index.ts';
import { crawlLive } from '../../src/crawl/index.ts';
import { policyNames, simulate, trueRanks, type ExperimentInput } from '../../src/experiment/index.ts';
import { defaultSeeds, type WebGraph } from '../../src/graph/index.ts';
import type { GraphSite } from '../../src/service/index.ts';
import { graphWeb, loopback, urlsOf, type Loopback } from './loopback.ts';

// Goal: the identical core goes live. Where nothing takes time that matters, a live crawl of a stored graph takes the pages that its simulation
// takes, one by one, under every policy.

const pagesMost = 600;

/** Nothing of time is left in these: one robot, no delay, supersteps by count alone. */
const timeless: ExperimentInput = { robots: 1, politenessMs: 0, superstepMs: 0, superstepLimit: 48, backoffMs: 0, maxPages: pagesMost };
/** Every host is asked for its robots.txt, as live. */
const network: ExperimentInput['network'] = {
  robotsTxtShare: 1, latencyMs: 0, latencySigma: 0, bandwidthBytesPerSecond: 0, processorBandwidthBytesPerSecond: 0,
};

let graph: WebGraph;
let site: GraphSite;
let web: Loopback;
let ranks: Float64Array;
beforeAll(async () => {
  graph = await openGraph('docs-web');
  site = graphWeb(graph);
  web = await loopback(site);
  ranks = trueRanks(graph);
});
afterAll(() => web.close());

/** URLs in the order in which each processor fetched them. */
function byProcessor(order: Uint32Array, processors: Uint32Array, urlOf: (page: number) => string, count: number): string[][] {
  const urls = Array.from({ length: count }, (): string[] => []);
  order.forEach((page, i) => { urls[processors[i]].push(urlOf(page)); });
  return urls;
}

const seedUrls = (): string[] => urlsOf(site, defaultSeeds(graph).seeds);
const scoresByUrl = (): Map<string, number> => new Map(Array.from(ranks, (rank, page) => [site.urls.urlOf(page).replace('http://', ''), rank]));

describe('a live crawl goes in the order of its simulation', () => {
  const cases = policyNames.flatMap((policy) => [1, 2].map((processors) => ({ policy, processors })));
  test.each(cases)('$policy, P = $processors', async ({ policy, processors }) => {
    const experiment: ExperimentInput = {
      ...timeless, policy, processors,
      ...(policy === 'weighted' && { policyOptions: { weights: { opic: 0.7, 'larger-sites-first': 0.3 } } }),
      ...(policy === 'batch-pagerank' && { policyOptions: { rankEveryPages: 100 } }),
    };
    const simulated = await simulate(graph, { ...experiment, network }, { ranks, scores: { file: 'ranks', values: ranks } });
    const live = await crawlLive(web.folder(), { experiment, live: { ...web.live, warc: false }, seeds: seedUrls() }, { scores: scoresByUrl() });
    expect(live.run.summary.pagesFetched).toBe(simulated.run.summary.pagesFetched);
    const urlOf = (page: number): string => `${live.graph.hosts.names.at(live.graph.hosts.ofPage[page])}${live.graph.paths?.at(page) ?? ''}`;
    expect(byProcessor(live.events.order, live.events.processors, urlOf, processors))
      .toEqual(byProcessor(simulated.events.order, simulated.events.processors, (page) => site.urls.urlOf(page).replace('http://', ''), processors));
  });
});
