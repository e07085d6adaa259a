import { buildGraph, subgraph, type WebGraph } from '../../../graph/index.ts';
import { pageRank } from '../../../rank/index.ts';
import { grouped, type Grouped, type LinkTable } from '../links/link-table.ts';
import { NOT_INDEXED, type JudgedPages } from '../pages.ts';
import type { Fetched } from '../views/fetched-part.ts';

/** A crawl page by page: what it has of an index after some of them. */
export class FetchedSoFar {
  readonly #pages: JudgedPages;
  readonly #table: LinkTable;
  readonly #linksOf: Grouped;
  readonly #isRemoved: Uint8Array;
  readonly #graph: WebGraph | undefined;

  /**
   * @param removedLinks links of the table without words.
   * @param hasOwnRanks whether documents are ranked by the PageRank of what was fetched, as a search engine that
   * crawls would have it; otherwise by that of the full crawl.
   */
  constructor(pages: JudgedPages, table: LinkTable, removedLinks: Uint32Array, hasOwnRanks: boolean) {
    this.#pages = pages;
    this.#table = table;
    this.#linksOf = grouped(table.sources, pages.urls.length);
    this.#isRemoved = new Uint8Array(table.count);
    for (const link of removedLinks) this.#isRemoved[link] = 1;
    this.#graph = hasOwnRanks ? documentGraph(pages, table) : undefined;
  }

  /** Whether documents have the PageRank of what was fetched. */
  get hasOwnRanks(): boolean {
    return this.#graph !== undefined;
  }

  /**
   * What an order of pages has after each of `prefixes`, which ascend. A document is there with the first of its pages.
   * Cost   O(pages + links), and O(documents) per prefix, with a PageRank of the documents if these have their own.
   */
  *after(order: Uint32Array, prefixes: readonly number[]): Generator<Fetched> {
    const { urls, titles, documentOf } = this.#pages;
    const { documents: targets, textOf, texts } = this.#table;
    const [pages, documents] = [new Uint8Array(urls.length), new Uint8Array(titles.length)];
    const anchorLengths = new Uint32Array(titles.length);
    let place = 0;
    for (const prefix of prefixes) {
      for (; place < prefix; place++) {
        const page = order[place];
        if (page === NOT_INDEXED || pages[page] === 1) continue;
        pages[page] = documents[documentOf[page]] = 1;
        const { starts, places } = this.#linksOf;
        for (let at = starts[page]; at < starts[page + 1]; at++) {
          const link = places[at];
          if (this.#isRemoved[link] === 0) anchorLengths[targets[link]] += texts[textOf[link]].words.length;
        }
      }
      yield {
        pages: pages.slice(), documents: documents.slice(), anchorLengths: anchorLengths.slice(),
        pageranks: this.#graph && ranksAmong(this.#graph, documents),
      };
    }
  }
}

/** The documents and the links between them, those within a document left out. O(links). */
function documentGraph({ documentOf, titles }: JudgedPages, table: LinkTable): WebGraph {
  const [sources, targets] = [new Uint32Array(table.count), new Uint32Array(table.count)];
  let count = 0;
  for (let link = 0; link < table.count; link++) {
    if (table.isWithinDocument(link)) continue;
    sources[count] = documentOf[table.sources[link]];
    targets[count++] = table.documents[link];
  }
  return buildGraph({
    name: 'documents', pages: titles.length, sources: sources.slice(0, count), targets: targets.slice(0, count),
  });
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
