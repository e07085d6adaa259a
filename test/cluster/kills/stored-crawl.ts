import { join } from 'node:path';
import { hostHash } from '../../../src/core/bsp/index.ts';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import type { LiveExperiment } from '../../../src/machines/crawl/index.ts';
import { openLmdbStore } from '../../../src/core/live/index.ts';
import { readRunEvents, readRunJson } from '../../../src/core/measure/record/read/read-run.ts';
import type { LoggedRequest } from '../../../src/views/service/index.ts';
import { processors } from './crawled-web.ts';

/** Whether a page was answered. */
export function isPage({ status, path }: LoggedRequest): boolean {
  return status === 200 && path !== '/robots.txt';
}

export function urlOf({ host, path }: LoggedRequest): string {
  return `http://${host}${path}`;
}

export function nodeOf(url: string, nodes: number): number {
  return hostHash(new URL(url).host, processors) % nodes;
}

/** URLs of the pages that a folder's store has as fetched; none where there is no store yet. */
export async function fetchedUrls(folder: string): Promise<string[]> {
  const store = await openLmdbStore(join(folder, 'store')).catch(() => undefined);
  if (store === undefined) return [];
  const urls = Array.from(store.pages(), ({ url }) => url);
  const fetched = Array.from(store.visits()).filter(({ kind }) => kind === 'fetched').map(({ page }) => urls[page]);
  await store.close();
  return fetched;
}

/** By processor, URLs in the order in which a folder's record has them; those of other nodes are empty. */
export async function ordersOf(folder: string): Promise<string[][]> {
  const run = await readRunJson<LiveExperiment>(folder);
  const { order } = await readRunEvents(folder, run);
  const graph = await openGraph(join(folder, 'graph.owg'));
  const orders = Array.from({ length: processors }, (): string[] => []);
  for (const page of order) {
    const host = graph.hosts.names.at(graph.hosts.ofPage[page]);
    orders[hostHash(host, processors)].push(`${host}${graph.paths?.at(page) ?? ''}`);
  }
  return orders;
}

/** By processor, URLs in the order in which the folders of all nodes together have them. */
export async function ordersOfAll(folders: readonly string[]): Promise<string[][]> {
  const orders = await Promise.all(folders.map(ordersOf));
  return Array.from({ length: processors }, (_, processor) => orders[processor % folders.length][processor]);
}

/** Of each page that was answered more than once, how often. */
export function repeatedFetches(log: readonly LoggedRequest[]): Map<string, number> {
  const fetches = new Map<string, number>();
  for (const url of log.filter(isPage).map(urlOf)) fetches.set(url, (fetches.get(url) ?? 0) + 1);
  return new Map([...fetches].filter(([, count]) => count > 1));
}
