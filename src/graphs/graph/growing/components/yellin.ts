import { isArc, type GrowingComponents } from '../contract.ts';
import { checkPairs } from '../distance-matrix.ts';
import { Partition } from '../partition.ts';
import { GrowingRows } from '../rows.ts';

/**
 * The closure, pair by pair. An arc (s, t) is appended to every pair (n, s) of the closure, and the arcs of m to every
 * pair (n, m) that is new: each pair meets each arc of its second page once.
 *
 * Source  Yellin, "Speeding up dynamic transitive closure for bounded degree graphs", Acta Informatica 30, 1993, for
 *         arcs that are only added: no counts of paths are needed.
 * Cost    O(d m*) for all arcs together: d is the most arcs out of a page, m* the pairs of the closure. n^2 bytes, and
 *         8 per pair of the closure.
 */
export class YellinClosure implements GrowingComponents {
  readonly pages: number;
  readonly #partition: Partition;
  /** 1 for each pair of which the first reaches the second. */
  readonly #isReached: Uint8Array;
  /** The pages that reach each page, itself included. */
  readonly #sources: GrowingRows;
  readonly #targets: GrowingRows;

  constructor(pages: number) {
    this.pages = pages;
    checkPairs('closure', pages, 9);
    this.#partition = new Partition(pages);
    this.#isReached = new Uint8Array(pages * pages);
    this.#sources = new GrowingRows(pages);
    this.#targets = new GrowingRows(pages);
    for (let page = 0; page < pages; page++) {
      this.#isReached[page * pages + page] = 1;
      this.#sources.add(page, page);
    }
  }

  get count(): number {
    return this.#partition.count;
  }

  componentOf(page: number): number {
    return this.#partition.lowestOf(page);
  }

  addArc(source: number, target: number): void {
    if (!isArc(this.pages, source, target) || this.#targets.of(source).includes(target)) return;
    this.#targets.add(source, target);
    // None is added to the list meanwhile: what the arc leads to is reached anew by these pages alone.
    for (const page of this.#sources.of(source)) this.#reach(page, target);
  }

  update(): void {
    // Every arc updates the closure.
  }

  /** Adds the pair (page, first) to the closure, and all that follow from it. */
  #reach(page: number, first: number): void {
    const row = page * this.pages;
    if (this.#isReached[row + first] === 1) return;
    this.#isReached[row + first] = 1;
    const stack = [first];
    for (let other = stack.pop(); other !== undefined; other = stack.pop()) {
      this.#sources.add(other, page);
      if (this.#isReached[other * this.pages + page] === 1) this.#partition.merge(page, other);
      for (const target of this.#targets.of(other)) {
        if (this.#isReached[row + target] === 1) continue;
        this.#isReached[row + target] = 1;
        stack.push(target);
      }
    }
  }
}
