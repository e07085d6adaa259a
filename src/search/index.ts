export {
  ANCHOR_FIELD, indexFields, type AnchorPostings, type Corpus, type IndexField, type Postings, type WordFrequency,
} from './corpus.ts';
export type { Explanation, Ranking, ScoredDocuments } from './ranking/ranking.ts';
