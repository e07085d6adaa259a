import { createHash } from 'node:crypto';
import { textFields, type TextRun } from '../../base/web/index.ts';

/** Words of a document that are indexed; compass's exact order rests on it (ranking/README.md). */
export const MAX_DOCUMENT_WORDS = 1 << 19;
/** Positions left free between runs: more than the words of a query, so that no phrase crosses from one to another. */
export const PAUSE = 32;

const DESCRIPTION = textFields.indexOf('description');

/** Visits each word of a text, until `visit` returns false. */
type Split<Word> = (text: string, visit: (word: Word) => boolean) => void;

/**
 * Visits the words of a page's text. Positions are in the order of the document; what the page says of itself comes
 * after its text. Words beyond MAX_DOCUMENT_WORDS are left out.
 *
 * @param visit - called with a word and its place, position * 8 + field, in ascending order of places.
 * @returns words per field of `textFields`. O(length of the text).
 */
export function visitWords<Word>(
  runs: readonly TextRun[], split: Split<Word>, visit: (word: Word, place: number) => void,
): Uint32Array {
  const lengths = new Uint32Array(textFields.length);
  let [position, count] = [0, 0];
  for (const { field, text } of inOrder(runs)) {
    split(text, (word) => {
      if (count++ >= MAX_DOCUMENT_WORDS) return false;
      lengths[field]++;
      visit(word, position++ * textFields.length + field);
      return true;
    });
    position += PAUSE;
  }
  return lengths;
}

function inOrder(runs: readonly TextRun[]): { field: number; text: string }[] {
  const numbered = runs.map(({ field, text }) => ({ field: textFields.indexOf(field), text }));
  const isDescription = (run: { field: number }): boolean => run.field === DESCRIPTION;
  return [...numbered.filter((run) => !isDescription(run)), ...numbered.filter(isDescription)];
}

/** SHA-256 of a text as of `runLines`: documents are equal if their digests are. 32 bytes. */
export function digestOf(lines: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(lines).digest());
}
