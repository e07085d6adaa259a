import { LargeMap, LargeSet } from '../../../base/index.ts';
import type { CrawlStore } from '../store/crawl-store.ts';

/**
 * Pages that came within the limits, or came nearer on another machine, through a page besides its links: by that page,
 * until the scheduler has asked for them.
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

  /** Adds pages to announce on account of a page. @returns all of them, for a note. */
  add(cause: number, reached: readonly number[]): Uint32Array {
    const earlier = this.#recent.get(cause) ?? this.#store.reached(cause) ?? [];
    const all = Uint32Array.from(new Set([...earlier, ...reached]));
    this.#recent.set(cause, all);
    this.#due.add(cause);
    return all;
  }

  /** The pages to announce on account of a page: once, when they are stored. */
  take(cause: number): Uint32Array | undefined {
    if (this.#due.size === 0 || !this.#due.delete(cause)) return undefined;
    const recent = this.#recent.get(cause);
    this.#recent.delete(cause);
    return recent ?? this.#store.reached(cause);
  }

  /** All notes are due again: the scheduler may hear twice of a page. */
  goBack(): void {
    for (const page of this.#store.reachedPages()) this.#due.add(page);
  }
}
