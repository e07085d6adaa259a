import { assert } from '../../../base/index.ts';

/** Pages of a word of marks. */
const WORD_BITS = 32;

/**
 * The links of some pages of a graph, in compressed sparse rows: a quarter of a byte per page of the graph, 4 bytes per
 * page that is here, and 4 per link of these.
 */
export class PartRows {
  readonly #pages: number;
  /** A bit per page of the graph: whether its links are here. */
  readonly #marks: Uint32Array;
  /** Number of pages that are here, before each word of marks. */
  readonly #before: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #targets: Uint32Array;

  /**
   * Makes room for the links of the pages that are here; `set` fills it.
   * @param outOffsets of the whole graph: pages + 1, rising. Not stored.
   * @param isHere whether the links of a page are to be here. Cost O(pages).
   */
  constructor(outOffsets: Uint32Array, isHere: (page: number) => boolean) {
    const pages = outOffsets.length - 1;
    this.#pages = pages;
    this.#marks = new Uint32Array(Math.ceil(pages / WORD_BITS));
    this.#before = new Uint32Array(this.#marks.length);
    let here = 0;
    for (let page = 0; page < pages; page++) {
      const word = Math.floor(page / WORD_BITS);
      if (page % WORD_BITS === 0) this.#before[word] = here;
      if (!isHere(page)) continue;
      this.#marks[word] |= 1 << page % WORD_BITS;
      here++;
    }
    this.#offsets = new Uint32Array(here + 1);
    for (let page = 0, number = 0; page < pages; page++) {
      if (!this.has(page)) continue;
      this.#offsets[number + 1] = this.#offsets[number] + outOffsets[page + 1] - outOffsets[page];
      number++;
    }
    this.#targets = new Uint32Array(this.#offsets[here]);
  }

  /** Bytes of its arrays. */
  get bytes(): number {
    return [this.#marks, this.#before, this.#offsets, this.#targets].reduce((sum, array) => sum + array.byteLength, 0);
  }

  /** Whether the links of a page are here. */
  has(page: number): boolean {
    return (this.#marks[Math.floor(page / WORD_BITS)] >>> page % WORD_BITS & 1) === 1;
  }

  /** Links of a page from its link number `first` on. The page must be here, and have so many links. */
  set(page: number, first: number, links: Uint32Array): void {
    this.#targets.set(links, this.#offsets[this.#numberOf(page)] + first);
  }

  /** The links of a page; borrowed. @throws AssertionError if they are not here. */
  of(page: number): Uint32Array {
    const number = this.#numberOf(page);
    return this.#targets.subarray(this.#offsets[number], this.#offsets[number + 1]);
  }

  /** How many pages before it are here. */
  #numberOf(page: number): number {
    assert(page < this.#pages && this.has(page), () => `the links of page ${page} are on another node`);
    const word = Math.floor(page / WORD_BITS);
    const lower = this.#marks[word] & (2 ** (page % WORD_BITS) - 1);
    return this.#before[word] + bitsSet(lower);
  }
}

/** Number of bits set in a word, counted in parallel (Warren, "Hacker's Delight", section 5-1). */
export function bitsSet(word: number): number {
  const pairs = word - (word >>> 1 & 0x55555555);
  const fours = (pairs & 0x33333333) + (pairs >>> 2 & 0x33333333);
  return Math.imul(fours + (fours >>> 4) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
