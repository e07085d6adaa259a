import { ServerError, Status, type CallContext } from 'nice-grpc';
import type { Crawl } from './crawl/crawl.ts';
import type { FrontierCounts } from './counts.ts';
import type { HostQueue } from './crawl/host-queue.ts';
import { crawlOf, defaultCrawl, keyOf, readInfo, readItem, type Item } from './items.ts';
import { pipelined } from './pipelined.ts';
import {
  AckStatus, type CountUrlParams, type GetParams, type ListUrlParams, type URLInfo, type URLItem,
} from './protocol/messages.ts';
import { urlFrontierService, type URLFrontierAnswers } from './protocol/service.ts';
import type { UrlFrontier } from './url-frontier.ts';

/** Items, and batches, of a stream that wait for their answers; as in the reference. */
const maxOpenItems = 1024;
const maxOpenBatches = 16;
/** Seconds of a lease if GetURLs names none. */
const defaultLeaseSeconds = 30;
/** The length of a list if the request names none. */
const defaultListed = 100;
const secondsPerDay = 86_400;

/** The service as it is served: what GetURLs sends is encoded already, since the store has it so. */
export const servedService = {
  ...urlFrontierService,
  getURLs: { ...urlFrontierService.getURLs, responseSerialize: (info: Buffer): Buffer => info },
};

interface Calls extends Omit<URLFrontierAnswers, 'getURLs'> {
  getURLs(params: GetParams, context: CallContext): AsyncGenerator<Buffer, void>;
}

/** The 19 calls of the protocol, over a frontier. `address` is what ListNodes answers. */
export function callsOf(frontier: UrlFrontier, counts: FrontierCounts, address: () => string): Calls {
  return {
    ...putsOf(frontier, counts), ...getsOf(frontier, counts), ...controlsOf(frontier), ...listsOf(frontier, address),
  };
}

function putsOf(frontier: UrlFrontier, counts: FrontierCounts): Pick<Calls, 'putURLs' | 'putDiscovered'> {
  const put = (item: Item | undefined): AckStatus => {
    if (frontier.store.failure !== undefined) return AckStatus.FAIL;
    const isNew = item !== undefined && frontier.put(item);
    if (item === undefined) {
      counts.skipped++;
      return AckStatus.SKIPPED;
    }
    if (item.date === undefined) counts.discovered++;
    else counts.known++;
    if (item.date === 0) counts.done++;
    if (item.links !== undefined) counts.linksKnown++;
    if (isNew) return AckStatus.OK;
    counts.ignored++;
    counts.skipped++;
    return AckStatus.SKIPPED;
  };
  /** The statuses once they hold: when what was put is stored. */
  const stored = async (statuses: AckStatus[]): Promise<AckStatus[]> => {
    try {
      await frontier.store.committed();
    } catch {
      counts.failed += statuses.length;
      return statuses.map(() => AckStatus.FAIL);
    }
    return statuses;
  };
  return {
    putURLs(items) {
      counts.putCalls++;
      return pipelined(items, maxOpenItems, async (item) => {
        const [status] = await stored([put(readItem(item))]);
        return { ID: item.ID === '' ? urlOf(item) : item.ID, status };
      });
    },
    putDiscovered(batches) {
      counts.putDiscoveredCalls++;
      return pipelined(batches, maxOpenBatches, async ({ ID, items }) => {
        return { ID, statuses: await stored(items.map((info) => put(readInfo(info)))) };
      });
    },
  };
}

function urlOf({ item }: URLItem): string {
  const info = item?.$case === 'known' ? item.known.info : item?.discovered.info;
  return info?.url ?? '';
}

function getsOf(frontier: UrlFrontier, counts: FrontierCounts): Pick<Calls, 'getURLs'> {
  return {
    async *getURLs({ maxUrlsPerQueue, maxQueues, key, delayRequestable, item }: GetParams, { signal }) {
      counts.getCalls++;
      const startedAt = performance.now();
      const groups = frontier.handOut({
        maxUrlsPerQueue: maxUrlsPerQueue === 0 ? Infinity : maxUrlsPerQueue,
        maxQueues: maxQueues === 0 ? Infinity : maxQueues,
        leaseMs: 1000 * (delayRequestable === 0 ? defaultLeaseSeconds : delayRequestable),
        key: key === '' ? undefined : key,
        crawl: item?.$case === 'crawlID' ? crawlOf(item.crawlID) : undefined,
      });
      try {
        for await (const urls of groups) {
          for (const url of urls) {
            if (signal.aborted) return;
            counts.urlsHandedOut++;
            yield url;
          }
        }
      } catch (error) {
        throw asUnavailable(frontier, error);
      } finally {
        counts.getSeconds += (performance.now() - startedAt) / 1000;
      }
    },
  };
}

