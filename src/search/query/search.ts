import { assert, InputError, quoted } from '../../base/index.ts';
import { textFields } from '../../base/web/index.ts';
import type { Corpus, Postings } from '../corpus.ts';
import { rowOf } from '../ranking/query-words.ts';
import type { Explanation, Ranking, ScoredDocuments } from '../ranking/ranking.ts';
import type { IndexReader } from '../store/index.ts';
import { parseQuery, type ParsedQuery, type Phrase } from './parse-query.ts';
import { snippet, type SnippetPart } from './snippet.ts';
import { betterSpelled } from './spelling.ts';

/** With fewer documents that have all words, those with some of them follow. */
const FEW = 10;

export interface SearchOptions {
  readonly ranking: Ranking;
  /** 10 by default. */
  readonly maxHits?: number | undefined;
  /** The `next` of the results before. With the same `state`, results neither overlap nor leave any out. */
  readonly after?: string | undefined;
  /** Explains each score; false by default. */
  readonly explain?: boolean | undefined;
}

export interface SearchResult {
  /** Documents that match. */
  readonly total: number;
  /** Whether documents with only some of the words are among them, since few have all. */
  readonly isAnyWord: boolean;
  readonly hits: readonly Hit[];
  /** Hosts with most results, descending. */
  readonly hosts: readonly { readonly host: string; readonly count: number }[];
  /** Asks for further results; undefined if there are none. */
  readonly next: string | undefined;
  /** The query, better spelled. */
  readonly suggestion: string | undefined;
  /** Words that were not looked for: there are too many. */
  readonly ignored: readonly string[];
  /** The state of the index, which changes when it is finished again. */
  readonly state: number;
}

export interface Hit {
  readonly document: number;
  readonly url: string;
  /** Other URLs of the same text, at most MAX_OTHERS. */
  readonly others: readonly string[];
  readonly host: string;
  /** '' if the document has none. */
  readonly title: string;
  /** As declared; '' if it is not. */
  readonly language: string;
  /** Greater is better; comparable within one query only. */
  readonly score: number;
  readonly hasAllWords: boolean;
  readonly snippet: readonly SnippetPart[];
  readonly why: Explanation | undefined;
}

const TITLE = textFields.indexOf('title');
const MAX_OTHERS = 10;
const MAX_HOSTS = 10;

/**
 * Searches an index for what was typed. Documents with all words come first, by score; if they are few, documents with
 * some words follow. Phrases, titles, sites and exclusions always hold.
 *
 * @throws InputError for a query that is too long or has no word, and as the reader.
 * Cost   O(occurrences of the words, and length of the texts shown).
 */
export function searchIndex(index: IndexReader, query: string, options: SearchOptions): SearchResult {
  const { ranking, maxHits = 10, explain = false } = options;
  assert(Number.isInteger(maxHits) && maxHits >= 0, () => `${maxHits} hits are no count`);
  const offset = offsetOf(options.after);
  const parsed = parseQuery(query);
  const indexed = new Set(parsed.words.filter((word) => !index.stopWords.has(word)));
  const scored = ranking.rank(index, parsed.words);
  const isOnSite = siteFilter(index, parsed);
  const rows = matching(index, parsed, scored, isOnSite);
  const full = rows.filter((row) => scored.matched[row] === indexed.size);
  const matches = full.length < FEW ? rows : full;
  const firstPage = (row: number): number => index.pagesOf(scored.documents[row]).find(isOnSite)!;
  const best = bestRows(matches, scored, indexed.size, offset + maxHits).slice(offset);
  return {
    total: matches.length,
    isAnyWord: matches.length > full.length,
    hits: best.map((row) => {
      const document = scored.documents[row];
      const pages = [...index.pagesOf(document)].filter(isOnSite);
      const { language, runs } = index.beginning(document);
      return {
        document, url: index.url(pages[0]),
        others: pages.slice(1, 1 + MAX_OTHERS).map((page) => index.url(page)),
        host: index.hosts[index.hostOfPage[pages[0]]],
        title: runs.find(({ field }) => field === 'title')?.text ?? '',
        language, score: scored.scores[row], hasAllWords: scored.matched[row] === indexed.size,
        snippet: snippet(runs, indexed),
        why: explain ? ranking.explain(index, parsed.words, document) : undefined,
      };
    }),
    hosts: countedHosts(index, matches, firstPage),
    next: offset + best.length < matches.length && best.length > 0 ? String(offset + best.length) : undefined,
    suggestion: betterSpelled(query, () => index.vocabulary(), (word) =>
      index.stopWords.has(word) ? Infinity : index.frequency(word).textOrAnchor),
    ignored: parsed.ignored,
    state: index.state,
  };
}

