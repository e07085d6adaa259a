import type { WebGraph } from '../../src/graphs/graph/index.ts';
import type { PolicyName } from '../../src/core/policy/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { bitsOf, linksOf } from '../engine/random-crawls.ts';

/** Settings of the policies that come with Orbweaver. */
export interface ModelOptions {
  readonly opicRoot: string;
  readonly opicWindow: number;
  readonly rankEveryPages: number;
  readonly hostUrls: number;
  readonly resetHosts: number;
  readonly weights: Readonly<Record<string, number>>;
}

/** What a model may look at. Pages are named by their place in `known`, the order of discovery. */
export interface Crawled {
  readonly graph: WebGraph;
  readonly known: number[];
  /** By place: 1 while not fetched. */
  readonly waiting: Uint8Array;
  readonly seedPages: readonly number[];
  readonly r: number;
  readonly ranks: Float64Array;
  readonly scores: Float64Array;
  readonly seed: number;
  readonly options: ModelOptions;
}

/** A policy as its source describes it, as plainly as possible; one processor. */
export interface Model {
  /** A page became known. */
  found?(place: number, isSeed: boolean): void;
  /** A page was fetched; `links` are known. */
  fetched?(place: number, links: readonly number[]): void;
  /** Before each block is chosen. */
  barrier?(): void;
  /** Greater first, then whichever was known first. */
  key(place: number): number;
  /** Where it is there: pages whose keys may have changed, and no others have. */
  readonly changed?: Set<number>;
}

const allCoins = 2 ** 52;

function coinsModel(
  crawled: Crawled, { cycle = false, window }: { cycle?: boolean; window?: number | undefined },
): Model & { readonly coins: readonly number[] } {
  const { known, seedPages, options } = crawled;
  const gives = options.opicRoot === 'known';
  const coins: number[] = [];
  const changed = new Set<number>();
  const [history, lastAt]: [number[], (number | undefined)[]] = [[], []];
  /** What the root gave to a page that was there from the beginning. */
  let given = 0;
  const givenBefore: number[] = [];
  let [root, clock] = [allCoins % seedPages.length, 0];
  const fetchedInOrder: { place: number; links: readonly number[] }[] = [];
  let [visits, next] = [0, 0];

  const receive = (place: number, came: number): void => {
    coins[place] += came;
    changed.add(place);
    if (window === undefined) return;
    const since = clock - (lastAt[place] ?? clock);
    history[place] = since < window ? (history[place] * (window - since)) / window + came : (came * window) / since;
    lastAt[place] = clock;
  };
  const spend = (place: number, links: readonly number[]): void => {
    const spent = coins[place];
    coins[place] = 0;
    clock += spent;
    const share = links.length === 0 ? 0 : Math.floor(spent / (links.length + (gives ? 1 : 0)));
    root += spent - links.length * share;
    for (const link of links) receive(link, share);
  };
  return {
    coins,
    ...(!gives && { changed }),
    found: (place, isSeed) => {
      [coins[place], history[place], givenBefore[place]] = [0, 0, given];
      if (isSeed) receive(place, Math.floor(allCoins / seedPages.length));
    },
    fetched: (place, links) => {
      spend(place, links);
      fetchedInOrder.push({ place, links });
    },
    barrier: () => {
      for (; cycle && visits < fetchedInOrder.length; visits++, next = (next + 1) % fetchedInOrder.length) {
        spend(fetchedInOrder[next].place, fetchedInOrder[next].links);
      }
      if (!gives) return;
      const each = Math.floor(root / known.length);
      for (let place = 0; place < known.length; place++) coins[place] += each;
      root -= each * known.length;
      given += each;
      let held = root;
      for (const amount of coins) held += amount;
      if (held !== allCoins) throw new Error(`the model holds ${held} coins`);
    },
    // The root gave all that were known alike: what one has more than another, it has from links.
    key: (place) => Math.fround(window !== undefined ? history[place] : coins[place] - (gives ? given : 0)),
  };
}

