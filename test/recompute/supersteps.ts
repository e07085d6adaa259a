/**
 * Replays which outcomes each superstep observed, what it learnt and what it sent, from the order, the times and the
 * graph, and holds every column of `supersteps.csv` that they determine against it.
 */
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import type { PlainOutcome } from './figures.ts';

/** The settings that the figures rest on, as `run.json` holds them. */
export interface Settings {
  seed: number;
  /** Absent in records of earlier versions. */
  pendingKeys?: 'follow' | 'frozen';
  processors: number;
  robots: number;
  superstepLimit?: number;
  superstepMs: number;
  policy: string;
  partition: string;
  partitionPoints: number;
  politenessMs: number;
  barrierUs: number;
  pairUs: number;
  exchange: string;
  exchangeBatch: number;
  messageUs: number;
  messageHeaderBytes: number;
  pairBytes: number;
  seedPages: number[];
  measures: string;
  maxPages?: number;
  maxSeconds?: number;
  retries?: number;
  /** Records of earlier versions lack it: it was `delay`. */
  deniedCost?: string;
  hostPatienceMs?: number;
  pending?: number;
  network?: { errorBytes?: number; robotsTxtBytes?: number; deniedShare?: number; crashSeconds?: number };
}

export type Row = Record<
  | 'superstep'
  | 'processor'
  | 'barrierUs'
  | 'pages'
  | 'failures'
  | 'retried'
  | 'drained'
  | 'bytes'
  | 'extracted'
  | 'stale'
  | 'inserted'
  | 'reinserted'
  | 'insertComparisons'
  | 'extractComparisons'
  | 'crossLinks'
  | 'pairsSent'
  | 'pairsReceived'
  | 'messagesSent'
  | 'messagesReceived'
  | 'busyUs'
  | 'stalledUs'
  | 'noJobUs'
  | 'barrierWaitUs'
  | 'queued'
  | 'pending'
  | 'inFlight'
  | 'queueStructure'
  | 'queueReads'
  | 'queueWrites'
  | 'superstepLimit'
  | 'pendingTarget'
  | 'denied'
  | 'dropped'
  | 'rekeyed',
  number
>;

export interface Replay {
  faults: string[];
  crossLinks: number;
  /** Of each superstep: pairs and messages sent by all, and the most of each that any processor sent or received. */
  pairs: { total: number; h: number; messages: number; mostMessages: number }[];
  inFlight: number;
  ended: string;
}

/**
 * The rows with those that the record leaves out: a processor without one waits with all its robots, and is otherwise
 * as its last row left it.
 */
export function filledIn(rows: readonly Row[], { processors, robots }: Settings): Row[] {
  const kept = ['processor', 'queueStructure', 'superstepLimit', 'pendingTarget'];
  const all = new Map(rows.map((row) => [row.superstep * processors + row.processor, row]));
  const barrierOf = new Map(rows.map((row) => [row.superstep, row.barrierUs]));
  for (const [superstep, barrierUs] of barrierOf) {
    const lengthUs = barrierUs - (barrierOf.get(superstep - 1) ?? 0);
    for (let at = superstep * processors; at < (superstep + 1) * processors; at++) {
      const last = all.get(at - processors);
      if (all.has(at) || last === undefined) continue;
      const ofLast = Object.entries(last).map(([name, value]) => [name, kept.includes(name) ? value : 0]);
      const row = Object.fromEntries(ofLast) as Row;
      all.set(at, { ...row, superstep, barrierUs, barrierWaitUs: robots * lengthUs });
    }
  }
  return [...all].sort(([a], [b]) => a - b).map(([, row]) => row);
}

