import { assert } from '../../../../base/index.ts';
import { strongComponents } from '../../index.ts';
import { isArc, type GrowingComponents } from '../contract.ts';
import { checkPairs } from '../distance-matrix.ts';
import { Partition } from '../partition.ts';
import { GrowingRows } from '../rows.ts';

/** The components of a graph, computed anew from its arcs. */
type FindComponents = (targets: GrowingRows) => Partition;

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

/**
 * The closure by paths through the pages 0, 1, ... in turn; pages that reach each other become one component.
 *
 * Source  Warshall, "A theorem on Boolean matrices", Journal of the ACM 9(1), 1962; SPAWC's naive algorithm for
 *         components.
 * Cost    O(n^3) time, n^2 bytes.
 */
export function naiveComponents(targets: GrowingRows): Partition {
  const { pages } = targets;
  const reached = new Uint8Array(pages * pages);
  for (let page = 0; page < pages; page++) for (const target of targets.of(page)) reached[page * pages + target] = 1;
  for (let via = 0; via < pages; via++) {
    for (let page = 0; page < pages; page++) {
      if (reached[page * pages + via] === 0) continue;
      for (let m = 0; m < pages; m++) reached[page * pages + m] |= reached[via * pages + m];
    }
  }
  const partition = new Partition(pages);
  for (let page = 0; page < pages; page++)
    for (let other = 0; other < page; other++)
      if (reached[page * pages + other] === 1 && reached[other * pages + page] === 1) partition.merge(page, other);
  return partition;
}

/** Components by one search in depth, O(n + m): `graphs/graph/structure/components.ts`. */
export function tarjanComponents(targets: GrowingRows): Partition {
  const { count, ofPage } = strongComponents(targets.compressed());
  const partition = new Partition(targets.pages);
  const first = new Uint32Array(count).fill(targets.pages);
  for (const [page, component] of ofPage.entries()) {
    if (first[component] === targets.pages) first[component] = page;
    else partition.merge(first[component], page);
  }
  return partition;
}
