import { assert, DrawStream, LargeMap } from '../../base/index.ts';
import { sharedUint32 } from './memory/shared-arrays.ts';
import { StringTable } from './memory/string-table.ts';
import type { Hosts } from './web-graph.ts';

/** Hosts of pages with known URLs, numbered in order of first mention. O(pages). */
export function hostsFromNames(nameOfPage: readonly string[]): Hosts {
  const idOf = new LargeMap<string, number>();
  const ofPage = sharedUint32(nameOfPage.length);
  for (let page = 0; page < nameOfPage.length; page++) {
    let id = idOf.get(nameOfPage[page]);
    if (id === undefined) idOf.set(nameOfPage[page], id = idOf.size);
    ofPage[page] = id;
  }
  return { count: idOf.size, ofPage, names: StringTable.from([...idOf.keys()]), synthetic: false };
}

/** Fixed, so that a dataset without URLs has the same hosts in every run and on every machine. */
const SYNTHETIC_HOSTS_SEED = 0x0b0e1d;

/**
 * Hosts generated for a graph whose source has no URLs: contiguous blocks of page ids, because crawls number pages
 * roughly by host. Block sizes are Pareto with tail index 1 and at least 4 pages, as heavy-tailed as pages per host on
 * the web, cut at a twentieth of the pages (docs-web's largest host has 5.6 % of what its seeds reach). Politeness and
 * partition need hosts to work on; these prove nothing about either: `synthetic` is true, and outputs that rest on them
 * say so.
 *
 * @param seed root seed of the draws; the same pages and seed give the same hosts.
 * Cost O(pages).
 */
export function syntheticHosts(pages: number, seed: number = SYNTHETIC_HOSTS_SEED): Hosts {
  assert(Number.isInteger(pages) && pages >= 0, () => `${pages} pages are not a count`);
  const draws = new DrawStream(seed, 'synthetic hosts');
  const largest = Math.max(1, Math.ceil(pages / 20));
  const ofPage = sharedUint32(pages);
  const names: string[] = [];
  for (let page = 0; page < pages; ) {
    const host = names.length;
    const size = Math.min(Math.ceil(4 / draws.uniform(host)), largest, pages - page);
    ofPage.fill(host, page, page + size);
    names.push(`h${String(host).padStart(6, '0')}.synthetic.invalid`);
    page += size;
  }
  return { count: names.length, ofPage, names: StringTable.from(names), synthetic: true };
}