/** PageRank of the pages known over the links of the pages fetched, in units of the mean. */
function rankKnown(count: number, linksOfPlace: readonly (readonly number[] | undefined)[]): Float64Array {
  let ranks: Float64Array = new Float64Array(count).fill(1);
  for (let change = 1; change > 1e-13 * count; ) {
    const after = new Float64Array(count);
    let loose = 0;
    ranks.forEach((rank, place) => {
      const links = linksOfPlace[place] ?? [];
      if (links.length === 0) loose += rank;
      for (const link of links) after[link] += (0.85 * rank) / links.length;
    });
    change = 0;
    for (let place = 0; place < count; place++) {
      after[place] += 0.15 + (0.85 * loose) / count;
      change += Math.abs(after[place] - ranks[place]);
    }
    ranks = after;
  }
  return ranks;
}

function rankingModel({ known, options }: Crawled, isPartial: boolean): Model {
  const linksOfPlace: (readonly number[])[] = [];
  let fetched = 0;
  const partial: number[] = [];
  let ranks: Float64Array = new Float64Array(0);
  let fetchedThen = 0;
  const score = (place: number): number => (place < ranks.length ? ranks[place] : isPartial ? partial[place] : 0);
  return {
    found: (place, isSeed) => void (partial[place] = isSeed ? 1 : 0),
    fetched: (place, links) => {
      linksOfPlace[place] = links;
      fetched++;
      const share = score(place) / links.length;
      for (const link of links) partial[link] += share;
    },
    barrier: () => {
      if (fetched - fetchedThen < options.rankEveryPages) return;
      fetchedThen = fetched;
      ranks = rankKnown(known.length, linksOfPlace);
    },
    // 16 bits of the fraction, rounded.
    key: (place) => Math.floor((bitsOf(score(place)) + 64) / 128),
  };
}

/** Compass's table: each host's pages, and how many were taken; turns are numbered as they come. */
function compassModel({ known, graph, waiting, r, options }: Crawled): Model {
  const hosts: { readonly host: number; readonly places: number[]; taken: number }[] = [];
  const turnOf: number[] = [];
  let [position, limit, turn, taken] = [0, options.resetHosts, 0, 0];
  return {
    found: (place) => {
      const host = graph.hosts.ofPage[known[place]];
      if (!hosts.some((one) => one.host === host)) hosts.push({ host, places: [], taken: 0 });
      hosts.find((one) => one.host === host)!.places.push(place);
    },
    barrier: () => {
      const ahead = (): number => turnOf.reduce((count, _, place) => count + waiting[place], 0);
      for (let some = ahead(); some < r && taken < known.length; some = ahead()) {
        const one = hosts[position];
        const batch = one.places.slice(one.taken, one.taken + options.hostUrls);
        if (batch.length > 0) turn++;
        for (const place of batch) turnOf[place] = turn;
        one.taken += batch.length;
        taken += batch.length;
        position++;
        if (position === limit) [position, limit] = [0, limit + options.resetHosts];
        else if (position === hosts.length) position = 0;
      }
    },
    key: (place) => (place in turnOf ? -turnOf[place] : -Infinity),
  };
}

function roundRobinModel({ known, graph }: Crawled): Model {
  const rounds: number[] = [];
  let current = 0;
  return {
    found: (place) => {
      const host = graph.hosts.ofPage[known[place]];
      let before = -1;
      for (let other = 0; other < place; other++) if (graph.hosts.ofPage[known[other]] === host) before = rounds[other];
      rounds[place] = Math.max(current, before + 1);
    },
    fetched: (place) => void (current = Math.max(current, rounds[place])),
    key: (place) => -rounds[place],
    changed: new Set(),
  };
}

/** The host with most waiting pages first: what it will have when those before it on the host are gone. */
function largerSitesModel({ known, graph, waiting }: Crawled): Model {
  const scores: number[] = [];
  return {
    barrier: () => {
      const waitingOfHost = new Map<number, number>();
      for (let place = known.length - 1; place >= 0; place--) {
        const host = graph.hosts.ofPage[known[place]];
        waitingOfHost.set(host, (waitingOfHost.get(host) ?? 0) + waiting[place]);
        scores[place] = waitingOfHost.get(host)!;
      }
    },
    key: (place) => scores[place],
  };
}

function backlinkModel(): Model {
  const counts: number[] = [];
  return {
    found: (place) => void (counts[place] = 0),
    fetched: (_, links) => { for (const link of links) counts[link]++; },
    key: (place) => counts[place],
  };
}

/**
 * Of opic, larger-sites-first (whose pages do not leave in order of discovery here) and depth-first: a sum of
 * logarithms on a grid of 2^31.
 */
