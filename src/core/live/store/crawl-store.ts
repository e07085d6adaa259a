import { assert } from '../../../base/index.ts';
import type { Outcome, OutcomeKind } from '../../world/index.ts';

/**
 * Pages that other machines fetch have ids from here on; below are the pages of this machine, and all seed pages. Both
 * are assigned in ascending order without gaps, across all notes.
 */
export const ELSEWHERE = 2 ** 31;

/** How near a page is to a seed page: each the least of all paths known, whichever path it is of. */
export interface Reach {
  /** Links from a seed page; redirects are none. */
  readonly depth: number;
  /** Consecutive redirects that led to it; 0 if a link did. */
  readonly redirects: number;
  /** Links beyond the scope of the crawl (`Scope`), at most 255; 0 where it is left out. */
  readonly hops?: number | undefined;
}

/** A page that the crawl knows. */
export interface NewPage extends Reach {
  readonly url: string;
}

/** A link of a visited page that led beyond the limits of the crawl, to a page not known then. */
export interface LinkBeyond {
  /** Its place among all stored links of the page: the links of the visit have the other places, in order. */
  readonly place: number;
  /** A URL, or the page once it is known. */
  readonly to: string | number;
}

/** A page of another machine, with its id. */
export interface PageElsewhere extends NewPage {
  readonly page: number;
}

/** How a download ended that is not repeated. */
export interface Visit {
  readonly page: number;
  readonly kind: Extract<OutcomeKind, 'fetched' | 'notFound' | 'rejected'>;
  readonly bytes: number;
  readonly waitUs: number;
  /** On the run's clock. */
  readonly finishedAtUs: number;
  readonly links: Uint32Array;
  /** Whether its link is the target of a redirect. */
  readonly byRedirect?: boolean | undefined;
  /** Digest of the body if `contentSeen` is set; otherwise ''. */
  readonly digest: string;
  /** The end of its records: number of the WARC file and bytes; undefined without WARC. */
  readonly warc: { readonly file: number; readonly end: number } | undefined;
}

/**
 * An outcome as the scheduler learns it; the visit of the page has its links. Each outcome of a processor ends later
 * than the one before.
 */
export interface StoredOutcome extends Omit<Outcome, 'sequence' | 'links' | 'transferUs' | 'throttledUs'> {
  readonly processor: number;
}

/** The robots.txt of an origin. */
export interface RobotsNote {
  /** Scheme and host: `https://example.org:8443`. */
  readonly origin: string;
  /** HTTP status; 0 if the host could not be reached. */
  readonly status: number;
  /** Milliseconds since 1970, because it expires by the calendar. */
  readonly fetchedAtMs: number;
  readonly expiresAtMs: number;
  /** At most 500 KiB; empty unless the status is 2xx. */
  readonly body: Uint8Array;
}

/** A host must not be contacted: it asked for that, or failed. The last note of a host counts. */
export interface HostRest {
  /** As in URLs, with its port if that is not the scheme's default. */
  readonly host: string;
  /** Consecutive failures; 0 if it only asked. */
  readonly failures: number;
  /** When the rest began, milliseconds since 1970, and how long it lasts. */
  readonly sinceMs: number;
  readonly restMs: number;
}

/** Facts about pages that one moment brings. Pages that become known, each kind with the id of its first: */
export interface NewPages {
  readonly firstPage: number;
  readonly pages: readonly NewPage[];
  /** Pages of other machines: the store finds them by their URLs. */
  readonly firstElsewhere?: number | undefined;
  readonly elsewhere?: readonly NewPage[] | undefined;
  /** Pages that have turned out to be nearer than they were noted. */
  readonly nearer?: ReadonlyMap<number, Reach> | undefined;
  /** All links of a page that led beyond the limits when it was visited, by page: replaces the earlier note. */
  readonly beyond?: ReadonlyMap<number, readonly LinkBeyond[]> | undefined;
  /** The pages to announce on a page's account (`World.reachedThrough`), by page: replaces the earlier note. */
  readonly reached?: ReadonlyMap<number, Uint32Array> | undefined;
}

/** Everything that one download changes; noted as a whole or not at all. */
export interface Note extends NewPages {
  readonly visit?: Visit | undefined;
  /** The text of the visited page, packed (`packText` of `web/`). */
  readonly text?: Uint8Array | undefined;
  readonly robots?: RobotsNote | undefined;
  readonly rest?: HostRest | undefined;
  readonly outcome?: StoredOutcome | undefined;
}

