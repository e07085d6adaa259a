import type { LeftOutReason } from './page.ts';

/** A link's canonical URL, with how many hops its page begins (`Scope`), or why it is left out. */
export type Resolved =
  | { readonly url: string; readonly hops: number; readonly reason: undefined }
  | { readonly url: undefined; readonly reason: LeftOutReason };

/**
 * Links whose URL depends on no base, and links whose URL depends only on the base's folder, by the WHATWG URL
 * standard: absolute ones, and paths without a scheme. (A link that is empty or begins with `?` also takes its base's
 * path; a scheme without slashes may do so.) Only short links of plain characters.
 */
const ofNoBase = /^https?:\/\/[!-~]{1,200}$/;
const ofFolderAlone = /^(?=[!-~]{1,200}$)[\w.~/-]+(?:[?#]|$)/;
/** Some 600 bytes each. */
const MAX_LINKS = 1 << 15;

/**
 * Caches what links were resolved to, absolute ones by themselves, others by folder: pages of a folder repeat the same
 * spellings of the same places, and a look-up costs a tenth of a URL.
 *
 * Memory  at most MAX_LINKS links, all dropped at once.
 */
export class LinkCache {
  readonly #resolve: (href: string, base: URL) => Resolved;
  readonly #whole = new Map<string, Resolved>();
  readonly #folders = new Map<string, Map<string, Resolved>>();
  #count = 0;
  #base = new URL('http://localhost/');
  #folder = new Map<string, Resolved>();

  /** @param resolve returns the same for the same link and base. */
  constructor(resolve: (href: string, base: URL) => Resolved) {
    this.#resolve = resolve;
  }

  enter(base: URL): void {
    this.#base = base;
    if (this.#count >= MAX_LINKS) {
      this.#whole.clear();
      this.#folders.clear();
      this.#count = 0;
    }
    const name = `${base.origin}${base.pathname.slice(0, base.pathname.lastIndexOf('/') + 1)}`;
    let folder = this.#folders.get(name);
    if (folder === undefined) {
      this.#folders.set(name, folder = new Map<string, Resolved>());
      this.#count++;
    }
    this.#folder = folder;
  }

  resolved(href: string): Resolved {
    const isWhole = href.startsWith('http://') || href.startsWith('https://');
    const place = isWhole ? this.#whole : this.#folder;
    const cached = place.get(href);
    if (cached !== undefined) return cached;
    const resolved = this.#resolve(href, this.#base);
    if (this.#count < MAX_LINKS && (isWhole ? ofNoBase : ofFolderAlone).test(href)) {
      // Copied, so that the rest of the page's text can be freed.
      place.set(Buffer.from(href, 'latin1').toString('latin1'), resolved);
      this.#count++;
    }
    return resolved;
  }
}