function weightedModel(crawled: Crawled): Model {
  const opic = coinsModel(crawled, {});
  const pagesOfHost = new Map<number, number>();
  const before: number[] = [];
  const hostOf = (place: number): number => crawled.graph.hosts.ofPage[crawled.known[place]];
  return {
    found: (place, isSeed) => {
      opic.found?.(place, isSeed);
      before[place] = pagesOfHost.get(hostOf(place)) ?? 0;
      pagesOfHost.set(hostOf(place), before[place] + 1);
    },
    fetched: (place, links) => opic.fetched?.(place, links),
    key: (place) => {
      const fromHereOn = pagesOfHost.get(hostOf(place))! - before[place];
      const sum =
        0.35 * Math.max(-80, Math.log(opic.coins[place])) + 0.15 * Math.log(fromHereOn) + 0.5 * Math.log(1 + place);
      return Math.floor((0x7ff00000 - 1) * (0.5 + sum / 161));
    },
  };
}
export const modelWeights = { opic: 0.7, 'larger-sites-first': 0.3, 'depth-first': 1 };

const inOrder = (): Model => ({ key: (place) => -place, changed: new Set() });

export const models: Readonly<Record<PolicyName, (crawled: Crawled) => Model>> = {
  'backlink-count': backlinkModel,
  'batch-pagerank': (crawled) => rankingModel(crawled, false),
  'breadth-first': inOrder,
  compass: compassModel,
  'depth-first': () => ({ key: (place) => place, changed: new Set() }),
  'larger-sites-first': largerSitesModel,
  opic: (crawled) => coinsModel(crawled, {}),
  'opic-cycle': (crawled) => coinsModel(crawled, { cycle: true }),
  'opic-window': (crawled) => coinsModel(crawled, { window: crawled.options.opicWindow * allCoins }),
  pagerank: ({ known, ranks }) => ({ key: (place) => Math.fround(ranks[known[place]]), changed: new Set() }),
  'partial-pagerank': (crawled) => rankingModel(crawled, true),
  random: ({ seed }) => {
    const draws = new DrawStream(seed, 'policy random');
    return { key: (place) => Math.floor((draws.uint32(place, 0) / 2 ** 32) * 0x7ff00000), changed: new Set() };
  },
  'round-robin': roundRobinModel,
  scores: ({ known, scores }) => ({ key: (place) => Math.fround(scores[known[place]]), changed: new Set() }),
  spawc: inOrder,
  weighted: weightedModel,
};

/** Order of a crawl that extracts the best r pages at once, then fetches them one after another. */
export function modelOrder(make: (crawled: Crawled) => Model, given: Omit<Crawled, 'known' | 'waiting'>): number[] {
  const { graph, seedPages, r } = given;
  const known: number[] = [];
  const waiting = new Uint8Array(graph.pages);
  const [keys, taken] = [new Float64Array(graph.pages), new Uint8Array(graph.pages)];
  let looked = 0;
  const placeOf = new Int32Array(graph.pages).fill(-1);
  const model = make({ ...given, known, waiting });
  const placeOfFound = (page: number, isSeed: boolean): number => {
    if (placeOf[page] < 0) {
      const place = (placeOf[page] = known.push(page) - 1);
      waiting[place] = 1;
      model.found?.(place, isSeed);
    }
    return placeOf[page];
  };
  for (const page of seedPages) placeOfFound(page, true);
  for (const order: number[] = []; ; ) {
    model.barrier?.();
    for (let place = model.changed === undefined ? 0 : looked; place < known.length; place++)
      keys[place] = model.key(place);
    for (const place of model.changed ?? []) keys[place] = model.key(place);
    model.changed?.clear();
    looked = known.length;
    const block: number[] = [];
    while (block.length < r) {
      let best = -1;
      for (let place = 0; place < known.length; place++) {
        if (waiting[place] === 1 && taken[place] === 0 && (best < 0 || keys[place] > keys[best])) best = place;
      }
      if (best < 0) break;
      taken[best] = 1;
      block.push(best);
    }
    if (block.length === 0) return order;
    for (const place of block) {
      const links = Array.from(linksOf(graph, known[place]), (page) => placeOfFound(page, false));
      waiting[place] = 0;
      model.fetched?.(place, links);
      order.push(known[place]);
    }
  }
}
