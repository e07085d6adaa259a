import type { PageNames } from '../../events/index.ts';
import type { FetchedOf } from './history.ts';
import { linksOf, urlOf, type GraphPages, type GraphPart, type WebGraph } from '../../../graphs/graph/index.ts';

/** The names behind the ids of a stored graph. */
export function namesOf(graph: GraphPages): PageNames {
  const { ofPage, names, count } = graph.hosts;
  return {
    hostOf: (page) => ofPage[page],
    hostName: (host) => names.at(host),
    findHost: (name) => {
      for (let host = 0; host < count; host++) if (names.at(host) === name) return host;
      return -1;
    },
    urlOf: (page) => urlOf(graph, page),
  };
}

/** The links of the pages of a stored graph, and their bytes if the graph has them. */
export function fetchedOf(graph: WebGraph | GraphPart): FetchedOf {
  return (page) => ({ bytes: graph.bytes?.[page] ?? 0, links: linksOf(graph, page) });
}
