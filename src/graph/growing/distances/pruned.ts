import { isArc, type GrowingDistances } from '../contract.ts';
import { DistanceMatrix } from '../distance-matrix.ts';
import { GrowingRows } from '../rows.ts';

/**
 * Algorithm 1, looking only at what an arc (s, t) can improve. Pages to which s comes closer are found once, in its own
 * row. A page n can come closer to one of these only if it comes closer to t itself; and if it does, so does the next
 * page on its shortest path to s. So a search backwards from s, which stops at pages that do not, meets them all.
 *
 * Source  SPAWC, Algorithm 1, pruned; section 5a of the review of its text gives the two conditions.
 * Cost    per arc O(n + arcs into the pages that improve + pages that improve x improved in the row of s); 2 n^2 bytes,
 *         and the arcs.
 */
export class PrunedDistances implements GrowingDistances {
  readonly pages: number;
  readonly distances: DistanceMatrix;
  readonly #sources: GrowingRows;
  /** Pages that s comes closer to, and its new distances to them. */
  readonly #improved: Uint16Array;
  readonly #lengths: Uint16Array;
  /** Pages that come closer to t. */
  readonly #queue: Uint16Array;

  constructor(pages: number) {
    this.pages = pages;
    this.distances = new DistanceMatrix(pages);
    this.#sources = new GrowingRows(pages);
    this.#improved = new Uint16Array(pages);
    this.#lengths = new Uint16Array(pages);
    this.#queue = new Uint16Array(pages);
  }

  addArc(source: number, target: number): void {
    const { pages } = this;
    const { cells } = this.distances;
    if (!isArc(pages, source, target) || cells[source * pages + target] === 1) return;
    const improvements = this.#lowerRowOf(source, target);
    this.#sources.add(target, source);
    const queue = this.#queue;
    queue[0] = source;
    let end = 1;
    for (let head = 0; head < end; head++) {
      const row = this.#sources.of(queue[head]);
      for (let i = 0; i < row.length; i++) {
        const own = row[i] * pages;
        const toSource = cells[own + source];
        // Once its row is lowered, the page no longer passes: it is met once.
        if (toSource + 1 >= cells[own + target]) continue;
        this.#lowerRow(own, toSource, improvements);
        queue[end++] = row[i];
      }
    }
  }

  update(): void {
    // Every arc updates all distances.
  }

  /** Lowers the row of s to 1 + the row of t. Returns how many entries of `#improved` it wrote. */
  #lowerRowOf(source: number, target: number): number {
    const { pages } = this;
    const { cells, counts } = this.distances;
    const own = source * pages;
    const other = target * pages;
    let end = 0;
    for (let m = 0; m < pages; m++) {
      const before = cells[own + m];
      const now = 1 + cells[other + m];
      if (now >= before) continue;
      cells[own + m] = now;
      counts[before]--;
      counts[now]++;
      this.#improved[end] = m;
      this.#lengths[end++] = now;
    }
    return end;
  }

  /** Lowers the row at `own` to `toSource` + the row of s, where the latter has improved. */
  #lowerRow(own: number, toSource: number, improvements: number): void {
    const { cells, counts } = this.distances;
    const improved = this.#improved;
    const lengths = this.#lengths;
    for (let i = 0; i < improvements; i++) {
      const at = own + improved[i];
      const before = cells[at];
      const now = toSource + lengths[i];
      if (now >= before) continue;
      cells[at] = now;
      counts[before]--;
      counts[now]++;
    }
  }
}
