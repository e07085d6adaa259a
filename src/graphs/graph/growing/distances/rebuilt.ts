import { assert } from '../../../../base/index.ts';
import { isArc, type GrowingDistances } from '../contract.ts';
import { DistanceMatrix } from '../distance-matrix.ts';
import { GrowingRows } from '../rows.ts';

/** Computes all cells anew from the arcs; the counts follow. */
export type FillDistances = (targets: GrowingRows, distances: DistanceMatrix) => void;

/**
 * Distances computed anew after every `threshold` arcs, and after the rest of them by `update`: SPAWC's batch
 * algorithms. With a threshold of 1, nothing is ever behind.
 */
export class RebuiltDistances implements GrowingDistances {
  readonly pages: number;
  readonly distances: DistanceMatrix;
  readonly #targets: GrowingRows;
  readonly #fill: FillDistances;
  readonly #threshold: number;
  /** Arcs since the last time, loops and repetitions included: the threshold counts insertions. */
  #pending = 0;

  constructor(pages: number, fill: FillDistances, threshold = 1) {
    this.pages = pages;
    assert(Number.isInteger(threshold) && threshold >= 1, () => `threshold ${threshold}`);
    this.distances = new DistanceMatrix(pages);
    this.#targets = new GrowingRows(pages);
    this.#fill = fill;
    this.#threshold = threshold;
  }

  addArc(source: number, target: number): void {
    if (isArc(this.pages, source, target)) this.#targets.add(source, target);
    if (++this.#pending === this.#threshold) this.update();
  }

  update(): void {
    if (this.#pending === 0) return;
    this.#pending = 0;
    this.#fill(this.#targets, this.distances);
    this.distances.recount();
  }
}
