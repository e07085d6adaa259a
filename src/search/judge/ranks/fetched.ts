import { buildGraph, subgraph, type WebGraph } from '../../../graphs/graph/index.ts';
import { pageRank } from '../../../graphs/rank/index.ts';
import { startsOfKeys, type SearchIndex } from '../../index.ts';
import type { LinkTable } from '../links/link-table.ts';
import type { Fetched } from '../views/fetched-part.ts';

/** Stands in an order for a page that the index does not have. */
export const NOT_INDEXED = 0xffffffff;

/** The part of an index that a crawl has, page by page. */
export class FetchedSoFar {
  readonly #index: SearchIndex;
  readonly #table: LinkTable;
  /** First link of each page, and the number of links. */
  readonly #starts: Uint32Array;
  readonly #isRemoved: Uint8Array;
  readonly #graph: WebGraph | undefined;

  /**
   * @param removedLinks links of the table without words.
   * @param hasOwnRanks whether documents are ranked by the PageRank of what was fetched, as a search engine that
   * crawls would have it; otherwise by the PageRank of the full crawl.
   */
  constructor(index: SearchIndex, table: LinkTable, removedLinks: Uint32Array, hasOwnRanks: boolean) {
    this.#index = index;
    this.#table = table;
    this.#starts = startsOfKeys(table.sources, index.pages);
    this.#isRemoved = new Uint8Array(table.count);
    for (const link of removedLinks) this.#isRemoved[link] = 1;
    this.#graph = hasOwnRanks ? documentGraph(index, table) : undefined;
  }

  /** Whether documents have the PageRank of what was fetched. */
  get hasOwnRanks(): boolean {
    return this.#graph !== undefined;
  }

  /**
   * The part that an order of pages has after each of `prefixes`, which ascend. The first page of a document brings it.
   * Cost   O(pages + links), and O(documents) per prefix; with own ranks, also a PageRank of the documents.
   */
  *after(order: Uint32Array, prefixes: readonly number[]): Generator<Fetched> {
    const { pages: pageCount, documents: documentCount, documentOfPage } = this.#index;
    const { documents: targets, textOf, texts } = this.#table;
    const [pages, documents] = [new Uint8Array(pageCount), new Uint8Array(documentCount)];
    const anchorLengths = new Uint32Array(documentCount);
    let place = 0;
    for (const prefix of prefixes) {
      for (; place < prefix; place++) {
        const page = order[place];
        if (page === NOT_INDEXED || pages[page] === 1) continue;
        pages[page] = documents[documentOfPage[page]] = 1;
        for (let link = this.#starts[page]; link < this.#starts[page + 1]; link++)
          if (this.#isRemoved[link] === 0) anchorLengths[targets[link]] += texts[textOf[link]].words.length;
      }
      yield {
        pages: pages.slice(), documents: documents.slice(), anchorLengths: anchorLengths.slice(),
        pageranks: this.#graph && ranksAmong(this.#graph, documents),
      };
    }
  }
}

/** The documents and the links between them. O(links). */
function documentGraph({ documents, documentOfPage }: SearchIndex, table: LinkTable): WebGraph {
  const sources = table.sources.map((page) => documentOfPage[page]);
  return buildGraph({ name: 'documents', pages: documents, sources, targets: table.documents });
}

/** PageRank of the documents that were fetched, by the links between them; its mean is 1, as in a Corpus. */
function ranksAmong(graph: WebGraph, isFetched: Uint8Array): Float64Array {
  const documents = Uint32Array.from(isFetched.keys()).filter((document) => isFetched[document] === 1);
  const all = new Float64Array(isFetched.length);
  if (documents.length === 0) return all;
  const { ranks } = pageRank(subgraph(graph, documents), { tolerance: 1e-9 });
  documents.forEach((document, i) => { all[document] = ranks[i] * documents.length; });
  return all;
}
