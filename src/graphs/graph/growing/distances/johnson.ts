import { UNREACHED, type DistanceMatrix } from '../distance-matrix.ts';
import type { GrowingRows } from '../rows.ts';

/**
 * Dijkstra's algorithm from each page, with a binary heap. Every arc has length 1, so no length has to be made
 * non-negative first.
 *
 * Source  Johnson, "Efficient algorithms for shortest paths in sparse networks", Journal of the ACM 24(1), 1977.
 * Cost    O(n (n + m) log n) time.
 */
export function fillJohnson(targets: GrowingRows, { pages, cells }: DistanceMatrix): void {
  const { arcs, outOffsets, outTargets } = targets.compressed();
  cells.fill(UNREACHED);
  // Entries distance * 2^16 + page; a page has one per arc into it at most.
  const heap = new Float64Array(arcs + 2);
  for (let start = 0; start < pages; start++) {
    const own = start * pages;
    let size = 0;
    cells[own + start] = 0;
    push(start);
    while (size > 0) {
      const least = pop();
      const page = least & 0xffff;
      const distance = (least - page) / 0x10000;
      if (distance > cells[own + page]) continue;
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
        const target = outTargets[i];
        if (distance + 1 >= cells[own + target]) continue;
        cells[own + target] = distance + 1;
        push((distance + 1) * 0x10000 + target);
      }
    }

    function push(entry: number): void {
      let at = size++;
      for (; at > 0; at = (at - 1) >> 1) {
        const parent = heap[(at - 1) >> 1];
        if (parent <= entry) break;
        heap[at] = parent;
      }
      heap[at] = entry;
    }

    function pop(): number {
      const top = heap[0];
      const last = heap[--size];
      let at = 0;
      for (let child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && heap[child + 1] < heap[child]) child++;
        if (heap[child] >= last) break;
        heap[at] = heap[child];
        at = child;
      }
      heap[at] = last;
      return top;
    }
  }
}
