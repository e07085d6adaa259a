import { grown } from './growable.ts';

/** Growth factor of arrays with one element per page: with millions of pages, saving memory is worth more copies. */
export const pageGrowth = 1.125;

/**
 * The local index of each page known to its processor: one table for all processors of a thread, since each page
 * belongs to one processor. 4 bytes per page id up to the greatest known; a lookup is one memory read.
 */
export class PageIndex {
  /** Local index + 1; 0 if the page is not known. */
  #locals: Uint32Array;

  /** @param pages initial capacity: ids below it fit; greater ids grow the table. */
  constructor(pages = 0) {
    this.#locals = new Uint32Array(pages);
  }

  /** Bytes of its table. */
  get bytes(): number {
    return this.#locals.byteLength;
  }

  /** Local index of `page`, or -1. Valid only at the page's own processor. */
  find(page: number): number {
    return page < this.#locals.length ? this.#locals[page] - 1 : -1;
  }

  set(page: number, local: number): void {
    this.#locals = grown(this.#locals, page + 1, pageGrowth);
    this.#locals[page] = local + 1;
  }
}
