import { isArc, type GrowingDistances } from '../contract.ts';
import type { DistanceMatrix } from '../distance-matrix.ts';
import { distanceKernel } from './distance-kernel.ts';

/**
 * Algorithm 1, looking only at what an arc (s, t) can improve. Pages to which s comes closer are found once, in its own
 * row. A page n can come closer to one of these only if it comes closer to t itself; and if it does, so does the next
 * page on its shortest path to s. So a search backwards from s, which stops at pages that do not, meets them all. Each
 * page is looked at once per arc, and eight cells of a row at a time: `insertPruned` in `distance-kernel.as.ts`.
 *
 * Source  SPAWC, Algorithm 1, pruned; section 5a of the review of its text gives the two conditions.
 * Cost    per arc O(n / 8 + pages with an arc into one that improves + pages that improve x (n / 64 + eights of pages
 *         with an improvement in the row of s)); 2 1/8 n^2 bytes.
 */
export class PrunedDistances implements GrowingDistances {
  readonly pages: number;
  readonly distances: DistanceMatrix;
  readonly #kernel: ReturnType<typeof distanceKernel>['kernel'];

  constructor(pages: number) {
    this.pages = pages;
    ({ kernel: this.#kernel, distances: this.distances } = distanceKernel(pages, true));
  }

  addArc(source: number, target: number): void {
    if (isArc(this.pages, source, target)) this.#kernel.insertPruned(source, target);
  }

  update(): void {
    // Every arc updates all distances.
  }
}
