import { assert, grown } from '../base/index.ts';
import type { WebGraph } from '../graph/index.ts';

/** The graph of the pages fetched, numbered in their order, and how it has grown. */
export interface Built {
  readonly rows: Pick<WebGraph, 'pages' | 'arcs' | 'outOffsets' | 'outTargets'>;
  /** Arcs among the first so many pages. */
  arcsAmong(pages: number): number;
  /** Pages of the first so many without an arc to another of them. */
  danglingAmong(pages: number): number;
}

/**
 * The pages fetched so far in their order, and the links between them, as one pass over all links finds them when they
 * are asked for: much cheaper than to enter them one by one (`grown-graph.ts`), where few moments matter.
 *
 * Cost  addPage O(1), or O(links) without a stored graph. build O(pages + links). 8 bytes per page; without a stored
 *       graph, 4 per link.
 */
export class FetchedGraph {
  readonly #stored: Pick<WebGraph, 'outOffsets' | 'outTargets'> | undefined;
  #pages = 0;
  #links = 0;
  #order: Uint32Array = new Uint32Array(64);
  /** By id: 1 + the number of a page fetched. */
  #numbers: Uint32Array = new Uint32Array(64);
  /** Without a stored graph: the links of all pages, and where those of each end. */
  #ends: Float64Array = new Float64Array(64);
  #targets: Uint32Array = new Uint32Array(64);

  /** @param stored - the graph that links are read from. */
  constructor(stored: Pick<WebGraph, 'outOffsets' | 'outTargets'> | undefined) {
    this.#stored = stored;
  }

  get pages(): number {
    return this.#pages;
  }

  /** Of the pages fetched, to any page, repetitions included. */
  get links(): number {
    return this.#links;
  }

  /** A page was fetched. @param links - ids, borrowed for the call; not needed with a stored graph. */
  addPage(page: number, links?: Uint32Array): void {
    const number = this.#pages++;
    this.#order = grown(this.#order, this.#pages, 1.5);
    this.#numbers = grown(this.#numbers, page + 1, 1.5);
    this.#order[number] = page;
    this.#numbers[page] = this.#pages;
    if (this.#stored !== undefined) {
      this.#links += this.#endOf(number) - this.#beginOf(number);
      return;
    }
    assert(links !== undefined, 'a page without its links');
    this.#links += links.length;
    this.#ends = grown(this.#ends, this.#pages, 1.5);
    this.#targets = grown(this.#targets, this.#links, 1.5);
    this.#targets.set(links, this.#links - links.length);
    this.#ends[number] = this.#links;
  }

  /** @param hasRows - false where counts are enough: `rows` then has no arcs. */
  build(hasRows: boolean): Built {
    const pages = this.#pages;
    const numbers = this.#numbers;
    // A stored graph repeats no link of a page.
    const isRepeating = this.#stored === undefined;
    const outOffsets = new Uint32Array(pages + 1);
    const outTargets = new Uint32Array(hasRows ? this.#links : 0);
    // By number of a page: arcs that enter with it, and pages that have their first arc then.
    const entered = new Uint32Array(pages);
    const firsts = new Uint32Array(pages);
    const namedBy = new Uint32Array(isRepeating ? pages : 0);
    let arcs = 0;
    const targets = this.#stored?.outTargets ?? this.#targets;
    for (let page = 0; page < pages; page++) {
      const end = this.#endOf(page);
      let first = pages;
      for (let i = this.#beginOf(page); i < end; i++) {
        const link = targets[i];
        const target = link < numbers.length ? numbers[link] - 1 : -1;
        // Not fetched, or a loop.
        if (target < 0 || target === page) continue;
        if (isRepeating) {
          if (namedBy[target] === page + 1) continue;
          namedBy[target] = page + 1;
        }
        if (hasRows) outTargets[arcs] = target;
        arcs++;
        const at = Math.max(page, target);
        entered[at]++;
        if (at < first) first = at;
      }
      if (first < pages) firsts[first]++;
      if (hasRows) outOffsets[page + 1] = arcs;
    }
    for (let page = 1; page < pages; page++) {
      entered[page] += entered[page - 1];
      firsts[page] += firsts[page - 1];
    }
    const among = (sums: Uint32Array, count: number): number => {
      assert(count <= pages, 'pages that were not fetched');
      return count === 0 ? 0 : sums[count - 1];
    };
    return {
      rows: { pages, arcs: hasRows ? arcs : 0, outOffsets, outTargets: outTargets.subarray(0, hasRows ? arcs : 0) },
      arcsAmong: (count) => among(entered, count),
      danglingAmong: (count) => count - among(firsts, count),
    };
  }

  /** Where the links of a page begin, by its number. */
  #beginOf(number: number): number {
    if (this.#stored !== undefined) return this.#stored.outOffsets[this.#order[number]];
    return number === 0 ? 0 : this.#ends[number - 1];
  }

  #endOf(number: number): number {
    return this.#stored === undefined ? this.#ends[number] : this.#stored.outOffsets[this.#order[number] + 1];
  }
}
