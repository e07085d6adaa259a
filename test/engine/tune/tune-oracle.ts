import { createHash } from 'node:crypto';
import type { WebGraph } from '../../../src/graphs/graph/index.ts';
import { bitsOf, linksOf } from '../random-crawls.ts';

/**
 * What the errors of tuning are, written from their definitions over plain sets; it shares nothing with the product but
 * the graph.
 */
export interface OracleRow {
  readonly stale: number;
  readonly prefix: number;
  readonly state: number;
  readonly supersteps: number;
  readonly pairs: number;
  readonly balance: number;
}

/** A superstep that fetched anything: W, and W' and I in the order in which they would have been fetched. */
export interface OracleSuperstep {
  /** Pages of each processor, in the order fetched. */
  readonly fetched: readonly (readonly number[])[];
  readonly instant: readonly number[];
  readonly global: readonly number[];
}

export interface OracleCrawl {
  readonly order: readonly number[];
  readonly steps: readonly OracleSuperstep[];
  readonly row: OracleRow;
}

export interface OracleSettings {
  readonly scores: Float64Array;
  readonly seedPages: readonly number[];
  readonly processors: number;
  readonly r: number;
  readonly robots?: number;
}

export function oracleCrawl(graph: WebGraph, settings: OracleSettings): OracleCrawl {
  const { processors, r, robots = 1 } = settings;
  const hostOf = (page: number): number => graph.hosts.ofPage[page];
  const ownerOf = hostOwners(graph, processors);
  const key = Array.from(settings.scores, bitsOf);
  const ids = Array.from({ length: processors }, (_, id) => id);

  /**
   * By processor: pages known in order of discovery, those that the queue holds, pages sent to others, and the outbox.
   */
  const known = ids.map(() => new Set<number>());
  const queued = ids.map(() => new Set<number>());
  const sent = ids.map(() => new Set<number>());
  const outbox = ids.map((): number[] => []);
  /** Place of each known page in the global order of discovery, fixed at the superstep at whose start it was known. */
  const place = new Map<number, number>();
  const fetchedAll = new Set<number>();
  const order: number[] = [];
  const steps: OracleSuperstep[] = [];
  const sequential =
    processors === 1 && r === 1 ? order : oracleCrawl(graph, { ...settings, processors: 1, r: 1, robots: 1 }).order;
  const errors = { stale: 0, prefix: 0, state: 0 };
  let [supersteps, pairs, most] = [0, 0, 0];

  for (const page of settings.seedPages) known[ownerOf(page)].add(page);
  const more = (): boolean =>
    outbox.some((box) => box.length > 0) || known.some((pages) => [...pages].some((page) => !fetchedAll.has(page)));
  while (more()) {
    supersteps++;
    for (const page of outbox.flatMap((box) => box.splice(0))) known[ownerOf(page)].add(page);
    for (const id of ids) {
      for (const page of known[id]) {
        if (place.has(page)) continue;
        place.set(page, place.size);
        queued[id].add(page);
      }
    }
    const state: InstantState = {
      graph, key, place, fetched: fetchedAll, waiting: queued.flatMap((pages) => [...pages]),
    };

    const fetched = ids.map((id) =>
      inOrderOfFetching(bestFirst([...queued[id]], key, place).slice(0, r), robots, hostOf),
    );
    for (const id of ids) {
      for (const page of fetched[id]) {
        queued[id].delete(page);
        for (const target of linksOf(graph, page)) {
          if (ownerOf(target) === id) known[id].add(target);
          else if (!sent[id].has(target)) outbox[id].push(target);
          if (ownerOf(target) !== id) sent[id].add(target);
        }
      }
    }
    pairs += outbox.reduce((sum, box) => sum + box.length, 0);

    const counts = fetched.map((pages) => pages.length);
    const all = fetched.flat();
    if (all.length === 0) continue;
    const turns = Array.from({ length: Math.max(...counts) }, (_, turn) =>
      ids.filter((id) => turn < counts[id]),
    ).flat();
    const instant = crawlInstantly(state, turns, ownerOf);
    const global = crawlInstantly(state, all.map(() => 0), () => 0);
    steps.push({ fetched, instant, global });
    order.push(...all);
    for (const page of all) fetchedAll.add(page);
    most += Math.max(...counts);
    errors.stale += missed(all, instant);
    errors.state += missed(all, global);
    errors.prefix += missed(order, sequential.slice(0, order.length));
  }
  return {
    order,
    steps,
    row: {
      stale: errors.stale / steps.length,
      prefix: errors.prefix / steps.length,
      state: errors.state / steps.length,
      supersteps,
      pairs,
      balance: order.length / processors / most,
    },
  };
}

/** Share of `pages` that the ideal does not have. */
function missed(pages: readonly number[], ideal: readonly number[]): number {
  const wanted = new Set(ideal);
  return 1 - pages.filter((page) => wanted.has(page)).length / pages.length;
}

interface InstantState {
  readonly graph: WebGraph;
  readonly key: readonly number[];
  readonly place: ReadonlyMap<number, number>;
  readonly fetched: ReadonlySet<number>;
  readonly waiting: readonly number[];
}

/**
 * Fetches the best waiting page of one group after another, each group as often as `turns` names it; pages found wait
 * at once.
 */
function crawlInstantly(state: InstantState, turns: readonly number[], groupOf: (page: number) => number): number[] {
  const place = new Map(state.place);
  const waiting = new Set(state.waiting);
  return turns.map((group) => {
    const [page] = bestFirst([...waiting].filter((one) => groupOf(one) === group), state.key, place);
    waiting.delete(page);
    for (const target of linksOf(state.graph, page)) {
      if (place.has(target)) continue;
      place.set(target, place.size);
      waiting.add(target);
    }
    return page;
  });
}

function bestFirst(pages: number[], key: readonly number[], place: ReadonlyMap<number, number>): number[] {
  return pages.sort((a, b) => key[b] - key[a] || place.get(a)! - place.get(b)!);
}

/**
 * Each robot takes the best job whose host has no download open; all that were begun end at the same instant, as they
 * were begun.
 */
function inOrderOfFetching(jobs: readonly number[], robots: number, hostOf: (page: number) => number): number[] {
  const order: number[] = [];
  for (let left = [...jobs]; left.length > 0; ) {
    const open = new Set<number>();
    const later: number[] = [];
    for (const page of left) {
      if (open.size === robots || open.has(hostOf(page))) later.push(page);
      else {
        open.add(hostOf(page));
        order.push(page);
      }
    }
    left = later;
  }
  return order;
}

/** First 32 bits, big-endian, of the MD5 of the host's name, mod P. */
export function hostOwners(graph: WebGraph, processors: number): (page: number) => number {
  const owners = Array.from({ length: graph.hosts.count }, (_, host) =>
    createHash('md5').update(graph.hosts.names.at(host)).digest().readUInt32BE(0) % processors);
  return (page) => owners[graph.hosts.ofPage[page]];
}
