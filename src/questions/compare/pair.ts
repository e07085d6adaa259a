import { partitionHosts, settleSeeds, trueRanks } from '../../core/engine/index.ts';
import { partitionNames } from '../../core/settings/index.ts';
import type { PreparedGraph } from '../../graphs/graph/index.ts';
import {
  compareOrders, fallingRanks, measureGathered, measureQuality, placesByProcessor, type OrderAgreement, type Quality,
  type RunCurves,
} from '../../core/measure/index.ts';
import { PageUrls } from '../../views/service/index.ts';
import { BitSet, IdIndex } from '../../base/index.ts';
import { checkArea, horizonOf } from './drawn.ts';
import { named } from './differences.ts';
import { checkPages, recorded, type Compared, type Named, type RecordedEvents, type RecordedRun } from './runs.ts';

export type Both<T> = readonly [T, T];

/** One of two runs that are compared page by page. */
export interface Side {
  /** Its name in the comparison: `prediction`, `fact`, or what distinguishes it from the other. */
  readonly name: string;
  readonly label: string;
  readonly folder: string;
  readonly run: RecordedRun;
  readonly events: RecordedEvents;
  readonly prepared: PreparedGraph | undefined;
}

/** Why pages of two graphs cannot be matched: one graph is not available, or neither has URLs. */
export type WhyNoOrder = { readonly why: 'no graph'; readonly sha256: string } | { readonly why: 'no URLs' };

/** Why the order of each processor is unknown. */
export type WhyNoProcessors =
  | { readonly why: 'not recorded' | 'one processor' | 'no graph' }
  | { readonly why: 'other numbers'; readonly counts: Both<number> }
  | { readonly why: 'other partition'; readonly of: string };

/** The orders of two runs, once it is known which pages are the same. */
export interface PairOrder {
  /** Page ids of the first graph; a page that it lacks has an id beyond its pages. */
  readonly orders: Both<Uint32Array>;
  readonly agreement: OrderAgreement;
  /** Per processor, if both runs had as many and the partition shows the owner of each page; otherwise the reason. */
  readonly processors: readonly OrderAgreement[] | WhyNoProcessors;
  /** URL, or page id if there is none. */
  readonly nameOf: (page: number) => string;
}

export interface Pair {
  /** Whether the first is a simulation and the second a crawl of real hosts. */
  readonly isPrediction: boolean;
  /** Whether they crawled different graphs, whose pages are matched by URL. */
  readonly isByUrl: boolean;
  readonly sides: Both<Side>;
  /** Otherwise why the pages cannot be matched. */
  readonly order: PairOrder | WhyNoOrder;
}

/**
 * Two runs with their records, each with a single seed; undefined for anything else. The prediction comes first.
 */
export function pairOf(items: readonly Compared[]): Both<Named> | undefined {
  if (items.length !== 2 || items.some(({ records }) => records.length !== 1)) return undefined;
  const [first, second] = named(items);
  if (isOfTheWeb(first) === isOfTheWeb(second)) return [first, second];
  const [prediction, fact] = isOfTheWeb(first) ? [second, first] : [first, second];
  return [{ ...prediction, name: 'prediction' }, { ...fact, name: 'fact' }];
}

/** Whether the record is of a crawl of real hosts: only these have `live` settings. */
export function isOfTheWeb({ experiment }: Compared): boolean {
  return 'live' in experiment;
}

/**
 * Compares two runs page by page. Pages are matched by id if both crawled one graph, otherwise by URL.
 * Cost     O(n log n) and the reach of the seed pages, on both graphs.
 * Errors   InputError if a record is damaged.
 */
export async function readPair(
  items: Both<Named>, graphs: ReadonlyMap<string, PreparedGraph>,
): Promise<Pair> {
  const isPrediction = !isOfTheWeb(items[0]) && isOfTheWeb(items[1]);
  const sideOf = async ({ name, label, sha256, records: [record] }: Named): Promise<Side> => {
    const prepared = graphs.get(sha256);
    const { folder, run } = record;
    const events = await record.events();
    if (prepared !== undefined) checkPages(events.order, prepared.graph, folder);
    return { name, label, folder, run, events, prepared };
  };
  const first = await sideOf(items[0]);
  const second = await sideOf(items[1]);
  return {
    isPrediction,
    isByUrl: first.run.dataset.sha256 !== second.run.dataset.sha256,
    sides: [first, second],
    order: orderOf(first, second),
  };
}

