/** UTF-16 units of a word; longer ones are data that nobody types. They take a position, and are not indexed. */
export const MAX_WORD_CHARS = 64;

const ascii = /^[\0-\x7f]*$/;
const asciiWords = /[a-z0-9]+/g;
const anyWords = /[\p{L}\p{M}\p{N}]+/gu;
/**
 * Accents, and the points of Hebrew and Arabic that most texts leave out. Not all marks: in the scripts of India the
 * vowels are marks, and か and が differ by one.
 */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]+/g;

/** Compatible with letters (TM, SM), which would become part of the word before them. */
const trademarks = /[\u2120\u2122]/g;

/** True for texts whose words are runs of letters and digits. */
export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/**
 * The words of a text: letters, marks and digits between other characters, in compatible forms (NFKC), lower case and
 * without accents. "Ångström’s" is `angstrom`, `s`. A word of this function is one word of it again, itself.
 *
 * @returns all words in order, long ones included. O(length of the text).
 */
export function wordsOf(text: string): string[] {
  if (isAscii(text)) return text.toLowerCase().match(asciiWords) ?? [];
  return folded(text).match(anyWords) ?? [];
}

/** Folds by way of upper case: words that differ in lower case alone are the same. */
function folded(text: string): string {
  const compatible = text.replace(trademarks, ' ').normalize('NFKC');
  const plain = compatible.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return plain.normalize('NFKD').replace(accents, '').normalize('NFKC');
}

/** Words of the original text, and where they are in it: for snippets. */
export function spelledWords(text: string): Iterable<RegExpExecArray> {
  return text.matchAll(anyWords);
}

/** A word of a text, and where it is in it. */
export interface MarkedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds some words in texts: all that `wordsOf` would find of them, in order.
 *
 * @param words - as of `wordsOf`.
 * Cost   O(length of a text); in ASCII, at the speed of a search for a string.
 */
export function markedWords(words: ReadonlySet<string>): (text: string) => Iterable<MarkedWord> {
  const asciiOnly = [...words].filter(isAscii);
  const pattern = new RegExp(`(?<![a-z0-9])(?:${asciiOnly.join('|')})(?![a-z0-9])`, 'g');
  return function* (text) {
    if (isAscii(text)) {
      if (asciiOnly.length === 0) return;
      for (const { 0: word, index } of text.toLowerCase().matchAll(pattern))
        yield { word, start: index, end: index + word.length };
      return;
    }
    for (const { 0: spelled, index } of spelledWords(text)) {
      const word = wordsOf(spelled).find((folded) => words.has(folded));
      if (word !== undefined) yield { word, start: index, end: index + spelled.length };
    }
  };
}
