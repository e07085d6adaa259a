import { assert, InputError } from '../../../base/index.ts';

/** In `cells`: the second page is not reached from the first. Greater than any distance. */
export const UNREACHED = 0xffff;

/** Distances are u16, and pairs are counted in u32. */
export const maxMatrixPages = UNREACHED - 1;

/** The arrays of a matrix. */
type MatrixArrays = Pick<DistanceMatrix, 'cells' | 'counts'>;

/**
 * The distances between all ordered pairs of pages in links, and how many pairs are at each distance. Whoever lowers a
 * cell counts it: O(1), and every figure of `distancesOf` (`graphs/graph/structure/distances.ts`) follows from the
 * counts.
 */
export class DistanceMatrix {
  readonly pages: number;
  /** Row by row: at `source * pages + target`, the distance, or UNREACHED. */
  readonly cells: Uint16Array;
  /** The number of ordered pairs at each distance: pages with themselves at 0, pairs without a path at UNREACHED. */
  readonly counts: Uint32Array;
  #longest = 0;

  /**
   * All pages, and no arcs.
   * @param bytesPerPair - of everything that an algorithm stores per ordered pair of pages.
   * @param allocate - makes the arrays, all zero, where an algorithm wants them.
   * @throws InputError if there are too many pages, or too little memory for them; before anything is allocated.
   */
  constructor(pages: number, bytesPerPair = 2, allocate: () => MatrixArrays = () => newArrays(pages)) {
    assert(Number.isInteger(pages) && pages >= 0, () => `${pages} pages`);
    if (pages > maxMatrixPages)
      throw new InputError(`${pages} pages: a matrix of distances can have ${maxMatrixPages} at most`);
    checkPairs('distance', pages, bytesPerPair);
    this.pages = pages;
    const { cells, counts } = allocate();
    cells.fill(UNREACHED);
    for (let page = 0; page < pages; page++) cells[page * pages + page] = 0;
    counts[0] = pages;
    counts[UNREACHED] = pages * (pages - 1);
    this.cells = cells;
    this.counts = counts;
  }

  /** Infinity if `target` is not reached. */
  between(source: number, target: number): number {
    const distance = this.cells[source * this.pages + target];
    return distance === UNREACHED ? Infinity : distance;
  }

  /** Counts all cells again, after something else has filled them. O(pages^2). */
  recount(): void {
    const { cells, counts } = this;
    counts.fill(0);
    for (const distance of cells) counts[distance]++;
    this.#longest = this.pages; // No distance is as long.
  }

  /**
   * The longest distance between pages of which one reaches the other; 0 if none does. O(1) but for distances that
   * are no longer there, each looked at once after it was the longest.
   */
  get longest(): number {
    const { counts } = this;
    while (this.#longest + 1 < this.pages && counts[this.#longest + 1] > 0) this.#longest++;
    while (this.#longest > 0 && counts[this.#longest] === 0) this.#longest--;
    return this.#longest;
  }

  /** N(t): the pairs within t links, from t = 0 to the longest distance; for `distancesOf`. O(longest). */
  neighbourhoods(): Float64Array {
    let sum = 0;
    return Float64Array.from({ length: this.longest + 1 }, (_, distance) => (sum += this.counts[distance]));
  }
}

function newArrays(pages: number): MatrixArrays {
  return { cells: new Uint16Array(pages * pages), counts: new Uint32Array(UNREACHED + 1) };
}

/**
 * Refuses what the machine has no memory for, before anything is allocated.
 * @throws InputError
 */
export function checkPairs(what: string, pages: number, bytesPerPair: number): void {
  const bytes = Math.ceil(pages * pages * bytesPerPair);
  const available = process.availableMemory();
  if (bytes > available)
    throw new InputError(`${pages} pages: the ${what} of all pairs needs ${bytes} bytes; ${available} bytes are free`);
}
