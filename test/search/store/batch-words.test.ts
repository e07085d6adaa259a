import { expect, test } from 'vitest';
import { BatchWords } from '../../../src/search/store/batch-words.ts';
import { PendingPostings } from '../../../src/search/store/pending-postings.ts';
import { decodedPostings, type PostingsCode } from '../../../src/search/store/postings-code.ts';
import { englishStopWords } from '../../../src/search/words/index.ts';
import { anyPages } from '../any-pages.ts';
import { documentWords } from '../document-words.ts';

// Goal: postings that are made a batch at a time are those of its texts, of one after the other.

/** Word -> document -> places. */
type Places = Record<string, Record<number, number[]>>;

function placesOf(postings: PostingsCode | undefined): Places[string] {
  if (postings === undefined) return {};
  const { documents, places, last, code } = postings;
  const decoded = decodedPostings({ documents, places, last, code: code.sealed() })!;
  return Object.fromEntries([...decoded.documents].map((document, i) => [
    document, [...decoded.places.subarray(decoded.starts[i], decoded.starts[i + 1])],
  ]));
}

const words = ['a', 'b', 'the', 'x'.repeat(70), 'größe', 'c', 'd'];

test.each([
  [1, 1, 5], [7, 1, 5], [7, 1, Infinity], [60, 1, Infinity], [16, 3, 5], [16, 3, Infinity], [60, 4, 5],
])('batches of %i texts, %i segments, all but each %dth', (batchTexts, segments, leftOut) => {
  const texts = anyPages(batchTexts, 60, words).map(({ text }) => text);
  const pending = new PendingPostings();
  const expected: Places[] = Array.from({ length: segments }, () => ({}));
  let documents = 0;
  for (let first = 0; first < texts.length; first += batchTexts) {
    const batch = new BatchWords(englishStopWords);
    const part = texts.slice(first, first + batchTexts);
    const taken = part.map((text, i) => {
      const found = documentWords(text, englishStopWords);
      expect(batch.add(i, text.runs)).toEqual(found.lengths);
      // Some are left out, as known texts are.
      if ((first + i) % leftOut === 3 && leftOut < Infinity) return undefined;
      const [document, segment] = [documents++, documents % segments];
      for (const [w, word] of found.words.entries())
        (expected[segment][word] ??= {})[document] = [...found.places.subarray(found.starts[w], found.starts[w + 1])];
      return { document, segment };
    });
    pending.add(batch.postings(), taken);
  }
  const all = Object.keys(Object.assign({}, ...expected) as Places).sort();
  expect(pending.words).toBe(all.length);
  expect([...pending.inOrder()].map(([word]) => word)).toEqual(all);
  for (const word of all) {
    const bySegment = pending.taken(word);
    for (let segment = 0; segment < segments; segment++) {
      const found = placesOf(bySegment[segment]);
      expect(found).toEqual(expected[segment][word] ?? {});
    }
    expect(pending.taken(word)).toEqual([]);
  }
  expect(pending.words).toBe(0);
});
