import { LargeMap, quoted } from '../../../base/index.ts';
import {
  canonicalUrl, pageUrl, htmlLinks, type PageLinks, htmlText, queryDropper, statedType, AGENT, robotsTag,
  saysNofollow, decodedEntity,
  header, headers, httpResponse, isHtml, refreshIn, resolvesReferences, urlInHeader, watResponse,
} from '../../../base/web/index.ts';
import { CrawlPages } from '../crawl-pages.ts';
import type { DecodedBody, HttpResponse, WarcRecord } from '../../../base/web/index.ts';

/** A response, from a WARC's HTML or a WAT's JSON. */
interface Response extends PageLinks {
  readonly url: string;
  readonly status: number;
  readonly location: string | undefined;
  /** The target of its Refresh. */
  readonly refresh: string | undefined;
  readonly bytes: number;
}

/** More links than any page made for people has; a hostile page could otherwise list millions of long URLs. */
const MAX_LINKS_PER_PAGE = 50_000;

/** Other types are counted together, because a file may call its records anything. */
const recordTypes = new Set([
  'warcinfo', 'response', 'resource', 'request', 'metadata', 'revisit', 'conversion', 'continuation',
]);

const latin1 = new TextDecoder('latin1');

const noLinks: PageLinks = { base: undefined, links: [], nofollow: 0, isNofollow: false };

