import { DrawStream } from '../../../src/base/index.ts';
import type { PageText } from '../../../src/base/web/index.ts';

/** Distinct words of generated documents; the i-th is drawn in proportion to 1 / (i + 1), as in natural language. */
const VOCABULARY = 50_000;
const WORDS_PER_DOCUMENT = 80;

/**
 * Documents of drawn words: a title of five, then a text. No language, and no links: for measurements of postings
 * alone, whose results are to be labelled as synthetic.
 */
export function generatedText(document: number, seed = 1): PageText {
  const words = new DrawStream(seed, 'words of documents');
  const drawn = Array.from({ length: WORDS_PER_DOCUMENT }, (_, i) => generatedWord(rankAt(words.uniform(document, i))));
  return {
    runs: [
      { field: 'title', text: drawn.slice(0, 5).join(' ') }, { field: 'other', text: drawn.slice(5).join(' ') },
    ],
    language: '', anchors: [], isCut: false,
  };
}

/** The word of a rank, 0 the most frequent. */
export function generatedWord(rank: number): string {
  return `w${rank.toString(36)}`;
}

let sums: Float64Array | undefined;

function rankAt(share: number): number {
  if (sums === undefined) {
    sums = new Float64Array(VOCABULARY);
    let sum = 0;
    for (let rank = 0; rank < VOCABULARY; rank++) sums[rank] = sum += 1 / (rank + 1);
  }
  const wanted = share * sums[VOCABULARY - 1];
  let [low, high] = [0, VOCABULARY - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
