/** Arcs by page, in the order in which they came. */
export class GrowingRows {
  readonly #rows: number[][];
  #arcs = 0;

  constructor(pages: number) {
    this.#rows = Array.from({ length: pages }, () => []);
  }

  get pages(): number {
    return this.#rows.length;
  }

  get arcs(): number {
    return this.#arcs;
  }

  add(page: number, other: number): void {
    this.#rows[page].push(other);
    this.#arcs++;
  }

  of(page: number): readonly number[] {
    return this.#rows[page];
  }

  /** The same as compressed rows, for algorithms on a whole graph. O(pages + arcs). */
  compressed(): { pages: number; arcs: number; outOffsets: Uint32Array; outTargets: Uint32Array } {
    const outOffsets = new Uint32Array(this.pages + 1);
    const outTargets = new Uint32Array(this.#arcs);
    for (const [page, row] of this.#rows.entries()) {
      outTargets.set(row, outOffsets[page]);
      outOffsets[page + 1] = outOffsets[page] + row.length;
    }
    return { pages: this.pages, arcs: this.#arcs, outOffsets, outTargets };
  }
}