function orderOf(first: Side, second: Side): PairOrder | WhyNoOrder {
  const numbers = matched(first, second);
  if ('why' in numbers) return numbers;
  const orders = [first.events.order, numbers.ofSecond] as const;
  return {
    orders, agreement: compareOrders(...orders), processors: processorOrders([first, second], orders),
    nameOf: numbers.nameOf,
  };
}

/**
 * The second order in the page ids of the first graph, and the names of pages. Pages of two graphs are the same if they
 * are served at the same URL, which a graph without URLs also gets when it is crawled; if several pages of the second
 * graph match one of the first, the first of them counts.
 */
function matched(
  first: Side, second: Side,
): { ofSecond: Uint32Array; nameOf: (page: number) => string } | WhyNoOrder {
  if (first.run.dataset.sha256 === second.run.dataset.sha256) {
    const graph = first.prepared?.graph;
    const urls = graph === undefined || graph.hosts.synthetic ? undefined : new PageUrls(graph);
    return {
      ofSecond: second.events.order,
      nameOf: (page) => (urls === undefined ? `page ${page}` : nameAt(urls, page)),
    };
  }
  for (const { prepared, run: { dataset } } of [first, second]) {
    if (prepared === undefined) return { why: 'no graph', sha256: dataset.sha256 };
  }
  const graph = first.prepared?.graph;
  const other = second.prepared?.graph;
  if (graph === undefined || other === undefined || (graph.hosts.synthetic && other.hosts.synthetic)) {
    return { why: 'no URLs' };
  }
  const [urls, otherUrls] = [new PageUrls(graph), new PageUrls(other)];
  const matches = new BitSet();
  const ofSecond = second.events.order.map((page) => {
    const host = urls.hostOf(otherUrls.hostName(other.hosts.ofPage[page]));
    const match = host === undefined ? undefined : urls.pageAt(host, otherUrls.pathOf(page));
    return match !== undefined && matches.add(match) ? match : graph.pages + page;
  });
  return {
    ofSecond, nameOf: (page) => (page < graph.pages ? nameAt(urls, page) : nameAt(otherUrls, page - graph.pages)),
  };
}

