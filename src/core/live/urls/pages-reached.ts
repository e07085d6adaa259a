import { LargeMap, LargeSet } from '../../../base/index.ts';
import type { CrawlStore } from '../store/crawl-store.ts';

/**
 * Pages that came within the limits, or came nearer on another machine, through a page besides its own links: by that
 * page, until the scheduler has asked for them.
 *
 * Memory   an id for each page through which others were reached, and these until they are asked for.
 */
export class PagesReached {
  readonly #store: Pick<CrawlStore, 'reached' | 'reachedPages'>;
  /** Pages whose note is to be announced. */
  readonly #due = new LargeSet<number>();
  /** What the store may not have yet. */
  readonly #recent = new LargeMap<number, Uint32Array>();

  constructor(store: Pick<CrawlStore, 'reached' | 'reachedPages'>) {
    this.#store = store;
    this.goBack();
  }

  /** Adds to what is to be announced on account of a page. @returns all that was, which is to be noted. */
  add(cause: number, reached: readonly number[]): Uint32Array {
    const before = this.#recent.get(cause) ?? this.#store.reached(cause) ?? [];
    const all = Uint32Array.from(new Set([...before, ...reached]));
    this.#recent.set(cause, all);
    this.#due.add(cause);
    return all;
  }

  /** What is to be announced on account of a page: once, when it is stored. */
  take(cause: number): Uint32Array | undefined {
    if (this.#due.size === 0 || !this.#due.delete(cause)) return undefined;
    const recent = this.#recent.get(cause);
    this.#recent.delete(cause);
    return recent ?? this.#store.reached(cause);
  }

  /** Everything is due again that was ever noted: what the scheduler knows already, it hears again. */
  goBack(): void {
    for (const page of this.#store.reachedPages()) this.#due.add(page);
  }
}