export function replaySupersteps(
  graph: WebGraph, settings: Settings, processorOf: readonly number[], outcomes: readonly PlainOutcome[],
  rows: readonly Row[],
): Replay {
  const { processors, robots } = settings;
  const faults: string[] = [];
  const expect = (row: Row, column: string, value: number, ought: number): void => {
    if (value !== ought)
      faults.push(`superstep ${row.superstep}, processor ${row.processor}: ${column} ${value}, recomputed ${ought}`);
  };
  const all = Array.from({ length: processors }, (_, processor) => processor);
  const own = all.map((processor) => outcomes.filter((outcome) => outcome.processor === processor));
  checkOrder(outcomes, faults);

  const ownerOf = (page: number): number => processorOf[graph.hosts.ofPage[page]];
  const isKnown = new Uint8Array(graph.pages);
  /** Pages known and not yet inserted, by processor. */
  const found = all.map((): number[] => []);
  /**
   * Pages inserted, those that rules denied before, outcomes observed, those tried again, jobs taken, entries held: by
   * processor.
   */
  const [inserted, aside, observed, retried, taken, held, dropped] = Array.from(
    { length: 7 }, () => new Float64Array(processors),
  );
  const learn = (page: number): void => {
    if (isKnown[page] === 1) return;
    isKnown[page] = 1;
    found[ownerOf(page)].push(page);
  };
  const rulesReadUs = new Map<number, number>();
  for (const { page, kind, finishedUs } of outcomes) {
    const host = graph.hosts.ofPage[page];
    if (kind === 'robotsFetched' && !rulesReadUs.has(host)) rulesReadUs.set(host, finishedUs);
  }
  /**
   * Whether rules that were read by then deny a page, which costs nothing. As drawn: the run may end before it does.
   */
  const denials = new DrawStream(settings.seed, 'robots denied');
  const isDeniedBy = (page: number, us: number): boolean =>
    settings.deniedCost === 'none' && (rulesReadUs.get(graph.hosts.ofPage[page]) ?? Infinity) <= us &&
    denials.uniform(page) < (settings.network?.deniedShare ?? 0) && !settings.seedPages.includes(page);
  settings.seedPages.forEach(learn);
  /** Where pairs carry no amount, a page is sent once: those that each processor sent. */
  const sendsOnce = settings.policy !== 'opic';
  const sentEver = all.map(() => new Set<number>());
  let mail: number[] = [];
  let crossLinks = 0;
  let lastUs = 0;
  let fetched = 0;
  const pairs: Replay['pairs'] = [];
  const count = Math.ceil(rows.length / processors);
  const busy = busyTimes(outcomes, processors);

  for (let superstep = 0; superstep < count; superstep++) {
    const group = rows.slice(superstep * processors, (superstep + 1) * processors);
    if (group.length < processors) faults.push(`superstep ${superstep} lacks a row`);
    /** By sender and receiver, message by message: the pages named in each. */
    const outboxes = group.map(() => group.map((): Set<number>[] => []));
    const [sent, received, messagesSent, messagesReceived] = Array.from(
      { length: 4 }, () => new Float64Array(processors),
    );
    for (const [processor, row] of group.entries()) {
      expect(row, 'superstep', row.superstep, superstep);
      expect(row, 'processor', row.processor, processor);
      expect(row, 'barrierUs', row.barrierUs, group[0].barrierUs);
      const slice = own[processor].slice(observed[processor], observed[processor] + row.pages + row.failures);
      observed[processor] += slice.length;
      const visited = slice.filter(({ kind, page }) => kind === 'fetched' && page < graph.pages);
      fetched += visited.length;
      expect(row, 'pages', row.pages, visited.length);
      if (graph.bytes !== undefined)
        expect(
          row, 'bytes', row.bytes, slice.reduce((sum, outcome) => sum + bytesOf(graph, settings, outcome), 0),
        );
      // What starts at a barrier can end there too: it was not drained, for a barrier takes time.
      const drained =
        superstep === 0
          ? 0
          : slice.filter(({ startedUs, finishedUs }) => startedUs < lastUs && finishedUs <= lastUs).length;
      expect(row, 'drained', row.drained, drained);
      const deniedNow = slice.filter((outcome) => isFree(settings, outcome)).length;
      expect(row, 'denied', row.denied, deniedNow);
      if (isKeyConstant(settings)) expect(row, 'rekeyed', row.rekeyed, 0);
      // Without patience no host is given up.
      if ((settings.hostPatienceMs ?? 0) === 0) expect(row, 'dropped', row.dropped, 0);
      if (slice.length - drained - deniedNow > row.superstepLimit)
        faults.push(`superstep ${superstep} passed the superstep limit`);

      let crossing = 0;
      const links = (outcome: PlainOutcome): void => {
        if (outcome.kind !== 'fetched' || outcome.page >= graph.pages) return;
        const tellsNow = new Set<number>();
        for (const target of graph.outTargets.subarray(
          graph.outOffsets[outcome.page], graph.outOffsets[outcome.page + 1],
        )) {
          if (ownerOf(target) === processor) learn(target);
          else {
            crossing++;
            if (sendsOnce && sentEver[processor].has(target)) continue;
            sentEver[processor].add(target);
            const messages = outboxes[processor][ownerOf(target)];
            const isFull =
              messages.at(-1)?.size === (settings.exchange === 'batch' ? settings.exchangeBatch : Infinity);
            const isOther = settings.exchange === 'page' && !tellsNow.has(ownerOf(target));
            tellsNow.add(ownerOf(target));
            if (messages.length === 0 || isFull || isOther) messages.push(new Set());
            messages.at(-1)!.add(target);
          }
        }
      };
      slice.slice(0, drained).forEach(links);
      for (const page of mail) if (ownerOf(page) === processor) learn(page);
      // A page that is denied by rules that were read before the last barrier is not queued.
      const queued = found[processor].filter((page) => !isDeniedBy(page, lastUs)).length;
      expect(row, 'inserted - reinserted', row.inserted - row.reinserted, queued);
      inserted[processor] += queued;
      aside[processor] += found[processor].length - queued;
      found[processor] = [];
      slice.slice(drained).forEach(links);
      expect(row, 'crossLinks', row.crossLinks, crossing);
      crossLinks += crossing;
      // Jobs that were dropped ended without an outcome.
      taken[processor] += row.extracted - row.stale;
      dropped[processor] += row.dropped;
      retried[processor] += row.retried;
      held[processor] += row.inserted - row.extracted;
      expect(row, 'queued', row.queued, inserted[processor] - taken[processor]);
      const begun = taken[processor] + aside[processor] + retried[processor];
      expect(row, 'pending', row.pending, begun - observed[processor] - dropped[processor] - row.inFlight);
      outboxes[processor].forEach((messages, to) => {
        const pairsTo = messages.reduce((sum, { size }) => sum + size, 0);
        sent[processor] += pairsTo;
        received[to] += pairsTo;
        messagesSent[processor] += messages.length;
        messagesReceived[to] += messages.length;
      });
    }
    for (const [processor, row] of group.entries()) {
      expect(row, 'pairsSent', row.pairsSent, sent[processor]);
      expect(row, 'pairsReceived', row.pairsReceived, received[processor]);
      expect(row, 'messagesSent', row.messagesSent, messagesSent[processor]);
      expect(row, 'messagesReceived', row.messagesReceived, messagesReceived[processor]);
    }
    const h = Math.max(...sent, ...received);
    const mostMessages = Math.max(...messagesSent, ...messagesReceived);
    const sumOf = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);
    pairs.push({ total: sumOf(sent), h, messages: sumOf(messagesSent), mostMessages });
    mail = outboxes.flat(2).flatMap((message) => [...message]);

    const { barrierUs } = group[0];
    const costUs = Math.ceil(settings.barrierUs + settings.pairUs * h + settings.messageUs * mostMessages);
    const limitUs = Math.min(
      settings.superstepMs === 0 ? Infinity : lastUs + Math.round(1000 * settings.superstepMs),
      1e6 * (settings.maxSeconds ?? Infinity),
    );
    if (barrierUs - costUs > Math.max(lastUs, Math.round(limitUs)))
      faults.push(`superstep ${superstep} lasted longer than it may`);
    let someoneIsLast = false;
    for (const [processor, row] of group.entries()) {
      const total = row.busyUs + row.stalledUs + row.noJobUs + row.barrierWaitUs;
      expect(row, 'sum of robot time', total, robots * (barrierUs - lastUs));
      // What is still in flight at the end has no times on record; it can only add.
      const openAtEnd = rows.at(processor - processors)?.inFlight ?? 0;
      const [whole, inCost] = busy.overlap(processor, lastUs, barrierUs, barrierUs - costUs);
      if (openAtEnd === 0) {
        expect(row, 'busyUs', row.busyUs, whole);
        const waitAtLeast = robots * costUs - inCost;
        if (row.barrierWaitUs < waitAtLeast)
          faults.push(`superstep ${superstep}, processor ${processor}: barrierWaitUs below L + g h + o k`);
        if (row.barrierWaitUs === waitAtLeast) someoneIsLast = true;
      } else {
        someoneIsLast = true;
        if (row.busyUs < whole || row.busyUs > whole + openAtEnd * (barrierUs - lastUs))
          expect(row, 'busyUs', row.busyUs, whole);
      }
    }
    if (!someoneIsLast) faults.push(`superstep ${superstep}: no processor arrived L + g h + o k before the barrier`);
    lastUs = barrierUs;
  }

  all.forEach((processor) => {
    if (observed[processor] !== own[processor].length)
      faults.push(`supersteps.csv lacks outcomes of processor ${processor}`);
  });
  const last = rows.slice(-processors);
  const inFlight = last.reduce((sum, row) => sum + row.inFlight, 0);
  const isDry =
    last.every(
      (row, processor) => row.queued + row.pending + row.inFlight + held[processor] + found[processor].length === 0,
    ) && mail.length === 0;
  const ended = isDry ? 'frontier dry' : fetched >= (settings.maxPages ?? Infinity) ? 'page limit'
    : lastUs >= Math.round(1e6 * (settings.maxSeconds ?? Infinity)) ? 'time limit' : 'interrupted';
  return { faults, crossLinks, pairs, inFlight, ended };
}