/** The state of a crawl as a superstep begins. */
export interface StoredCheckpoint {
  readonly superstep: number;
  /** When it begins, by the run's clock. */
  readonly barrierUs: number;
  readonly state: Uint8Array;
}

/**
 * What a crawl remembers when its process has ended.
 *
 * Contract (test/conformance/crawl-store.ts tests every implementation):
 *  - a note survives the death of the process at any moment after the promise of `note` was fulfilled; before that it
 *    is there as a whole or not at all, and never without everything noted earlier;
 *  - `checkpoint` adds one as a whole or not at all. The last two are stored: one of an earlier superstep, and the new
 *    one. What ended by the barrier of the older one is no longer among the outcomes;
 *  - a store that cannot write throws WorldError, and remains readable.
 */
export interface CrawlStore {
  /** Set when the crawl begins, and never changed. */
  readonly settings: unknown;
  readonly pageCount: number;
  readonly elsewhereCount: number;
  pages(): Iterable<NewPage>;
  pagesElsewhere(): Iterable<NewPage>;
  /** The page with this id, undefined if there is none; and a page of another machine by its URL. */
  pageAt(page: number): NewPage | undefined;
  findElsewhere(url: string): PageElsewhere | undefined;
  /** The number of a host of another machine, if it was noted; undefined otherwise. */
  hostElsewhere(host: string): number | undefined;
  /** Numbers hosts of other machines; a host always has the same number. */
  noteHosts(numbers: ReadonlyMap<string, number>): Promise<void>;
  visit(page: number): Visit | undefined;
  /** All visits in the order of their pages. */
  visits(): Iterable<Visit>;
  /** The links of a visited page that led beyond the limits, by their places; none where all were within. */
  beyond(page: number): readonly LinkBeyond[];
  /** The last note of pages reached through a page; undefined if there is none. And the pages with such a note. */
  reached(page: number): Uint32Array | undefined;
  reachedPages(): Iterable<number>;
  /** The text of a page as it was noted; undefined if it has none. */
  text(page: number): Uint8Array | undefined;
  readonly hasTexts: boolean;
  robots(): Iterable<RobotsNote>;
  rests(): Iterable<HostRest>;
  /** Outcomes since the older checkpoint, in the order in which they were noted. */
  outcomes(): Iterable<StoredOutcome>;
  note(note: Note): Promise<void>;
  checkpoint(checkpoint: StoredCheckpoint): Promise<void>;
  /** Supersteps of the checkpoints, ascending. */
  checkpoints(): readonly number[];
  /** When the superstep of the last one begins; 0 if there is none. */
  readonly lastBarrierUs: number;
  /** The state of a checkpoint, of the last unless another is named. */
  checkpointOf(superstep?: number): Uint8Array | undefined;
  /** Forgets the checkpoints after this superstep: the crawl goes on from there. */
  goBackTo(superstep: number): Promise<void>;
  /** Stores a text under a name; the last one counts. */
  mark(name: string, text: string): Promise<void>;
  marked(name: string): string | undefined;
  close(): Promise<void>;
}

/** Asserts that ids have no gaps and that the visited page is known. The counts are of pages noted before. */
export function checkNote(
  { firstPage, pages, firstElsewhere, elsewhere = [], nearer = new Map<number, Reach>(), visit, text }: Note,
  count: number, elsewhereCount: number,
): void {
  assert(firstPage === count || pages.length === 0, () => `new pages begin at ${firstPage}, but ${count} are known`);
  const nextElsewhere = ELSEWHERE + elsewhereCount;
  assert(
    firstElsewhere === nextElsewhere || elsewhere.length === 0,
    () => `new pages of other machines begin at ${firstElsewhere ?? ''}, and the next is ${nextElsewhere}`,
  );
  assert(
    count + pages.length <= ELSEWHERE && elsewhereCount + elsewhere.length < ELSEWHERE,
    'a crawl has at most 2^31 pages of each kind',
  );
  for (const page of nearer.keys()) {
    const isKnown = page < (page < ELSEWHERE ? count + pages.length : nextElsewhere + elsewhere.length);
    assert(isKnown, () => `the unknown page ${page} is nearer`);
  }
  assert(
    visit === undefined || visit.page < count + pages.length,
    () => `a visit of the unknown page ${visit?.page ?? ''}`,
  );
  assert(text === undefined || visit !== undefined, 'a text needs the visit of its page');
}
