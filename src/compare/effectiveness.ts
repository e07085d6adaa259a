import { InputError } from '../base/index.ts';
import { settleSeeds, trueRanks } from '../engine/index.ts';
import type { PreparedGraph, WebGraph } from '../graph/index.ts';
import type { Ranking, SearchIndex } from '../search/index.ts';
import { Judge, NOT_INDEXED, type DrawnQueries, type Effectiveness } from '../search/judge/index.ts';
import { PageUrls } from '../service/index.ts';
import type { Named } from './runs.ts';

/** Queries per set, of which half judge, and resamples of them. */
const maxQueries = 2000;
const resamples = 2000;

/** How well searchers are served after part of the pages of each run. */
export interface RunsEffectiveness extends Effectiveness {
  readonly pages: number;
  readonly documents: number;
  readonly leftOut: DrawnQueries['leftOut'];
}

/** An index that runs are judged by, as the user named it. */
export interface NamedIndex {
  readonly path: string;
  readonly index: SearchIndex;
}

/**
 * Judges the orders of runs by what is found in an index of the pages of their graph (`search/judge`). Queries and
 * resamples are drawn by one seed, so that equal runs give equal figures.
 *
 * @param items runs of this graph; several records of one are its seeds.
 * Cost   a search per query, run and prefix: minutes for thousands of pages.
 * Errors   InputError for an index of another graph, for a run without an order, and for an index without queries.
 */
export async function effectivenessOf(
  items: readonly Named[], prepared: PreparedGraph, { path, index }: NamedIndex, ranking: Ranking,
): Promise<RunsEffectiveness> {
  const { graph } = prepared;
  const indexPageOf = indexPages(path, index, graph);
  const ranks = trueRanks(prepared);
  const policies = [];
  for (const { name, records } of items) {
    const orders = [];
    for (const { folder, run, events } of records) {
      const { order } = await events();
      if (order.length === 0) throw new InputError(`${folder}: fetched no page; there is no order to judge`);
      if (order.some((page) => page >= graph.pages))
        throw new InputError(`${folder}/order.u32: contains pages that the graph does not have`);
      const { reachable } = settleSeeds(prepared, run.experiment);
      const within = ranks.reduce((sum, rank, page) => sum + rank * reachable[page], 0);
      let sum = 0;
      const cumulativeRank = Float64Array.from(order, (page) => (sum += ranks[page]) / within);
      orders.push({ pages: order.map((page) => indexPageOf[page]), cumulativeRank });
    }
    policies.push({ name, orders });
  }
  const judge = new Judge(index, { seed: 1, maxQueries });
  const judged = judge.effectiveness(ranking, policies, { half: 'judge', hasOwnRanks: false, seed: 1, resamples });
  if (judged.sets.length === 0)
    throw new InputError(`${path}: has no text of links and no title that can be a query`);
  const { pages, documents } = index;
  return { ...judged, pages, documents, leftOut: judge.drawn.leftOut };
}

/**
 * The page of the index for each page of the graph, by URL, http and https as one.
 * Errors   InputError if a page of the index is not in the graph: the index is of another web.
 */
export function indexPages(path: string, index: SearchIndex, graph: WebGraph): Uint32Array {
  const urls = new PageUrls(graph);
  const pageOf = new Uint32Array(graph.pages).fill(NOT_INDEXED);
  let missing = 0;
  let example = '';
  for (let page = index.pages - 1; page >= 0; page--) {
    const url = new URL(index.url(page));
    const host = urls.hostOf(url.host);
    const found = host === undefined ? undefined : urls.pageAt(host, url.pathname + url.search);
    if (found !== undefined) pageOf[found] = page;
    else {
      missing++;
      example = url.href;
    }
  }
  if (missing === 0) return pageOf;
  throw new InputError(
    `${path}: is an index of another graph than ${graph.name}: ${missing} of its ${index.pages} pages ` +
      `${missing === 1 ? 'is' : 'are'} not in the graph, for example ${example}`,
  );
}
