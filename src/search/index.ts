export {
  ANCHOR_FIELD, frequencyOf, indexFields, type AnchorPostings, type Corpus, type IndexedLink, type IndexedPage,
  type IndexField, type Postings, type SearchIndex, type WordFrequency,
} from './corpus.ts';
export { bm25, type Bm25Options } from './ranking/bm25.ts';
export { bm25f, bm25fDefaults, type Bm25fOptions } from './ranking/bm25f.ts';
export { compass } from './ranking/compass.ts';
export { documentRanks, meansOf } from './document-ranks.ts';
export { rowOf } from './ranking/query-words.ts';
export { rankings, type RankingName } from './ranking/rankings.ts';
export { MAX_QUERY_WORDS, type Explanation, type Ranking, type ScoredDocuments } from './ranking/ranking.ts';
export { englishStopWords, wordsOf } from './words/index.ts';
export {
  grouped, IndexReader, IndexWriter, openIndex, startsOfKeys,
  type DocumentText, type FinishProgress, type IndexOptions, type ReaderOptions, type StopWords,
} from './store/index.ts';
export {
  IndexSearcher, MAX_QUERY_CHARS, onHost, parseQuery, searchIndex,
  type Hit, type IndexFacts, type ParsedQuery, type Phrase, type SearchOptions, type SearchRequest, type SearchResult,
  type SnippetPart,
} from './query/index.ts';
