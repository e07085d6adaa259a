import { join } from 'node:path';
import { InputError } from '../../../base/index.ts';
import { graphPages, UrlTable } from '../../../core/live/index.ts';
import type { NodeFolder } from './node-folder.ts';

/** The pages of all nodes, each once, numbered by their URLs. */
export interface MergedPages {
  readonly count: number;
  /** The id among all pages, by node and id in its graph. */
  readonly idOf: readonly Uint32Array[];
  url(page: number): string;
  /** The processor that fetches a page's host, and the node that has this processor. */
  processorOf(page: number): number;
  nodeOf(page: number): number;
  /** The id of a URL in canonical form; -1 if no node knows it. */
  find(url: string): number;
}

/**
 * Numbers the pages: hosts in the order of their names, and on a host by path and query, http before https. Crawls that
 * found the same pages thus have the same numbers, on however many machines, and in whatever order they found them.
 *
 * @param processorOfHost the processor that fetches a host: node n of N has the processors p with p mod N = n.
 * Errors   InputError if a store is damaged.
 * Memory   some 40 bytes and the path per page, and 4 bytes for each page that a node knows.
 */
export function mergedPages(nodes: readonly NodeFolder[], processorOfHost: (name: string) => number): MergedPages {
  const urls = new UrlTable();
  const idOf = nodes.map(({ store }) => {
    const ids = new Uint32Array(store.pageCount + store.elsewhereCount);
    let page = 0;
    for (const { url } of graphPages(store)) ids[page++] = urls.add(url, 0, 0);
    return ids;
  });
  const order = inOrder(urls);
  const place = new Uint32Array(urls.count);
  order.forEach((page, i) => (place[page] = i));
  for (const ids of idOf) ids.forEach((page, i) => (ids[i] = place[page]));
  const processors = Uint16Array.from({ length: urls.hostCount }, (_, host) => processorOfHost(urls.hostName(host)));
  const processorOf = (page: number): number => processors[urls.hostOf(order[page])];
  return {
    count: urls.count, idOf,
    url: (page) => urls.urlOf(order[page]),
    processorOf,
    nodeOf: (page) => processorOf(page) % nodes.length,
    find: (url) => {
      const page = urls.find(url);
      return page < 0 ? -1 : place[page];
    },
  };
}

/** Pages of the table by host, path and scheme. */
function inOrder(urls: UrlTable): Uint32Array {
  const byHost: number[][] = Array.from({ length: urls.hostCount }, () => []);
  for (let page = 0; page < urls.count; page++) byHost[urls.hostOf(page)].push(page);
  const names = byHost.map((_, host) => ({ host, name: urls.hostName(host) })).sort(byText(({ name }) => name));
  const order = new Uint32Array(urls.count);
  let at = 0;
  for (const { host } of names) {
    const pages = byHost[host].map((page) => ({ page, text: sortedBy(urls.urlOf(page)) }));
    for (const { page } of pages.sort(byText(({ text }) => text))) order[at++] = page;
  }
  return order;
}

/** Path and query, then the scheme: URLs have no blanks. */
function sortedBy(url: string): string {
  const { protocol, pathname, search } = new URL(url);
  return `${pathname}${search} ${protocol}`;
}

function byText<T>(of: (value: T) => string): (a: T, b: T) => number {
  return (a, b) => (of(a) < of(b) ? -1 : 1);
}

/**
 * Checks that each page was visited by the node that fetches its host, and by no other.
 * @throws InputError naming folder and page.
 */
export function checkVisits(nodes: readonly NodeFolder[], pages: MergedPages): void {
  for (const { path, node, store } of nodes) {
    for (const visit of store.visits()) {
      const page = pages.idOf[node][visit.page];
      const owner = pages.nodeOf(page);
      if (owner === node) continue;
      throw new InputError(
        `${join(path, 'store')}: has fetched ${pages.url(page)}, whose host belongs to node ${owner}: the folders ` +
          'belong to several crawls',
      );
    }
  }
}
