import type { CrawlStore, UrlTable } from '../live/index.ts';
import type { ProcessorState } from '../scheduler/index.ts';

type Wait = ProcessorState['pending']['waits'][number];

/**
 * A processor's state with the rests of the hosts that were visited since it was saved, or may have been: what the scheduler would know of them
 * if it had not been ended. One entry a host: the longest rest counts.
 *
 * @param crawlDelaysUs Crawl-delays by host id: such a host may have been under way at the end.
 */
export function withRests(
  state: ProcessorState, store: CrawlStore, urls: UrlTable, isOwn: (host: number) => boolean,
  { sinceUs, nowUs, politenessUs, crawlDelaysUs }: { sinceUs: number; nowUs: number; politenessUs: number; crawlDelaysUs: ReadonlyMap<number, number> },
): ProcessorState {
  const waits = new Map<number, Wait>(state.pending.waits.map((wait) => [wait.host, wait]));
  const rest = (host: number, readyAtUs: number): void => {
    if (!isOwn(host) || readyAtUs <= nowUs) return;
    const known = waits.get(host) ?? { host, readyAtUs, failures: 0 };
    waits.set(host, { ...known, readyAtUs: Math.max(known.readyAtUs, readyAtUs) });
  };
  for (const { page, finishedAtUs, waitUs } of store.visits()) {
    if (finishedAtUs >= sinceUs) rest(urls.hostOf(page), finishedAtUs + Math.max(politenessUs, waitUs));
  }
  for (const [host, delayUs] of crawlDelaysUs) rest(host, nowUs + delayUs);
  return { ...state, pending: { ...state.pending, waits: [...waits.values()] } };
}
