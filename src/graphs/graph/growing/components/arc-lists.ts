/** The end of a list. */
export const NONE = -1;

/** Lists of arcs, one per page, each arc in one of them at most: chained, so that two become one in O(1). */
export class ArcLists {
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  #next: Int32Array;

  constructor(pages: number) {
    this.#first = new Int32Array(pages).fill(NONE);
    this.#last = new Int32Array(pages).fill(NONE);
    this.#next = new Int32Array(0);
  }

  /** Makes room for arcs below `arcs`. */
  reserve(arcs: number): void {
    const next = new Int32Array(arcs);
    next.set(this.#next);
    this.#next = next;
  }

  firstOf(page: number): number {
    return this.#first[page];
  }

  nextOf(arc: number): number {
    return this.#next[arc];
  }

  add(page: number, arc: number): void {
    this.#next[arc] = NONE;
    if (this.#first[page] === NONE) this.#first[page] = arc;
    else this.#next[this.#last[page]] = arc;
    this.#last[page] = arc;
  }

  /** Removes the arc after `previous`, the first one if that is NONE. */
  removeAfter(page: number, previous: number): void {
    const arc = previous === NONE ? this.#first[page] : this.#next[previous];
    if (previous === NONE) this.#first[page] = this.#next[arc];
    else this.#next[previous] = this.#next[arc];
    if (this.#last[page] === arc) this.#last[page] = previous;
  }

  clear(page: number): void {
    this.#first[page] = this.#last[page] = NONE;
  }

  clearAll(): void {
    this.#first.fill(NONE);
    this.#last.fill(NONE);
  }

  /** Moves the list of `other` to the end of the list of `page`. */
  append(page: number, other: number): void {
    if (this.#first[other] === NONE) return;
    if (this.#first[page] === NONE) this.#first[page] = this.#first[other];
    else this.#next[this.#last[page]] = this.#first[other];
    this.#last[page] = this.#last[other];
    this.clear(other);
  }
}
