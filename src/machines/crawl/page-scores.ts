import { WorldError } from '../../base/index.ts';

/** Maximum number of pages with scores: reserves address space, not memory. */
const maxPages = 2 ** 27;

/**
 * Scores by page id while pages become known one by one: `values` grows with them, and stays the same array for
 * everyone who uses it.
 */
export class PageScores {
  readonly #buffer = new ArrayBuffer(0, { maxByteLength: 8 * maxPages });
  readonly values = new Float64Array(this.#buffer);
  readonly #scoreOf: ReadonlyMap<string, number>;

  /** @param scoreOf scores by URL without its scheme; others score 0. */
  constructor(scoreOf: ReadonlyMap<string, number>) {
    this.#scoreOf = scoreOf;
  }

  /** `page` has become known. @throws WorldError if there are more pages than scores can be stored for. */
  know(page: number, url: string): void {
    if (page >= maxPages) throw new WorldError(`scores can be stored for ${maxPages} pages, and the crawl knows more`);
    if (page >= this.values.length) this.#buffer.resize(8 * Math.min(maxPages, Math.max(1024, 2 * (page + 1))));
    this.values[page] = this.#scoreOf.get(url.slice(url.indexOf('//') + 2)) ?? 0;
  }
}
