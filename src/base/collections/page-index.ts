import { grown } from './growable.ts';

/** Arrays with one element per page grow by this factor: millions of pages are worth some more copies. */
export const pageGrowth = 1.125;

/**
 * The local index of each page that is known to its processor: one table for all processors of a thread, since a page
 * belongs to one of them. 4 bytes a page id up to the greatest known; a lookup is one read of memory.
 */
export class PageIndex {
  /** Local index + 1; 0 where the page is not known. */
  #locals: Uint32Array;

  /** @param pages room for ids below; there may be others. */
  constructor(pages = 0) {
    this.#locals = new Uint32Array(pages);
  }

  /** Bytes of its table. */
  get bytes(): number {
    return this.#locals.byteLength;
  }

  /** Local index of `page`, or -1. Good at the page's own processor only. */
  find(page: number): number {
    return page < this.#locals.length ? this.#locals[page] - 1 : -1;
  }

  set(page: number, local: number): void {
    this.#locals = grown(this.#locals, page + 1, pageGrowth);
    this.#locals[page] = local + 1;
  }
}
