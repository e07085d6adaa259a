import type { ScoredDocuments } from '../../index.ts';

/** Where a document stands among scored ones: 1 + those that come before it; 0 if it is not there. O(documents). */
export function rankOf(scored: ScoredDocuments, document: number): number {
  const place = placeOf(scored.documents, document);
  return place < 0 ? 0 : 1 + before(scored, place, () => true);
}

/** The documents that come before one, or undefined if it is not there. O(documents). */
export function documentsBefore(scored: ScoredDocuments, document: number): Uint32Array | undefined {
  const place = placeOf(scored.documents, document);
  if (place < 0) return undefined;
  const found: number[] = [];
  before(scored, place, (other) => found.push(scored.documents[other]));
  return Uint32Array.from(found);
}

/** Counts places before another: with a greater score, or the same and a smaller document. */
function before({ scores }: ScoredDocuments, place: number, visit: (place: number) => unknown): number {
  const score = scores[place];
  let count = 0;
  for (let other = 0; other < scores.length; other++) {
    if (scores[other] > score || (scores[other] === score && other < place)) {
      count++;
      visit(other);
    }
  }
  return count;
}

function placeOf(documents: Uint32Array, document: number): number {
  let [low, high] = [0, documents.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle] < document) low = middle + 1;
    else high = middle;
  }
  return documents[low] === document ? low : -1;
}
