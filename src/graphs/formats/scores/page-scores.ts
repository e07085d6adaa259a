import { idsInWords, pagesById, type GraphPages } from '../../graph/index.ts';
import { BitSet, InputError, quoted } from '../../../base/index.ts';
import { PagesByUrl } from './page-urls.ts';

/** Scores of a graph's pages. */
export interface Scores {
  /** Score of each page, >= 0; not all are 0. */
  readonly scores: Float64Array;
  readonly form: ScoresForm;
  /** Pages that a list of URLs leaves out. */
  readonly pagesLeftOut: number;
  /** Entries for pages that the graph does not have, which are left out; absent if there are none. */
  readonly pagesUnknown?: number;
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
  #pageOfId: ((id: number) => number | undefined) | undefined;
  #unknown = 0;
  #firstUnknown: string | undefined;

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

  /**
   * Adds the score of the page of a URL, or counts it as unknown. @param place - of the entry, for a message.
   * @param instead - what a file for a graph without URLs needs in its place.
   */
  addUrl(url: string, score: number, place: string, instead: string): string | undefined {
    const { name, hosts } = this.#graph;
    if (hosts.synthetic) return `${quoted(url, 200)}: ${name} has no URLs; expected ${instead}`;
    this.#pagesByUrl ??= new PagesByUrl(this.#graph);
    const page = this.#pagesByUrl.pageOf(url);
    if (page !== undefined) return this.add(page, score);
    this.#skip(`${place}: ${quoted(url, 200)} is not a page of ${name}`);
    return undefined;
  }

  /**
   * Adds the score of the page of an id of the source, where the graph has such, else of its number. Of ids of the
   * source some may be unknown: a list of links names no pages without links.
   */
  addId(id: number, score: number, place: string): string | undefined {
    const { name, pages, sourceIds } = this.#graph;
    this.#pageOfId ??= pagesById(this.#graph);
    const page = this.#pageOfId(id);
    if (page !== undefined) return this.add(page, score);
    const what = `page id ${id} is not one of the ${pages} pages of ${name}`;
    if (sourceIds === undefined) return what;
    this.#skip(`${place}: ${what}. A table has the ids of the source: ${idsInWords(this.#graph)}`);
    return undefined;
  }

  #skip(fault: string): void {
    this.#unknown++;
    this.#firstUnknown ??= fault;
  }

  /**
   * The numbers of pages without a score, which only a list of URLs may have, and of unknown pages, which must not be
   * all.
   */
  finish(path: string): Pick<Scores, 'pagesLeftOut' | 'pagesUnknown'> {
    const { name, pages } = this.#graph;
    const mayLeaveOut = this.#pagesByUrl !== undefined;
    if (this.#firstUnknown !== undefined && (this.count === 0 || (this.count < pages && !mayLeaveOut))) {
      throw new InputError(`${path}: ${this.#firstUnknown}`);
    }
    if (this.count < pages && !mayLeaveOut) {
      let first = 0;
      while (this.#isScored.has(first)) first++;
      const id = this.#graph.sourceIds === undefined ? '' : ` (id ${this.#graph.sourceIds[first]} in the source)`;
      throw new InputError(
        `${path}: has scores for ${this.count} of the ${pages} pages of ${name}; the first without one is page ${first}${id}`,
      );
    }
    return { pagesLeftOut: pages - this.count, ...(this.#unknown > 0 && { pagesUnknown: this.#unknown }) };
  }
}
