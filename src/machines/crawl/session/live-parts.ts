import { join } from 'node:path';
import { backoffUs, type HostDelays, type HostPatience } from '../../../core/frontier/index.ts';
import {
  CrawlLog, Fetcher, LiveClock, LiveWeb, pageReaders, software, userAgent, WarcWriter, type CrawlStore,
  type LiveSettings, type LiveWebParts, type Visit, type WarcFacts,
} from '../../../core/live/index.ts';
import type { LiveCrawlOptions } from '../live-crawl.ts';
import type { NodeOptions } from '../nodes/node-options.ts';

/** Parts to close, in the order in which they were opened. */
export class Closing {
  readonly #parts: { close(): unknown }[] = [];

  add<T extends { close(): unknown }>(part: T): T {
    this.#parts.push(part);
    return part;
  }

  /** Closes all, whatever becomes of the others; the first error is thrown. */
  async close(): Promise<void> {
    const ends = await Promise.allSettled(this.#parts.map((part) => part.close()));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

export interface LiveParts
  extends Pick<LiveWebParts, 'store' | 'urls' | 'onPage' | 'onFetched' | 'hasBegun' | 'isOwn' | 'retriesFailed'>,
  Pick<LiveCrawlOptions, 'lookup' | 'clockSpeed'> {
  readonly folder: string;
  readonly live: LiveSettings;
  readonly delays: HostDelays & HostPatience;
  /** The part of this machine in a crawl on several. */
  readonly part: CrawlPart | undefined;
}

export interface CrawlPart extends Pick<NodeOptions, 'node' | 'nodes'> {
  readonly permit: () => Promise<void>;
}

/** Opens clock, fetcher, page readers, log and archive, to be closed with `parts`. @throws as each of them. */
export async function openWeb(
  parts: Closing, beginUs: number,
  { folder, live, store, lookup, delays, part, clockSpeed = 1, ...shared }: LiveParts,
): Promise<{ readonly web: LiveWeb; readonly clock: LiveClock }> {
  const clock = parts.add(new LiveClock(beginUs, clockSpeed));
  const fetcher = parts.add(await Fetcher.open(live, { lookup, speed: clockSpeed }));
  const readers = parts.add(pageReaders(live));
  const log = parts.add(await CrawlLog.open(join(folder, 'crawl.log')));
  const archive = { ...live, node: part?.node };
  const warc = live.warc
    ? parts.add(await WarcWriter.open(join(folder, 'warc'), archive, warcFacts(live), lastRecord(store)))
    : undefined;
  const web = new LiveWeb({
    settings: live, clock, store, fetcher, readers, log, warc, permit: part?.permit, ...shared,
    politenessUs: delays.politenessUs, backoffUs: (failures) => backoffUs(delays, failures),
    hasPatience: delays.hostPatienceUs > 0,
  });
  // However the session ends: that its own end cuts a download is nothing to be stored.
  parts.add({ close: () => web.abandon() });
  return { web, clock };
}

function warcFacts(live: LiveSettings): WarcFacts {
  return {
    software: software(), operator: live.contact, robots: live.robotsTxt === 'obey' ? 'obeyed (RFC 9309)' : 'ignored',
    'http-header-user-agent': userAgent(live),
  };
}

/** The end of the last record of the archive that a visit refers to. */
function lastRecord(store: CrawlStore): Visit['warc'] {
  let last: Visit['warc'];
  for (const { warc } of store.visits()) {
    if (warc === undefined) continue;
    if (last === undefined || warc.file > last.file || (warc.file === last.file && warc.end > last.end)) last = warc;
  }
  return last;
}