/** Whether no pending job can get another key: by setting, or because nothing changes the scores of the policy. */
function isKeyConstant({ policy, pendingKeys = 'frozen' }: Settings): boolean {
  return pendingKeys === 'frozen' || ['breadth-first', 'depth-first', 'random', 'pagerank', 'scores'].includes(policy);
}

/** Whether an outcome is of a page that rules denied, and that cost nothing. */
export function isFree({ deniedCost = 'delay' }: Settings, { kind }: PlainOutcome): boolean {
  return kind === 'robotsDenied' && deniedCost === 'none';
}

/** Bytes that an outcome brought; of a page, as the graph has them. */
export function bytesOf(graph: WebGraph, { network = {} }: Settings, { kind, page }: PlainOutcome): number {
  if (kind === 'fetched') return graph.bytes?.[page] ?? 0;
  if (kind === 'notFound' || kind === 'serverError') return network.errorBytes ?? 0;
  return kind === 'robotsFetched' ? (network.robotsTxtBytes ?? 0) : 0;
}

/** Order by (finished, processor, sequence): on one processor, what finished together was started in this order. */
function checkOrder(outcomes: readonly PlainOutcome[], faults: string[]): void {
  /** Pages that nothing may come after. */
  const settled = new Set<number>();
  outcomes.forEach((outcome, i) => {
    if (settled.has(outcome.page)) faults.push(`page ${outcome.page} was settled, and is in the record again`);
    if (['fetched', 'notFound', 'robotsDenied'].includes(outcome.kind)) settled.add(outcome.page);
    if (i === 0) return;
    const before = outcomes[i - 1];
    const difference =
      outcome.finishedUs - before.finishedUs ||
      outcome.processor - before.processor ||
      outcome.startedUs - before.startedUs;
    if (!(difference >= 0)) faults.push(`outcomes ${i - 1} and ${i} stand in the wrong order`);
  });
}

/** Robot time of the downloads on record, by superstep and processor. */
function busyTimes(outcomes: readonly PlainOutcome[], processors: number): {
  overlap: (processor: number, fromUs: number, toUs: number, laterUs: number) => [whole: number, later: number];
} {
  const byProcessor = Array.from({ length: processors }, (_, processor) =>
    outcomes.filter((outcome) => outcome.processor === processor).sort((a, b) => a.startedUs - b.startedUs));
  const next = byProcessor.map(() => 0);
  const open: PlainOutcome[][] = byProcessor.map(() => []);
  return {
    overlap(processor, fromUs, toUs, laterUs) {
      const own = byProcessor[processor];
      while (next[processor] < own.length && own[next[processor]].startedUs < toUs)
        open[processor].push(own[next[processor]++]);
      open[processor] = open[processor].filter(({ finishedUs }) => finishedUs > fromUs);
      const within = (beginUs: number): number =>
        open[processor].reduce(
          (sum, { startedUs, finishedUs }) =>
            sum + Math.max(0, Math.min(finishedUs, toUs) - Math.max(startedUs, beginUs)),
          0,
        );
      return [within(fromUs), within(laterUs)];
    },
  };
}
