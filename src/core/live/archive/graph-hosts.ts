import { LargeMap } from '../../../base/index.ts';
import type { CrawlStore } from '../store/crawl-store.ts';
import { partsOfUrl } from '../urls/url-table.ts';

/** What the graph of a crawl is made of. */
export type GraphSource = Pick<
  CrawlStore,
  'pageCount' | 'elsewhereCount' | 'pages' | 'pagesElsewhere' | 'visits' | 'beyond' | 'hostElsewhere' | 'noteHosts'
>;

/** Hosts of other machines that are numbered in one commit, and whose numbers are in memory. */
const HOSTS_AT_ONCE = 1 << 12;
const MAX_RECENT = 1 << 13;

/**
 * The hosts of a crawl's graph, numbered in the order of its pages: those of pages here in memory, those of other
 * machines in the store, where they have the same numbers whenever they are numbered.
 *
 * Memory  a fixed number of hosts of other machines, besides those here.
 * Cost    a read of the store for each page whose host was not met recently.
 */
export class GraphHosts {
  readonly #store: GraphSource;
  readonly #here = new LargeMap<string, number>();
  /** Numbers among the hosts of other machines. */
  readonly #recent = new Map<string, number>();
  #elsewhereCount = 0;

  private constructor(store: GraphSource) {
    this.#store = store;
    for (const { url } of store.pages()) {
      const { host } = partsOfUrl(url);
      if (!this.#here.has(host)) this.#here.set(host, this.#here.size);
    }
  }

  /** Errors   those of the store. */
  static async number(store: GraphSource): Promise<GraphHosts> {
    const hosts = new GraphHosts(store);
    await hosts.#numberElsewhere();
    return hosts;
  }

  get count(): number {
    return this.#here.size + this.#elsewhereCount;
  }

  /** The number of the host of a page of the graph. */
  numberOf(url: string): number {
    const { host } = partsOfUrl(url);
    return this.#here.get(host) ?? this.#here.size + this.#elsewhere(host)!;
  }

  /** Their names, by number. */
  *names(): Iterable<string> {
    yield* this.#here.keys();
    let next = 0;
    for (const host of this.#hostsElsewhere()) {
      if (this.#elsewhere(host) !== next) continue;
      yield host;
      next++;
    }
  }

  async #numberElsewhere(): Promise<void> {
    let added = new Map<string, number>();
    for (const host of this.#hostsElsewhere()) {
      const known = added.get(host) ?? this.#elsewhere(host);
      if (known === undefined) added.set(host, this.#elsewhereCount);
      if (known === undefined || known === this.#elsewhereCount) this.#elsewhereCount++;
      if (added.size < HOSTS_AT_ONCE) continue;
      await this.#store.noteHosts(added);
      added = new Map();
    }
    await this.#store.noteHosts(added);
  }

  /** Of each page of another machine, unless its host is here. */
  *#hostsElsewhere(): Iterable<string> {
    for (const { url } of this.#store.pagesElsewhere()) {
      const { host } = partsOfUrl(url);
      if (!this.#here.has(host)) yield host;
    }
  }

  #elsewhere(host: string): number | undefined {
    const recent = this.#recent.get(host);
    if (recent !== undefined) return recent;
    const number = this.#store.hostElsewhere(host);
    if (number === undefined) return undefined;
    if (this.#recent.size >= MAX_RECENT) this.#recent.clear();
    this.#recent.set(host, number);
    return number;
  }
}
