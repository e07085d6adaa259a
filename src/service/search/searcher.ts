/** What the server asks of an index; answered on other threads. */
export interface Searcher {
  facts(): Promise<IndexFacts>;
  /** @throws InputError if the query cannot be answered, with the reason for people. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  close(): Promise<void>;
}

export interface IndexFacts {
  readonly documents: number;
  readonly pages: number;
}

export interface SearchRequest {
  readonly query: string;
  readonly ranking: string;
  readonly maxHits: number;
  /** The `next` of the results before; undefined for the first. */
  readonly after?: string | undefined;
  readonly explains?: boolean | undefined;
}

export interface SearchAnswer {
  readonly total: number;
  readonly ms: number;
  /** Whether documents with only some of the words are among the results. */
  readonly isAnyWord: boolean;
  /** Words that were not searched for: there were too many. */
  readonly ignored: readonly string[];
  /** The query with words of the index in place of unknown ones. */
  readonly suggestion: string | undefined;
  readonly hits: readonly Hit[];
  /** Hosts with most results, descending. */
  readonly hosts: readonly { readonly host: string; readonly count: number }[];
  /** Asks for further results; undefined if there are none. */
  readonly next: string | undefined;
}

export interface Hit {
  readonly url: string;
  /** Further URLs of the same document. */
  readonly others: readonly string[];
  readonly title: string;
  readonly host: string;
  readonly score: number;
  readonly snippet: readonly { readonly text: string; readonly isMatch: boolean }[];
  readonly why?: {
    readonly score: number;
    readonly formula: string;
    readonly parts: readonly { readonly name: string; readonly value: number }[];
  } | undefined;
}
