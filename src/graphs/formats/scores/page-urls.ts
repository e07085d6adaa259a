import type { GraphPages } from '../../graph/index.ts';

/**
 * The URL of a page as spelled in files of scores: host in lower case and path, without the scheme, which graphs do not
 * store. A page that is a whole host has the path `/`. Blanks and control characters, which would end a field, are
 * percent-encoded.
 */
export function pageUrlWithoutScheme({ hosts, paths }: GraphPages, page: number): string {
  return encoded(hosts.names.at(hosts.ofPage[page]).toLowerCase() + (paths?.at(page) ?? '/'));
}

function encoded(url: string): string {
  return url.replace(/[\s\p{Cc}]/gu, encodeURIComponent);
}

/**
 * Pages by URL. Of pages that share a URL, which is possible in tables, the first is found.
 * Cost  O(n) to make, 8 to 16 bytes per page; a look-up compares with one page or two.
 */
export class PagesByUrl {
  readonly #graph: GraphPages;
  /**
   * Open addressing with linear probing: page + 1, or 0 if free. Strings of millions of URLs would exhaust the memory.
   */
  readonly #slots: Uint32Array;

  constructor(graph: GraphPages) {
    this.#graph = graph;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * graph.pages + 1)));
    for (let page = 0; page < graph.pages; page++) {
      let slot = this.#home(pageUrlWithoutScheme(graph, page));
      while (this.#slots[slot] !== 0) slot = this.#after(slot);
      this.#slots[slot] = page + 1;
    }
  }

  /** The page of a URL with or without a scheme, ignoring its fragment; undefined if there is none. */
  pageOf(url: string): number | undefined {
    const match = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]+)([^#]*)/i.exec(url);
    if (match === null) return undefined;
    const path = match[2].startsWith('/') ? match[2] : `/${match[2]}`;
    const sought = encoded(match[1].toLowerCase() + path);
    for (let slot = this.#home(sought); this.#slots[slot] !== 0; slot = this.#after(slot)) {
      const page = this.#slots[slot] - 1;
      if (pageUrlWithoutScheme(this.#graph, page) === sought) return page;
    }
    return undefined;
  }

  /** FNV-1a over the UTF-16 code units, with its high bits folded in, because the low ones mix least. */
  #home(url: string): number {
    let hash = 0x811c9dc5;
    for (let i = 0; i < url.length; i++) hash = Math.imul(hash ^ url.charCodeAt(i), 0x01000193);
    return (hash ^ (hash >>> 15)) & (this.#slots.length - 1);
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }
}