/** A call that changes something answers when the change is stored. */
async function storedOr(frontier: UrlFrontier): Promise<Record<string, never>> {
  await frontier.store.committed().catch((error: unknown) => { throw asUnavailable(frontier, error); });
  return {};
}

function asUnavailable(frontier: UrlFrontier, error: unknown): unknown {
  const { failure } = frontier.store;
  return failure !== undefined && error === failure ? new ServerError(Status.UNAVAILABLE, failure.message) : error;
}

type Controls =
  | 'setActive' | 'getActive' | 'setDelay' | 'blockQueueUntil' | 'setCrawlLimit' | 'setLogLevel' | 'deleteQueue'
  | 'deleteCrawl' | 'purgeURLs';

function controlsOf(frontier: UrlFrontier): Pick<Calls, Controls> {
  const change = async (crawlID: string, key: string, set: (queue: HostQueue) => void): Promise<boolean> => {
    const crawl = frontier.crawl(crawlID);
    const queue = crawl?.queue(key);
    if (crawl === undefined || queue === undefined) return false;
    set(queue);
    crawl.writeQueue(queue);
    crawl.order.unpark(queue);
    await storedOr(frontier);
    return true;
  };
  return {
    setActive({ state }) {
      frontier.isActive = state;
      return storedOr(frontier);
    },
    getActive() {
      return Promise.resolve({ state: frontier.isActive });
    },
    async setDelay({ key, delayRequestable, crawlID }) {
      if (key === '') frontier.delaySeconds = delayRequestable;
      else await change(crawlID, key, (queue) => { queue.delaySeconds = delayRequestable; });
      return storedOr(frontier);
    },
    async blockQueueUntil({ key, time, crawlID }) {
      await change(crawlID, key, (queue) => { queue.blockedUntilSeconds = Number(time); });
      return {};
    },
    async setCrawlLimit({ key, limit, crawlID }) {
      // As in the reference, 0 takes the limit away.
      const isThere = await change(crawlID, key, (queue) => { queue.limit = limit === 0 ? undefined : limit; });
      if (!isThere) throw new ServerError(Status.NOT_FOUND, `crawl ${crawlOf(crawlID)} has no queue ${key}`);
      return {};
    },
    setLogLevel() {
      return Promise.resolve({});
    },
    async deleteQueue({ key, crawlID }) {
      const crawl = frontier.crawl(crawlID);
      const queue = crawl?.queue(key);
      const active = crawl === undefined || queue === undefined ? 0 : crawl.deleteQueue(queue);
      await storedOr(frontier);
      return { value: BigInt(active) };
    },
    async deleteCrawl({ value }) {
      const active = await frontier.deleteCrawl(crawlOf(value)).catch((error: unknown) => {
        throw asUnavailable(frontier, error);
      });
      return { value: BigInt(active) };
    },
    async purgeURLs({ key, crawlID, days }) {
      const crawl = frontier.crawl(crawlID);
      const limit = Math.floor(frontier.now() / 1000) - days * secondsPerDay;
      const isOld = (local: number): boolean => crawl!.urls.columns.created[local] < limit;
      const old = crawl === undefined ? [] : locals(crawl, key).filter(isOld);
      crawl?.delete(old);
      await storedOr(frontier);
      return { value: BigInt(old.length) };
    },
  };
}

/** URLs that were put, of a queue if one is named, in the order in which they were discovered. */
function locals(crawl: Crawl, key: string): number[] {
  const queue = key === '' ? undefined : crawl.queue(key);
  if (key !== '' && queue === undefined) return [];
  const positions: number[] = [];
  for (let local = 0; local < crawl.urls.count; local++) {
    const isWanted = queue === undefined || crawl.urls.columns.queue[local] === queue.number;
    if (isWanted && crawl.urls.exists(local)) positions.push(local);
  }
  return positions;
}

type Lists =
  | 'listNodes' | 'listCrawls' | 'listQueues' | 'getStats' | 'getURLStatus' | 'listURLs' | 'countURLs';

