import {
  header, headers, htmlLinks, htmlText, isHtmlType, plainText, robotsTag, runsOf, saysNoindex, statedType, unstatedType,
  type HtmlText, type RawHeaders,
} from '../../../base/web/index.ts';
import type { LiveSettings } from '../settings.ts';
import { decodedBody } from './decoded-body.ts';
import type { RawPage } from './page.ts';

/** What a fetched page says, in plain text. */
export interface PageContent {
  /** Its `title`, or else its first heading; '' if it has neither. */
  readonly title: string;
  /** As declared by the document, in lower case, such as `en-gb`; '' if it declares none. */
  readonly language: string;
  /** Text of the document, a line for each block, without scripts, styles and markup. */
  readonly text: string;
  /** True if its headers or its markup ask search engines not to index it. */
  readonly isNoindex: boolean;
}

/** The parts of a fetched page. */
export interface FetchedParts extends RawPage {
  readonly status: number;
  readonly links: () => readonly string[];
}

/**
 * A page that a live crawl has fetched, from `onPage` while it goes on, or from `crawledPages` afterwards. The body of
 * a page from `onPage` is there during that call, and not after it.
 */
export class FetchedPage {
  /** Canonical URL. */
  readonly url: string;
  /** Status of the response: 200 to 299. */
  readonly status: number;
  readonly #rawHeaders: RawHeaders;
  readonly #settings: LiveSettings;
  readonly #linksOf: () => readonly string[];
  #links: readonly string[] | undefined;
  #body: Uint8Array | undefined;
  #document: HtmlText | undefined;

  /** @internal */
  constructor({ url, status, rawHeaders, links, body }: FetchedParts, settings: LiveSettings) {
    this.url = url;
    this.status = status;
    this.#linksOf = links;
    this.#rawHeaders = rawHeaders;
    this.#body = body;
    this.#settings = settings;
  }

  /**
   * Canonical URLs of the links that the crawl may follow, in the order of the page.
   *
   * Cost  O(body) at the first use of a page from `crawledPages`; nothing for a page from `onPage`.
   */
  get links(): readonly string[] {
    return this.#links ??= this.#linksOf();
  }

  /**
   * A header of the response.
   *
   * @param name - its name, in any case.
   * @returns its value, the first one of several; undefined if the response does not have it.
   */
  header(name: string): string | undefined {
    return header(this.#rawHeaders, name.toLowerCase());
  }

  /** Media type, such as `text/html`, in lower case; undefined if it is neither stated nor seen in the body. */
  get mediaType(): string | undefined {
    return statedType(this.header('content-type')) ?? unstatedType(this.#rawHeaders, this.bytes());
  }

  /**
   * The body without its content codings.
   *
   * Cost  O(body), at each call.
   *
   * @returns the bytes, a copy.
   * @throws Error after the call of `onPage` that the page was passed to.
   */
  bytes(): Uint8Array<ArrayBuffer> {
    if (this.#body === undefined) throw new Error(`${this.url}: its body is there during the call of onPage alone`);
    const decoded = decodedBody({ rawHeaders: this.#rawHeaders, body: this.#body }, this.#settings);
    // A page with a damaged body is rejected, and does not come here.
    return typeof decoded === 'string' ? new Uint8Array(0) : new Uint8Array(decoded.bytes);
  }

  /**
   * The document as text, by the encoding of its byte order mark, its headers or its markup, in this order.
   *
   * Cost  O(body), at the first call.
   *
   * @returns the document, markup included.
   * @throws Error as `bytes`.
   */
  html(): string {
    return this.#decoded().text;
  }

  /**
   * What the page says, without markup.
   *
   * Cost  O(body), at each call.
   *
   * @returns title, language and text, all empty for a type that is neither HTML nor plain text.
   * @throws Error as `bytes`.
   */
  content(): PageContent {
    const type = this.mediaType;
    const { text, encoding } = this.#decoded();
    const agent = this.#settings.agent.toLowerCase();
    const isXhtml = type === 'application/xhtml+xml';
    const html = type !== undefined && isHtmlType(type)
      ? htmlLinks(text, { encoding, most: 0, agent, isXhtml, text: true }) : undefined;
    const isNoindex = html?.noindex === true ||
      saysNoindex(robotsTag(headers(this.#rawHeaders, 'x-robots-tag'), this.#settings.agent));
    const collected = html?.text ?? (type === 'text/plain' ? plainText(text) : undefined);
    if (collected === undefined) return { title: '', language: '', text: '', isNoindex };
    const runs = runsOf(collected.lines) ?? [];
    const first = (...fields: readonly string[]): string | undefined =>
      runs.find(({ field }) => fields.includes(field))?.text;
    return {
      title: first('title') ?? first('h1', 'h2', 'h3') ?? '', language: collected.language,
      text: runs.filter(({ field }) => field !== 'title' && field !== 'description').map((run) => run.text).join('\n'),
      isNoindex,
    };
  }

  /** The call is over: the memory of the body has other uses. @internal */
  close(): void {
    this.#body = this.#document = undefined;
  }

  #decoded(): HtmlText {
    return this.#document ??= htmlText(this.bytes(), this.header('content-type'));
  }
}

/** Passes pages on to a program, and takes their bodies back when it has done with them. */
export function pageReceiver(
  live: LiveSettings, onPage: (page: FetchedPage) => Promise<void> | void,
): (parts: FetchedParts) => Promise<void> {
  return async (parts) => {
    const page = new FetchedPage(parts, live);
    try {
      await onPage(page);
    } finally {
      page.close();
    }
  };
}
