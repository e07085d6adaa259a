import { UNREACHED, type DistanceMatrix } from '../distance-matrix.ts';
import type { GrowingRows } from '../rows.ts';

/** A breadth-first search from each page. O(n (n + m)) time. */
export function fillBreadthFirst(targets: GrowingRows, { pages, cells }: DistanceMatrix): void {
  const { outOffsets, outTargets } = targets.compressed();
  const queue = new Uint16Array(pages);
  cells.fill(UNREACHED);
  for (let start = 0; start < pages; start++) {
    const own = start * pages;
    cells[own + start] = 0;
    queue[0] = start;
    let end = 1;
    for (let head = 0; head < end; head++) {
      const page = queue[head];
      const distance = cells[own + page] + 1;
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
        const target = outTargets[i];
        if (cells[own + target] !== UNREACHED) continue;
        cells[own + target] = distance;
        queue[end++] = target;
      }
    }
  }
}
