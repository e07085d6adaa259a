/**
 * The messages of `urlfrontier.proto`, as plain objects: numbers of 64 bits are `bigint`, so that a date beyond 2^53
 * spoils its own item and not the stream; the chosen field of a `oneof` is named by `$case`. `codec.ts` reads and
 * writes them; `test/service/frontier/protocol.test.ts` compares these types with the file.
 *
 * In all of them, `crawlID` '' means the default crawl, `key` names a queue, and `local` means this node alone.
 */

/** What GetStats answers. */
export interface Stats {
  /** URLs that will be fetched. */
  readonly size: bigint;
  /** URLs under a lease. */
  readonly inProcess: number;
  /** Further counts by name, such as `completed` and `active_queues`. */
  readonly counts: Readonly<Record<string, bigint>>;
  readonly numberOfQueues: bigint;
  readonly crawlID: string;
}

/** Which queues ListQueues lists. */
export interface Pagination {
  /** How many of the queues that match are left out first. */
  readonly start: number;
  /** The most that are listed; 0: 100. */
  readonly size: number;
  readonly includeInactive: boolean;
  readonly crawlID: string;
  readonly local: boolean;
}

/** The crawl that DeleteCrawl deletes. */
export interface DeleteCrawlMessage {
  readonly value: string;
  readonly local: boolean;
}

/** Nothing. */
export type Empty = Readonly<Record<string, never>>;

/** Of calls that ask about one node or all. */
export interface Local {
  readonly local: boolean;
}

/** Whether a frontier is to hand out URLs. */
export interface Active {
  readonly state: boolean;
  readonly local: boolean;
}

/** Whether a frontier hands out URLs. */
export interface Boolean {
  readonly state: boolean;
}

/** A number of URLs. */
export interface Long {
  readonly value: bigint;
}

/** What ListQueues answers. */
export interface QueueList {
  /** Their keys. */
  readonly values: readonly string[];
  /** Queues that match; the reference service does not set it. */
  readonly total: bigint;
  readonly start: number;
  /** How many are listed here. */
  readonly size: number;
  readonly crawlID: string;
}

/** Texts: addresses, ids of crawls, or values of metadata. */
export interface StringList {
  readonly values: readonly string[];
}

/** A queue, or all of a crawl where `key` is ''. */
export interface QueueWithinCrawlParams {
  readonly key: string;
  readonly crawlID: string;
  readonly local: boolean;
}

/** The delay that SetDelay sets. */
export interface QueueDelayParams {
  /** '': of all queues that have none of their own. */
  readonly key: string;
  /** Seconds between two hand-outs of the queue. */
  readonly delayRequestable: number;
  readonly crawlID: string;
  readonly local: boolean;
}

/** Until when BlockQueueUntil blocks a queue. */
export interface BlockQueueParams {
  readonly key: string;
  /** Seconds since 1970; 0 ends the block. */
  readonly time: bigint;
  readonly crawlID: string;
  readonly local: boolean;
}

/** What GetURLs asks for. */
export interface GetParams {
  /** 0: no limit. */
  readonly maxUrlsPerQueue: number;
  /** 0: no limit. */
  readonly maxQueues: number;
  /** '': any queue. */
  readonly key: string;
  /** Length of the leases, seconds; 0: as the service chooses. */
  readonly delayRequestable: number;
  /** From which crawl. */
  readonly item:
    | { readonly $case: 'anyCrawlID'; readonly anyCrawlID: AnyCrawlID }
    | { readonly $case: 'crawlID'; readonly crawlID: string }
    | undefined;
}

/** From any crawl. */
export type AnyCrawlID = Empty;

/** A URL that is put or listed, with what is known of it. */
export interface URLItem {
  readonly item:
    | { readonly $case: 'discovered'; readonly discovered: DiscoveredURLItem }
    | { readonly $case: 'known'; readonly known: KnownURLItem }
    | undefined;
  /** What its acknowledgement names it by; '': its URL. */
  readonly ID: string;
  /** When it was first stored, seconds since 1970; not read of what is put. */
  readonly creationDate: bigint;
}

/** The acknowledgement of one item. */
export interface AckMessage {
  readonly ID: string;
  readonly status: AckStatus;
}

/** Whether an item was stored; what was skipped is wrong and must not be sent again, what failed may be. */
export const AckStatus = { OK: 0, SKIPPED: 1, FAIL: 2 } as const;
/** A value of the object of this name; a later version of the protocol may have others. */
export type AckStatus = (typeof AckStatus)[keyof typeof AckStatus];

/** A URL. */
export interface URLInfo {
  readonly url: string;
  /** '': the host of the URL. */
  readonly key: string;
  /** What its clients have stored with it, by name. */
  readonly metadata: Readonly<Record<string, StringList>>;
  readonly crawlID: string;
}

/** A URL that was handed out, as its fetcher leaves it. */
export interface KnownURLItem {
  readonly info: URLInfo | undefined;
  /** When it may be fetched again, seconds since 1970; 0: never. */
  readonly refetchableFromDate: bigint;
}

/** A URL that may be new. */
export interface DiscoveredURLItem {
  readonly info: URLInfo | undefined;
}

/** Discovered URLs that are acknowledged together. */
export interface DiscoveredBatch {
  readonly ID: string;
  readonly items: readonly URLInfo[];
}

/** The acknowledgement of a batch. */
export interface BatchAck {
  readonly ID: string;
  /** One of each URL, in their order. */
  readonly statuses: readonly AckStatus[];
}

/** How much a package of the service logs. */
export interface LogLevelParams {
  readonly package: string;
  /** TRACE, DEBUG, INFO, WARN, ERROR. */
  readonly level: 0 | 1 | 2 | 3 | 4;
  readonly local: boolean;
}

/** How many URLs of a queue are fetched. */
export interface CrawlLimitParams {
  readonly key: string;
  /** 0: no limit. */
  readonly limit: number;
  readonly crawlID: string;
  readonly local: boolean;
}

/** Which URL GetURLStatus looks for. */
export interface URLStatusRequest {
  readonly url: string;
  readonly key: string;
  readonly crawlID: string;
}

/** Which URLs ListURLs lists. */
export interface ListUrlParams {
  /** How many of the URLs that match are left out first. */
  readonly start: number;
  /** The most that are listed; 0: 100. */
  readonly size: number;
  readonly key: string;
  readonly crawlID: string;
  readonly local: boolean;
  /** What a URL has in it. */
  readonly filter?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
}

/** Which URLs CountURLs counts. */
export interface CountUrlParams {
  readonly key: string;
  readonly crawlID: string;
  /** What a URL has in it. */
  readonly filter?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
  readonly local?: boolean | undefined;
}

/** Which URLs PurgeURLs deletes. */
export interface PurgeUrlParams {
  readonly key: string;
  readonly crawlID: string;
  /** URLs that were created more days ago than this are deleted. */
  readonly days: number;
}

/** A message as it is sent: what is left out is 0, '', false or empty; numbers of 64 bits may be of any type. */
export type DeepPartial<T> =
  T extends bigint ? bigint | number | string
    : T extends string | number | boolean | undefined ? T
      : T extends readonly (infer U)[] ? readonly DeepPartial<U>[]
        : T extends { readonly $case: infer C }
          ? { [K in Exclude<keyof T, '$case'>]?: DeepPartial<T[K]> | undefined } & { $case: C }
          : { [K in keyof T]?: DeepPartial<T[K]> | undefined };
