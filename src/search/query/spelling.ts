import { editDistance } from '../../base/index.ts';
import { spelledWords, wordsOf } from '../words/index.ts';

/** A word must be so many times as frequent to be meant instead of a word that the index has. */
const MUCH_MORE = 50;
/** Words of fewer letters are too near to many others. */
const MIN_LETTERS = 4;
/** Words of so many letters may have two mistakes: two letters that changed places are two. */
const MIN_LETTERS_OF_TWO = 6;

/**
 * A query with words that the index does not have, or hardly has, replaced by similar words that it has often.
 *
 * @param query - as typed.
 * @param vocabulary - frequent words of the index, with their number of documents.
 * @param frequencyOf - documents with a word.
 * @returns undefined if nothing is to be replaced. O(vocabulary) for each such word.
 */
export function betterSpelled(
  query: string, vocabulary: () => ReadonlyMap<string, number>, frequencyOf: (word: string) => number,
): string | undefined {
  let [result, copied] = ['', 0];
  for (const { 0: spelled, index } of spelledWords(query)) {
    // Operators are words too, but not of the text.
    if (/^(?:site|title)$/i.test(spelled) && query[index + spelled.length] === ':') continue;
    if (/(?:^|\s)-?site:\S*$/i.test(query.slice(0, index))) continue;
    const words = wordsOf(spelled);
    if (words.length !== 1) continue;
    const better = betterWord(words[0], vocabulary, frequencyOf(words[0]));
    if (better === undefined) continue;
    result += query.slice(copied, index) + better;
    copied = index + spelled.length;
  }
  return copied === 0 ? undefined : result + query.slice(copied);
}

function betterWord(
  word: string, vocabulary: () => ReadonlyMap<string, number>, documents: number,
): string | undefined {
  if (word.length < MIN_LETTERS || /\d/.test(word) || documents > 2) return undefined;
  const maxDistance = word.length < MIN_LETTERS_OF_TWO ? 1 : 2;
  const letters = lettersOf(word);
  let best: string | undefined;
  let [bestDistance, bestDocuments] = [maxDistance + 1, 0];
  for (const [other, ofOther] of vocabulary()) {
    if (Math.abs(other.length - word.length) > maxDistance || ofOther < MUCH_MORE * documents) continue;
    // Each edit makes two letters differ at most.
    if (bitsOf(letters ^ lettersOf(other)) > 2 * maxDistance) continue;
    const distance = editDistance(word, other);
    if (distance === 0 || distance > bestDistance) continue;
    if (distance === bestDistance && ofOther <= bestDocuments) continue;
    [best, bestDistance, bestDocuments] = [other, distance, ofOther];
  }
  return bestDistance > maxDistance ? undefined : best;
}

/** A bit for each letter that a word has. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

function bitsOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
