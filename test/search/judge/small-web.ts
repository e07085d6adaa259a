import fc from 'fast-check';
import {
  indexFields, type AnchorPostings, type Corpus, type IndexField, type Postings, type Ranking, type ScoredDocuments,
  type SearchIndex, type WordFrequency,
} from '../../../src/search/index.ts';

/** A page of a web that fits on one screen. Pages of the same text are one document. */
export interface SmallPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  /** Place of the page that each link leads to, and its text. */
  readonly links: readonly (readonly [to: number, text: string])[];
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
const TITLE = indexFields.indexOf('title');
const OTHER = indexFields.indexOf('other');
const ANCHOR = indexFields.indexOf('anchor');

export interface SmallOptions {
  /** Whether a page counts as fetched. */
  readonly isFetched?: (page: number) => boolean;
  /** Whether the words of a link are in the index. */
  readonly hasWords?: (page: number, link: number) => boolean;
  readonly withoutTitles?: boolean;
}

/** An index of a few pages, by the dullest means: each word is looked for in all of them. */
export function smallIndex(pages: readonly SmallPage[], options: SmallOptions = {}): SearchIndex {
  const { isFetched = () => true, hasWords = () => true, withoutTitles = false } = options;
  const keys = [...new Set(pages.map(({ title, text }) => `${title}\n${text}`))];
  const documentOf = Uint32Array.from(pages, ({ title, text }) => keys.indexOf(`${title}\n${text}`));
  const firstOf = keys.map((_, document) => pages[documentOf.indexOf(document)]);
  const isThere = keys.map((_, document) =>
    pages.some((_page, page) => documentOf[page] === document && isFetched(page)));
  const occurrences = firstOf.map(({ title, text }) => [
    ...wordsOf(title).map((word, at) => ({ word, place: at * 8 + TITLE })),
    ...wordsOf(text).map((word, at) => ({ word, place: (100 + at) * 8 + OTHER })),
  ].filter(({ place }) => !withoutTitles || place % 8 !== TITLE));
  const links = pages.flatMap((page, source) => page.links
    .map(([to, text], i) => ({ source, i, document: documentOf[to], text }))
    .filter(({ document }) => document !== documentOf[source]));
  const anchorWords = links
    .filter(({ source, i, document }) => isFetched(source) && isThere[document] && hasWords(source, i))
    .flatMap(({ source, document, text }) => wordsOf(text).map((word) => ({ source, document, word })));
  const lengths = indexFields.map((_, field) => Uint32Array.from(keys, (_key, document) =>
    field === ANCHOR
      ? anchorWords.filter((one) => one.document === document).length
      : occurrences[document].filter(({ place }) => place % 8 === field).length));
  const postings = (word: string): Postings => {
    const rows = keys.map((_, document) =>
      isThere[document] ? occurrences[document].filter((one) => one.word === word).map(({ place }) => place) : []);
    return { ...rowsOf(rows), places: Uint32Array.from(rows.flat()) };
  };
  const anchors = (word: string): AnchorPostings => {
    const own = anchorWords.filter((one) => one.word === word);
    const rows = keys.map((_, document) => pages
      .map((_page, source) => ({
        source, count: own.filter((one) => one.document === document && one.source === source).length,
      }))
      .filter(({ count }) => count > 0));
    const all = rows.flat();
    return {
      ...rowsOf(rows),
      sources: Uint32Array.from(all, ({ source }) => source), counts: Uint32Array.from(all, ({ count }) => count),
    };
  };
  const frequency = (word: string): WordFrequency => {
    const [text, links] = [[...postings(word).documents], [...anchors(word).documents]];
    return { text: text.length, textOrAnchor: new Set([...text, ...links]).size };
  };
  return {
    documents: keys.length, lengths, postings, anchors, frequency,
    meanLengths: Float64Array.from(lengths, (of) => of.reduce((sum, length) => sum + length, 0) / keys.length),
    pageranks: Float64Array.from(keys, (_, document) => 1 + (document % 3) / 10),
    pages: pages.length, documentOfPage: documentOf,
    firstPage: Uint32Array.from(keys, (_, document) => documentOf.indexOf(document)),
    url: (page) => pages[page].url,
    page: (url) => [...pages.keys()].find((page) => pages[page].url === url),
    title: (document) => firstOf[document].title,
    links: (page) => links.filter(({ source }) => source === page),
  };
}

