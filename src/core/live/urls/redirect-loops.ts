import { LargeMap } from '../../../base/index.ts';

/** Longer loops are not named: whoever follows one gives up before. */
const MAX_PAGES = 100;

/**
 * The redirects of this session, so that a loop can be named by the redirect that closes it.
 *
 * Memory  some 40 bytes per page that is a redirect.
 */
export class RedirectLoops {
  readonly #targets = new LargeMap<number, number>();

  /**
   * Takes the redirect of a page to another, or to itself, and names the loop that it closes; '' if it closes none.
   * Cost  O(MAX_PAGES).
   */
  closedBy(page: number, target: number): string {
    this.#targets.set(page, target);
    let at: number | undefined = target;
    for (let pages = 1; at !== undefined && pages <= MAX_PAGES; pages++) {
      if (at === page) return pages === 1 ? 'redirect loop: to itself' : `redirect loop: of ${pages} pages`;
      at = this.#targets.get(at);
    }
    return '';
  }
}
