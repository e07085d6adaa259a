import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { openGraph } from '../../../../src/graphs/catalogue/index.ts';
import { simulate, trueRanks } from '../../../../src/core/engine/index.ts';
import { defaultSeeds, prepare, type WebGraph } from '../../../../src/graphs/graph/index.ts';
import { compareOrders, type OrderAgreement } from '../../../../src/core/measure/index.ts';
import type { Experiment, ExperimentInput } from '../../../../src/core/settings/index.ts';
import type { GraphSite} from '../../../../src/views/service/index.ts';
import { WebServer, type LoggedRequest } from '../../../../src/views/service/index.ts';
import {
  connectFrontier, FrontierServer, type URLFrontierClient,
} from '../../../../src/views/service/frontier/index.ts';
import { graphWeb } from '../../../crawl/loopback.ts';
import { all, discovered, each } from '../at.ts';

/** Nothing of time, and each page is known with its links before the next one is chosen. */
const oneByOne = {
  processors: 1, robots: 1, superstepLimit: 1, pending: 1, superstepMs: 0, politenessMs: 0, backoffMs: 0,
  network: {
    robotsTxtShare: 0, latencyMs: 0, latencySigma: 0, bandwidthBytesPerSecond: 0, processorBandwidthBytesPerSecond: 0,
  },
} as const;

/** What the web was asked for. */
class RequestLog {
  readonly #requests: LoggedRequest[] = [];
  #wake: () => void = () => undefined;

  add(request: LoggedRequest): void {
    this.#requests.push(request);
    this.#wake();
  }

  /** Requests for pages, in the order of their ends. */
  get pages(): LoggedRequest[] {
    return this.#requests.filter(({ path }) => path !== '/robots.txt');
  }

