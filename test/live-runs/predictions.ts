import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { crawlLive } from '../../src/machines/crawl/index.ts';
import { fitNetwork, simulate, type FittedNetwork } from '../../src/core/engine/index.ts';
import {
  breadthFirstOrder, defaultSeeds, kronecker, prepare, reach, subgraph, type WebGraph,
} from '../../src/graphs/graph/index.ts';
import type { LiveInput } from '../../src/core/live/index.ts';
import { compareOrders } from '../../src/core/measure/index.ts';
import type { ExperimentInput, LiveCrawlInput } from '../../src/core/settings/index.ts';
import { builtOf, graphWeb, loopback, syntheticWeb, urlsOf } from '../crawl/loopback.ts';

type NetworkInput = NonNullable<ExperimentInput['network']>;

/** A web of loopback whose crawl is predicted. */
export interface PredictionCase {
  readonly graph: 'docs-web' | 'copying' | 'kronecker';
  readonly network: 'calm' | 'faults' | 'shared addresses';
}

/** Latencies well above what a server and a crawler on one machine take themselves. */
const calm: NetworkInput = {
  latencyMs: 100, latencySigma: 0.5, latencyJitterSigma: 0.1, bandwidthBytesPerSecond: 1e6, bandwidthSigma: 0.5,
  pageBytes: 15_000, pageBytesSigma: 0.8,
};

const networks: Readonly<Record<PredictionCase['network'], NetworkInput>> = {
  calm, 'shared addresses': calm,
  faults: {
    ...calm, notFoundShare: 0.05, serverErrorShare: 0.02, retryAfterShare: 0.2, retryAfterSeconds: 1,
    refusedShare: 0.01, timeoutShare: 0.005, robotsTxtShare: 0.5, deniedShare: 0.04,
    crawlDelayShare: 0.1, crawlDelaySeconds: 0.2,
  },
};

export const predictionCases: readonly PredictionCase[] = (['docs-web', 'copying', 'kronecker'] as const)
  .flatMap((graph) => (['calm', 'faults', 'shared addresses'] as const).map((network) => ({ graph, network })));

/** Where hosts share addresses: so many hosts have one, and it has the delay of a host. */
const hostsPerAddress = 6;

/** What is allowed to differ. */
export function limitsOf({ network }: PredictionCase): { time: number; common: number; tauB: number } {
  // Which of the hosts at an address has its turn first is chance.
  return { time: 0.1, common: 0.9, tauB: { calm: 0.95, faults: 0.85, 'shared addresses': 0.7 }[network] };
}

export interface Prediction {
  /** Of the crawl that was predicted. */
  readonly pages: number;
  readonly seconds: number;
  readonly predictedSeconds: number;
  /** Share of the pages of the larger that both fetched. */
  readonly common: number;
  readonly tauB: number;
  readonly fit: FittedNetwork['fit'];
  /** Of the crawl that was fitted to. */
  readonly fittedSeconds: number;
}

/**
 * Crawls a web to its end, by OPIC; then crawls it anew, breadth first with twice the robots and up to 60 % of its
 * pages; and predicts this second crawl from the first one alone. Where hosts share addresses, both crawls leave these
 * alone for a while after each request.
 *
 * @param haste factor by which latency and delays are shorter.
 */
export async function predict(
  { graph: name, network: kind }: PredictionCase, pages: number, haste = 1,
): Promise<Prediction> {
  const graph = await webOf(name, pages);
  const network = { ...networks[kind], latencyMs: Number(calm.latencyMs) / haste };
  const settings: LiveCrawlInput = {
    processors: 2, robots: 1, politenessMs: 100 / haste, backoffMs: 200 / haste, policy: 'opic',
  };
  const addressDelayMs = kind === 'shared addresses' ? 100 / haste : 0;
  const first = await crawlOf(graph, network, settings, addressDelayMs);
  try {
    const { run: { summary } } = first.result;
    const other: LiveCrawlInput = {
      ...settings, policy: 'breadth-first', robots: 2, maxPages: Math.ceil(0.6 * summary.pagesFetched),
    };
    const second = await crawlOf(graph, network, other, addressDelayMs);
    try {
      const fitted = await fitNetwork(first.folder);
      const stored = prepare(first.result.graph);
      const predicted = await simulate(stored, {
        ...other, network: { ...fitted.network, addressDelayMs },
      }, { fit: fitted.fit });
      const ids = new Map<string, number>();
      const [one, two] = [
        { graph: stored.graph, events: predicted.events }, { graph: second.result.graph, events: second.result.events },
      ].map((run) => run.events.order.map((page) => idOf(ids, urlAt(run.graph, page))));
      const { common, tauB } = compareOrders(one, two);
      return {
        pages: two.length, seconds: second.result.run.summary.virtualSeconds,
        predictedSeconds: predicted.run.summary.virtualSeconds, common: common / Math.max(one.length, two.length),
        tauB: tauB ?? 0, fit: fitted.fit, fittedSeconds: summary.virtualSeconds,
      };
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
}

async function crawlOf(
  graph: WebGraph, network: NetworkInput, experiment: LiveCrawlInput, addressDelayMs: number,
) {
  // Anew for each crawl: a site counts the attempts of each page.
  const site = graphWeb(graph, network);
  const web = await loopback(site, addressDelayMs === 0 ? {} : { addressOf: addressesOf(graph) });
  const live: LiveInput = { ...web.live, warc: false, headersTimeoutMs: 1000, addressDelayMs };
  const folder = web.folder();
  try {
    const result = await crawlLive(folder, { experiment, live, seeds: urlsOf(site, defaultSeeds(graph).seeds) });
    return { result, folder, close: () => web.close() };
  } catch (error) {
    await web.close();
    throw error;
  }
}

/** Addresses of loopback by host: neighbours share one. */
function addressesOf({ hosts }: WebGraph): Map<string, string> {
  return new Map(Array.from({ length: hosts.count }, (_, host) =>
    [hosts.names.at(host), `127.0.1.${1 + Math.floor(host / hostsPerAddress)}`]));
}

/** A web of so many pages, all within reach of its seed pages. */
async function webOf(name: PredictionCase['graph'], pages: number): Promise<WebGraph> {
  if (name === 'copying') return syntheticWeb(pages, 1);
  if (name === 'kronecker') return builtOf(kronecker({ scale: Math.ceil(Math.log2(pages)), degree: 8, seed: 1 }));
  const whole = await openGraph('docs-web');
  const { reachable } = reach(whole, defaultSeeds(whole).seeds);
  return subgraph(whole, breadthFirstOrder(whole).filter((page) => reachable[page] === 1).subarray(0, pages).sort());
}

function urlAt({ hosts, paths }: WebGraph, page: number): string {
  return `${hosts.names.at(hosts.ofPage[page])}${paths?.at(page) ?? ''}`;
}

function idOf(ids: Map<string, number>, url: string): number {
  const known = ids.get(url);
  if (known !== undefined) return known;
  ids.set(url, ids.size);
  return ids.size - 1;
}
