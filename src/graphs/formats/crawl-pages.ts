import { asSharedUint32, hostsFromNames, sharedUint32, StringTable, type GraphParts } from '../graph/index.ts';
import { LargeMap } from '../../base/index.ts';
import { ArcList } from './arc-list.ts';

const LARGEST_UINT32 = 2 ** 32 - 1;

/**
 * The pages of a crawl, by URL. A page is a host (with its port, if that is not the scheme's default) and a path with
 * its query: fragment, user name and scheme are dropped, so http and https of one place are one page.
 *
 * Memory  the links, and about 200 bytes per page.
 */
export class CrawlPages {
  // Two levels, because a Map holds at most 2^24 entries.
  readonly #hosts = new LargeMap<string, { readonly name: string; readonly idOf: LargeMap<string, number> }>();
  readonly #host: string[] = [];
  readonly #path: string[] = [];
  /** Pages captured, in the order of their records, and the bytes of each. */
  readonly #captured: number[] = [];
  readonly #seeds = new LargeMap<number, true>();
  readonly #bytes = new LargeMap<number, number>();
  readonly #arcs = new ArcList();

  get captured(): number {
    return this.#captured.length;
  }

  get mentioned(): number {
    return this.#path.length;
  }

  idOf(url: URL): number {
    let host = this.#hosts.get(url.host);
    if (!host) this.#hosts.set(url.host, (host = { name: url.host, idOf: new LargeMap<string, number>() }));
    const path = url.pathname + url.search;
    let id = host.idOf.get(path);
    if (id === undefined) {
      host.idOf.set(path, (id = this.#path.length));
      this.#host.push(host.name); // One string per host, not one per URL.
      this.#path.push(path);
    }
    return id;
  }

  isCaptured(id: number): boolean {
    return this.#bytes.has(id);
  }

  /** Call once per page. */
  capture(id: number, bytes: number): void {
    this.#captured.push(id);
    this.#bytes.set(id, Math.min(bytes, LARGEST_UINT32));
  }

  /** Makes a page one of those where the crawl began, in their order. */
  seed(id: number): void {
    this.#seeds.set(id, true);
  }

  link(source: number, target: number): void {
    this.#arcs.add(source, target);
  }

  /**
   * The graph's parts: first the captured pages, in the order of their records, then those that are only linked to, in
   * the order in which links mention them, with 0 bytes and no links; without these, and the links to them, if
   * `capturedOnly`.
   */
  parts(
    capturedOnly: boolean,
  ): Required<Pick<GraphParts, 'pages' | 'sources' | 'targets' | 'hosts' | 'paths' | 'bytes'>> & {
    readonly seeds?: Uint32Array;
  } {
    const order = [...this.#captured];
    if (!capturedOnly) for (let id = 0; id < this.#path.length; id++) if (!this.#bytes.has(id)) order.push(id);
    const pages = order.length;
    const pageOf = new Uint32Array(this.#path.length).fill(LARGEST_UINT32);
    const bytes = sharedUint32(pages);
    for (let page = 0; page < pages; page++) {
      pageOf[order[page]] = page;
      bytes[page] = this.#bytes.get(order[page]) ?? 0;
    }
    const { sources, targets } = this.#arcs;
    let links = 0;
    for (let i = 0; i < sources.length; i++) {
      const target = pageOf[targets[i]];
      if (target === LARGEST_UINT32) continue;
      sources[links] = pageOf[sources[i]];
      targets[links++] = target;
    }
    const seeds = [...this.#seeds.keys()].map((id) => pageOf[id]).filter((page) => page !== LARGEST_UINT32);
    return {
      pages,
      ...(seeds.length > 0 && { seeds: asSharedUint32(Uint32Array.from(seeds)) }),
      sources: sources.subarray(0, links),
      targets: targets.subarray(0, links),
      hosts: hostsFromNames(order.map((id) => this.#host[id])),
      paths: StringTable.from(order.map((id) => this.#path[id])),
      bytes,
    };
  }
}
