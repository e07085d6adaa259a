import { assert } from '../../../../base/index.ts';
import { isArc, type GrowingDistances } from '../contract.ts';
import { DistanceMatrix, UNREACHED } from '../distance-matrix.ts';
import { GrowingRows } from '../rows.ts';

/** Computes all cells anew from the arcs; the counts follow. */
type FillDistances = (targets: GrowingRows, distances: DistanceMatrix) => void;

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

/** A breadth-first search from each page. O(n (n + m)) time. */
export function fillBreadthFirst(targets: GrowingRows, { pages, cells }: DistanceMatrix): void {
  const { outOffsets, outTargets } = targets.compressed();
  const queue = new Uint16Array(pages);
  cells.fill(UNREACHED);
  for (let start = 0; start < pages; start++) {
    const row = start * pages;
    cells[row + start] = 0;
    queue[0] = start;
    let end = 1;
    for (let head = 0; head < end; head++) {
      const page = queue[head];
      const distance = cells[row + page] + 1;
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
        const target = outTargets[i];
        if (cells[row + target] !== UNREACHED) continue;
        cells[row + target] = distance;
        queue[end++] = target;
      }
    }
  }
}

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
      const row = page * pages;
      const toVia = cells[row + via];
      if (toVia === UNREACHED) continue;
      for (let m = 0; m < pages; m++) {
        const distance = toVia + cells[other + m];
        if (distance < cells[row + m]) cells[row + m] = distance;
      }
    }
  }
}

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
    const row = start * pages;
    let size = 0;
    cells[row + start] = 0;
    push(start);
    while (size > 0) {
      const least = pop();
      const page = least & 0xffff;
      const distance = (least - page) / 0x10000;
      if (distance > cells[row + page]) continue;
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
        const target = outTargets[i];
        if (distance + 1 >= cells[row + target]) continue;
        cells[row + target] = distance + 1;
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
