/** No page. */
export const NONE = 0xffff;

/** A tree per page over all pages, each below a parent or in no place yet. 8 bytes per pair of pages. */
export class PageTrees {
  readonly #pages: number;
  readonly #parents: Uint16Array;
  readonly #firsts: Uint16Array;
  readonly #nexts: Uint16Array;
  readonly #previous: Uint16Array;

  constructor(pages: number) {
    this.#pages = pages;
    const [parents, firsts, nexts, previous] = Array.from({ length: 4 }, () =>
      new Uint16Array(pages * pages).fill(NONE));
    this.#parents = parents;
    this.#firsts = firsts;
    this.#nexts = nexts;
    this.#previous = previous;
  }

  parentOf(tree: number, page: number): number {
    return this.#parents[tree * this.#pages + page];
  }

  /** The first page below `page`, or NONE. */
  firstBelow(tree: number, page: number): number {
    return this.#firsts[tree * this.#pages + page];
  }

  /** The next page below the same parent, or NONE. */
  nextOf(tree: number, page: number): number {
    return this.#nexts[tree * this.#pages + page];
  }

  /** Puts a page, with all that is below it, below another parent. */
  move(tree: number, page: number, parent: number): void {
    const at = tree * this.#pages;
    const next = this.#nexts[at + page];
    const previous = this.#previous[at + page];
    const oldParent = this.#parents[at + page];
    if (previous !== NONE) this.#nexts[at + previous] = next;
    else if (oldParent !== NONE) this.#firsts[at + oldParent] = next;
    if (next !== NONE) this.#previous[at + next] = previous;

    const first = this.#firsts[at + parent];
    if (first !== NONE) this.#previous[at + first] = page;
    this.#firsts[at + parent] = page;
    this.#nexts[at + page] = first;
    this.#previous[at + page] = NONE;
    this.#parents[at + page] = parent;
  }
}
