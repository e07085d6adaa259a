import { createHash } from 'node:crypto';
import {
  header, headers, htmlLinks, htmlText, isHtmlType, packText, plainText, refreshIn,
  resolvedText, robotsTag, saysNofollow, saysNoindex, statedType, unstatedType, type HtmlLinks, type RawHeaders,
} from '../../../base/web/index.ts';
import type { LiveSettings } from '../settings.ts';
import { OUT_OF_SCOPE, Scope } from '../urls/scope.ts';
import { UrlFilter, urlMaker } from '../urls/url-filter.ts';
import { decodedBody } from './decoded-body.ts';
import { LinkCache, type Resolved } from './link-cache.ts';
import type { LeftOutReason, PageFault, PageRead, RawPage } from './page.ts';

const headerNames = new Set([
  'content-encoding', 'content-type', 'refresh', 'x-content-type-options', 'x-robots-tag',
]);

export function headersRead(rawHeaders: RawHeaders): string[] {
  return rawHeaders.filter((_, i) => headerNames.has(rawHeaders[i - (i % 2)].toLowerCase()));
}

/** Spellings of links that are stored per allowed link of a page: many have the same URL, or are left out. */
const SPELLINGS_PER_LINK = 8;

const beyondLimit: Resolved = { url: undefined, reason: 'beyondLimit' };

/** Reads one page; the result depends only on the page and the settings. */
export function readPage(raw: RawPage, settings: LiveSettings): PageRead {
  return new PageReader(settings).read(raw);
}

/**
 * Reads pages one after the other, and caches what links were resolved to; the result for a page does not depend on
 * earlier pages.
 *
 *  - Type: a stated Content-Type is believed, `text/plain` too. If it is missing, malformed or says nothing, a body
 *    that begins as HTML (WHATWG MIME Sniffing) is `text/html`, unless the host forbids sniffing, and so is one with a
 *    Refresh; nothing else is accepted.
 *  - Links: HTML and XHTML have some, also in their Refresh; other accepted types have none.
 *  - Text, if the settings ask for it, of HTML, XHTML and `text/plain`, with the words of links that may be followed.
 *  - A `base` that is not an http or https URL is ignored.
 *
 * Errors   the constructor throws InputError, as UrlFilter.
 * Cost     O(decoded body), and a URL for each spelling of a link until maxLinks are found: at most SPELLINGS_PER_LINK
 *          * maxLinks.
 * Memory   a few times the decoded body.
 */
export class PageReader {
  readonly #settings: LiveSettings;
  readonly #filter: UrlFilter;
  readonly #scope: Scope;
  readonly #urlOf: ReturnType<typeof urlMaker>;
  readonly #cache = new LinkCache((href, base) => this.#resolved(href, base));

  constructor(settings: LiveSettings) {
    this.#settings = settings;
    this.#filter = new UrlFilter(settings);
    this.#scope = new Scope(settings);
    this.#urlOf = urlMaker(settings);
  }

