import type { PageNames } from '../../events/index.ts';
import type { FetchedOf } from './history.ts';
import { urlOf, type WebGraph } from '../../graph/index.ts';

/** The names behind the ids of a stored graph. */
export function namesOf(graph: WebGraph): PageNames {
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

/** What the pages of a stored graph bring, their sizes apart. */
export function fetchedOf({ outOffsets, outTargets, bytes }: WebGraph): FetchedOf {
  return (page) => (
    { bytes: bytes?.[page] ?? 0, links: outTargets.subarray(outOffsets[page], outOffsets[page + 1]) }
  );
}
