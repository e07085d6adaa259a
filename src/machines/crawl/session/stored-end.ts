import type { RunEnd } from '../../../core/events/index.ts';
import type { CrawlStore } from '../../../core/live/index.ts';
import type { LiveCrawlInput } from '../../../core/settings/index.ts';

/** Names of marks in the store: the limits of the last session, and how the crawl has ended. */
const LIMITS = 'limits';
const ENDED = 'ended';

/** The settings that may change when a crawl is resumed. */
export type Limits = Pick<LiveCrawlInput, 'maxPages' | 'maxSeconds'>;

export interface StoredEnd {
  readonly end: RunEnd;
  /** The folders that know of the end: this one, or all nodes'. A crawl on one machine ends everywhere. */
  readonly where: 'here' | 'everywhere';
  /** Pages that all machines have fetched; undefined if a version stored the end that did not store them. */
  readonly pagesOfAll: number | undefined;
}

type Row = readonly [end: RunEnd, limits: string, where: StoredEnd['where'], pagesOfAll: number | null | undefined];

/**
 * The end of the crawl, unless these limits let it go on: a frontier that is dry stays dry under any limits, and a
 * crawl that came to one limit needs a higher one of that kind.
 */
export function storedEnd(store: CrawlStore, limits: Limits): StoredEnd | undefined {
  const text = store.marked(ENDED) ?? '';
  if (text === '') return undefined;
  const [end, limitsThen, where, pagesOfAll] = JSON.parse(text) as Row;
  const [pagesThen, secondsThen] = JSON.parse(limitsThen) as (number | null)[];
  const isPagesThen = pagesThen === (limits.maxPages ?? null);
  const isSecondsThen = secondsThen === (limits.maxSeconds ?? null);
  const isOver = end === 'frontier dry' || (end === 'page limit' && isPagesThen) ||
    (end === 'time limit' && isSecondsThen) || (isPagesThen && isSecondsThen);
  if (!isOver) return undefined;
  return { end, where, pagesOfAll: pagesOfAll ?? undefined };
}

export async function storeEnd(store: CrawlStore, limits: Limits, stored: StoredEnd): Promise<void> {
  const { end, where, pagesOfAll } = stored;
  await store.mark(ENDED, JSON.stringify([end, textOf(limits), where, pagesOfAll] satisfies Row));
}

export async function forgetEnd(store: CrawlStore): Promise<void> {
  if ((store.marked(ENDED) ?? '') !== '') await store.mark(ENDED, '');
}

/** The limits of the next session: the new ones, and otherwise the last session's. */
export function nextLimits(store: CrawlStore, stored: Limits, { maxPages, maxSeconds }: Limits): Limits {
  const last = { ...stored, ...JSON.parse(store.marked(LIMITS) ?? '{}') as Limits };
  return { maxPages: maxPages ?? last.maxPages, maxSeconds: maxSeconds ?? last.maxSeconds };
}

export async function storeLimits(store: CrawlStore, { maxPages, maxSeconds }: Limits): Promise<void> {
  await store.mark(LIMITS, JSON.stringify({ maxPages, maxSeconds }));
}

function textOf({ maxPages, maxSeconds }: Limits): string {
  return JSON.stringify([maxPages, maxSeconds]);
}