/** Converts the responses among records to pages and links; counts everything that it leaves out. */
export class Capture {
  readonly pages = new CrawlPages();
  readonly #records = new Map<string, number>();
  readonly #left = {
    again: 0, otherStatus: 0, robotsTxt: 0, toItself: 0, cut: 0, codingCut: 0, nofollow: 0, notHttp: 0, invalid: 0,
    long: 0, tooMany: 0,
  };
  readonly #limitBytes: number;
  readonly #dropped: (url: URL) => URL;
  /** Bytes of redirects to the very same URL, by page: a page may follow, otherwise they are what was fetched. */
  readonly #selfRedirects = new LargeMap<number, number>();
  /** For WAT: whether character references are resolved in the records after the last warcinfo. */
  #isResolved = false;

  /** @throws InputError as queryDropper. */
  constructor(limitBytes: number, dropQuery: readonly string[] = []) {
    this.#limitBytes = limitBytes;
    this.#dropped = queryDropper(dropQuery);
  }

  /** Starts another file, whose warcinfo has not been read yet. */
  startFile(): void {
    this.#isResolved = false;
  }

  /** Processes one record; returns the error in it, if any. */
  add(record: WarcRecord): string | undefined {
    const type = recordTypes.has(record.type) ? record.type : 'unknown';
    this.#records.set(type, (this.#records.get(type) ?? 0) + 1);
    if (record.type === 'response') return this.#addHttp(record);
    if (record.type === 'warcinfo') this.#isResolved = resolvesReferences(latin1.decode(record.block));
    const isJson = /^application\/json\b/i.test(record.headers.get('content-type') ?? '');
    if (record.type === 'metadata' && isJson) return this.#addWat(record);
    return undefined;
  }

  #addHttp(record: WarcRecord): string | undefined {
    const http = httpResponse(record.block);
    // What a crawler fetched by DNS or FTP is also a response.
    const url = record.headers.get('warc-target-uri') ?? '';
    if (!http) {
      return /^<?https?:/i.test(url) ? 'its block is not an HTTP response' : undefined;
    }
    const isCut = record.block.length < record.blockBytes;
    const bytes = isCut && !http.isChunked ? record.blockBytes - http.entityAt : http.entity.length;
    let location = header(http.rawHeaders, 'location');
    location &&= urlInHeader(location);
    let page: PageLinks = noLinks;
    let refresh: string | undefined;
    let fault: string | undefined;
    if (http.status < 300 && isHtml(http, this.#limitBytes)) {
      if (isCut) this.#left.cut++;
      const decoded = decodedEntity(http, this.#limitBytes);
      if (decoded) {
        page = this.#linksOf(http, decoded);
        refresh = refreshIn(http.rawHeaders);
      } else {
        const coding = quoted(headers(http.rawHeaders, 'content-encoding').join());
        fault = `its body cannot be decoded from ${coding} within ${this.#limitBytes} bytes; its links are unknown`;
      }
    }
    return this.#addResponse({ url, status: http.status, location, refresh, bytes, ...page }) ?? fault;
  }

  #linksOf({ rawHeaders }: HttpResponse, { bytes, isCut }: DecodedBody): PageLinks {
    if (isCut) this.#left.codingCut++;
    const contentType = header(rawHeaders, 'content-type');
    const { text, encoding } = htmlText(bytes, contentType);
    const isXhtml = statedType(contentType) === 'application/xhtml+xml';
    const page = htmlLinks(text, { encoding, agent: AGENT, isXhtml });
    if (!saysNofollow(robotsTag(headers(rawHeaders, 'x-robots-tag'), AGENT))) return page;
    return { base: page.base, links: [], nofollow: page.nofollow + page.links.length, isNofollow: true };
  }

  #addWat(record: WarcRecord): string | undefined {
    if (record.block.length < record.blockBytes) return `is longer than ${this.#limitBytes} bytes`;
    let response: Response | undefined;
    try {
      response = watResponse(new TextDecoder().decode(record.block), this.#isResolved);
    } catch {
      return 'its block is not JSON';
    }
    return response && this.#addResponse(response);
  }

  #addResponse(
    { url, status, location, refresh, bytes, base, links, nofollow, isNofollow }: Response,
  ): string | undefined {
    // wget wrote it in the <> of RFC 3986, appendix C, a possible reading of WARC 1.0.
    const at = this.#urlOf(url.replace(/^<(.*)>$/, '$1'));
    if (typeof at === 'string') return 'its WARC-Target-URI is not a URL of http or https';
    // Requested by crawlers, not found by links.
    if (at.pathname === '/robots.txt') {
      this.#left.robotsTxt++;
      return undefined;
    }
    const isRedirect = status >= 300 && status < 400 && location !== undefined;
    if (!isRedirect && (status < 200 || status >= 300)) {
      this.#left.otherStatus++;
      return undefined;
    }
    const target = isRedirect ? this.#urlOf(location, at) : undefined;
    if (
      target instanceof URL &&
      target.host === at.host &&
      target.pathname + target.search === at.pathname + at.search
    ) {
      // From http to https of the same place, or to set a cookie: the page itself follows.
      this.#left.toItself++;
      if (target.protocol !== at.protocol) return undefined;
      const page = this.pages.idOf(at);
      if (!this.#selfRedirects.has(page)) this.#selfRedirects.set(page, bytes);
      return undefined;
    }
    const page = this.pages.idOf(at);
    if (this.pages.isCaptured(page)) {
      this.#left.again++;
      return undefined;
    }
    this.pages.capture(page, bytes);
    if (isRedirect) {
      this.#link(page, target);
      return undefined;
    }
    this.#left.nofollow += nofollow + (refresh !== undefined && isNofollow ? 1 : 0);
    // Browsers obey it before they read the page, and with it the base.
    if (refresh !== undefined && !isNofollow) this.#link(page, this.#urlOf(refresh, at));
    const from = base === undefined ? at : pageUrl(base, at);
    for (const link of links.slice(0, MAX_LINKS_PER_PAGE)) {
      this.#link(page, this.#urlOf(link, from instanceof URL ? from : at));
    }
    this.#left.tooMany += Math.max(0, links.length - MAX_LINKS_PER_PAGE);
    return undefined;
  }

  /** Call once all records are added: a redirect to itself that no page followed is a page with that link. */
  finish(): void {
    for (const [page, bytes] of this.#selfRedirects) {
      if (this.pages.isCaptured(page)) continue;
      this.#left.toItself--;
      this.pages.capture(page, bytes);
      this.pages.link(page, page);
    }
    this.#selfRedirects.clear();
  }

  #urlOf(href: string, base?: URL): ReturnType<typeof canonicalUrl> {
    const url = canonicalUrl(href, base);
    return typeof url === 'string' ? url : this.#dropped(url);
  }

  #link(source: number, target: ReturnType<typeof canonicalUrl> | undefined): void {
    if (target instanceof URL) this.pages.link(source, this.pages.idOf(target));
    else if (target !== undefined) this.#left[target]++;
  }

  /** `3 request, 2 response, ...`, by name. */
  recordsText(): string {
    const counts = [...this.#records].sort(([a], [b]) => (a < b ? -1 : 1));
    return `records: ${counts.map(([type, count]) => `${count} ${type}`).join(', ')}`;
  }

  /** A line for everything that a user should know. */
  notes(capturedOnly: boolean): string[] {
    const leftOut = this.#left;
    const onlyLinked = this.pages.mentioned - this.pages.captured;
    const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
    const of = (count: number, what: string, rest: string): string[] =>
      count === 0 ? [] : [`${plural(count, what)} ${rest}`];
    const others = capturedOnly ? 'left out' : '(size 0, no links known)';
    return [
      this.recordsText(),
      `${plural(this.pages.captured, 'page')} fetched; ${onlyLinked} only linked to ${others}`,
      ...of(leftOut.again, 'response', 'left out: the page was captured before'),
      ...of(leftOut.otherStatus, 'response', 'left out: neither success nor redirect'),
      ...of(leftOut.robotsTxt, 'response', 'left out: a robots.txt'),
      ...of(leftOut.toItself, 'redirect', 'left out: to the page itself'),
      ...of(leftOut.cut, 'page', `read only up to the limit of ${this.#limitBytes} bytes`),
      ...of(leftOut.codingCut, 'page', 'read as far as its content coding goes, which ends early'),
      ...of(leftOut.nofollow, 'link', 'left out: nofollow'),
      ...of(leftOut.notHttp, 'link', 'left out: neither http nor https'),
      ...of(leftOut.invalid, 'link', 'left out: not a URL'),
      ...of(leftOut.long, 'link', 'left out: longer than 2048 characters'),
      ...of(leftOut.tooMany, 'link', `left out: more than ${MAX_LINKS_PER_PAGE} on a page`),
    ];
  }
}
