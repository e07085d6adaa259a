import { isArc, type GrowingDistances } from '../contract.ts';
import { DistanceMatrix, UNREACHED } from '../distance-matrix.ts';

/**
 * After each arc (s, t), the row of s is lowered to 1 + the row of t, and the row of every page that reaches s to its
 * distance to s + the row of s.
 *
 * Source  SPAWC, Algorithm 1 (figure 8), as printed.
 * Cost    O(n^2) per arc, 2 n^2 bytes.
 */
export class InsertionDistances implements GrowingDistances {
  readonly pages: number;
  readonly distances: DistanceMatrix;

  constructor(pages: number) {
    this.pages = pages;
    this.distances = new DistanceMatrix(pages);
  }

  addArc(source: number, target: number): void {
    const { pages } = this;
    const { cells, counts } = this.distances;
    if (!isArc(pages, source, target) || cells[source * pages + target] === 1) return;
    lowerRow(source, 1, target);
    for (let page = 0; page < pages; page++) {
      const toSource = cells[page * pages + source];
      if (page !== source && page !== target && toSource !== UNREACHED) lowerRow(page, toSource, source);
    }

    /** The row of `page` becomes at most `distance` + the row of `via`. */
    function lowerRow(page: number, distance: number, via: number): void {
      const own = page * pages;
      const other = via * pages;
      for (let m = 0; m < pages; m++) {
        const before = cells[own + m];
        const now = distance + cells[other + m];
        if (now >= before) continue;
        cells[own + m] = now;
        counts[before]--;
        counts[now]++;
      }
    }
  }

  update(): void {
    // Every arc updates all distances.
  }
}
