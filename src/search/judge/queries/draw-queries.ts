import { DrawStream, log } from '../../../base/index.ts';
import { MAX_QUERY_WORDS, wordsOf, type SearchIndex } from '../../index.ts';
import type { LinkTable } from '../links/link-table.ts';
import { areStopWords, usableTexts, type LeftOut, type UsableText } from './texts.ts';

/** Words that are searched for, and the documents that answer them. */
export interface JudgedQuery {
  readonly words: readonly string[];
  /** Ascending. */
  readonly targets: readonly number[];
  /** What finding each target is worth; they sum to 1. */
  readonly gains: readonly number[];
}

export const querySets = ['uniform', 'byLinks', 'titles', 'ambiguous'] as const;
/**
 * `uniform`: texts of links to documents drawn evenly; `byLinks`: a document is drawn in proportion to the pages that
 * link to it; `titles`: titles of documents drawn evenly, searched without the field of titles; `ambiguous`: texts that
 * lead to several documents.
 */
export type QuerySetName = (typeof querySets)[number];

/** Parameters are tuned on one half, and orders judged on the other; a document is in the same half in each set. */
export type Half = 'tune' | 'judge';

export interface DrawnQueries {
  readonly sets: Readonly<Record<QuerySetName, Readonly<Record<Half, readonly JudgedQuery[]>>>>;
  /** Links whose text was drawn with their document: all must be removed before anything is searched. Ascending. */
  readonly removedLinks: Uint32Array;
  readonly leftOut: LeftOut & {
    /** Texts that lead to several documents, from which the ambiguous queries are drawn. */
    readonly severalTargets: number;
    /** Documents without a title, with a long one, one of stop words alone, or one that another has too. */
    readonly titles: number;
  };
  /** Documents that at least one text leads to, and to no other. */
  readonly knownDocuments: number;
}

export interface DrawOptions {
  readonly seed: number;
  /** Queries per set, both halves together, while there are so many. */
  readonly maxQueries: number;
}

/** A document that may be drawn, and the texts that lead to it alone. */
interface KnownDocument {
  readonly document: number;
  readonly texts: UsableText[];
}

/**
 * Known items of an index (Fetterly, Craswell & Vinay, "The impact of crawl policy on web search effectiveness", SIGIR
 * 2009, judge by queries of a search engine; a crawl has none, so texts of links take their place). Each draw is a
 * function of (seed, stream, id) alone, so no policy changes it.
 * Cost   O(links + documents log documents).
 */
export function drawQueries(index: SearchIndex, table: LinkTable, options: DrawOptions): DrawnQueries {
  const { seed, maxQueries } = options;
  const { texts, leftOut } = usableTexts(index, table);
  const candidates = knownDocuments(texts);
  const streamOf = (name: QuerySetName): DrawStream => new DrawStream(seed, `judge ${name}`);
  const [uniform, byLinks, ofTitles, ofTexts] = querySets.map(streamOf);
  const inLinks = linkingPages(index, table);
  const ambiguous = texts.filter(({ documents }) => documents.length > 1);
  const titled = titledDocuments(index);
  const queries = {
    uniform: least(candidates, maxQueries, ({ document }) => uniform.uniform(document))
      .map((item) => ({ id: item.document, ...withText(item, uniform, table) })),
    // Exponential times at rates w: the first n are a draw in proportion to w without repetition (Efraimidis &
    // Spirakis, "Weighted random sampling with a reservoir", 2006).
    byLinks: least(candidates, maxQueries, ({ document }) => -log(byLinks.uniform(document)) / inLinks[document])
      .map((item) => ({ id: item.document, ...withText(item, byLinks, table) })),
    titles: least(titled, maxQueries, ({ document }) => ofTitles.uniform(document))
      .map(({ document, words }) => ({ id: document, text: 0, query: { words, targets: [document], gains: [1] } })),
    ambiguous: least(ambiguous, maxQueries, ({ text }) => ofTexts.uniform(text))
      .map((text) => ({ id: text.text, text: text.text, query: ambiguousQuery(text, table) })),
  };
  const [byDocument, byText] = [new DrawStream(seed, 'judge half'), new DrawStream(seed, 'judge half of texts')];
  return {
    sets: {
      uniform: halves(queries.uniform, byDocument), byLinks: halves(queries.byLinks, byDocument),
      titles: halves(queries.titles, byDocument), ambiguous: halves(queries.ambiguous, byText),
    },
    removedLinks: linksOf(table, [...queries.uniform, ...queries.byLinks, ...queries.ambiguous]),
    leftOut: { ...leftOut, severalTargets: ambiguous.length, titles: index.documents - titled.length },
    knownDocuments: candidates.length,
  };
}

