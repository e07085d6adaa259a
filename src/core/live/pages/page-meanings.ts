import { LargeMap, LargeSet } from '../../../base/index.ts';
import { statedType } from '../../../base/web/index.ts';
import type { Answer } from '../fetch/answer.ts';
import type { LiveWebParts } from '../live-web-parts.ts';
import type { LinkNumbers } from '../urls/link-numbers.ts';
import { OUT_OF_SCOPE } from '../urls/scope.ts';
import { UrlFilter, urlMaker } from '../urls/url-filter.ts';
import { CUT_SHORT, isTransientStatus, locationOf, nothing, type Meaning } from './meaning.ts';
import { isTaken } from './read-page.ts';

/** Longer loops are not named: whoever follows one gives up before. */
const MAX_LOOP_PAGES = 100;

type Parts = Pick<LiveWebParts, 'settings' | 'urls' | 'store' | 'readers'>;

/**
 * Finds what an answer means for the page that was asked for: where it redirects, why it is no page, or what it says.
 *
 * Memory   a digest per body, if `contentSeen` is set.
 */
export class PageMeanings {
  readonly #parts: Parts;
  readonly #numbers: LinkNumbers;
  readonly #filter: UrlFilter;
  readonly #urlOf: ReturnType<typeof urlMaker>;
  readonly #digests = new LargeSet<string>();

  constructor(parts: Parts, numbers: LinkNumbers) {
    this.#parts = parts;
    this.#numbers = numbers;
    this.#filter = new UrlFilter(parts.settings);
    this.#urlOf = urlMaker(parts.settings);
    if (parts.settings.contentSeen) for (const { digest } of parts.store.visits()) this.#digests.add(digest);
  }

  /** True if the type that a header states is accepted; where none is stated, the body is inspected. */
  mayTake(contentType: string | undefined): boolean {
    const type = statedType(contentType);
    return type === undefined || isTaken(type, this.#parts.settings);
  }

  async of(page: number, url: URL, answer: Answer): Promise<Meaning> {
    const { status, rawHeaders, body } = answer;
    const location = locationOf(answer);
    if (location !== undefined)
      return { ...nothing, kind: 'fetched', byRedirect: true, ...this.#redirect(page, location, url) };
    if (isTransientStatus(status)) return { ...nothing, kind: 'serverError', reason: `status ${status}` };
    if (status < 200 || status > 299) return { ...nothing, kind: 'notFound', reason: `status ${status}` };
    const { fault, isCut, digest, text, links, hops } = await this.#parts.readers.read({
      url: url.href, rawHeaders, body,
    });
    if (fault !== undefined) return { ...nothing, kind: 'rejected', reason: fault };
    const reason = isCut ? CUT_SHORT : '';
    if (digest !== '' && this.#digests.has(digest))
      return { ...nothing, kind: 'fetched', reason: reason || 'body seen before', text };
    if (digest !== '') this.#digests.add(digest);
    return { ...nothing, kind: 'fetched', reason, links, hops, digest, text };
  }

  #redirect(page: number, location: string, url: URL): Pick<Meaning, 'links' | 'hops' | 'reason'> {
    const { settings, urls } = this.#parts;
    const target = this.#urlOf(location, url);
    if (typeof target === 'string') return { links: [], reason: `redirect not followed: ${target}` };
    const refusal = this.#filter.refuses(target);
    const outside = 'redirect not followed: out of scope';
    if (refusal !== undefined)
      return { links: [], reason: `${outside}${refusal === 'scope' ? '' : ` by its ${refusal}`}: ${target.href}` };
    const { hops, isBeyond } = this.#numbers.redirected(page, target.href);
    const isTooFar = urls.redirectsOf(page) >= settings.maxRedirects;
    const reason = isBeyond ? `${outside}: ${target.href}`
      : isTooFar ? `more than ${settings.maxRedirects} redirects in a row` : '';
    return { links: [target.href], hops: Uint8Array.of(Math.min(hops, OUT_OF_SCOPE)), reason };
  }
}

/**
 * The redirects of this session, so that a loop can be named by the redirect that closes it.
 *
 * Memory  some 40 bytes per page that is a redirect.
 */
export class RedirectLoops {
  readonly #targets = new LargeMap<number, number>();

  /**
   * Takes the redirect of a page to another, or to itself, and names the loop that it closes; '' if it closes none.
   * Cost  O(MAX_LOOP_PAGES).
   */
  closedBy(page: number, target: number): string {
    this.#targets.set(page, target);
    let at: number | undefined = target;
    for (let pages = 1; at !== undefined && pages <= MAX_LOOP_PAGES; pages++) {
      if (at === page) return pages === 1 ? 'redirect loop: to itself' : `redirect loop: of ${pages} pages`;
      at = this.#targets.get(at);
    }
    return '';
  }
}
