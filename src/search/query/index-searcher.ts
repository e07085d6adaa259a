import { InputError, quoted } from '../../base/index.ts';
import { threadModule, WorkerPool } from '../../base/threads/index.ts';
import { rankings, type RankingName } from '../ranking/rankings.ts';
import type { SearchResult } from './search.ts';

export interface SearchRequest {
  readonly query: string;
  readonly ranking: RankingName;
  readonly maxHits?: number | undefined;
  /** The `next` of the results before. */
  readonly after?: string | undefined;
  readonly explains?: boolean | undefined;
}

export interface IndexFacts {
  readonly documents: number;
  readonly pages: number;
}

/**
 * An index that is searched on threads, each with its own reader: a long search delays no other. Results show the last
 * finish, also while pages are added.
 */
export class IndexSearcher {
  readonly #pool: WorkerPool<SearchRequest | 'facts', SearchResult | IndexFacts>;

  /** @param threads - maximum number of searches at the same time; further ones wait. */
  constructor(path: string, threads: number) {
    this.#pool = new WorkerPool({
      name: 'searches', module: threadModule(import.meta.url, 'search-thread'), threads, data: path,
    });
  }

  /** @throws InputError if it is no finished index. */
  async facts(): Promise<IndexFacts> {
    return await this.#pool.run('facts') as IndexFacts;
  }

  /**
   * As `searchIndex`.
   *
   * @param request - its ranking may come from a user: it is checked.
   * @param signal - on abort, the search ends, and the promise rejects with its reason.
   */
  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> {
    if (!Object.hasOwn(rankings, request.ranking)) {
      const names = Object.keys(rankings).join(', ');
      throw new InputError(`ranking: ${quoted(request.ranking)}; expected one of ${names}`, { field: 'ranking' });
    }
    return await this.#pool.run(request, { signal }) as SearchResult;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
