import { rowOf, type ScoredDocuments } from '../../index.ts';

/** The rank of a document: 1 + the number of documents before it; 0 if it is not there. O(documents). */
export function rankOf(scored: ScoredDocuments, document: number): number {
  const place = rowOf(scored.documents, document);
  return place < 0 ? 0 : 1 + eachBefore(scored, place, () => true);
}

/** The documents before another; undefined if that is not there. O(documents). */
export function documentsBefore(scored: ScoredDocuments, document: number): Uint32Array | undefined {
  const place = rowOf(scored.documents, document);
  if (place < 0) return undefined;
  const documents: number[] = [];
  eachBefore(scored, place, (other) => documents.push(scored.documents[other]));
  return Uint32Array.from(documents);
}

/** Visits and counts the places before another: with a greater score, or with the same score and a smaller document. */
function eachBefore({ scores }: ScoredDocuments, place: number, visit: (place: number) => unknown): number {
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