  /** Resolves with the next request. */
  next(): Promise<void> {
    return new Promise((resolve) => { this.#wake = resolve; });
  }
}

export interface FetchedWebOptions {
  /** `opic` by default. */
  readonly policy?: Experiment['policy'];
  /** docs-web by default. */
  readonly graph?: WebGraph;
  /** By default nothing takes time, and nothing fails. */
  readonly network?: ExperimentInput['network'];
  /** The frontier's clock. */
  readonly now?: () => number;
  /** Whether the seed pages are in the frontier; true by default. */
  readonly isSeeded?: boolean;
}

/**
 * A graph on loopback, and a frontier without a delay: what a fetcher makes of them, held against the order that a
 * simulation plans.
 */
export class FetchedWeb {
  readonly site: GraphSite;
  readonly #graph: WebGraph;
  readonly #web: WebServer;
  readonly #frontier: FrontierServer;
  readonly #connection: ReturnType<typeof connectFrontier>;
  readonly #policy: Experiment['policy'];
  readonly #log: RequestLog;

  static async open(folder: string, options: FetchedWebOptions = {}): Promise<FetchedWeb> {
    const { policy = 'opic', graph = await openGraph('docs-web'), network, now, isSeeded = true } = options;
    const site = graphWeb(graph, network);
    const log = new RequestLog();
    const web = await WebServer.listen(site, { onRequest: (request) => { log.add(request); } });
    const frontier = await FrontierServer.listen({ store: mkdtempSync(join(folder, 'frontier-')), policy, now });
    const fetched = new FetchedWeb(graph, site, { web, frontier, policy, log });
    await fetched.calls.setDelay({ delayRequestable: 0 });
    if (isSeeded) await fetched.#seed();
    return fetched;
  }

  private constructor(graph: WebGraph, site: GraphSite, { web, frontier, policy, log }: {
    readonly web: WebServer; readonly frontier: FrontierServer; readonly policy: Experiment['policy'];
    readonly log: RequestLog;
  }) {
    this.#graph = graph;
    this.site = site;
    this.#web = web;
    this.#frontier = frontier;
    this.#connection = connectFrontier({ address: this.address });
    this.#policy = policy;
    this.#log = log;
  }

  /** Of the frontier. */
  get address(): string {
    return `127.0.0.1:${this.#frontier.port}`;
  }

  /** Of the web, which answers as a proxy for every host. */
  get port(): number {
    return this.#web.port;
  }

  get calls(): URLFrontierClient {
    return this.#connection.calls;
  }

  /** URLs of the seed pages. */
  get seeds(): string[] {
    return Array.from(defaultSeeds(this.#graph).seeds, (page) => this.site.urls.urlOf(page));
  }

  /** Known items that came with their links. */
  get linked(): number {
    return Number(/^orbweaver_frontier_linked_total (\d+)$/m.exec(this.#frontier.metrics())![1]);
  }

  /** Links of the page of a URL, as URLs. */
  linksOf(url: string): string[] {
    const { hostname, pathname, search } = new URL(url);
    const page = this.#pageAt(hostname, pathname + search)!;
    const { outOffsets, outTargets } = this.#graph;
    return Array.from(outTargets.subarray(outOffsets[page], outOffsets[page + 1]), (to) => this.site.urls.urlOf(to));
  }

  /** URLs of the pages that the seed pages reach. */
  get reachable(): string[] {
    const seeds = new Set(this.seeds);
    for (const url of seeds) for (const link of this.linksOf(url)) seeds.add(link);
    return [...seeds];
  }

  /** Pages in the order in which their requests came, the first `count`; a page that was asked for again, once. */
  realised(count: number): Uint32Array {
    const asked = this.#log.pages.sort((a, b) => a.startedAtUs - b.startedAtUs)
      .map(({ host, path }) => this.#pageAt(host, path)!);
    return Uint32Array.from([...new Set(asked)].slice(0, count));
  }

  /** How often each URL was answered with a page. */
  get answered(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { host, path, status } of this.#log.pages) {
      if (status !== 200) continue;
      const url = this.site.urls.urlOf(this.#pageAt(host, path)!);
      counts.set(url, 1 + (counts.get(url) ?? 0));
    }
    return counts;
  }

  /** Requests for pages, those that were repeated included. */
  get requests(): number {
    return this.#log.pages.length;
  }

  /**
   * The order that a simulation takes which knows each page's links before it chooses the next one, of `count` pages.
   * Where scores are equal, the order of discovery decides: links are taken in the order in which the fetcher has put
   * them, which need not be that of the page.
   */
  async planned(count: number): Promise<Uint32Array> {
    const places = new Map<string, number>();
    for (const { item } of await all(this.calls.listURLs({ size: 2 ** 31 })))
      if (item?.$case === 'known') places.set(item.known.info!.url, places.size);
    const placeOf = (page: number): number => places.get(this.site.urls.urlOf(page)) ?? Infinity;
    const { outOffsets, pages } = this.#graph;
    const outTargets = this.#graph.outTargets.slice();
    for (let page = 0; page < pages; page++) {
      const links = outTargets.subarray(outOffsets[page], outOffsets[page + 1]);
      const ordered = Array.from(links, (to) => [placeOf(to), to]).sort(([a], [b]) => (a === b ? 0 : a - b));
      links.set(ordered.map(([, to]) => to));
    }
    const { seeds } = defaultSeeds(this.#graph);
    const { events } = await simulate(
      prepare({ ...this.#graph, outTargets, seeds: Uint32Array.from(seeds) }),
      { ...oneByOne, policy: this.#policy, maxPages: count },
    );
    return events.order;
  }

  /** How far the first `count` pages agree with the plan, as figures and in words. */
  async compare(count: number): Promise<OrderAgreement & { readonly words: string }> {
    const [planned, realised] = [await this.planned(count), this.realised(count)];
    const agreement = compareOrders(planned, realised);
    const { samePrefix, common, tauB, meanDisplacement, uniformDisplacement } = agreement;
    const ranks = trueRanks(prepare(this.#graph));
    const sum = (pages: Uint32Array): number => pages.reduce((total, page) => total + ranks[page], 0);
    const words = `${count} pages, the first ${samePrefix} in the planned order, ${common} of them planned; ` +
      `tau-b ${tauB?.toFixed(3)}, off by ${meanDisplacement?.toFixed(1)} places on average ` +
      `(at random: ${uniformDisplacement?.toFixed(1)}); ` +
      `${(100 * sum(realised) / sum(planned)).toFixed(1)} % of the PageRank of the planned pages`;
    return { ...agreement, words };
  }

  /** Waits until so many requests for pages have been answered. @throws Error if the fetcher ends before. */
  async fetched(count: number, fetcher: ChildProcess): Promise<void> {
    let said = '';
    const ended = new Promise<never>((_, reject) => {
      for (const stream of [fetcher.stdout, fetcher.stderr])
        stream?.on('data', (data: Buffer) => { said = (said + data.toString()).slice(-20_000); });
      fetcher.once('close', (code, signal) => {
        reject(new Error(`the fetcher ended (${code ?? signal}) after ${this.requests} of ${count} pages:\n${said}`));
      });
    });
    ended.catch(() => undefined);
    while (this.requests < count) await Promise.race([ended, this.#log.next()]);
  }

  async close(): Promise<void> {
    this.#connection.close();
    await this.#frontier.close();
    await this.#web.close();
  }

  async #seed(): Promise<void> {
    const seeds = this.seeds.map((url) => discovered({ url }));
    for (const { ID, status } of await all(this.calls.putURLs(each(seeds))))
      if (status !== 0) throw new Error(`${ID} was not taken`);
  }

  #pageAt(host: string, path: string): number | undefined {
    const id = this.site.urls.hostOf(host);
    return id === undefined ? undefined : this.site.urls.pageAt(id, path);
  }
}
