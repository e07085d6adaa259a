import type { PageText } from '../../src/base/web/index.ts';
import {
  ANCHOR_FIELD, documentRanks, indexFields, meansOf, wordsOf, type AnchorPostings, type IndexedLink, type IndexedPage,
  type Postings, type SearchIndex, type WordFrequency,
} from '../../src/search/index.ts';
import { MAX_WORD_CHARS } from '../../src/search/words/index.ts';
import { documentWords, titleOf } from './document-words.ts';

/**
 * An index in memory, by plain means: for tests, and for corpora of some thousand pages. A page whose URL came before
 * is ignored.
 */
export class MemoryCorpus implements SearchIndex {
  readonly pages: number;
  readonly documents: number;
  readonly lengths: readonly Uint32Array[];
  readonly meanLengths: Float64Array;
  readonly pageranks: Float64Array;
  readonly documentOfPage: Uint32Array;
  readonly firstPage: Uint32Array;
  readonly #pageOf = new Map<string, number>();
  readonly #urls: readonly string[];
  readonly #titles: readonly string[];
  readonly #links: readonly (readonly IndexedLink[])[];
  /** Word -> document -> places. */
  readonly #text = new Map<string, Map<number, number[]>>();
  /** Word -> document -> page -> count. */
  readonly #anchors = new Map<string, Map<number, Map<number, number>>>();

  constructor(pages: Iterable<IndexedPage>, stopWords: ReadonlySet<string> = new Set()) {
    const [first, titles, lengths]: [number[], string[], Uint32Array[]] = [[], [], []];
    const [ofPage, texts]: [number[], PageText[]] = [[], []];
    const documentOf = new Map<string, number>();
    for (const { url, text } of pages) {
      if (this.#pageOf.has(url)) continue;
      const page = texts.push(text) - 1;
      this.#pageOf.set(url, page);
      const words = documentWords(text, stopWords);
      const key = Buffer.from(words.digest).toString('hex');
      const document = documentOf.get(key) ?? documentOf.size;
      ofPage.push(document);
      if (documentOf.has(key)) continue;
      documentOf.set(key, document);
      first.push(page);
      titles.push(titleOf(text));
      lengths.push(words.lengths);
      for (const [i, word] of words.words.entries())
        entry(this.#text, word).set(document, [...words.places.subarray(words.starts[i], words.starts[i + 1])]);
    }
    this.pages = texts.length;
    this.documents = first.length;
    this.documentOfPage = Uint32Array.from(ofPage);
    this.firstPage = Uint32Array.from(first);
    this.#urls = [...this.#pageOf.keys()];
    this.#titles = titles;
    this.#links = texts.map((text, page) => this.#linksOf(text, page));
    this.lengths = indexFields.map((_, field) => Uint32Array.from(lengths, (ofDocument) => ofDocument[field] ?? 0));
    this.#addAnchors(stopWords);
    this.meanLengths = meansOf(this.lengths);
    const links = this.#links.flatMap((ofOne, page) => ofOne.map((link) => [this.documentOfPage[page], link.document]));
    const ends = (at: number): Uint32Array => Uint32Array.from(links, (link) => link[at]);
    this.pageranks = documentRanks(this.documents, ends(0), ends(1));
  }

  url(page: number): string {
    return this.#urls[page];
  }

  page(url: string): number | undefined {
    return this.#pageOf.get(url);
  }

  title(document: number): string {
    return this.#titles[document];
  }

  links(page: number): readonly IndexedLink[] {
    return this.#links[page];
  }

  frequency(word: string): WordFrequency {
    const [text, anchors] = [this.#text.get(word), this.#anchors.get(word)];
    return {
      text: text?.size ?? 0,
      textOrAnchor: new Set([...text?.keys() ?? [], ...anchors?.keys() ?? []]).size,
    };
  }

  postings(word: string): Postings {
    const rows = ascending(this.#text.get(word));
    return {
      documents: Uint32Array.from(rows, ([document]) => document),
      starts: startsOf(rows.map(([, places]) => places.length)),
      places: Uint32Array.from(rows.flatMap(([, places]) => places)),
    };
  }

  anchors(word: string): AnchorPostings {
    const rows = ascending(this.#anchors.get(word));
    const links = rows.flatMap(([, ofPages]) => ascending(ofPages));
    return {
      documents: Uint32Array.from(rows, ([document]) => document),
      starts: startsOf(rows.map(([, ofPages]) => ofPages.size)),
      sources: Uint32Array.from(links, ([page]) => page),
      counts: Uint32Array.from(links, ([, count]) => count),
    };
  }

  #linksOf(text: PageText, page: number): IndexedLink[] {
    return text.anchors.flatMap((anchor) => {
      const target = this.#pageOf.get(anchor.url);
      if (target === undefined) return [];
      const document = this.documentOfPage[target];
      return document === this.documentOfPage[page] ? [] : [{ document, text: anchor.text }];
    });
  }

  #addAnchors(stopWords: ReadonlySet<string>): void {
    for (const [page, links] of this.#links.entries()) {
      for (const { document, text } of links) {
        for (const word of wordsOf(text)) {
          this.lengths[ANCHOR_FIELD][document]++;
          if (word.length > MAX_WORD_CHARS || stopWords.has(word)) continue;
          const pages = entry(entry(this.#anchors, word), document);
          pages.set(page, (pages.get(page) ?? 0) + 1);
        }
      }
    }
  }
}

function entry<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const value = map.get(key) ?? new Map<L, V>();
  map.set(key, value);
  return value;
}

function ascending<V>(map: ReadonlyMap<number, V> | undefined): [number, V][] {
  return [...map ?? []].sort(([a], [b]) => a - b);
}

function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [i, length] of lengths.entries()) starts[i + 1] = starts[i] + length;
  return starts;
}
