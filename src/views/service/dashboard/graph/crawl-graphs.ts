import { join } from 'node:path';
import { InputError } from '../../../../base/index.ts';
import { processorByName } from '../../../../core/engine/index.ts';
import { hasSuperstep } from '../../../../core/measure/index.ts';
import type { CrawlSettings } from '../../../../core/settings/index.ts';
import type { ListedRun } from '../api.ts';
import { placeOf } from '../runs/record-place.ts';
import { LastOpened, type RunSource } from '../runs/run-source.ts';
import type { PagesOpener, RunPages } from '../timeline/run-pages.ts';
import type { CrawlGraph, FoundPages, GraphStructure, PageNeighbourhood } from './api.ts';
import { CrawledPages } from './crawled.ts';
import { LoggedHosts } from './logged-hosts.ts';
import { nodesOf, type Nodes } from './nodes.ts';
import { GraphPages, type PagesQuery } from './pages.ts';
import { MAX_NODES, sampleOf } from './sample.ts';
import { structureOf } from './structure.ts';

interface Opened {
  readonly source: RunSource;
  /** Undefined of a live crawl that goes on, or was killed: its graph is written when it ends. */
  readonly pages: OpenedPages | undefined;
}

interface OpenedPages {
  readonly run: RunPages;
  readonly nodes: Nodes;
  readonly crawled: CrawledPages;
  readonly graphPages: GraphPages;
}

/** The graphs that runs crawl: of those that ended from their records, of others as far as they are recorded. */
export class CrawlGraphs {
  /** Whoever looks at a graph asks for its parts one after the other. */
  readonly #opened: LastOpened<Opened>;
  #log: LoggedHosts | undefined;

  constructor(openPages: PagesOpener) {
    this.#opened = new LastOpened(async (source) => ({ source, pages: await pagesOf(source, openPages) }));
  }

  /** Undefined if the run has no record. @throws InputError if that, or the graph, cannot be read. */
  async graph(run: ListedRun): Promise<CrawlGraph | undefined> {
    const opened = await this.#of(run);
    if (opened === undefined) return undefined;
    const { source, pages } = opened;
    const isOver = run.state !== 'running';
    const { experiment: { processors } } = source;
    if (pages === undefined) return { isOver, processors, ...await this.#logged(run, source) };
    const { nodes } = pages;
    return {
      isOver, processors, from: 'graph', nodesAre: nodes.nodesAre,
      hostsAreSynthetic: nodes.graph.graph.hosts.synthetic, ...sampleOf(pages.crawled, pages.run, nodes),
    };
  }

  /** Likewise. */
  async pages(run: ListedRun, query: PagesQuery): Promise<FoundPages | undefined> {
    return (await this.#ofPages(run))?.graphPages.list(query);
  }

  /** Likewise. */
  async page(run: ListedRun, page: number): Promise<PageNeighbourhood | undefined> {
    return (await this.#ofPages(run))?.graphPages.around(page);
  }

  /** Likewise. */
  async structure(run: ListedRun): Promise<GraphStructure | undefined> {
    const pages = await this.#ofPages(run);
    return pages && structureOf(pages.nodes, pages.crawled);
  }

  async #of(run: ListedRun): Promise<Opened | undefined> {
    const place = placeOf(run);
    if (place?.isWhole === false && run.state === 'running' && !hasSuperstep(place.folder))
      throw new InputError('no superstep has ended yet');
    return this.#opened.of(run);
  }

  async #ofPages(run: ListedRun): Promise<OpenedPages | undefined> {
    const opened = await this.#of(run);
    if (opened !== undefined && opened.pages === undefined)
      throw new InputError('pages and links of a live crawl can be read when it has ended');
    return opened?.pages;
  }

  async #logged({ folder }: ListedRun, { experiment }: RunSource): Promise<
    Omit<CrawlGraph, 'isOver' | 'processors'>
  > {
    const path = join(folder ?? '', 'crawl.log');
    if (this.#log?.path !== path) this.#log = new LoggedHosts(path);
    await this.#log.read();
    const nodes = this.#log.nodes(processorByName(experiment as CrawlSettings));
    return {
      from: 'log', nodesAre: 'hosts', hostsAreSynthetic: false, supersteps: [], links: [],
      counts: { known: nodes.length, reachable: null, links: 0 },
      nodes: nodes.sort((a, b) => b.fetched[0] - a.fetched[0] || a.id - b.id).slice(0, MAX_NODES),
    };
  }
}

async function pagesOf(source: RunSource, openPages: PagesOpener): Promise<OpenedPages | undefined> {
  if (source.kind === 'live' && !source.isWhole) return undefined;
  const run = await openPages(source);
  if (run === undefined) {
    throw new InputError(
      `the graph of the run (${source.graphs.join(' or ')}) cannot be opened, or has changed since`,
    );
  }
  const nodes = nodesOf(run.graph);
  const crawled = new CrawledPages(source.events, run);
  return { run, nodes, crawled, graphPages: new GraphPages(crawled, run, nodes) };
}
