import { workerData } from 'node:worker_threads';
import { poolWorker } from '../../base/threads/index.ts';
import { rankings } from '../ranking/rankings.ts';
import { openIndex, type IndexReader } from '../store/index.ts';
import type { IndexFacts, SearchRequest } from './index-searcher.ts';
import { searchIndex, type SearchResult } from './search.ts';

let index: IndexReader | undefined;

/** Answers a request, or states the size of the index, as the last finish before it left it. */
export default poolWorker(async (task: SearchRequest | 'facts'): Promise<SearchResult | IndexFacts> => {
  if (index === undefined) index = await openIndex(workerData as string);
  else index.refresh();
  if (task === 'facts') return { documents: index.documents, pages: index.pages };
  const { query, ranking, maxHits, after, explains } = task;
  return searchIndex(index, query, { ranking: rankings[ranking], maxHits, after, explain: explains });
});
