import { kernelModule } from '../../../../base/index.ts';
import { isArc, type GrowingDistances } from '../contract.ts';
import { DistanceMatrix, UNREACHED } from '../distance-matrix.ts';
import { KernelLayout } from '../kernel-memory.ts';

/** The exports of distance-kernel.as.ts. */
interface Exports {
  setUp(
    pages: number, cells: number, counts: number, sources: number, improved: number, queue: number, places: number,
    lengths: number,
  ): void;
  insert(source: number, target: number): void;
  insertPruned(source: number, target: number): void;
}

/** A matrix of distances in the memory of a kernel; the pruned form also has the arcs there, a bit per pair. */
function distanceKernel(pages: number, isPruned: boolean): { kernel: Exports; distances: DistanceMatrix } {
  let kernel: Exports | undefined;
  const distances = new DistanceMatrix(pages, isPruned ? 2 + 1 / 8 : 2, () => {
    const layout = new KernelLayout();
    const wordBytes = Math.ceil(pages / 64) * 8;
    const [cells, counts] = [layout.place(2 * pages * pages + 16), layout.place(4 * (UNREACHED + 1))];
    const [sources, improved, queue, places, lengths] = isPruned
      ? [pages * wordBytes, wordBytes, 4 * pages, pages + 4, 2 * pages + 16].map((bytes) => layout.place(bytes))
      : [0, 0, 0, 0, 0];
    const memory = layout.memory(`a matrix of the distances of ${pages} pages`);
    const module = kernelModule('graphs/graph/growing/distances/distance-kernel');
    kernel = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    kernel.setUp(pages, cells, counts, sources, improved, queue, places, lengths);
    return {
      cells: new Uint16Array(memory.buffer, cells, pages * pages),
      counts: new Uint32Array(memory.buffer, counts, UNREACHED + 1),
    };
  });
  return { kernel: kernel!, distances };
}

/** Distances in the memory of a kernel, which each arc updates. */
abstract class KernelDistances implements GrowingDistances {
  readonly pages: number;
  readonly distances: DistanceMatrix;
  protected readonly kernel: Exports;

  constructor(pages: number, isPruned: boolean) {
    this.pages = pages;
    ({ kernel: this.kernel, distances: this.distances } = distanceKernel(pages, isPruned));
  }

  abstract addArc(source: number, target: number): void;

  update(): void {
    // Every arc updates all distances.
  }
}

/**
 * After each arc (s, t), the row of s is lowered to 1 + the row of t, and the row of every page that reaches s to its
 * distance to s + the row of s: `insert` in `distance-kernel.as.ts`, cell by cell.
 *
 * Source  SPAWC, Algorithm 1 (figure 8), as printed.
 * Cost    O(n^2) per arc, 2 n^2 bytes.
 */
export class InsertionDistances extends KernelDistances {
  constructor(pages: number) {
    super(pages, false);
  }

  addArc(source: number, target: number): void {
    if (isArc(this.pages, source, target)) this.kernel.insert(source, target);
  }
}

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
export class PrunedDistances extends KernelDistances {
  constructor(pages: number) {
    super(pages, true);
  }

  addArc(source: number, target: number): void {
    if (isArc(this.pages, source, target)) this.kernel.insertPruned(source, target);
  }
}