/** Graphs store no scheme. */
function nameAt(urls: PageUrls, page: number): string {
  return urls.urlOf(page).replace(/^http:\/\//, '');
}

/**
 * Records do not name the processor of a page; its host does, by the partition, if that gives each processor as many
 * pages as recorded.
 */
function processorOrders(sides: Both<Side>, orders: PairOrder['orders']): PairOrder['processors'] {
  const [count, otherCount] = sides.map(({ run }) => recorded(() => run.summary.pagesPerProcessor.length));
  if (count === null || otherCount === null) return { why: 'not recorded' };
  if (count !== otherCount) return { why: 'other numbers', counts: [count, otherCount] };
  if (count === 1) return { why: 'one processor' };
  const split: Uint32Array[][] = [];
  for (const [i, { name, run: { experiment, summary }, events, prepared }] of sides.entries()) {
    if (prepared === undefined) return { why: 'no graph' };
    const unknown = { why: 'other partition', of: name } as const;
    if (experiment.processors !== count || !partitionNames.includes(experiment.partition)) return unknown;
    const { hosts } = prepared.graph;
    const { reachable } = settleSeeds(prepared, experiment);
    const processorOfHost = partitionHosts(prepared, experiment, reachable);
    const places = placesByProcessor(events.order, (page) => processorOfHost[hosts.ofPage[page]], count);
    if (places.some(({ length }, processor) => length !== summary.pagesPerProcessor[processor])) return unknown;
    split.push(places.map((list) => list.map((place) => orders[i][place])));
  }
  return split[0].map((order, processor) => compareOrders(order, split[1][processor]));
}

/** The quality of both orders, what they gathered of the PageRank within reach and when, and their curves. */
export type Judged = Both<
  ReturnType<typeof measureGathered> & { readonly quality: Quality; readonly curves: RunCurves }
>;

/**
 * Judges both orders by one PageRank, that of the first graph. With two graphs, the reach of the first counts for both,
 * and pages that it lacks are worth nothing. The cost is that of this PageRank. Undefined if a graph is not available,
 * or the pages cannot be matched.
 * Errors   InputError if the order is not the one whose figures are recorded.
 */
export function judge({ isByUrl, sides, order }: Pair): Judged | undefined {
  const [first, second] = sides;
  const { prepared } = first;
  if (prepared === undefined || second.prepared === undefined || 'why' in order) return undefined;
  const pages = prepared.graph.pages + (isByUrl ? second.prepared.graph.pages : 0);
  const ranks = extended(trueRanks(prepared), new Float64Array(pages));
  // Areas over other numbers of pages could not be compared.
  const common = Math.min(...sides.map(({ run }) => horizonOf(run)));
  const judged = (side: Side, order: Uint32Array): Judged[0] => {
    const { folder, run, events: { times } } = side;
    const { reachable } = settleSeeds(prepared, isByUrl ? first.run.experiment : run.experiment);
    const isReachable = extended(reachable, new Uint8Array(pages));
    const best = fallingRanks(ranks, isReachable);
    const measured = (horizonPages: number): ReturnType<typeof measureQuality> =>
      measureQuality({ ranks, reachable: isReachable, horizonPages, order, times }, best);
    const { curves, ...quality } = measured(common);
    if (!isByUrl) {
      const figures = common === horizonOf(run) ? quality : measured(horizonOf(run));
      checkArea(figures.pagerankArea, run, folder);
    }
    return { quality, curves, ...measureGathered({ order, times }, ranks, best) };
  };
  return [judged(first, order.orders[0]), judged(second, order.orders[1])];
}

function extended<T extends Float64Array | Uint8Array>(values: T, into: T): T {
  into.set(values);
  return into;
}

/** When each had fetched given shares of the pages that both have; null if there are none. */
export function secondsToPages(
  sides: Both<Side>,
): Both<readonly { readonly share: number; readonly pages: number; readonly seconds: number | null }[]> {
  const fewer = Math.min(...sides.map(({ events }) => events.order.length));
  const of = ({ events: { times } }: Side) => [0.5, 0.9, 1].map((share) => {
    const pages = Math.ceil(share * fewer);
    return { share, pages, seconds: pages === 0 ? null : times[2 * pages - 1] / 1e6 };
  });
  return [of(sides[0]), of(sides[1])];
}

/** A page that either fetched: its positions in both orders, from 0, and when it was fetched; null if it was not. */
export interface PlacesOfPage {
  readonly page: number;
  readonly places: Both<number | null>;
  readonly seconds: Both<number | null>;
}

/** Each page that either fetched, in the order of the first run, then those that only the second fetched. */
export function* placesInBoth({ sides }: Pair, { orders }: PairOrder): Generator<PlacesOfPage> {
  const [first, second] = orders.map((order) => {
    const index = new IdIndex();
    for (const page of order) index.add(page);
    return index;
  });
  const placeIn = (index: IdIndex, page: number): number | null => {
    const place = index.find(page);
    return place < 0 ? null : place;
  };
  const seconds = (side: number, place: number | null): number | null =>
    place === null ? null : sides[side].events.times[2 * place + 1] / 1e6;
  const placesOf = (page: number): PlacesOfPage => {
    const places = [placeIn(first, page), placeIn(second, page)] as const;
    return { page, places, seconds: [seconds(0, places[0]), seconds(1, places[1])] };
  };
  for (const page of orders[0]) yield placesOf(page);
  for (const page of orders[1]) if (first.find(page) < 0) yield placesOf(page);
}
