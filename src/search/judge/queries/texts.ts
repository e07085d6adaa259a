import { englishStopWords, grouped, MAX_QUERY_WORDS, type SearchIndex } from '../../index.ts';
import { hostOf, type LinkTable } from '../links/link-table.ts';

/** A text of links that can be a query, and the documents that it leads to. */
export interface UsableText {
  /** Index in `texts` of the table. */
  readonly text: number;
  /** Ascending. */
  readonly documents: readonly number[];
  /** Links with the text to each of these documents. */
  readonly links: readonly number[];
}

/** Distinct texts of links that were left out, by the first reason that holds. */
export interface LeftOut {
  readonly urls: number;
  /** They have more words than a query may have. */
  readonly long: number;
  readonly stopWords: number;
  readonly navigation: number;
}

/** Text on a larger share of the pages of a host is navigation. */
const NAVIGATION_SHARE = 0.05;

/**
 * The texts of links that describe what they lead to. Left out: texts of URLs, of too many words, of stop words alone,
 * and navigation: on more than one page and more than 5 % of the pages of a host.
 * Cost   O(links).
 */
export function usableTexts(index: SearchIndex, table: LinkTable): { texts: UsableText[]; leftOut: LeftOut } {
  const leftOut = { urls: 0, long: 0, stopWords: 0, navigation: 0 };
  const { starts, places } = grouped(table.textOf, table.texts.length);
  const isNavigation = navigationTest(index, table);
  const texts: UsableText[] = [];
  for (let text = 1; text < table.texts.length; text++) {
    const links = places.subarray(starts[text], starts[text + 1]);
    const counts = new Map<number, number>();
    for (const link of links) {
      const document = table.documents[link];
      counts.set(document, (counts.get(document) ?? 0) + 1);
    }
    const { words, isUrl } = table.texts[text];
    if (isUrl) leftOut.urls++;
    else if (words.length > MAX_QUERY_WORDS) leftOut.long++;
    else if (areStopWords(words)) leftOut.stopWords++;
    else if (isNavigation(links)) leftOut.navigation++;
    else {
      const documents = [...counts.keys()].sort((a, b) => a - b);
      texts.push({ text, documents, links: documents.map((document) => counts.get(document)!) });
    }
  }
  return { texts, leftOut };
}

/** Whether no word of a text says anything; a text without words is one too. */
export function areStopWords(words: readonly string[]): boolean {
  return words.every((word) => englishStopWords.has(word));
}

/** Whether links with one text are navigation. O(links) per call. */
function navigationTest(index: SearchIndex, { sources }: LinkTable): (links: Uint32Array) => boolean {
  const ids = new Map<string, number>();
  const hostOfPage = Uint32Array.from({ length: index.pages }, (_, page) => {
    const host = hostOf(index.url(page));
    const id = ids.get(host) ?? ids.size;
    ids.set(host, id);
    return id;
  });
  const pagesOfHost = new Uint32Array(ids.size);
  for (const host of hostOfPage) pagesOfHost[host]++;
  const seenIn = new Uint32Array(index.pages);
  let round = 0;
  return (links) => {
    round++;
    const withText = new Map<number, number>();
    for (const link of links) {
      const page = sources[link];
      if (seenIn[page] === round) continue;
      seenIn[page] = round;
      withText.set(hostOfPage[page], (withText.get(hostOfPage[page]) ?? 0) + 1);
    }
    // On a small host one page alone is more than 5 %.
    return [...withText].some(([host, count]) => count > Math.max(1, NAVIGATION_SHARE * pagesOfHost[host]));
  };
}
