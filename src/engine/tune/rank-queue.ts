import { grown } from '../../base/index.ts';

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
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #next: Int32Array;
  readonly #before: Int32Array;
  readonly #bits: FirstBit;
  /** Pages taken out (even) and appended (odd) since the mark: twice the page, and 1. */
  #journal = new Uint32Array(64);
  #changes = 0;
  #isMarked = false;

  /** @param links two arrays with an element per page. */
  constructor(classOf: Uint32Array, classes: number, links: readonly [Int32Array, Int32Array]) {
    this.#classOf = classOf;
    this.#first = new Int32Array(classes).fill(-1);
    this.#last = new Int32Array(classes).fill(-1);
    [this.#next, this.#before] = links;
    this.#bits = new FirstBit(classes);
  }

  append(page: number): void {
    const at = this.#classOf[page];
    const last = this.#last[at];
    this.#next[page] = -1;
    this.#before[page] = last;
    this.#last[at] = page;
    if (last >= 0) this.#next[last] = page;
    else {
      this.#first[at] = page;
      this.#bits.set(at);
    }
    this.size++;
    if (this.#isMarked) this.#note(2 * page + 1);
  }

  /** Takes out the best page; there must be one. */
  take(): number {
    const page = this.#first[this.#bits.first()];
    this.remove(page);
    if (this.#isMarked) this.#note(2 * page);
    return page;
  }

  /** Takes out a page that is in the queue. Not to be undone. */
  remove(page: number): void {
    const at = this.#classOf[page];
    const [before, next] = [this.#before[page], this.#next[page]];
    if (before >= 0) this.#next[before] = next;
    else this.#first[at] = next;
    if (next >= 0) this.#before[next] = before;
    else this.#last[at] = before;
    if (before < 0 && next < 0) this.#bits.clear(at);
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
    const at = this.#classOf[page];
    const first = this.#first[at];
    this.#before[page] = -1;
    this.#next[page] = first;
    this.#first[at] = page;
    if (first >= 0) this.#before[first] = page;
    else {
      this.#last[at] = page;
      this.#bits.set(at);
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