function knownDocuments(texts: readonly UsableText[]): KnownDocument[] {
  const byDocument = new Map<number, KnownDocument>();
  for (const text of texts) {
    const [document, ...others] = text.documents;
    if (others.length > 0) continue;
    const item = byDocument.get(document);
    if (item === undefined) byDocument.set(document, { document, texts: [text] });
    else item.texts.push(text);
  }
  return [...byDocument.values()].sort((a, b) => a.document - b.document);
}

/** The `count` items of least value, in the order of these; equal values in the order of the items. */
function least<T>(items: readonly T[], count: number, valueOf: (item: T) => number): T[] {
  return items
    .map((item) => ({ item, value: valueOf(item) }))
    .sort((a, b) => a.value - b.value)
    .slice(0, count)
    .map(({ item }) => item);
}

/** One of the document's links is drawn, so that a text which many use is drawn more often. */
function withText(
  { document, texts }: KnownDocument, draws: DrawStream, table: LinkTable,
): { text: number; query: JudgedQuery } {
  const links = texts.reduce((sum, text) => sum + text.links[0], 0);
  let place = Math.floor(draws.uniform(document, 1) * links);
  const { text } = texts.find((candidate) => (place -= candidate.links[0]) < 0) ?? texts[texts.length - 1];
  return { text, query: { words: table.texts[text].words, targets: [document], gains: [1] } };
}

function ambiguousQuery({ text, documents, links }: UsableText, table: LinkTable): JudgedQuery {
  const sum = links.reduce((total, count) => total + count, 0);
  return { words: table.texts[text].words, targets: documents, gains: links.map((count) => count / sum) };
}

function titledDocuments(index: SearchIndex): { document: number; words: readonly string[] }[] {
  const titled = Array.from({ length: index.documents }, (_, document) => ({
    document, words: wordsOf(index.title(document)),
  })).filter(({ words }) => !areStopWords(words) && words.length <= MAX_QUERY_WORDS);
  const documentsWith = new Map<string, number>();
  for (const { words } of titled) documentsWith.set(words.join(' '), (documentsWith.get(words.join(' ')) ?? 0) + 1);
  return titled.filter(({ words }) => documentsWith.get(words.join(' ')) === 1);
}

/** Pages that link to each document. O(links). */
function linkingPages({ documents }: SearchIndex, table: LinkTable): Uint32Array {
  const counts = new Uint32Array(documents);
  const seenFrom = new Uint32Array(documents);
  for (let link = 0; link < table.count; link++) {
    const [document, page] = [table.documents[link], table.sources[link]];
    if (seenFrom[document] === page + 1) continue;
    seenFrom[document] = page + 1;
    counts[document]++;
  }
  return counts;
}

function halves(
  queries: readonly { readonly id: number; readonly query: JudgedQuery }[], draws: DrawStream,
): Record<Half, JudgedQuery[]> {
  const of = (half: number): JudgedQuery[] =>
    queries.filter(({ id }) => draws.uint32(id) >>> 31 === half).map(({ query }) => query);
  return { tune: of(0), judge: of(1) };
}

/** Every link with the text of a query to one of its targets. */
function linksOf(
  table: LinkTable, queries: readonly { readonly text: number; readonly query: JudgedQuery }[],
): Uint32Array {
  const targetsOf = new Map<number, Set<number>>();
  for (const { text, query } of queries)
    targetsOf.set(text, new Set([...(targetsOf.get(text) ?? []), ...query.targets]));
  const links: number[] = [];
  for (let link = 0; link < table.count; link++)
    if (targetsOf.get(table.textOf[link])?.has(table.documents[link]) === true) links.push(link);
  return Uint32Array.from(links);
}
