import { canonicalUrl } from '../../../base/web/index.ts';
import type { Answer, Fault } from '../fetch/answer.ts';
import { locationOf } from '../meaning.ts';

/** RFC 9309, section 2.3.1.2. */
const MAX_REDIRECTS = 5;

/**
 * Where the robots.txt of an origin is: at first there, then where its redirects lead, at most five, to any host. A
 * redirect back to where it came from is not followed: it would lead there again.
 */
export class RobotsRedirects {
  /** What is to be asked for. */
  url: URL;
  /** Why the last redirect was not followed; '' if it was, or the answer was none. */
  refusal = '';
  readonly #maxUrlLength: number;
  readonly #asked = new Set<string>();

  constructor(origin: string, maxUrlLength: number) {
    this.url = new URL('/robots.txt', origin);
    this.#maxUrlLength = maxUrlLength;
  }

  /** Whether a redirect was followed. */
  get isRedirected(): boolean {
    return this.#asked.size > 0;
  }

  /** Whether the answer leads on: `url` is then the next. */
  follow(end: Answer | Fault): boolean {
    const location = 'reason' in end ? undefined : locationOf(end);
    if (location === undefined) return false;
    const target = canonicalUrl(location, this.url, this.#maxUrlLength);
    this.#asked.add(this.url.href);
    if (typeof target === 'string') this.refusal = `redirect not followed: ${target}`;
    else if (this.#asked.has(target.href)) this.refusal = `redirect loop: back to ${target.href}`;
    else if (this.#asked.size > MAX_REDIRECTS) this.refusal = `more than ${MAX_REDIRECTS} redirects in a row`;
    else this.url = target;
    return this.refusal === '';
  }
}
