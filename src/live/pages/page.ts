/** What a page reader is given: plain data that can go to another thread. */
export interface RawPage {
  /** Canonical URL of the page. */
  readonly url: string;
  readonly rawHeaders: readonly string[];
  /** As received, content codings on. */
  readonly body: Uint8Array;
}

/** Why a page could not be read: it is rejected. */
export type PageFault =
  | 'content coding unknown' | 'content coding damaged' | 'decoded body too long' | 'type not taken'
  /**
   * Reading it took too long, or ended its thread: there are no others where pages are read on threads of their own.
   */
  | 'reading time-out' | 'reader died';

/** Why links are left out. Of links with the same spelling one counts. */
export type LeftOutReason = 'nofollow' | 'filtered' | 'notHttp' | 'invalid' | 'long' | 'beyondLimit';

/** What a page brings. */
export interface PageRead {
  /** Undefined where all is well; else nothing else is known of the page. */
  readonly fault: PageFault | undefined;
  /**
   * Canonical URLs of the links that may be followed, in their order, none twice, those that URL filters refuse left
   * out; at most linksMost.
   */
  readonly links: readonly string[];
  /** Links left out, by reason. */
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, number>>>;
  /** Canonical URL of its rel=canonical, if it has one. */
  readonly canonical: string | undefined;
  readonly noindex: boolean;
  /** SHA-256 of the decoded body, hexadecimal; '' unless contentSeen is asked for. */
  readonly digest: string;
}

/** Reads pages; rejects only when the crawl cannot go on. */
export interface PageReaders {
  read(page: RawPage): Promise<PageRead>;
  close(): Promise<void>;
}
