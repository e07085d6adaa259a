import type { OutcomeKind } from '../../world/index.ts';

/** A page as it became known. Ids are given in ascending order without gaps, across all that is noted. */
export interface NewPage {
  readonly url: string;
  /** Links from a seed page, the fewest of those by which it was found first. */
  readonly depth: number;
  /** Redirects in a row that led to it, 0 where it was found by a link. */
  readonly redirects: number;
}

/** How a download ended that is not to be repeated. */
export interface Visit {
  readonly page: number;
  readonly kind: Extract<OutcomeKind, 'fetched' | 'notFound' | 'rejected'>;
  readonly bytes: number;
  readonly waitUs: number;
  /** Of the run's clock. */
  readonly finishedAtUs: number;
  readonly links: Uint32Array;
  /** Of the body, where contentSeen is asked for; else ''. */
  readonly digest: string;
  /** Where its records end: number of the WARC file and bytes; undefined without. */
  readonly warc: { readonly file: number; readonly end: number } | undefined;
}

/** What is known of an origin's robots.txt. */
export interface RobotsNote {
  /** Scheme and host: `https://example.org:8443`. */
  readonly origin: string;
  /** HTTP status; 0 where the host could not be reached. */
  readonly status: number;
  /** Milliseconds since 1970, for it expires by the calendar. */
  readonly fetchedAtMs: number;
  readonly expiresAtMs: number;
  /** At most 500 KiB; empty unless the status is 2xx. */
  readonly body: Uint8Array;
}

/** That a host is to be left alone: it asked for it, or failed. The last one of a host counts. */
export interface HostRest {
  /** As in URLs, with its port where that is not the scheme's own. */
  readonly host: string;
  /** Failures in a row; 0 where it only asked. */
  readonly failures: number;
  /** When the rest began, milliseconds since 1970, and how long it lasts. */
  readonly sinceMs: number;
  readonly restMs: number;
}

/** Everything that one download changes; noted whole or not at all. */
export interface Note {
  /** Id of the first of `pages`. */
  readonly firstPage: number;
  readonly pages: readonly NewPage[];
  readonly visit?: Visit | undefined;
  readonly robots?: RobotsNote | undefined;
  readonly rest?: HostRest | undefined;
}

/**
 * What a crawl remembers when its process is gone.
 *
 * Contract (test/conformance/crawl-store.ts runs it on every maker):
 *  - what `note` was told is there after the process was killed at any moment after its promise was fulfilled; before
 *    that it is there whole or not at all, and never without everything that was noted earlier;
 *  - `checkpoint` replaces the last one whole or not at all;
 *  - a store that cannot write throws WorldError, and stays readable.
 */
export interface CrawlStore {
  /** Begun with the crawl, and never changed. */
  readonly settings: unknown;
  readonly pageCount: number;
  /** All pages in the order of their ids. */
  pages(): Iterable<NewPage>;
  visit(page: number): Visit | undefined;
  /** All visits in the order of their pages. */
  visits(): Iterable<Visit>;
  robots(): Iterable<RobotsNote>;
  rests(): Iterable<HostRest>;
  note(note: Note): Promise<void>;
  checkpoint(state: Uint8Array): Promise<void>;
  lastCheckpoint(): Uint8Array | undefined;
  close(): Promise<void>;
}
