import type { CrawlStore, LiveWeb, UrlTable } from '../../live/index.ts';
import type { FrontierState } from '../../frontier/index.ts';
import { LargeMap } from '../../base/index.ts';

type Wait = FrontierState['pending']['waits'][number];

/** How long a host must not be visited from now on, microseconds. */
interface Rest {
  readonly restUs: number;
  /** Consecutive failures; undefined if the checkpoint knows them. */
  readonly failures?: number | undefined;
}

/**
 * Rests of the hosts that were, or may have been, visited since a checkpoint, by host id: a whole politeness delay each
 * from now on, since only that session's clock knows when exactly they were visited; and the rests that hosts asked
 * for, or that follow from their failures, if they are not over. One pass over the visits.
 *
 * @param sinceUs when the checkpoint was taken.
 */
export function restsSince(
  store: CrawlStore, urls: UrlTable, sinceUs: number, politenessUs: number, noted: ReturnType<LiveWeb['rests']>,
): LargeMap<number, Rest> {
  const rests = new LargeMap<number, Rest>(noted);
  for (const { page, finishedAtUs, waitUs } of store.visits()) {
    if (finishedAtUs < sinceUs) continue;
    const host = urls.hostOf(page);
    const rest = rests.get(host);
    rests.set(host, { ...rest, restUs: Math.max(politenessUs, waitUs, rest?.restUs ?? 0) });
  }
  return rests;
}

/**
 * A processor's state in which those of these hosts that it owns rest from now on. One entry per host: the longest
 * rest counts.
 */
export function withRests(
  state: FrontierState, rests: ReadonlyMap<number, Rest>, isOwn: (host: number) => boolean, nowUs: number,
): FrontierState {
  const waits = new LargeMap<number, Wait>(state.pending.waits.map((wait) => [wait.host, wait]));
  for (const [host, { restUs, failures }] of rests) {
    if (!isOwn(host)) continue;
    const known = waits.get(host) ?? { host, readyAtUs: 0, failures: 0 };
    // A noted rest has a deadline in calendar time; the checkpoint knows only its beginning.
    const readyAtUs = failures === undefined ? Math.max(known.readyAtUs, nowUs + restUs) : nowUs + restUs;
    waits.set(host, { host, readyAtUs, failures: failures ?? known.failures });
  }
  return { ...state, pending: { ...state.pending, waits: [...waits.values()] } };
}
