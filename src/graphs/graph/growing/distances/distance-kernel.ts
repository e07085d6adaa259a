import { kernelModule } from '../../../../base/index.ts';
import { DistanceMatrix, UNREACHED } from '../distance-matrix.ts';
import { KernelLayout } from '../kernel-memory.ts';

/** What distance-kernel.as.ts exports. */
interface Exports {
  setUp(
    pages: number, cells: number, counts: number, sources: number, seen: number, queue: number, places: number,
    lengths: number,
  ): void;
  insert(source: number, target: number): void;
  insertPruned(source: number, target: number): void;
}

/** A matrix of distances in the memory of a kernel of its own; for the pruned form also the arcs, a bit per pair. */
export function distanceKernel(pages: number, isPruned: boolean): { kernel: Exports; distances: DistanceMatrix } {
  let kernel: Exports | undefined;
  const distances = new DistanceMatrix(pages, isPruned ? 2 + 1 / 8 : 2, () => {
    const layout = new KernelLayout();
    const wordBytes = Math.ceil(pages / 64) * 8;
    const [cells, counts] = [layout.place(2 * pages * pages + 16), layout.place(4 * (UNREACHED + 1))];
    const [sources, seen, queue, places, lengths] = isPruned
      ? [pages * wordBytes, wordBytes, 4 * pages, pages + 4, 2 * pages + 16].map((bytes) => layout.place(bytes))
      : [0, 0, 0, 0, 0];
    const memory = layout.memory(`a matrix of the distances of ${pages} pages`);
    kernel = new WebAssembly.Instance(
      kernelModule('graphs/graph/growing/distances/distance-kernel'), { env: { memory } },
    )
      .exports as unknown as Exports;
    kernel.setUp(pages, cells, counts, sources, seen, queue, places, lengths);
    return {
      cells: new Uint16Array(memory.buffer, cells, pages * pages),
      counts: new Uint32Array(memory.buffer, counts, UNREACHED + 1),
    };
  });
  return { kernel: kernel!, distances };
}
