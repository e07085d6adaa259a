import type { CrawlStore, UrlTable } from '../live/index.ts';
import type { ProcessorState } from '../scheduler/index.ts';

type Wait = ProcessorState['pending']['waits'][number];

/**
 * A processor's state with the rests of the hosts that were visited since it was saved, or may have been: a whole rest each from now on, for
 * when exactly they were visited only the clock of that session knows. One entry a host: the longest rest counts.
 *
 * @param sinceUs when it was saved, which is also when it goes on.
 * @param crawlDelaysUs Crawl-delays by host id: such a host may have been under way at the end.
 */
export function withRests(
  state: ProcessorState, store: CrawlStore, urls: UrlTable, isOwn: (host: number) => boolean,
  { sinceUs, politenessUs, crawlDelaysUs }: { sinceUs: number; politenessUs: number; crawlDelaysUs: ReadonlyMap<number, number> },
): ProcessorState {
  const waits = new Map<number, Wait>(state.pending.waits.map((wait) => [wait.host, wait]));
  const rest = (host: number, delayUs: number): void => {
    if (!isOwn(host) || delayUs === 0) return;
    const known = waits.get(host) ?? { host, readyAtUs: 0, failures: 0 };
    waits.set(host, { ...known, readyAtUs: Math.max(known.readyAtUs, sinceUs + delayUs) });
  };
  for (const { page, finishedAtUs, waitUs } of store.visits()) {
    if (finishedAtUs >= sinceUs) rest(urls.hostOf(page), Math.max(politenessUs, waitUs));
  }
  for (const [host, delayUs] of crawlDelaysUs) rest(host, delayUs);
  return { ...state, pending: { ...state.pending, waits: [...waits.values()] } };
}
