import { settleSeeds, trueRanks } from '../../core/engine/index.ts';
import type { PreparedGraph } from '../../graphs/graph/index.ts';
import {
  compareOrders, measureQuality, type OrderAgreement, type Quality, type RunCurves,
} from '../../core/measure/index.ts';
import { PageUrls } from '../../views/service/index.ts';
import { BitSet, InputError } from '../../base/index.ts';
import { checkPages, type RunFolder } from './runs.ts';

/** The order of another crawler. */
export interface LoggedOrder {
  readonly label: string;
  /** What it was read from, as in `a Heritrix crawl log`. */
  readonly source: string;
  /** Host and path of each page, without repetition. */
  readonly pages: readonly { readonly host: string; readonly path: string }[];
  /** Pages that share their time with the page before. */
  readonly ties: number;
  /** URLs without a fetched page. */
  readonly leftOut: number;
}

/** An order over the graph of the runs, judged. */
export interface JudgedOrder {
  readonly label: string;
  /** The log; undefined for a run. */
  readonly log: LoggedOrder | undefined;
  /** Pages of a log that the graph has; `order` has only the pages that the seed pages reach. */
  readonly inGraph: number;
  readonly order: Uint32Array;
  readonly quality: Pick<Quality, 'pagerankArea' | 'bound' | 'random' | 'normalisedGain'>;
  readonly curves: RunCurves;
}

export interface ComparedOrders {
  readonly orders: readonly JudgedOrder[];
  /** The pages of each order that are judged: as many as the shortest has. */
  readonly horizonPages: number;
  readonly reachablePages: number;
  /** Each log against each run. */
  readonly agreements: readonly { readonly log: string; readonly run: string; readonly agreement: OrderAgreement }[];
}

/**
 * Holds the orders of other crawlers against runs of one graph, by what an order alone can show: the PageRank that it
 * gathers page by page, and how far orders agree. Pages are matched by URL, http and https as one. Pages that the graph
 * lacks, or that the seed pages of no run reach, are left out of a log's order: the runs could not have fetched them.
 * All orders are judged over as many pages as the shortest of them has, so none gains by its length.
 *
 * Cost     O(n log n) and the reach of the seed pages of each run.
 * Errors   InputError if a record is damaged, or a log has no page that the runs could fetch.
 */
export async function orderComparison(
  runs: readonly (RunFolder & { readonly label: string })[], logs: readonly LoggedOrder[], prepared: PreparedGraph,
): Promise<ComparedOrders> {
  const { graph } = prepared;
  const reachable = new Uint8Array(graph.pages);
  const readOrders: Pick<JudgedOrder, 'label' | 'log' | 'inGraph' | 'order'>[] = [];
  for (const { label, folder, run, events } of runs) {
    settleSeeds(prepared, run.experiment).reachable.forEach((isReached, page) => { reachable[page] |= isReached; });
    const { order } = await events();
    if (order.length === 0) throw new InputError(`${folder}: fetched no page; there is no order to compare`);
    checkPages(order, graph, folder);
    readOrders.push({ label, log: undefined, inGraph: order.length, order });
  }
  const urls = new PageUrls(graph);
  for (const log of logs) readOrders.push({ label: log.label, log, ...matched(log, urls, reachable) });
  const horizonPages = Math.min(...readOrders.map(({ order }) => order.length));
  const ranks = trueRanks(prepared);
  const orders = readOrders.map((order): JudgedOrder => {
    const { curves, pagerankArea, bound, random, normalisedGain } = measureQuality({
      ranks, reachable, horizonPages, order: order.order, times: new Float64Array(2 * order.order.length),
    });
    return { ...order, quality: { pagerankArea, bound, random, normalisedGain }, curves };
  });
  const [ofRuns, ofLogs] = [orders.filter(({ log }) => !log), orders.filter(({ log }) => log)];
  return {
    orders, horizonPages, reachablePages: reachable.reduce((sum, isReached) => sum + isReached, 0),
    agreements: ofLogs.flatMap((log) => ofRuns.map((run) => ({
      log: log.label, run: run.label, agreement: compareOrders(run.order, log.order),
    }))),
  };
}

/** The pages of a log in the graph, in its order. */
function matched(
  { label, pages }: LoggedOrder, urls: PageUrls, reachable: Uint8Array,
): Pick<JudgedOrder, 'inGraph' | 'order'> {
  const pageSet = new BitSet();
  const order: number[] = [];
  let inGraph = 0;
  for (const { host, path } of pages) {
    const hostId = urls.hostOf(host);
    const page = hostId === undefined ? undefined : urls.pageAt(hostId, path);
    if (page === undefined || !pageSet.add(page)) continue;
    inGraph++;
    if (reachable[page] === 1) order.push(page);
  }
  if (order.length === 0) {
    throw new InputError(
      `${label}: none of its ${pages.length} fetched pages is a page that the runs could fetch; ` +
        `${inGraph} are in their graph. Is it of another web?`,
    );
  }
  return { inGraph, order: Uint32Array.from(order) };
}
