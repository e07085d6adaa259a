import { isArc, type GrowingDistances } from '../contract.ts';
import type { DistanceMatrix } from '../distance-matrix.ts';
import { distanceKernel } from './distance-kernel.ts';

/**
 * After each arc (s, t), the row of s is lowered to 1 + the row of t, and the row of every page that reaches s to its
 * distance to s + the row of s: `insert` in `distance-kernel.as.ts`, cell by cell.
 *
 * Source  SPAWC, Algorithm 1 (figure 8), as printed.
 * Cost    O(n^2) per arc, 2 n^2 bytes.
 */
export class InsertionDistances implements GrowingDistances {
  readonly pages: number;
  readonly distances: DistanceMatrix;
  readonly #kernel: ReturnType<typeof distanceKernel>['kernel'];

  constructor(pages: number) {
    this.pages = pages;
    ({ kernel: this.#kernel, distances: this.distances } = distanceKernel(pages, false));
  }

  addArc(source: number, target: number): void {
    if (isArc(this.pages, source, target)) this.#kernel.insert(source, target);
  }

  update(): void {
    // Every arc updates all distances.
  }
}
