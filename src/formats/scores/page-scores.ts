import type { GraphPages } from '../../graph/index.ts';
import { BitSet, InputError, quoted } from '../../base/index.ts';
import { PagesByUrl } from './page-urls.ts';

/** Scores of a graph's pages. */
export interface Scores {
  /** Score of each page, >= 0; not all are 0. */
  readonly scores: Float64Array;
  readonly form: ScoresForm;
  /** Pages that a list of URLs leaves out. */
  readonly pagesLeftOut: number;
}

export type ScoresForm =
  'float64 values' | 'a number a line' | 'page ids and scores' | 'URLs and scores' | 'URLs and precedences';

/** 3.4028234663852886e38, the largest float32. */
const LARGEST_SCORE = (2 - 2 ** -23) * 2 ** 127;

/** What is wrong with a score. */
export function scoreFault(score: number): string | undefined {
  if (Number.isNaN(score)) return 'not a number';
  if (score < 0) return 'negative; the minimum is 0';
  return score > LARGEST_SCORE ? 'larger than 3.4e38' : undefined;
}

/** The scores of a graph's pages while they are read, in any order. What is wrong with an entry is returned. */
export class PageScores {
  readonly scores: Float64Array;
  /** Pages that have a score. */
  count = 0;
  readonly #graph: GraphPages;
  readonly #isScored = new BitSet();
  #pagesByUrl: PagesByUrl | undefined;

  constructor(graph: GraphPages) {
    this.#graph = graph;
    this.scores = new Float64Array(graph.pages);
  }

  add(page: number, score: number): string | undefined {
    if (this.#isScored.has(page)) return `page ${page} appears a second time`;
    this.#isScored.add(page);
    this.scores[page] = score + 0; // -0 becomes 0.
    this.count++;
    return undefined;
  }

  /** The page of a URL, or what is wrong. @param instead - what a file for a graph without URLs needs in its place. */
  pageOf(url: string, instead: string): number | string {
    const { name, hosts } = this.#graph;
    if (hosts.synthetic) return `${quoted(url, 200)}: ${name} has no URLs; expected ${instead}`;
    this.#pagesByUrl ??= new PagesByUrl(this.#graph);
    return this.#pagesByUrl.pageOf(url) ?? `${quoted(url, 200)} is not a page of ${name}`;
  }

  /**
   * The number of pages without a score, which only a list of URLs may have.
   * @param hint - added to the message if another list has some.
   */
  pagesLeftOut(path: string, hint: string): number {
    const { name, pages } = this.#graph;
    if (this.count < pages && this.#pagesByUrl === undefined) {
      let first = 0;
      while (this.#isScored.has(first)) first++;
      throw new InputError(
        `${path}: has scores for ${this.count} of the ${pages} pages of ${name}; the first without one is page ${first}${hint}`,
      );
    }
    return pages - this.count;
  }
}
