import { WorldError } from '../base/index.ts';

/** Most pages that scores can be held of: address space, not memory, is set aside for them. */
const pagesMost = 2 ** 27;

/**
 * Scores by page id where pages become known one by one: `values` grows with them, and stays the same array for whoever
 * holds it.
 */
export class PageScores {
  readonly #buffer = new ArrayBuffer(0, { maxByteLength: 8 * pagesMost });
  readonly values = new Float64Array(this.#buffer);
  readonly #scoreOf: ReadonlyMap<string, number>;

  /** @param scoreOf scores by URL without its scheme; others score 0. */
  constructor(scoreOf: ReadonlyMap<string, number>) {
    this.#scoreOf = scoreOf;
  }

  /** `page` has become known. @throws WorldError where there are more pages than scores can be held of. */
  know(page: number, url: string): void {
    if (page >= pagesMost) throw new WorldError(`scores can be held of ${pagesMost} pages, and the crawl knows more`);
    if (page >= this.values.length) this.#buffer.resize(8 * Math.min(pagesMost, Math.max(1024, 2 * (page + 1))));
    this.values[page] = this.#scoreOf.get(url.slice(url.indexOf('//') + 2)) ?? 0;
  }
}
