import type { PageNames } from '../../events/index.ts';
import { urlOf, type WebGraph } from '../../graph/index.ts';

/** The names behind the ids of a stored graph. */
export function namesOf(graph: WebGraph): PageNames {
  const { ofPage, names } = graph.hosts;
  return {
    hostOf: (page) => ofPage[page],
    hostName: (host) => names.at(host),
    urlOf: (page) => urlOf(graph, page),
  };
}
