import { defaultSeeds, type WebGraph } from '../../../graphs/graph/index.ts';
import { Network, RobotsTxt, type NetworkOptions } from '../../../core/simulation/index.ts';
import { LargeMap } from '../../../base/index.ts';
import { HostRobots } from './host-robots.ts';
import { PageHtml } from './page-html.ts';
import { PageUrls } from './page-urls.ts';
import { errorReply, htmlType, type NoReply, type Reply, type Site, type SiteRequest } from './site.ts';

export interface GraphSiteOptions {
  /** Latency, faults and robots.txt; settings of processors and name resolution have no effect here. */
  readonly network: NetworkOptions;
  /** Root of all draws, as in a simulation. */
  readonly seed: number;
  /** They exist and are allowed, as in a simulation. By default the graph's. */
  readonly seedPages?: readonly number[] | undefined;
}

/**
 * A stored graph as a web: each host under its own name, each page at its URL (page-urls.ts), as HTML with its links
 * and words of their paths (page-html.ts). Answers have the delay, speed and faults that the simulated network of the
 * same options and seed gives the same attempt. Denied pages are listed in robots.txt, but are served to anyone who
 * requests them.
 *
 * Memory  12 to 20 bytes per page, some 200 per host, and the failed attempts.
 */
export class GraphSite implements Site {
  readonly name: string;
  readonly urls: PageUrls;
  readonly seedPages: readonly number[];
  /** How the site differs from the graph. */
  readonly notes: readonly string[];
  readonly #html: PageHtml;
  /** The network of the pages; it knows no robots.txt. */
  readonly #pages: Network;
  /** The same network, in which every host has a robots.txt: its answers apply to whatever is not a page. */
  readonly #hosts: Network;
  readonly #robots: HostRobots;
  readonly #options: NetworkOptions;
  /** Failed requests of each page. */
  readonly #attempts = new LargeMap<number, number>();

  constructor(graph: WebGraph, { network, seed, seedPages = [...defaultSeeds(graph).seeds] }: GraphSiteOptions) {
    this.name = graph.name;
    this.#options = network;
    this.seedPages = seedPages;
    this.urls = new PageUrls(graph);
    this.#html = new PageHtml(graph, this.urls, seed);
    this.#pages = new Network(graph, { ...network, robotsTxtShare: 0 }, seed, seedPages);
    this.#hosts = new Network(graph, { ...network, robotsTxtShare: 1 }, seed, seedPages);
    const { robotsTxtShare, crawlDelayShare, crawlDelaySeconds, deniedShare } = network;
    const draws = new RobotsTxt(
      robotsTxtShare, crawlDelayShare, Math.round(1e6 * crawlDelaySeconds), deniedShare, seed,
    );
    this.#robots = new HostRobots(graph, this.urls, draws, network.robotsTxtBytes, seedPages);
    const longer = this.#html.longerThan((page) => this.#pages.bytesOf(page));
    const isOne = longer === 1;
    this.notes = [
      ...this.urls.notes,
      ...(longer === 0
        ? []
        : [
            `${longer} page${isOne ? ' is longer than its size, because its' : 's are longer than their sizes, because their'} links need more bytes`,
          ]),
    ];
  }

  hasHost(host: string): boolean {
    return this.urls.hostOf(host) !== undefined;
  }

  reply(request: SiteRequest): Reply | NoReply {
    const host = this.urls.hostOf(request.host);
    if (host === undefined) return errorReply(404, 'No such host');
    if (request.path === '/robots.txt') return this.#ofHost(host, request, () => this.#robots.reply(host));
    const page = this.urls.pageAt(host, request.path);
    return page === undefined ? this.#ofHost(host, request, () => undefined) : this.#ofPage(page, request);
  }

  #ofPage(page: number, { atUs, opensConnection }: SiteRequest): Reply | NoReply {
    const attempt = this.#attempts.get(page) ?? 0;
    const answer = this.#pages.answer({ page, sequence: 0, attempt }, atUs, ties(opensConnection));
    const { kind, beginsAfterUs, bytesPerUs } = answer;
    const { errorBytes, hangSeconds } = this.#options;
    if (kind === 'fetched')
      return { status: 200, headers: htmlType, ...this.#html.render(page, answer.bytes), beginsAfterUs, bytesPerUs };
    if (kind === 'notFound') return { ...errorReply(404, 'Not Found', errorBytes), beginsAfterUs, bytesPerUs };
    this.#attempts.set(page, attempt + 1);
    if (kind === 'refused') return { resetAfterUs: beginsAfterUs };
    if (kind !== 'serverError') return { resetAfterUs: Math.max(beginsAfterUs, Math.round(1e6 * hangSeconds)) };
    const error = errorReply(503, 'Service Unavailable', errorBytes);
    const headers =
      answer.waitUs === 0 ? error.headers : [...error.headers, 'Retry-After', String(Math.ceil(answer.waitUs / 1e6))];
    return { ...error, headers, beginsAfterUs, bytesPerUs };
  }

  /** The answer to a path without a page: the result of `makeReply`, or 404 if undefined. */
  #ofHost(host: number, { atUs, opensConnection }: SiteRequest, makeReply: () => Reply | undefined): Reply | NoReply {
    const page = this.#robots.firstPageOf(host);
    if (page === undefined) return errorReply(404, 'Not Found', this.#options.errorBytes);
    const answer = this.#hosts.answer({ page, sequence: 0, attempt: 0 }, atUs, ties(opensConnection));
    const { kind, beginsAfterUs, bytesPerUs } = answer;
    if (kind === 'refused') return { resetAfterUs: beginsAfterUs };
    if (kind === 'timeout')
      return { resetAfterUs: Math.max(beginsAfterUs, Math.round(1e6 * this.#options.hangSeconds)) };
    return { ...(makeReply() ?? errorReply(404, 'Not Found', this.#options.errorBytes)), beginsAfterUs, bytesPerUs };
  }
}

/** Names are resolved by the crawler, and a connection counts as open after its first answer. */
function ties(opensConnection: boolean) {
  return { isResolved: true, knowsRobotsTxt: false, connectedUntilUs: opensConnection ? -Infinity : Infinity };
}
