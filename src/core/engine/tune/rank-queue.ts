import { grown } from '../../../base/index.ts';

/** Pages of some group (a processor, or all) by class: 0 has the greatest rank, and equal ranks are one class. */
export interface RankClasses {
  /** Class of each page within its group. */
  readonly ofPage: Uint32Array;
  /** How many classes each group has. */
  readonly counts: Uint32Array;
}

/**
 * A queue of pages whose ranks never change: best class first, and within a class in order of arrival. What was taken
 * out and appended since `mark` can be undone. Cost: O(log of the classes to base 32) per operation, where a heap takes
 * the logarithm to base 2; no memory per entry but two links per page, which queues of different pages share.
 */
export class RankQueue {
  size = 0;
  readonly #classOf: Uint32Array;
  /** First and last page of each class, side by side: they share a line of the cache. */
  readonly #ends: Int32Array;
  /** The next page of the same class and the one before it. */
  readonly #links: Int32Array;
  readonly #bits: FirstBit;
  /** Pages taken out (even) and appended (odd) since the mark: twice the page, and 1. */
  #journal = new Uint32Array(64);
  #changes = 0;
  #isMarked = false;

  /** @param links an array of two elements per page. */
  constructor(classOf: Uint32Array, classes: number, links: Int32Array) {
    this.#classOf = classOf;
    this.#ends = new Int32Array(2 * classes).fill(-1);
    this.#links = links;
    this.#bits = new FirstBit(classes);
  }

  append(page: number): void {
    const [ends, links] = [this.#ends, this.#links];
    const end = 2 * this.#classOf[page];
    const last = ends[end + 1];
    links[2 * page] = -1;
    links[2 * page + 1] = last;
    ends[end + 1] = page;
    if (last >= 0) links[2 * last] = page;
    else {
      ends[end] = page;
      this.#bits.set(end >>> 1);
    }
    this.size++;
    if (this.#isMarked) this.#note(2 * page + 1);
  }

  /** Takes out the best page; there must be one. */
  take(): number {
    const page = this.#ends[2 * this.#bits.first()];
    this.remove(page);
    if (this.#isMarked) this.#note(2 * page);
    return page;
  }

  /** Takes out a page that is in the queue. Not to be undone. */
  remove(page: number): void {
    const [ends, links] = [this.#ends, this.#links];
    const end = 2 * this.#classOf[page];
    const next = links[2 * page];
    const previous = links[2 * page + 1];
    if (previous >= 0) links[2 * previous] = next;
    else ends[end] = next;
    if (next >= 0) links[2 * next + 1] = previous;
    else ends[end + 1] = previous;
    if (previous < 0 && next < 0) this.#bits.clear(end >>> 1);
    this.size--;
  }

  mark(): void {
    this.#isMarked = true;
    this.#changes = 0;
  }

  /** The queue is again as it was at the mark. */
  undo(): void {
    this.#isMarked = false;
    while (this.#changes > 0) {
      const change = this.#journal[--this.#changes];
      if ((change & 1) === 1) this.remove(change >>> 1);
      else this.#putFirst(change >>> 1);
    }
  }

  #putFirst(page: number): void {
    const [ends, links] = [this.#ends, this.#links];
    const end = 2 * this.#classOf[page];
    const first = ends[end];
    links[2 * page] = first;
    links[2 * page + 1] = -1;
    ends[end] = page;
    if (first >= 0) links[2 * first + 1] = page;
    else {
      ends[end + 1] = page;
      this.#bits.set(end >>> 1);
    }
    this.size++;
  }

  #note(change: number): void {
    this.#journal = grown(this.#journal, this.#changes + 1);
    this.#journal[this.#changes++] = change;
  }
}

/** A set of small integers that knows its least. */
class FirstBit {
  /** From the bits themselves to one word; a bit of a level says whether its word of the level below has any. */
  readonly #levels: Uint32Array[] = [];

  constructor(bits: number) {
    for (let words = bits; words > 1 || this.#levels.length === 0; ) {
      words = Math.max(1, (words + 31) >>> 5);
      this.#levels.push(new Uint32Array(words));
    }
  }

  set(bit: number): void {
    for (const level of this.#levels) {
      const word = bit >>> 5;
      const had = level[word];
      level[word] = had | (1 << (bit & 31));
      if (had !== 0) return;
      bit = word;
    }
  }

  clear(bit: number): void {
    for (const level of this.#levels) {
      const word = bit >>> 5;
      if ((level[word] &= ~(1 << (bit & 31))) !== 0) return;
      bit = word;
    }
  }

  /** The least; there must be one. */
  first(): number {
    let at = 0;
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const word = this.#levels[i][at];
      at = 32 * at + 31 - Math.clz32(word & -word);
    }
    return at;
  }
}
