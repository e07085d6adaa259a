import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { crawlLive } from '../../src/machines/crawl/index.ts';
import { simulate, trueRanks } from '../../src/core/engine/index.ts';
import type { Experiment, ExperimentInput, LiveCrawlInput } from '../../src/core/settings/index.ts';
import { defaultSeeds, prepare, type PreparedGraph } from '../../src/graphs/graph/index.ts';
import type { GraphSite } from '../../src/views/service/index.ts';
import { graphWeb, loopback, urlsOf, type Loopback } from '../crawl/loopback.ts';

/** Nothing of time is left in these: one robot, no delay, supersteps by count alone. */
const timeless: LiveCrawlInput = { robots: 1, politenessMs: 0, superstepMs: 0, superstepLimit: 48, backoffMs: 0 };
/** Every host is asked for its robots.txt, as live. */
const network: ExperimentInput['network'] = {
  robotsTxtShare: 1, latencyMs: 0, latencySigma: 0, bandwidthBytesPerSecond: 0, processorBandwidthBytesPerSecond: 0,
};

/** URLs in the order in which each processor fetched them. */
export interface Orders {
  readonly simulated: readonly (readonly string[])[];
  readonly live: readonly (readonly string[])[];
}

/** docs-web on loopback, crawled live and simulated where nothing of time is left. */
export class OrderBench {
  readonly #graph: PreparedGraph;
  readonly #site: GraphSite;
  readonly #web: Loopback;
  readonly #ranks: Float64Array;
  readonly #maxPages: number;

  static async open(maxPages: number): Promise<OrderBench> {
    const graph = prepare(await openGraph('docs-web'));
    const site = graphWeb(graph.graph);
    return new OrderBench(graph, site, await loopback(site), maxPages);
  }

  private constructor(graph: PreparedGraph, site: GraphSite, web: Loopback, maxPages: number) {
    this.#graph = graph;
    this.#site = site;
    this.#web = web;
    this.#ranks = trueRanks(graph);
    this.#maxPages = maxPages;
  }

  close(): Promise<void> {
    return this.#web.close();
  }

  async compare(policy: Experiment['policy'], processors: number): Promise<Orders> {
    const experiment: LiveCrawlInput = {
      ...timeless, policy, processors, maxPages: this.#maxPages,
      ...(policy === 'weighted' && { policyOptions: { weights: { opic: 0.7, 'larger-sites-first': 0.3 } } }),
      ...(policy === 'batch-pagerank' && { policyOptions: { rankEveryPages: 100 } }),
    };
    const ranks = this.#ranks;
    const simulated = await simulate(
      this.#graph, { ...experiment, network }, { ranks, scores: { file: 'ranks', values: ranks } },
    );
    const live = await crawlLive(
      this.#web.folder(),
      {
        experiment, live: { ...this.#web.live, warc: false },
        seeds: urlsOf(this.#site, defaultSeeds(this.#graph.graph).seeds),
      },
      { scores: new Map(Array.from(ranks, (rank, page) => [this.#urlOf(page), rank])) },
    );
    const { hosts, paths } = live.graph;
    const liveUrlOf = (page: number): string => `${hosts.names.at(hosts.ofPage[page])}${paths?.at(page) ?? ''}`;
    return {
      simulated: byProcessor(simulated.events, (page) => this.#urlOf(page), processors),
      live: byProcessor(live.events, liveUrlOf, processors),
    };
  }

  /** Without the scheme. */
  #urlOf(page: number): string {
    return this.#site.urls.urlOf(page).replace('http://', '');
  }
}

function byProcessor(
  { order, processors }: { readonly order: Uint32Array; readonly processors: Uint32Array },
  urlOf: (page: number) => string, count: number,
): string[][] {
  const urls = Array.from({ length: count }, (): string[] => []);
  order.forEach((page, i) => { urls[processors[i]].push(urlOf(page)); });
  return urls;
}
