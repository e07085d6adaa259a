import type { GraphPages } from '../../../graphs/graph/index.ts';
import type { FittedHost, KnownPage, NetworkFit } from './network-fit.ts';

/** What a fit knows of the hosts and pages of a graph; undefined for those that the crawl did not meet. */
export interface FittedFigures {
  readonly hosts: readonly (FittedHost | undefined)[];
  readonly pages: readonly (KnownPage | undefined)[];
}

/** Matches hosts and pages by name: none where the hosts of the graph are generated. O(pages). */
export function figuresOf(fit: NetworkFit, { pages, hosts, paths }: GraphPages): FittedFigures {
  const names = Array.from({ length: hosts.count }, (_, host) => (hosts.synthetic ? '' : hosts.names.at(host)));
  return {
    hosts: names.map((name) => fit.hosts.get(name)),
    pages: Array.from({ length: pages }, (_, page) =>
      paths === undefined ? undefined : fit.pages.get(names[hosts.ofPage[page]] + paths.at(page))),
  };
}