function offsetOf(after: string | undefined): number {
  if (after === undefined) return 0;
  if (!/^\d{1,9}$/.test(after))
    throw new InputError(`after: ${quoted(after)}; expected the "next" of earlier results`, { field: 'after' });
  return Number(after);
}

function countedHosts(
  index: IndexReader, rows: Uint32Array, firstPage: (row: number) => number,
): { host: string; count: number }[] {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const host = index.hostOfPage[firstPage(row)];
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || a - b).slice(0, MAX_HOSTS);
  return byCount.map(([host, count]) => ({ host: index.hosts[host], count }));
}

/** Whether a page is on a site that is asked for, and on none that is excluded. */
function siteFilter(index: IndexReader, { sites, excludedSites }: ParsedQuery): (page: number) => boolean {
  if (sites.length === 0 && excludedSites.length === 0) return () => true;
  const isBelow = (host: string) => (site: string): boolean => host === site || host.endsWith(`.${site}`);
  const isWanted = index.hosts.map((host) =>
    (sites.length === 0 || sites.some(isBelow(host))) && !excludedSites.some(isBelow(host)),
  );
  return (page) => isWanted[index.hostOfPage[page]];
}

/** Rows of the documents that have all required phrases and sites, and no excluded ones. */
function matching(
  index: IndexReader, { required, excluded, sites, excludedSites }: ParsedQuery, { documents }: ScoredDocuments,
  isOnSite: (page: number) => boolean,
): Uint32Array {
  const hasIndexed = ({ words }: Phrase): boolean => words.some((word) => !index.stopWords.has(word));
  const must = required.filter(hasIndexed).map((phrase) => documentsWith(index, phrase, index.stopWords));
  const mustNot = excluded.map((phrase) => documentsWith(index, phrase, index.stopWords));
  const hasSites = sites.length > 0 || excludedSites.length > 0;
  return Uint32Array.from(documents.keys()).filter((row) => {
    const document = documents[row];
    return must.every((some) => some.has(document)) && !mustNot.some((some) => some.has(document)) &&
      (!hasSites || index.pagesOf(document).some(isOnSite));
  });
}

/** The first `count` rows: those with all words, then by score, then by document. O(n) for few of many. */
function bestRows(rows: Uint32Array, { scores, matched }: ScoredDocuments, words: number, count: number): number[] {
  const order = (a: number, b: number): number =>
    Number(matched[b] === words) - Number(matched[a] === words) || scores[b] - scores[a] || a - b;
  if (count >= rows.length / 4) return [...rows].sort(order).slice(0, count);
  const best: number[] = [];
  for (const row of rows) {
    if (best.length === count && (count === 0 || order(row, best[count - 1]) > 0)) continue;
    let [low, high] = [0, best.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (order(best[middle], row) < 0) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, row);
    if (best.length > count) best.pop();
  }
  return best;
}

/**
 * The documents with a phrase in their text.
 *
 * @param stopWords - words that the index leaves out: each takes its place in the phrase, and matches any word.
 * Cost   O(occurrences of the rarest word, times words of the phrase and a logarithm).
 */
function documentsWith(corpus: Corpus, phrase: Phrase, stopWords: ReadonlySet<string>): Set<number> {
  const steps = phrase.words.map((word, place) => ({ word, place })).filter(({ word }) => !stopWords.has(word))
    .map(({ word, place }) => ({ place, postings: corpus.postings(word) }))
    .sort((a, b) => a.postings.documents.length - b.postings.documents.length);
  const documents = new Set<number>();
  if (steps.length === 0) return documents;
  const [rarest, ...others] = steps;
  for (const [row, document] of rarest.postings.documents.entries()) {
    const { starts, places } = rarest.postings;
    for (let at = starts[row]; at < starts[row + 1]; at++) {
      const [position, field] = [Math.floor(places[at] / textFields.length), places[at] % textFields.length];
      if (phrase.isInTitle && field !== TITLE) continue;
      const isThere = others.every(({ place, postings }) =>
        hasPlace(postings, document, (position + place - rarest.place) * textFields.length + field));
      if (!isThere) continue;
      documents.add(document);
      break;
    }
  }
  return documents;
}

/** Words of a run are all in its field, so the place of each is known. */
function hasPlace({ documents, starts, places }: Postings, document: number, place: number): boolean {
  const row = rowOf(documents, document);
  return row >= 0 && rowOf(places.subarray(starts[row], starts[row + 1]), place) >= 0;
}
