/** Small sums from the specification alone: nothing here comes from `src`, the graph's type apart. */
import { createHash } from 'node:crypto';
import type { WebGraph } from '../../src/graphs/graph/index.ts';

/** 1 for each page that the seed pages reach. Depth first: only the set matters. */
export function reachableFrom(graph: WebGraph, seedPages: readonly number[]): Uint8Array {
  const reached = new Uint8Array(graph.pages);
  const stack = [...seedPages];
  for (const page of stack) reached[page] = 1;
  for (let page = stack.pop(); page !== undefined; page = stack.pop()) {
    for (let arc = graph.outOffsets[page]; arc < graph.outOffsets[page + 1]; arc++) {
      const target = graph.outTargets[arc];
      if (reached[target] === 1) continue;
      reached[target] = 1;
      stack.push(target);
    }
  }
  return reached;
}

/** Of graphs that several records share: this file is a model of its own, and takes no PreparedGraph. */
const ranksOf = new WeakMap<WebGraph, Float64Array>();

/** PageRank, damping 0.85, uniform teleport, rank of dangling pages spread evenly: plain power iteration to 1e-13. */
export function plainPageRank(graph: WebGraph): Float64Array {
  const known = ranksOf.get(graph);
  if (known !== undefined) return known;
  const { pages, outOffsets, outTargets } = graph;
  let ranks = new Float64Array(pages).fill(1 / pages);
  for (let change = 1; change > 1e-13; ) {
    const next = new Float64Array(pages);
    let dangling = 0;
    for (let page = 0; page < pages; page++) {
      const links = outOffsets[page + 1] - outOffsets[page];
      if (links === 0) dangling += ranks[page];
      for (let arc = outOffsets[page]; arc < outOffsets[page + 1]; arc++) next[outTargets[arc]] += ranks[page] / links;
    }
    change = 0;
    for (let page = 0; page < pages; page++) {
      next[page] = 0.15 / pages + 0.85 * (next[page] + dangling / pages);
      change += Math.abs(next[page] - ranks[page]);
    }
    ranks = next;
  }
  ranksOf.set(graph, ranks);
  return ranks;
}

const md5Digits = (text: string): string => createHash('md5').update(text).digest('hex');

/** Processor of each host. `points`: of each processor on the circle of `consistent`. */
export function partitionOf(
  graph: WebGraph, partition: string, processors: number, reached: Uint8Array, points: number,
): number[] {
  const { count, names, ofPage, synthetic } = graph.hosts;
  const hosts = Array.from({ length: count }, (_, host) => host);
  const hashed = (name: string): number => parseInt(md5Digits(name).slice(0, 8), 16) % processors;
  if (partition === 'host-hash') return hosts.map((host) => hashed(names.at(host)));
  // The graphs of the test have hosts under a name of two labels, or are synthetic.
  if (partition === 'domain')
    return hosts.map((host) => hashed(synthetic ? names.at(host) : names.at(host).split('.').slice(-2).join('.')));
  if (partition === 'jump')
    return hosts.map((host) => jumpOf(BigInt(`0x${md5Digits(names.at(host)).slice(0, 16)}`), processors));
  if (partition === 'consistent') {
    const places = Array.from({ length: processors * points }, (_, i) => {
      const processor = Math.floor(i / points);
      return { processor, at: md5Digits(`${processor}/${i % points}`).slice(0, 12) };
    }).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.processor - b.processor));
    return hosts.map((host) => {
      const at = md5Digits(names.at(host)).slice(0, 12);
      return (places.find((place) => place.at >= at) ?? places[0]).processor;
    });
  }
  if (partition !== 'lpt') throw new Error(`no partition ${partition}`);
  const pages = hosts.map(() => 0);
  reached.forEach((one, page) => (pages[ofPage[page]] += one));
  const load = Array.from({ length: processors }, () => 0);
  const processorOf = hosts.map(() => 0);
  for (const host of [...hosts].sort((a, b) => pages[b] - pages[a] || a - b)) {
    const least = load.indexOf(Math.min(...load));
    processorOf[host] = least;
    load[least] += pages[host];
  }
  return processorOf;
}

/**
 * Jump consistent hash, from the text of Lamping & Veach: a bucket's next jump, until it leaves the buckets there are.
 */
function jumpOf(key: bigint, buckets: number): number {
  let [last, next] = [-1, 0];
  while (next < buckets) {
    last = next;
    key = (key * 2862933555777941757n + 1n) % 2n ** 64n;
    next = Math.floor((last + 1) * (2 ** 31 / (Number(key / 2n ** 33n) + 1)));
  }
  return last;
}

