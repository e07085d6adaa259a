export { IndexSearcher, type IndexFacts, type SearchRequest } from './index-searcher.ts';
export { MAX_QUERY_CHARS, onHost, parseQuery, type ParsedQuery, type Phrase } from './parse-query.ts';
export { searchIndex, type Hit, type SearchOptions, type SearchResult } from './search.ts';
export type { SnippetPart } from './snippet.ts';
