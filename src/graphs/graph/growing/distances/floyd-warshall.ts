import { UNREACHED, type DistanceMatrix } from '../distance-matrix.ts';
import type { GrowingRows } from '../rows.ts';

/**
 * Paths through the pages 0, 1, ... in turn.
 *
 * Source  Floyd, "Algorithm 97: Shortest path", Communications of the ACM 5(6), 1962.
 * Cost    O(n^3) time.
 */
export function fillFloydWarshall(targets: GrowingRows, { pages, cells }: DistanceMatrix): void {
  cells.fill(UNREACHED);
  for (let page = 0; page < pages; page++) {
    for (const target of targets.of(page)) cells[page * pages + target] = 1;
    cells[page * pages + page] = 0;
  }
  for (let via = 0; via < pages; via++) {
    const other = via * pages;
    for (let page = 0; page < pages; page++) {
      const own = page * pages;
      const toVia = cells[own + via];
      if (toVia === UNREACHED) continue;
      for (let m = 0; m < pages; m++) {
        const distance = toVia + cells[other + m];
        if (distance < cells[own + m]) cells[own + m] = distance;
      }
    }
  }
}
