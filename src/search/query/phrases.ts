import { textFields } from '../../base/web/index.ts';
import type { Corpus, Postings } from '../corpus.ts';
import { rowOf } from '../ranking/query-words.ts';
import type { Phrase } from './parse-query.ts';

const TITLE = textFields.indexOf('title');

/**
 * The documents with a phrase in their text.
 *
 * @param stopWords - words that the index leaves out: each takes its place in the phrase, and matches any word.
 * Cost   O(occurrences of the rarest word, times words of the phrase and a logarithm).
 */
export function documentsWith(corpus: Corpus, phrase: Phrase, stopWords: ReadonlySet<string>): Set<number> {
  const steps = phrase.words.map((word, place) => ({ word, place })).filter(({ word }) => !stopWords.has(word))
    .map(({ word, place }) => ({ place, postings: corpus.postings(word) }))
    .sort((a, b) => a.postings.documents.length - b.postings.documents.length);
  const documents = new Set<number>();
  if (steps.length === 0) return documents;
  const [rarest, ...others] = steps;
  for (const [row, document] of rarest.postings.documents.entries()) {
    const { starts, places } = rarest.postings;
    for (let at = starts[row]; at < starts[row + 1]; at++) {
      const [position, field] = [Math.floor(places[at] / textFields.length), places[at] % textFields.length];
      if (phrase.isInTitle && field !== TITLE) continue;
      const isThere = others.every(({ place, postings }) =>
        hasPlace(postings, document, (position + place - rarest.place) * textFields.length + field));
      if (!isThere) continue;
      documents.add(document);
      break;
    }
  }
  return documents;
}

/** Words of a run are all in its field, so the place of each is known. */
function hasPlace({ documents, starts, places }: Postings, document: number, place: number): boolean {
  const row = rowOf(documents, document);
  return row >= 0 && rowOf(places.subarray(starts[row], starts[row + 1]), place) >= 0;
}
