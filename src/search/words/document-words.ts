import { createHash } from 'node:crypto';
import { textFields, type PageText, type TextRun } from '../../web/index.ts';
import { MAX_WORD_CHARS, wordsOf } from './fold.ts';

/** Words of a document that are indexed; compass's exact order rests on it (ranking/README.md). */
export const MAX_DOCUMENT_WORDS = 1 << 19;
/** Positions left free between runs: more than the words of a query, so that no phrase crosses from one to another. */
export const PAUSE = 32;

/** What an index stores of a document's words. All of it can be passed between threads. */
export interface DocumentWords {
  /** SHA-256 of the runs: documents are equal if their digests are. 32 bytes. */
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

const DESCRIPTION = textFields.indexOf('description');

/**
 * The words of a page's text. Positions are in the order of the document; what the page says of itself comes after its
 * text.
 *
 * @param stopWords - words that take a position and are not stored.
 * @returns its words; those beyond MAX_DOCUMENT_WORDS are left out. O(length of the text).
 */
export function documentWords(page: PageText, stopWords: ReadonlySet<string> = new Set()): DocumentWords {
  const found = new Map<string, number[]>();
  const lengths = new Uint32Array(textFields.length);
  let [position, count, stored] = [0, 0, 0];
  for (const { field, text } of inOrder(page.runs)) {
    for (const word of wordsOf(text)) {
      if (count++ === MAX_DOCUMENT_WORDS) return packed(page, found, stored, lengths);
      lengths[field]++;
      const place = position++ * textFields.length + field;
      if (word.length > MAX_WORD_CHARS || stopWords.has(word)) continue;
      stored++;
      const places = found.get(word);
      if (places === undefined) found.set(word, [place]);
      else places.push(place);
    }
    position += PAUSE;
  }
  return packed(page, found, stored, lengths);
}

function inOrder(runs: readonly TextRun[]): { field: number; text: string }[] {
  const numbered = runs.map(({ field, text }) => ({ field: textFields.indexOf(field), text }));
  const isDescription = (run: { field: number }): boolean => run.field === DESCRIPTION;
  return [...numbered.filter((run) => !isDescription(run)), ...numbered.filter(isDescription)];
}

function packed(
  page: PageText, found: ReadonlyMap<string, readonly number[]>, stored: number, lengths: Uint32Array,
): DocumentWords {
  const starts = new Uint32Array(found.size + 1);
  const places = new Uint32Array(stored);
  let [word, at] = [0, 0];
  for (const ofWord of found.values()) {
    places.set(ofWord, at);
    at += ofWord.length;
    starts[++word] = at;
  }
  const digest = createHash('sha256').update(runLines(page.runs)).digest();
  return { digest: new Uint8Array(digest), words: [...found.keys()], starts, places, lengths };
}

/** The runs as one text, a line each, which begins with the number of its field. */
export function runLines(runs: readonly TextRun[]): string {
  return runs.map(({ field, text }) => `${textFields.indexOf(field)}${text.replaceAll('\n', ' ')}\n`).join('');
}

/** The runs of such a text. */
export function runsOf(lines: string): TextRun[] {
  return lines.split('\n').slice(0, -1).map((line) => ({ field: textFields[Number(line[0])], text: line.slice(1) }));
}

/** The text of the first title; '' if it has none. */
export function titleOf(page: PageText): string {
  return page.runs.find((run) => run.field === 'title')?.text ?? '';
}
