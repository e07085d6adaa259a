import { assert } from '../../../../base/index.ts';
import { isArc, type GrowingComponents } from '../contract.ts';
import { checkPairs } from '../distance-matrix.ts';
import { Partition } from '../partition.ts';
import { GrowingRows } from '../rows.ts';

/** The components of a graph, computed anew from its arcs. */
export type FindComponents = (targets: GrowingRows) => Partition;

/** Components computed anew after every `threshold` arcs, and after the rest of them by `update`. */
export class RebuiltComponents implements GrowingComponents {
  readonly pages: number;
  readonly #targets: GrowingRows;
  readonly #find: FindComponents;
  readonly #threshold: number;
  #partition: Partition;
  #pending = 0;

  /**
   * @param bytesPerPair - that `find` takes per ordered pair of pages.
   * @throws InputError if there is too little memory; before anything is allocated.
   */
  constructor(pages: number, find: FindComponents, threshold = 1, bytesPerPair = 0) {
    this.pages = pages;
    checkPairs('closure', pages, bytesPerPair);
    assert(Number.isInteger(threshold) && threshold >= 1, () => `threshold ${threshold}`);
    this.#targets = new GrowingRows(pages);
    this.#find = find;
    this.#threshold = threshold;
    this.#partition = new Partition(pages);
  }

  get count(): number {
    return this.#partition.count;
  }

  componentOf(page: number): number {
    return this.#partition.lowestOf(page);
  }

  addArc(source: number, target: number): void {
    if (isArc(this.pages, source, target)) this.#targets.add(source, target);
    if (++this.#pending === this.#threshold) this.update();
  }

  update(): void {
    if (this.#pending === 0) return;
    this.#pending = 0;
    this.#partition = this.#find(this.#targets);
  }
}
