import type { CrawlStore, UrlTable } from '../live/index.ts';
import type { ProcessorState } from '../scheduler/index.ts';
import { LargeMap } from '../std/index.ts';

type Wait = ProcessorState['pending']['waits'][number];

/**
 * Rests of the hosts that were visited since a checkpoint, or may have been, by host id in microseconds: a whole one each from now on, for when
 * exactly they were visited only the clock of that session knows. One pass over the visits.
 *
 * @param sinceUs when the checkpoint was taken.
 * @param crawlDelaysUs Crawl-delays by host id: such a host may have been under way at the end.
 */
export function restsSince(
  store: CrawlStore, urls: UrlTable, sinceUs: number, politenessUs: number, crawlDelaysUs: ReadonlyMap<number, number>,
): LargeMap<number, number> {
  const rests = new LargeMap(crawlDelaysUs);
  for (const { page, finishedAtUs, waitUs } of store.visits()) {
    if (finishedAtUs < sinceUs) continue;
    const host = urls.hostOf(page);
    rests.set(host, Math.max(politenessUs, waitUs, rests.get(host) ?? 0));
  }
  return rests;
}

/** A processor's state in which these hosts, as far as they are its own, rest from now on. One entry a host: the longest rest counts. */
export function withRests(state: ProcessorState, rests: ReadonlyMap<number, number>, isOwn: (host: number) => boolean, nowUs: number): ProcessorState {
  const waits = new LargeMap<number, Wait>(state.pending.waits.map((wait) => [wait.host, wait]));
  for (const [host, restUs] of rests) {
    if (restUs === 0 || !isOwn(host)) continue;
    const known = waits.get(host) ?? { host, readyAtUs: 0, failures: 0 };
    waits.set(host, { ...known, readyAtUs: Math.max(known.readyAtUs, nowUs + restUs) });
  }
  return { ...state, pending: { ...state.pending, waits: [...waits.values()] } };
}
