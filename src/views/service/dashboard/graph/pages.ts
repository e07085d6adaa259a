import { InputError } from '../../../../base/index.ts';
import { computedOnce, inDegrees, type WebGraph } from '../../../../graphs/graph/index.ts';
import type { RunPages } from '../timeline/run-pages.ts';
import type { FoundPages, ListedPage, PageNeighbourhood } from './api.ts';
import type { CrawledPages } from './crawled.ts';
import type { Nodes } from './nodes.ts';

export const MAX_LISTED = 100;
export const MAX_NEIGHBOURS = 40;
/** URLs compared in one answer: that takes about a second. */
const MAX_SEARCHED = 1_000_000;

const linksTo = computedOnce('links to each page', ({ graph }) => inDegrees(graph));

/** Those of a node, or those with a text in their URL. */
export type PagesQuery = { readonly node: number } | { readonly find: string };

/** The pages of a graph in the nodes of its picture, with what became of them. */
export class GraphPages {
  readonly #crawled: CrawledPages;
  readonly #run: RunPages;
  readonly #nodes: Nodes;
  readonly #linksIn: Uint32Array;

  constructor(crawled: CrawledPages, run: RunPages, nodes: Nodes) {
    this.#crawled = crawled;
    this.#run = run;
    this.#nodes = nodes;
    this.#linksIn = linksTo(run.graph);
  }

  /** @throws InputError if there is no such node. Cost  O(pages). */
  list(query: PagesQuery): FoundPages {
    const { pages } = this.#graph;
    if ('find' in query) return this.#found(withText(this.#graph, query.find), Math.min(pages, MAX_SEARCHED));
    const { ofPage, count } = this.#nodes.graph.graph.hosts;
    if (query.node >= count) throw new InputError(`node ${query.node}: there are 0 to ${count - 1}`, { field: 'node' });
    const hostPages: number[] = [];
    for (let page = 0; page < pages; page++) if (ofPage[page] === query.node) hostPages.push(page);
    return this.#found(hostPages, pages);
  }

  /** @throws InputError if there is no such page. Cost  O(links of the graph): it has no table of links to a page. */
  around(page: number): PageNeighbourhood {
    const { pages, outOffsets, outTargets } = this.#graph;
    if (page >= pages) throw new InputError(`page ${page}: there are 0 to ${pages - 1}`, { field: 'page' });
    const from: number[] = [];
    for (let source = 0; source < pages; source++) {
      for (let arc = outOffsets[source]; arc < outOffsets[source + 1]; arc++)
        if (outTargets[arc] === page) from.push(source);
    }
    const to = [...outTargets.subarray(outOffsets[page], outOffsets[page + 1])];
    const most = (around: readonly number[]): ListedPage[] => this.#mostLinked(around, MAX_NEIGHBOURS);
    return { page: this.#listed(page), to: most(to), from: most(from) };
  }

  get #graph(): WebGraph {
    return this.#run.graph.graph;
  }

  #found(pages: readonly number[], searched: number): FoundPages {
    return { pages: this.#mostLinked(pages, MAX_LISTED), count: pages.length, searched };
  }

  #mostLinked(pages: readonly number[], most: number): ListedPage[] {
    const linksIn = this.#linksIn;
    return pages.toSorted((a, b) => linksIn[b] - linksIn[a] || a - b).slice(0, most).map((page) => this.#listed(page));
  }

  #listed(page: number): ListedPage {
    const { outOffsets } = this.#graph;
    return {
      page, name: this.#run.nameOf(page) ?? `page ${page}`, node: this.#nodes.graph.graph.hosts.ofPage[page],
      processor: this.#run.processorOf(page), ...this.#crawled.stateOf(page), linksIn: this.#linksIn[page],
      linksOut: outOffsets[page + 1] - outOffsets[page],
    };
  }
}

/** Pages whose URL, or `page 123` where they have none, contains a text, whatever its capitals. */
function withText({ pages, hosts, paths }: WebGraph, text: string): number[] {
  const looked = text.toLowerCase();
  const hostNames = hosts.synthetic ? [] : Array.from({ length: hosts.count }, (_, host) => hosts.names.at(host));
  const matches: number[] = [];
  for (let page = 0; page < Math.min(pages, MAX_SEARCHED); page++) {
    const name = hosts.synthetic ? `page ${page}` : hostNames[hosts.ofPage[page]] + (paths?.at(page) ?? '');
    if (name.toLowerCase().includes(looked)) matches.push(page);
  }
  return matches;
}