/**
 * The host with the most pages within reach, its share of them, and what it leaves of the efficiency of P processors.
 */
export function largestHostOf(
  graph: WebGraph, reached: Uint8Array, processors: number,
): { largestHost: string; largestHostShare: number; efficiencyBound: number } {
  const pages = Array.from({ length: graph.hosts.count }, () => 0);
  reached.forEach((one, page) => (pages[graph.hosts.ofPage[page]] += one));
  const [largest] = [...pages.keys()].sort((a, b) => pages[b] - pages[a] || a - b);
  const share = pages[largest] / pages.reduce((a, b) => a + b, 0);
  return {
    largestHost: graph.hosts.names.at(largest), largestHostShare: share,
    efficiencyBound: Math.min(1, 1 / (processors * share)),
  };
}

/**
 * Modularity of a partition of hosts, links being weights (Leicht & Newman, Phys. Rev. Lett. 100, 118703, 2008):
 * Q = sum over parts of (links inside / m - links out x links in / m^2), links within a host included.
 */
export function modularityOf(
  graph: WebGraph, processorOf: readonly number[],
): { modularity: number; crossingLinks: number; links: number } {
  const { outOffsets, outTargets, hosts, arcs } = graph;
  const parts = Math.max(0, ...processorOf) + 1;
  const [inside, out, into] = Array.from({ length: 3 }, () => new Float64Array(parts));
  for (let page = 0; page < graph.pages; page++) {
    const from = processorOf[hosts.ofPage[page]];
    for (let arc = outOffsets[page]; arc < outOffsets[page + 1]; arc++) {
      const to = processorOf[hosts.ofPage[outTargets[arc]]];
      out[from]++;
      into[to]++;
      if (from === to) inside[from]++;
    }
  }
  let modularity = 0;
  for (let part = 0; part < parts && arcs > 0; part++)
    modularity += inside[part] / arcs - (out[part] / arcs) * (into[part] / arcs);
  return { modularity, crossingLinks: arcs - inside.reduce((a, b) => a + b, 0), links: arcs };
}

export interface PlainQuality {
  pagerankArea: number;
  bound: number;
  random: number;
  normalisedGain: number | null;
  horizonPages: number;
  secondsToPages: Record<string, number | null>;
}

/** How good an order is, for ranks of all pages; `finishedUs[k]` belongs to `order[k]`. */
export function plainQuality(
  ranks: Float64Array, reached: Uint8Array, order: ArrayLike<number>, finishedUs: ArrayLike<number>,
  horizonPages: number,
): PlainQuality {
  const best = [...reached.keys()]
    .filter((page) => reached[page] === 1)
    .map((page) => ranks[page])
    .sort((a, b) => b - a);
  const horizon = Math.min(horizonPages, best.length);
  const all = best.slice(0, horizon).reduce((a, b) => a + b, 0);
  const areaOf = (gainOf: (k: number) => number): number => {
    let sum = 0;
    let area = 0;
    for (let k = 0; k < horizon; k++) area += sum += gainOf(k) / all;
    return area / horizon;
  };
  const area = areaOf((k) => (k < order.length ? ranks[order[k]] : 0));
  const bound = areaOf((k) => best[k]);
  const mean = best.reduce((a, b) => a + b, 0) / best.length;
  const random = areaOf(() => mean);

  const secondsToPages: Record<string, number | null> = {};
  for (const percent of [50, 90, 100]) {
    const wanted = Math.ceil((percent * horizon) / 100);
    secondsToPages[`${percent}%`] = wanted <= order.length ? finishedUs[wanted - 1] / 1e6 : null;
  }
  return {
    pagerankArea: area,
    bound,
    random,
    // Where no order is better than another there is nothing to gain.
    normalisedGain: order.length === 0 || Math.abs(bound - random) < 1e-12 ? null : (area - random) / (bound - random),
    horizonPages: horizon,
    secondsToPages,
  };
}