function rowsOf(rows: readonly (readonly unknown[])[]): { documents: Uint32Array; starts: Uint32Array } {
  const documents = [...rows.keys()].filter((document) => rows[document].length > 0);
  const starts = [0];
  for (const document of documents) starts.push(starts[starts.length - 1] + rows[document].length);
  return { documents: Uint32Array.from(documents), starts: Uint32Array.from(starts) };
}

/** Counts words of some fields, relative to how long and how common they are, plus PageRank: what a test needs. */
export function counting(name: string, weights: Readonly<Partial<Record<IndexField, number>>>, prior = 0): Ranking {
  const rank = (corpus: Corpus, words: readonly string[]): ScoredDocuments => {
    const scores = new Map<number, number>();
    const matched = new Map<number, number>();
    for (const word of new Set(words)) {
      const found = new Map<number, number>();
      const add = (document: number, field: number, count: number): void => {
        const weight = weights[indexFields[field]] ?? 0;
        const part = weight === 0 ? 0
          : weight * count / (1 + corpus.lengths[field][document] / (1 + corpus.meanLengths[field]));
        found.set(document, (found.get(document) ?? 0) + part);
      };
      const { documents, starts, places } = corpus.postings(word);
      documents.forEach((document, i) =>
        places.subarray(starts[i], starts[i + 1]).forEach((place) => add(document, place % 8, 1)));
      if (weights.anchor !== undefined) {
        const links = corpus.anchors(word);
        links.documents.forEach((document, i) =>
          links.counts.subarray(links.starts[i], links.starts[i + 1]).forEach((count) => add(document, ANCHOR, count)));
      }
      for (const [document, part] of found) {
        scores.set(document, (scores.get(document) ?? 0) + part / (1 + corpus.frequency(word).textOrAnchor));
        matched.set(document, (matched.get(document) ?? 0) + 1);
      }
    }
    const documents = Uint32Array.from(scores.keys()).sort();
    return {
      documents, matched: Uint8Array.from(documents, (document) => matched.get(document)!),
      scores: Float64Array.from(documents, (document) =>
        scores.get(document)! + (prior === 0 ? 0 : prior * corpus.pageranks[document])),
    };
  };
  return { name, rank, explain: () => ({ score: 0, formula: '', parts: [] }) };
}

export const byText = counting('text', { title: 2, other: 1 });
export const byAll = counting('all', { title: 2, other: 1, anchor: 3 }, 0.01);

const word = fc.constantFrom('ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'the', 'here');
const someText = (maxLength: number): fc.Arbitrary<string> => fc.array(word, { maxLength }).map((all) => all.join(' '));

/** Webs of a few hosts, with pages of equal text, links to themselves and texts of every kind. */
export const anyWeb: fc.Arbitrary<SmallPage[]> = fc.integer({ min: 1, max: 14 }).chain((count) =>
  fc.array(
    fc.record({
      host: fc.nat({ max: 2 }), title: someText(2), text: someText(6),
      links: fc.array(fc.tuple(fc.nat({ max: count - 1 }), someText(3)), { maxLength: 6 }),
    }),
    { minLength: count, maxLength: count },
  )).map((pages) => pages.map(({ host, ...page }, i) => ({ url: `http://h${host}.example/${i}`, ...page })));

export const allPages = ({ pages }: SearchIndex): number[] => Array.from({ length: pages }, (_, page) => page);
