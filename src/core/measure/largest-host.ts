import type { Hosts } from '../../graphs/graph/index.ts';

/** The host with the most pages within reach, and what it costs every partition that keeps hosts whole. */
export interface LargestHost {
  /** Host id; ties to the lowest. Undefined where nothing is within reach. */
  readonly host: number | undefined;
  /** Its share of the pages within reach, n_max / n. */
  readonly share: number;
  /**
   * min(1, n / (P n_max)): pages a processor on average over pages of the busiest, which has n_max at least, whatever
   * the partition. The balance of a whole crawl's pages cannot pass it, nor its speed-up P times it.
   */
  readonly efficiencyBound: number;
}

/** @param reachable 1 or 0 for each page. O(pages). */
export function largestHost(reachable: Uint8Array, { ofPage, count }: Hosts, processors: number): LargestHost {
  const pagesOf = new Uint32Array(count);
  for (let page = 0; page < reachable.length; page++) pagesOf[ofPage[page]] += reachable[page];
  const pages = pagesOf.reduce((sum, count) => sum + count, 0);
  const most = pagesOf.reduce((greatest, count) => Math.max(greatest, count), 0);
  if (most === 0) return { host: undefined, share: 0, efficiencyBound: 1 };
  return {
    host: pagesOf.indexOf(most), share: most / pages, efficiencyBound: Math.min(1, pages / (processors * most)),
  };
}
