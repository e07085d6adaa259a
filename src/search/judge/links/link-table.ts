import { grown } from '../../../base/index.ts';
import type { JudgedPages } from '../pages.ts';

/** Texts of links as words, folded; the first is the text without words. */
export interface LinkText {
  readonly words: readonly string[];
  /** Whether a link had it as a URL: a scheme, a `www.`, or the URL that the link leads to. */
  isUrl: boolean;
}

/**
 * The links of an index, in columns: link i leads from page `sources[i]` to document `documents[i]` with the text
 * `texts[textOf[i]]`.
 * Cost   12 bytes per link, and each distinct text once.
 */
export interface LinkTable {
  readonly count: number;
  readonly sources: Uint32Array;
  readonly documents: Uint32Array;
  /** Index in `texts`. */
  readonly textOf: Uint32Array;
  readonly texts: readonly LinkText[];
  /** Whether the page that has the link is of the document that it leads to. */
  isWithinDocument(link: number): boolean;
}

/** O(characters of the links). */
export function linkTable(pages: JudgedPages): LinkTable {
  const texts: LinkText[] = [{ words: [], isUrl: false }];
  const idOfWords = new Map<string, number>([['', 0]]);
  // Links of templates are repeated on every page: most texts are folded once.
  const idOfText = new Map<string, number>();
  const firstUrlOf = firstUrls(pages);
  let [sources, documents, textOf] = [new Uint32Array(0), new Uint32Array(0), new Uint32Array(0)];
  let count = 0;
  for (const { page, document, text } of pages.links()) {
    let id = idOfText.get(text);
    if (id === undefined) {
      const words = pages.words(text);
      const key = words.join(' ');
      id = idOfWords.get(key) ?? texts.length;
      if (id === texts.length) {
        texts.push({ words, isUrl: false });
        idOfWords.set(key, id);
      }
      idOfText.set(text, id);
    }
    if (isUrl(text, firstUrlOf[document])) texts[id].isUrl = true;
    if (count === sources.length)
      [sources, documents, textOf] = [sources, documents, textOf].map((column) => grown(column, count + 1));
    sources[count] = page;
    documents[count] = document;
    textOf[count++] = id;
  }
  [sources, documents, textOf] = [sources, documents, textOf].map((column) => column.slice(0, count));
  return {
    count, sources, documents, textOf, texts,
    isWithinDocument: (link) => pages.documentOf[sources[link]] === documents[link],
  };
}

function firstUrls({ urls, documentOf, titles }: JudgedPages): string[] {
  const first = Array.from(titles, () => '');
  for (let page = urls.length - 1; page >= 0; page--) first[documentOf[page]] = urls[page];
  return first;
}

/** Whether a text is a URL, and so names its target instead of describing it. */
export function isUrl(text: string, target: string): boolean {
  const bare = withoutScheme(text.trim());
  return /^\s*(?:[a-z][a-z\d+.-]*:\/\/|www\.)\S+\s*$/i.test(text) ||
    (bare !== '' && bare.includes('.') && (bare === withoutScheme(target) || bare === hostOf(target)));
}

function withoutScheme(url: string): string {
  return url.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/\/$/, '').toLowerCase();
}

/** Host of a URL, with its port; all of it up to the path if it has no scheme. */
export function hostOf(url: string): string {
  return withoutScheme(url).split(/[/?#]/, 1)[0];
}

/** The places of `keys` by their values, which are below `count`: those of value v from `starts[v]` to `starts[v + 1]`. */
export interface Grouped {
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
}

/** O(keys + count); the places of a value ascend. */
export function grouped(keys: Uint32Array, count: number): Grouped {
  const starts = new Uint32Array(count + 1);
  for (const key of keys) starts[key + 1]++;
  for (let value = 0; value < count; value++) starts[value + 1] += starts[value];
  const next = starts.slice();
  const places = new Uint32Array(keys.length);
  for (let place = 0; place < keys.length; place++) places[next[keys[place]]++] = place;
  return { starts, places };
}
