import { LargeMap } from '../../base/index.ts';
import type { AnchorPostings } from '../corpus.ts';
import { Numbers, startsOfKeys } from './numbers.ts';

/** The words of links, of a share of the vocabulary if all of them are too many for the memory. */
export class LinkWords {
  readonly #maxLinks: number;
  readonly #numberOf = new LargeMap<string, number>();
  readonly #words = new Numbers();
  readonly #documents = new Numbers();
  readonly #pages = new Numbers();

  constructor(maxLinks: number) {
    this.#maxLinks = maxLinks;
  }

  /** The number of a word. */
  numberOf(word: string): number {
    let number = this.#numberOf.get(word);
    if (number === undefined) this.#numberOf.set(word, number = this.#numberOf.size);
    return number;
  }

  /**
   * @param word - its number.
   * @returns false if there are too many: a smaller share of the words must do.
   */
  add(word: number, document: number, page: number): boolean {
    if (this.#words.length >= this.#maxLinks) return false;
    this.#words.push(word);
    this.#documents.push(document);
    this.#pages.push(page);
    return true;
  }

  /** Postings of each word, words ascending. @param pages of the index. */
  *postings(pages: number): Generator<[word: string, postings: AnchorPostings]> {
    const [words, documents, sources] = [this.#words.array(), this.#documents.array(), this.#pages.array()];
    const starts = startsOfKeys(words, this.#numberOf.size);
    const next = starts.slice();
    // Exact: a document and a page together are below 2^53.
    const links = new Float64Array(words.length);
    for (const [i, word] of words.entries()) links[next[word]++] = documents[i] * pages + sources[i];
    for (const [word, number] of [...this.#numberOf].sort(([a], [b]) => a < b ? -1 : 1))
      yield [word, grouped(links.subarray(starts[number], starts[number + 1]).sort(), pages)];
  }
}

/** Which of the shares of the vocabulary has a word: share s of n is shares 2s and 2s + 1 of 2n. */
export function shareOf(word: string, shares: number): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash, 31) + word.charCodeAt(i);
  // Mixed (MurmurHash3, fmix32): the first bits decide, which short words would have alike.
  hash = Math.imul(hash ^ hash >>> 16, 0x85ebca6b);
  hash = Math.imul(hash ^ hash >>> 13, 0xc2b2ae35);
  return Math.floor(((hash ^ hash >>> 16) >>> 0) / 2 ** 32 * shares);
}

/** Equal links counted, grouped by document. */
function grouped(links: Float64Array, pages: number): AnchorPostings {
  const [documents, starts, sources, counts] = [new Numbers(), new Numbers(), new Numbers(), new Numbers()];
  for (let at = 0; at < links.length;) {
    const document = Math.floor(links[at] / pages);
    documents.push(document);
    starts.push(sources.length);
    while (at < links.length && Math.floor(links[at] / pages) === document) {
      const first = at;
      while (at < links.length && links[at] === links[first]) at++;
      sources.push(links[first] % pages);
      counts.push(at - first);
    }
  }
  starts.push(sources.length);
  return { documents: documents.array(), starts: starts.array(), sources: sources.array(), counts: counts.array() };
}
