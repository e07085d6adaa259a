import type { RawHeaders } from '../../../base/web/index.ts';

/** The input of a page reader: plain data that can be sent to another thread. */
export interface RawPage {
  /** Canonical URL of the page. */
  readonly url: string;
  readonly rawHeaders: RawHeaders;
  /** As received, with content codings. */
  readonly body: Uint8Array;
}

/** Why a page could not be read; it is then rejected. */
export type PageFault =
  | 'too many content codings' | 'content coding damaged' | 'decoded body too long' | 'type not taken'
  /** Reading it took too long, or ended its thread; only if pages are read on separate threads. */
  | 'reading time-out' | 'reader died';

/** Why links are left out. Links with the same spelling count once. */
export type LeftOutReason = 'nofollow' | 'filtered' | 'notHttp' | 'invalid' | 'long' | 'beyondLimit';

export interface PageRead {
  /** Undefined if reading succeeded; otherwise nothing else is known of the page. */
  readonly fault: PageFault | undefined;
  /**
   * Canonical URLs of the links that may be followed, in order, without duplicates and without those that URL filters
   * refuse; at most maxLinks.
   */
  readonly links: readonly string[];
  /**
   * By link, with how many hops its page begins (`Scope`), or `OUT_OF_SCOPE`; undefined if no links beyond the scope
   * are followed.
   */
  readonly hops?: Uint8Array | undefined;
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, number>>>;
  readonly canonical: string | undefined;
  readonly noindex: boolean;
  /** Whether its content coding ended early: this is what the page has up to there. */
  readonly isCut: boolean;
  /** SHA-256 of the decoded body, hexadecimal; '' unless `contentSeen` is set. */
  readonly digest: string;
  /** Its text (`packText` of `web/`), if `text` is set and the page does not ask not to be indexed. */
  readonly text: Uint8Array | undefined;
}

/** Reads pages; rejects only if the crawl cannot continue. */
export interface PageReaders {
  read(page: RawPage): Promise<PageRead>;
  close(): Promise<void>;
}

/** A PageRead for transfer between threads: copying one string costs a fraction of copying an array of strings. */
export interface PackedRead extends Omit<PageRead, 'links'> {
  /** Separated by line feeds, which no URL contains. */
  readonly links: string;
}

export function packed(page: PageRead): PackedRead {
  return { ...page, links: page.links.join('\n') };
}

export function unpacked(page: PackedRead): PageRead {
  return { ...page, links: page.links === '' ? [] : page.links.split('\n') };
}
