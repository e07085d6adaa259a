import { grown } from '../../../base/index.ts';
import { isArc } from './contract.ts';

/** Pages that have one degree. */
export interface DegreeCount {
  readonly degree: number;
  readonly pages: number;
}

/**
 * In- and out-degrees of a graph to which pages and arcs are added. An arc costs O(1); 8 bytes per page, and 8 per
 * degree up to the highest.
 *
 * A loop changes nothing. A repeated arc counts again: to know it, all arcs would have to be stored. The rows of a web
 * graph repeat none.
 */
export class GrowingDegrees {
  readonly #in = new DegreesOneWay();
  readonly #out = new DegreesOneWay();
  #pages = 0;
  #arcs = 0;

  /** @param pages - that there are from the start, without arcs. */
  constructor(pages = 0) {
    this.addPages(pages);
  }

  get pages(): number {
    return this.#pages;
  }

  /** Without loops. */
  get arcs(): number {
    return this.#arcs;
  }

  /** Pages without an arc from them. O(1). */
  get dangling(): number {
    return this.#out.counts[0];
  }

  /** Adds pages without arcs; their ids follow those that there are. O(1) on average per page. */
  addPages(count: number): void {
    this.#pages += count;
    this.#in.addPages(this.#pages, count);
    this.#out.addPages(this.#pages, count);
  }

  /** @throws InputError if a page is not there. */
  addArc(source: number, target: number): void {
    if (!isArc(this.#pages, source, target)) return;
    this.#arcs++;
    this.#out.raise(source);
    this.#in.raise(target);
  }

  inDegreeOf(page: number): number {
    return this.#in.degrees[page];
  }

  outDegreeOf(page: number): number {
    return this.#out.degrees[page];
  }

  /** How many pages have each in-degree that there is, ascending. O(highest). */
  inDegrees(): DegreeCount[] {
    return listOf(this.#in.counts);
  }

  /** How many pages have each out-degree that there is, ascending. O(highest). */
  outDegrees(): DegreeCount[] {
    return listOf(this.#out.counts);
  }
}

/** The degrees of all pages in one direction. */
class DegreesOneWay {
  /** The degree of each page; longer than there are pages. */
  degrees = new Uint32Array(16);
  /** The number of pages of each degree. */
  readonly counts = [0];

  addPages(pages: number, added: number): void {
    this.counts[0] += added;
    this.degrees = grown(this.degrees, pages);
  }

  raise(page: number): void {
    const degree = this.degrees[page]++;
    this.counts[degree]--;
    // Degrees rise one at a time, so the list has no holes.
    if (degree + 1 === this.counts.length) this.counts.push(1);
    else this.counts[degree + 1]++;
  }
}

function listOf(counts: readonly number[]): DegreeCount[] {
  return counts.map((pages, degree) => ({ degree, pages })).filter(({ pages }) => pages > 0);
}