/** What was gathered of the rank of all pages reached and of all pages, and when shares of the former were. */
export function plainGathered(
  ranks: Float64Array, reached: Uint8Array, order: readonly number[], finishedUs: readonly number[],
): { rankGathered: Record<'ofReachable' | 'ofAll', number>; secondsToRank: Record<string, number | null> } {
  const sum = (pages: readonly number[]): number => pages.reduce((total, page) => total + ranks[page], 0);
  const within = sum([...reached.keys()].filter((page) => reached[page] === 1));
  const gathered = sum(order);
  const secondsToRank = Object.fromEntries([50, 80, 90].map((percent) => {
    // A page has at least 0.15 / pages: far more than what rounding takes from a sum.
    const wanted = (percent / 100) * within * (1 - 1e-11);
    let held = 0;
    const place = order.findIndex((page) => (held += ranks[page]) >= wanted);
    return [String(percent), place < 0 ? null : finishedUs[place] / 1e6];
  }));
  return { rankGathered: { ofReachable: gathered / within, ofAll: gathered / sum([...ranks.keys()]) }, secondsToRank };
}

/**
 * mean(X)/mean(Y) and mean(X/Y), X the average and Y the greatest of a superstep's loads; supersteps without load say
 * nothing.
 */
export function plainBalance(loads: readonly (readonly number[])[]): {
  ofMeans: number | null;
  meanOfRatios: number | null;
} {
  const average = loads.map((load) => load.reduce((a, b) => a + b, 0) / load.length);
  const most = loads.map((load) => Math.max(...load));
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const ratios = average.map((x, i) => x / most[i]).filter((ratio) => !Number.isNaN(ratio));
  return {
    ofMeans: sum(most) === 0 ? null : sum(average) / sum(most),
    meanOfRatios: ratios.length === 0 ? null : sum(ratios) / ratios.length,
  };
}

export interface PlainOutcome {
  processor: number;
  page: number;
  kind: string;
  startedUs: number;
  finishedUs: number;
}

const kinds = ['fetched', 'notFound', 'serverError', 'timeout', 'refused', 'robotsDenied', 'robotsFetched'];

/** SHA-256 over little-endian fields: outcomes in their order, then barriers. */
export function plainReplayHash(
  outcomes: readonly PlainOutcome[], barriers: readonly { barrierUs: number; pairs: number }[],
): string {
  const bytes = new DataView(new ArrayBuffer(28 * outcomes.length + 12 * barriers.length));
  let at = 0;
  const u32 = (value: number): void => {
    bytes.setUint32(at, value, true);
    at += 4;
  };
  const f64 = (value: number): void => {
    bytes.setFloat64(at, value, true);
    at += 8;
  };
  for (const { processor, page, kind, startedUs, finishedUs } of outcomes) {
    for (const field of [processor, page, kinds.indexOf(kind)]) u32(field);
    for (const field of [startedUs, finishedUs]) f64(field);
  }
  for (const { barrierUs, pairs } of barriers) {
    f64(barrierUs);
    u32(pairs);
  }
  return createHash('sha256').update(new Uint8Array(bytes.buffer)).digest('hex');
}

interface PlainHost { host: number; name: string; links: number }

export interface PlainHostGraph {
  density: number;
  linkedPairs: number;
  links: number;
  linksWithinHosts: number;
  topOut: PlainHost[];
  topIn: PlainHost[];
}

/** As `ranksOf`. */
const hostGraphs = new WeakMap<WebGraph, PlainHostGraph>();

/**
 * Figures of the graph of hosts: ordered pairs of different hosts that are linked, and the five hosts with the most
 * links.
 */
export function plainHostGraph(graph: WebGraph): PlainHostGraph {
  const known = hostGraphs.get(graph);
  if (known !== undefined) return known;
  const { count, ofPage, names } = graph.hosts;
  const linked = new Set<number>();
  let linksWithinHosts = 0;
  const [out, into] = [0, 1].map(() => new Float64Array(count));
  for (let page = 0; page < graph.pages; page++) {
    for (let arc = graph.outOffsets[page]; arc < graph.outOffsets[page + 1]; arc++) {
      const [from, to] = [ofPage[page], ofPage[graph.outTargets[arc]]];
      out[from]++;
      into[to]++;
      if (from === to) linksWithinHosts++;
      else linked.add(from * count + to);
    }
  }
  const top = (links: Float64Array): PlainHost[] =>
    [...links.keys()]
      .sort((a, b) => links[b] - links[a] || a - b)
      .slice(0, 5)
      .map((host) => ({ host, name: names.at(host), links: links[host] }));
  const figures = {
    density: count < 2 ? 0 : linked.size / (count * (count - 1)),
    linkedPairs: linked.size, links: graph.arcs, linksWithinHosts, topOut: top(out), topIn: top(into),
  };
  hostGraphs.set(graph, figures);
  return figures;
}
