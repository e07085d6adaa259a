export { SearchServer, type SearchServerOptions } from './search-server.ts';
export type { Hit, IndexFacts, SearchAnswer, Searcher, SearchRequest } from './searcher.ts';
