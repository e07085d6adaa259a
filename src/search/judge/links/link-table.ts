import { grown } from '../../../base/index.ts';
import { wordsOf, type SearchIndex } from '../../index.ts';

/** A text of links, folded. */
export interface LinkText {
  readonly words: readonly string[];
  /** Whether it was a URL on a link: with a scheme or `www.`, or the URL of its document. */
  isUrl: boolean;
}

/** The links of an index, in columns: link i leads from page `sources[i]`, ascending, to document `documents[i]`. */
export interface LinkTable {
  readonly count: number;
  readonly sources: Uint32Array;
  readonly documents: Uint32Array;
  /** Text of each link, in `texts`. */
  readonly textOf: Uint32Array;
  /** Distinct texts; the first is empty, for links without words. */
  readonly texts: readonly LinkText[];
}

/** Cost   O(characters of the links); 12 bytes per link, and each distinct text once. */
export function linkTable(index: SearchIndex): LinkTable {
  const texts: LinkText[] = [{ words: [], isUrl: false }];
  const idOfWords = new Map<string, number>([['', 0]]);
  // Links of templates are on every page: each spelling is folded once.
  const idOfText = new Map<string, number>();
  const idOf = (text: string): number => {
    const earlier = idOfText.get(text);
    if (earlier !== undefined) return earlier;
    const words = wordsOf(text);
    const key = words.join(' ');
    const id = idOfWords.get(key) ?? texts.push({ words, isUrl: false }) - 1;
    idOfWords.set(key, id);
    idOfText.set(text, id);
    return id;
  };
  let [sources, documents, textOf] = [new Uint32Array(0), new Uint32Array(0), new Uint32Array(0)];
  let count = 0;
  for (let page = 0; page < index.pages; page++) {
    for (const { document, text } of index.links(page)) {
      if (count === sources.length)
        [sources, documents, textOf] = [sources, documents, textOf].map((column) => grown(column, count + 1));
      const id = idOf(text);
      // Few texts have a dot, and a URL may be read from a disk.
      if (text.includes('.') && isUrl(text, index.url(index.firstPage[document]))) texts[id].isUrl = true;
      sources[count] = page;
      documents[count] = document;
      textOf[count++] = id;
    }
  }
  [sources, documents, textOf] = [sources, documents, textOf].map((column) => column.slice(0, count));
  return { count, sources, documents, textOf, texts };
}

/** Whether a text is a URL, and so names its target instead of describing it. */
export function isUrl(text: string, target: string): boolean {
  if (!text.includes('.') || /\S\s+\S/.test(text)) return false;
  const bare = withoutScheme(text.trim());
  return /^\s*(?:[a-z][a-z\d+.-]*:\/\/|www\.)/i.test(text) || bare === withoutScheme(target) || bare === hostOf(target);
}

function withoutScheme(url: string): string {
  return url.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/\/$/, '').toLowerCase();
}

/** Host of a URL, with its port; all of it up to the path if it has no scheme. */
export function hostOf(url: string): string {
  return withoutScheme(url).split(/[/?#]/, 1)[0];
}