  read(raw: RawPage): PageRead {
    const contentType = header(raw.rawHeaders, 'content-type');
    const headerType = statedType(contentType);
    if (headerType !== undefined && !isTaken(headerType, this.#settings)) return faulty('type not taken');
    const decoded = decodedBody(raw, this.#settings);
    if (typeof decoded === 'string') return faulty(decoded);
    const { bytes: body, isCut } = decoded;
    const type = headerType ?? unstatedType(raw.rawHeaders, body);
    if (type === undefined || !isTaken(type, this.#settings)) return faulty('type not taken');

    const { contentSeen, maxLinks, agent, text: hasText } = this.#settings;
    const digest = contentSeen ? createHash('sha256').update(body).digest('hex') : '';
    const words = robotsTag(headers(raw.rawHeaders, 'x-robots-tag'), agent);
    const isNoindex = saysNoindex(words);
    const isText = hasText && !isNoindex;
    if (!isHtmlType(type)) {
      const text = isText && type === 'text/plain' ? packText(plainText(htmlText(body, contentType).text)) : undefined;
      return { ...faulty(undefined), digest, noindex: isNoindex, isCut, text };
    }
    const document = htmlText(body, contentType);
    const html = htmlLinks(document.text, {
      encoding: document.encoding, most: SPELLINGS_PER_LINK * maxLinks, agent: agent.toLowerCase(),
      isXhtml: type === 'application/xhtml+xml', text: isText,
    });
    const base = baseOf(html, raw.url);
    const canonical = html.canonical === undefined ? 'invalid' : this.#urlOf(html.canonical, base);
    const { urls, ...links } = this.#links(html, base, saysNofollow(words), this.#refresh(raw));
    const text = html.text === undefined || html.noindex
      ? undefined : packText(resolvedText(html.text, (link) => urls[link]));
    return {
      fault: undefined,
      ...links,
      canonical: typeof canonical === 'string' ? undefined : canonical.href,
      noindex: isNoindex || html.noindex,
      isCut,
      digest,
      text,
    };
  }

  /** The links, a Refresh first, and the URLs of those in the document, by index; undefined for one left out. */
  #links(
    html: HtmlLinks, base: URL, isNofollow: boolean, refresh: Resolved | undefined,
  ): Pick<PageRead, 'links' | 'hops' | 'leftOut'> & { readonly urls: readonly (string | undefined)[] } {
    const leftOut: Partial<Record<LeftOutReason, number>> = {};
    const leave = (reason: LeftOutReason, count: number): void => {
      if (count > 0) leftOut[reason] = (leftOut[reason] ?? 0) + count;
    };
    const links = new Map<string, number>();
    if (refresh !== undefined) {
      if (isNofollow || html.isNofollow) leave('nofollow', 1);
      else if (refresh.url === undefined) leave(refresh.reason, 1);
      else links.set(refresh.url, refresh.hops);
    }
    leave('nofollow', html.nofollow + (isNofollow ? html.links.length + html.beyond : 0));
    const urlOf = new Map<string, string | undefined>();
    const urls: (string | undefined)[] = [];
    if (!isNofollow) {
      this.#cache.enter(base);
      for (const href of html.links) {
        let url = urlOf.get(href);
        if (url === undefined && !urlOf.has(href)) {
          const link = links.size < this.#settings.maxLinks ? this.#cache.resolved(href) : beyondLimit;
          urlOf.set(href, url = link.url);
          if (link.url !== undefined) links.set(link.url, link.hops);
          else leave(link.reason, 1);
        }
        urls.push(url);
      }
      leave('beyondLimit', html.beyond);
    }
    const hops = this.#scope.maxHops === 0 ? undefined : Uint8Array.from(links.values());
    return { links: [...links.keys()], hops, leftOut, urls };
  }

  /** The target of a Refresh: browsers obey it before they read the page, and with it the base. */
  #refresh({ rawHeaders, url }: RawPage): Resolved | undefined {
    const target = refreshIn(rawHeaders);
    return target === undefined ? undefined : this.#resolved(target, new URL(url));
  }

  #resolved(href: string, base: URL): Resolved {
    const url = this.#urlOf(href, base);
    if (typeof url === 'string') return { url: undefined, reason: url };
    if (this.#filter.refuses(url) !== undefined) return { url: undefined, reason: 'filtered' };
    const hops = this.#scope.maxHops === 0 ? 0 : Math.min(this.#scope.hopsOf(url.href), OUT_OF_SCOPE);
    return { url: url.href, hops, reason: undefined };
  }
}

/** True if a media type, in lower case, is accepted; `text/*` accepts all that begin with `text/`. */
export function isTaken(type: string, { types }: Pick<LiveSettings, 'types'>): boolean {
  return types.some((accepted) => {
    const name = accepted.toLowerCase();
    return name === type || (name.endsWith('*') && type.startsWith(name.slice(0, -1)));
  });
}

export function faulty(fault: PageFault | undefined): PageRead {
  return {
    fault, links: [], leftOut: {}, canonical: undefined, noindex: false, isCut: false, digest: '', text: undefined,
  };
}

function baseOf({ base }: HtmlLinks, url: string): URL {
  const page = new URL(url);
  const declared = base === undefined || !URL.canParse(base, url) ? page : new URL(base, page);
  return declared.protocol === 'http:' || declared.protocol === 'https:' ? declared : page;
}