function listsOf(frontier: UrlFrontier, address: () => string): Pick<Calls, Lists> {
  return {
    listNodes() {
      return Promise.resolve({ values: [address()] });
    },
    listCrawls() {
      const values = [...frontier.crawls.values()].filter((crawl) => queuesOf(crawl).length > 0).map(({ id }) => id);
      return Promise.resolve({ values });
    },
    listQueues({ start, size, includeInactive, crawlID }) {
      const crawl = frontier.crawl(crawlID);
      const nowMs = frontier.now();
      const isShown = (queue: HostQueue): boolean =>
        includeInactive || (queue.active > 0 && 1000 * queue.blockedUntilSeconds <= nowMs);
      const queues = crawl === undefined ? [] : queuesOf(crawl).filter(isShown);
      const values = queues.slice(start, start + (size === 0 ? defaultListed : size)).map(({ key }) => key);
      return Promise.resolve({
        values, start, size: values.length, total: BigInt(queues.length), crawlID: crawlOf(crawlID),
      });
    },
    getStats({ key, crawlID }) {
      frontier.expire();
      const crawl = frontier.crawl(crawlID);
      const all = crawl === undefined ? [] : queuesOf(crawl).filter((queue) => key === '' || queue.key === key);
      const sum = (count: (queue: HostQueue) => number): number =>
        all.reduce((total, queue) => total + count(queue), 0);
      return Promise.resolve({
        size: BigInt(sum(({ active }) => active)), inProcess: sum(({ open }) => open),
        counts: {
          completed: BigInt(sum(({ done }) => done)),
          active_queues: BigInt(sum(({ active, open }) => (active > 0 || open > 0 ? 1 : 0))),
        },
        numberOfQueues: BigInt(all.length), crawlID: crawlOf(crawlID),
      });
    },
    getURLStatus({ url, key: requestKey, crawlID }) {
      const crawl = frontier.crawl(crawlID);
      const key = requestKey === '' ? keyOf(url) : requestKey;
      if (key === '') throw new ServerError(Status.INVALID_ARGUMENT, 'a URL without a host needs a key');
      const local = crawl?.find(key, url) ?? -1;
      if (crawl === undefined || local < 0)
        throw new ServerError(Status.NOT_FOUND, `queue ${key} of crawl ${crawlOf(crawlID)} has no such URL`);
      return Promise.resolve(itemOf(crawl, local));
    },
    async *listURLs(params: ListUrlParams) {
      let [left, toSkip] = [params.size === 0 ? defaultListed : params.size, params.start];
      for await (const item of matching(frontier, params)) {
        if (toSkip-- > 0) continue;
        yield item;
        if (--left === 0) return;
      }
    },
    async countURLs(params: CountUrlParams) {
      const urls = matching(frontier, params);
      let count = 0;
      while ((await urls.next()).done !== true) count++;
      return { value: BigInt(count) };
    },
  };
}

function queuesOf(crawl: Crawl): HostQueue[] {
  return [...crawl.queues.values()].filter((queue) => !queue.isEmpty);
}

/** URLs looked at between two turns of the event loop. */
const looksPerTurn = 1000;

async function* matching(
  frontier: UrlFrontier, { crawlID, key, filter = '', ignoreCase }: ListUrlParams | CountUrlParams,
): AsyncGenerator<URLItem> {
  const crawl = frontier.crawl(crawlID === '' ? defaultCrawl : crawlID);
  if (crawl === undefined) return;
  const part = ignoreCase === true ? filter.toLowerCase() : filter;
  let looked = 0;
  for (const local of locals(crawl, key)) {
    if (++looked % looksPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    // It may have been deleted in the meantime.
    if (!crawl.urls.exists(local) || frontier.crawls.get(crawl.id) !== crawl) continue;
    const item = itemOf(crawl, local);
    const { url } = infoOf(item);
    if (part.trim() === '' || (ignoreCase === true ? url.toLowerCase() : url).includes(part)) yield item;
  }
}

/** A stored URL as the protocol lists it: always as a known one. */
function itemOf(crawl: Crawl, local: number): URLItem {
  const { url, metadata, date, created } = crawl.rowOf(local);
  const info: URLInfo = { url, metadata, key: crawl.queueAt(local).key, crawlID: crawl.id };
  return {
    item: { $case: 'known', known: { info, refetchableFromDate: BigInt(date) } }, ID: '', creationDate: BigInt(created),
  };
}

function infoOf({ item }: URLItem): URLInfo {
  return (item?.$case === 'known' ? item.known.info : item?.discovered.info)!;
}
