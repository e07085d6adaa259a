import type { TextRun } from '../../base/web/index.ts';
import { visitWords, WordNumbers } from '../words/index.ts';
import { Numbers, startsOfKeys } from './numbers.ts';
import { Code, encodePlaces } from './postings-code.ts';

/**
 * Postings of a few texts: per word the texts that have it, by their numbers in the batch, coded as in
 * `postings-code.ts`. The writer looks up each word once per batch, and copies its postings: all at once, or text by
 * text if only some texts are new documents.
 */
export interface BatchPostings {
  /** Distinct, a line each; some may have no postings. */
  readonly words: string;
  /** The end of each word's postings in `code`. */
  readonly ends: Uint32Array;
  /** Numbers of texts and places of each word, and its last text. */
  readonly texts: Uint32Array;
  readonly places: Uint32Array;
  readonly lasts: Uint32Array;
  readonly code: Uint8Array;
}

/** Gathers the words of a batch of texts. */
export class BatchWords {
  readonly #stopWords: ReadonlySet<string>;
  readonly #numbers = new WordNumbers();
  /** Number, text and place of each word visited. */
  readonly #words = new Numbers();
  readonly #texts = new Numbers();
  readonly #places = new Numbers();

  /** @param stopWords - words that take a position and are not indexed. */
  constructor(stopWords: ReadonlySet<string>) {
    this.#stopWords = stopWords;
  }

  /**
   * Adds a text.
   *
   * @param text - its number in the batch; they ascend.
   * @returns words per field of `textFields`, all of them: left out, too long and repeated ones too.
   */
  add(text: number, runs: readonly TextRun[]): Uint32Array {
    return visitWords<number>(runs, (of, visit) => { this.#numbers.visit(of, visit); }, (word, place) => {
      if (word < 0) return;
      this.#words.push(word);
      this.#texts.push(text);
      this.#places.push(place);
    });
  }

  postings(): BatchPostings {
    const [keys, { words }] = [this.#words.array(), this.#numbers];
    const starts = startsOfKeys(keys, words.length);
    const [texts, places] = [inOrder(this.#texts.array(), keys, starts), inOrder(this.#places.array(), keys, starts)];
    const [ends, counts, placeCounts, lasts] = Array.from({ length: 4 }, () => new Uint32Array(words.length));
    const code = new Code();
    for (const [word, spelling] of words.entries()) {
      const [start, end] = [starts[word], this.#stopWords.has(spelling) ? starts[word] : starts[word + 1]];
      for (let at = start; at < end;) {
        const first = at;
        while (at < end && texts[at] === texts[first]) at++;
        code.number(texts[first] - lasts[word]);
        encodePlaces(code, places, first, at);
        counts[word]++;
        lasts[word] = texts[first];
      }
      placeCounts[word] = end - start;
      ends[word] = code.length;
    }
    return { words: words.join('\n'), ends, texts: counts, places: placeCounts, lasts, code: code.bytes().slice() };
  }
}

/** Values in the order of their keys; values with the same key stay in their order. */
function inOrder(values: Uint32Array, keys: Uint32Array, starts: Uint32Array): Uint32Array {
  const next = starts.slice();
  const ordered = new Uint32Array(values.length);
  for (let at = 0; at < values.length; at++) ordered[next[keys[at]]++] = values[at];
  return ordered;
}
