import { isArc, type GrowingComponents } from '../contract.ts';
import { checkPairs } from '../distance-matrix.ts';
import { Partition } from '../partition.ts';

/**
 * The closure, a row of bits per page with the pages that it reaches, looking only at what an arc (s, t) can change:
 * nothing if s reaches t already, and no page that does.
 *
 * Source  SPAWC, Algorithm 1 for components, pruned; section 5c of the review of its text.
 * Cost    O(n) per arc, and O(n / 32) per page that begins to reach t: O(n^3 / 32) in all, whatever the number of
 *         arcs; n^2 / 8 bytes.
 */
export class PrunedClosure implements GrowingComponents {
  readonly pages: number;
  readonly #words: number;
  readonly #rows: Uint32Array;
  readonly #partition: Partition;

  constructor(pages: number) {
    this.pages = pages;
    checkPairs('closure', pages, 1 / 8);
    this.#words = Math.ceil(pages / 32);
    this.#rows = new Uint32Array(pages * this.#words);
    this.#partition = new Partition(pages);
    for (let page = 0; page < pages; page++) this.#rows[page * this.#words + (page >>> 5)] |= 1 << (page & 31);
  }

  get count(): number {
    return this.#partition.count;
  }

  componentOf(page: number): number {
    return this.#partition.lowestOf(page);
  }

  addArc(source: number, target: number): void {
    if (!isArc(this.pages, source, target) || this.#reaches(source, target)) return;
    const rows = this.#rows;
    const words = this.#words;
    const isCycle = this.#reaches(target, source);
    const other = target * words;
    const [sourceWord, sourceBit] = [source >>> 5, 1 << (source & 31)];
    const [targetWord, targetBit] = [target >>> 5, 1 << (target & 31)];
    for (let page = 0; page < this.pages; page++) {
      const own = page * words;
      if ((rows[own + sourceWord] & sourceBit) === 0 || (rows[own + targetWord] & targetBit) !== 0) continue;
      for (let word = 0; word < words; word++) rows[own + word] |= rows[other + word];
      // The page reaches t now. If t reaches it, they are one component, and so is s, which is on the path.
      if (isCycle && this.#reaches(target, page)) this.#partition.merge(source, page);
    }
    if (isCycle) this.#partition.merge(source, target);
  }

  update(): void {
    // Every arc updates the closure.
  }

  #reaches(page: number, other: number): boolean {
    return (this.#rows[page * this.#words + (other >>> 5)] >>> (other & 31) & 1) === 1;
  }
}
