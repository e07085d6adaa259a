import type { StringTable, WebGraph } from '../../../graphs/graph/index.ts';
import { InputError, LargeMap } from '../../../base/index.ts';

/** A Map holds no more. */
const MAX_HOSTS = 2 ** 24 - 1;
/** What the WHATWG's URL parser leaves unchanged in a path and its query, except empty and dotted segments. */
const PLAIN_PATH = /^\/[\w!$&()*+,./:;=?@~-]*$/;
const DOTTED = /\/\.{1,2}(?:[/?]|$)/;
const ROBOTS_TXT = '/robots.txt';

/**
 * The URLs at which a graph's pages are served: host name and stored path, as spelled by the WHATWG's rules.
 * Exceptions, reported in `notes`:
 *
 *  - a page without a path is `/` if it is alone on its host; otherwise, and on synthetic hosts, `/page-ID`;
 *  - a host whose name no URL can have, or that equals another's after spelling, is `host-ID.example`;
 *  - a page whose URL is an earlier page's, or a robots.txt, is `/page-ID`.
 *
 * Cost  O(n) to make, some 2 microseconds per page; 8 to 16 bytes per page, some 150 per host.
 */
export class PageUrls {
  readonly notes: readonly string[];
  readonly #graph: WebGraph;
  readonly #paths: StringTable | undefined;
  readonly #hostIds = new LargeMap<string, number>();
  readonly #hostNames: string[] = [];
  /** Paths that differ from the graph's: the remaining ones of the graph are ASCII. */
  readonly #otherPaths = new LargeMap<number, string>();
  readonly #pathBytes: Buffer;
  /**
   * Open addressing with linear probing: page + 1, or 0 if free. Strings of millions of URLs would exhaust the memory.
   */
  readonly #slots: Uint32Array;

  constructor(graph: WebGraph) {
    this.#graph = graph;
    this.#paths = graph.hosts.synthetic ? undefined : graph.paths;
    const { buffer, byteOffset, length } = this.#paths?.bytes ?? new Uint8Array(0);
    this.#pathBytes = Buffer.from(buffer, byteOffset, length);
    const renamed = this.#nameHosts();
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * graph.pages + 1)));
    const pages: number[] = [];
    for (let page = 0; page < graph.pages; page++) {
      const path = this.#paths?.at(page) ?? '/';
      const canonical = canonicalPath(path);
      if (canonical !== path) this.#otherPaths.set(page, canonical);
      if (!this.#put(page)) pages.push(page);
    }
    for (const page of pages) {
      let path = `/page-${page}`;
      do this.#otherPaths.set(page, path);
      while (!this.#put(page) && (path += '-'));
    }
    this.notes = [
      ...(renamed === 0
        ? []
        : [
            `${counted(renamed, 'host')} with names that no URL can have, or that another host has: renamed to host-ID.example`,
          ]),
      ...(pages.length === 0 || this.#paths === undefined
        ? []
        : [`${counted(pages.length, 'page')} with the URL of an earlier page or of a robots.txt: moved to /page-ID`]),
    ];
  }

  hostName(host: number): string {
    return this.#hostNames[host];
  }

  hostOf(name: string): number | undefined {
    return this.#hostIds.get(name);
  }

  pathOf(page: number): string {
    const other = this.#otherPaths.size === 0 ? undefined : this.#otherPaths.get(page);
    if (other !== undefined) return other;
    if (this.#paths !== undefined)
      return this.#pathBytes.toString('latin1', this.#paths.offsets[page], this.#paths.offsets[page + 1]);
    return this.#graph.hosts.synthetic ? `/page-${page}` : '/';
  }

  urlOf(page: number): string {
    return `http://${this.hostName(this.#graph.hosts.ofPage[page])}${this.pathOf(page)}`;
  }

  /** The page of a path as sent; spellings that RFC 3986 (section 6.2.2) calls equivalent lead to it too. */
  pageAt(host: number, path: string): number | undefined {
    const key = keyOf(PLAIN_PATH.test(path) ? path : canonicalPath(path));
    for (let slot = this.#home(host, key); this.#slots[slot] !== 0; slot = this.#after(slot)) {
      const page = this.#slots[slot] - 1;
      if (this.#graph.hosts.ofPage[page] === host && keyOf(this.pathOf(page)) === key) return page;
    }
    return undefined;
  }

  /** Returns the number of hosts whose name differs from the graph's. */
  #nameHosts(): number {
    const { names, count } = this.#graph.hosts;
    if (count > MAX_HOSTS)
      throw new InputError(`${this.#graph.name}: has ${count} hosts; at most ${MAX_HOSTS} can be served`);
    const without: number[] = [];
    for (let host = 0; host < count; host++) {
      const canonical = canonicalHost(names.at(host));
      if (canonical === undefined || this.#hostIds.has(canonical)) {
        without.push(host);
        continue;
      }
      this.#hostIds.set(canonical, host);
      this.#hostNames[host] = canonical;
    }
    for (const host of without) {
      let name = `host-${host}.example`;
      while (this.#hostIds.has(name)) name = `x-${name}`;
      this.#hostIds.set(name, host);
      this.#hostNames[host] = name;
    }
    return without.length;
  }

  /** False if its URL is taken. */
  #put(page: number): boolean {
    const host = this.#graph.hosts.ofPage[page];
    const key = keyOf(this.pathOf(page));
    if (key === ROBOTS_TXT || this.pageAt(host, key) !== undefined) return false;
    let slot = this.#home(host, key);
    while (this.#slots[slot] !== 0) slot = this.#after(slot);
    this.#slots[slot] = page + 1;
    return true;
  }

  /** FNV-1a over host and UTF-16 code units, with its high bits folded in, because the low ones mix least. */
  #home(host: number, key: string): number {
    let hash = Math.imul(0x811c9dc5 ^ host, 0x01000193);
    for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
    return (hash ^ (hash >>> 15)) & (this.#slots.length - 1);
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** A host's name, with its port if any, as spelled in URLs; undefined if no URL can contain it. */
export function canonicalHost(name: string): string | undefined {
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9]*$/.test(name) && !name.includes('xn--')) return name;
  if (/[/\\?#@\s\p{Cc}]/u.test(name) || name === '') return undefined;
  try {
    return new URL(`http://${name}/`).host;
  } catch {
    return undefined;
  }
}

/** A path and query as spelled in URLs. `#` is part of it, because requests have no fragments. */
function canonicalPath(path: string): string {
  if (PLAIN_PATH.test(path) && !DOTTED.test(path)) return path;
  const url = new URL(`http://x${path.startsWith('/') ? '' : '/'}${path.replaceAll('#', '%23')}`);
  return url.pathname + url.search;
}

/** Decodes percent-encoded characters that need no encoding, and capitalises the digits of the others. */
function keyOf(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%([0-9a-f]{2})/gi, (code, digits: string) => {
    const character = String.fromCharCode(parseInt(digits, 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}
