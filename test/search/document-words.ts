import { runLines, type PageText } from '../../src/base/web/index.ts';
import { digestOf, MAX_WORD_CHARS, visitWords, wordsOf } from '../../src/search/words/index.ts';

/** The words of a document that an index stores. */
export interface DocumentWords {
  /** As of `digestOf`. */
  readonly digest: Uint8Array;
  /** Distinct, in order of first occurrence. */
  readonly words: readonly string[];
  /** The occurrences of `words[i]` are `places` from `starts[i]` up to `starts[i + 1]`. */
  readonly starts: Uint32Array;
  /** Position * 8 + field, ascending for each word. */
  readonly places: Uint32Array;
  /** Words per field of `textFields`, all of them: left out, too long and repeated ones too. */
  readonly lengths: Uint32Array;
}

/**
 * The words of a page's text that are indexed.
 *
 * @param stopWords - words that take a position and are not indexed.
 */
export function documentWords({ runs }: PageText, stopWords: ReadonlySet<string> = new Set()): DocumentWords {
  const placesOf = new Map<string, number[]>();
  const split = (text: string, visit: (word: string) => boolean): void => { wordsOf(text).every(visit); };
  const lengths = visitWords(runs, split, (word, place) => {
    if (word.length > MAX_WORD_CHARS || stopWords.has(word)) return;
    const places = placesOf.get(word);
    if (places === undefined) placesOf.set(word, [place]);
    else places.push(place);
  });
  const starts = new Uint32Array(placesOf.size + 1);
  for (const [i, places] of [...placesOf.values()].entries()) starts[i + 1] = starts[i] + places.length;
  const places = Uint32Array.from([...placesOf.values()].flat());
  return { digest: digestOf(runLines(runs)), words: [...placesOf.keys()], starts, places, lengths };
}

/** The text of the first title; '' if it has none. */
export function titleOf(page: PageText): string {
  return page.runs.find((run) => run.field === 'title')?.text ?? '';
}
