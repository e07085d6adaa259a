import { noTraffic, type Barrier, type Traffic, type Transport } from '../bsp/index.ts';
import type { RunEnd, Sinks, SuperstepRow } from '../events/index.ts';
import { CashInvariant } from '../scheduler/index.ts';
import type { SuperstepCounts } from '../frontier/index.ts';
import type { Arrival, Crew, Standing } from './crew.ts';
import type { Recovery } from './recovery.ts';

export interface CrawlSetup {
  /** Together they contain every processor once. */
  readonly crews: readonly Crew[];
  readonly transport: Transport;
  /** Receive the events of the run. */
  readonly sinks: Sinks;
  /** The initial time of the clocks; 0 unless the crawl resumes from a checkpoint. */
  readonly beginUs?: number | undefined;
  /** Number of its first superstep; 0 unless the crawl resumes from a checkpoint. */
  readonly firstSuperstep?: number | undefined;
  /** Maximum length of a superstep, microseconds; Infinity for no limit. */
  readonly superstepUs: number;
  /** Maximum number of pages to fetch; Infinity for all. */
  readonly maxPages: number;
  /** When to stop, microseconds since the run began; Infinity for never. */
  readonly maxUs: number;
  /** Crashes, and recovery from them; undefined if none can happen. */
  readonly recovery?: Recovery | undefined;
  /** How the crawl ends while downloads are open; undefined if it abandons them. */
  readonly closing?: Closing | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called at every barrier: whether the run ends there, as if interrupted. */
  readonly isStopped?: ((superstep: number) => boolean) | undefined;
  /** Lets other work run; awaited at every barrier. */
  readonly breathe: () => Promise<void>;
}

/**
 * The end of a crawl whose downloads have effects outside: no more are started, and open ones are awaited and
 * observed, so that the stored downloads and the state of the processors agree in the end.
 */
export interface Closing {
  /** Maximum wait, microseconds. */
  readonly graceUs: number;
  /** Cancels the downloads still open then; returns how many. */
  abandon(): Promise<number>;
}

/**
 * The crawl: bulk-synchronous supersteps of receiveMessages, run, sendMessages, bspSync on every processor (Marin,
 * Paredes & Bonacic, WIDM 2008, section 2), until nothing is left or a limit is reached. Drives simulated and live
 * Worlds alike: it awaits their promises and nothing else. It reaches processors through crews, wherever
 * these are; everything that concerns more than one processor is here.
 *
 * If a processor crashes before the barrier is passed, at work, waiting for others or exchanging messages,
 * the superstep is lost: all go back to their last checkpoint, as in Pregel (Malewicz et al., SIGMOD 2010, section
 * 4.2), since the later work of others depends on its messages.
 */
export async function crawl(setup: CrawlSetup): Promise<RunEnd> {
  const { transport, sinks, recovery, maxUs } = setup;
  const crews = new AllCrews(setup.crews);
  let barrierUs = setup.beginUs ?? 0;
  let standings = crews.joint(({ standings }) => standings);
  let cash = new CashInvariant();
  let closing: { readonly end: RunEnd; readonly untilUs: number; abandoned: number } | undefined;
  for (let superstep = setup.firstSuperstep ?? 0; ; superstep++) {
    const crashUs = crews.ids.map((id) => recovery?.nextCrashUs(id, barrierUs) ?? Infinity);
    const isCheckpoint = recovery?.isCheckpointDue(superstep, Math.min(...crashUs)) === true;
    if (isCheckpoint) await sinks.checkpoint({ superstep });
    sinks.superstepBegins(superstep);
    const endUs = closing === undefined ? Math.min(barrierUs + setup.superstepUs, maxUs) : closing.untilUs;
    const arrivals = await crews.begin({
      superstep, isCheckpoint, transport,
      shares: closing === undefined ? sharesOf(setup, standings) : standings.map(() => 0),
      endUs: crashUs.map((us) => Math.min(endUs, us)),
    });
    const arrivedUs = crews.joint((_, i) => arrivals[i].arrivedUs);
    if (isCheckpoint) recovery.checkpointTaken(superstep, crews.joint((_, i) => arrivals[i].observed));
    for (const { sent } of arrivals) for (const { from, to, pairs } of sent) transport.send(from, to, pairs);
    const barrier = await transport.sync(arrivedUs);

    const crash = recovery?.crashBefore(barrier.barrierUs, { crashUs, arrivedUs, sinceUs: barrierUs, maxUs });
    if (recovery !== undefined && crash !== undefined) {
      transport.discard();
      barrierUs = crash.resumedUs;
      const inVain = await crews.revive(barrierUs);
      standings = crews.joint(({ standings }) => standings);
      const rows = inVain.map((counts, id) => rowOf(superstep, id, barrierUs, counts, noTraffic));
      const unobserved = rows.map(() => 0);
      await sinks.superstep({ superstep, barrierUs, rows, unobserved, pagesFetched: fetchedOf(standings) });
      await recovery.rollBack(superstep, crash, sinks);
      cash = new CashInvariant();
    } else {
      const settled = await settle(setup, { crews, arrivals, barrier, cash });
      barrierUs = barrier.barrierUs;
      standings = crews.joint(({ standings }) => standings);
      const rows = settled.counts.map((counts, id) => rowOf(superstep, id, barrierUs, counts, barrier.traffic[id]));
      const { unobserved } = settled;
      await sinks.superstep({ superstep, barrierUs, rows, unobserved, pagesFetched: fetchedOf(standings) });
    }
    await setup.breathe();

    if (closing === undefined) {
      const end = endOf(setup, standings, { superstep, barrierUs });
      if (end === undefined) continue;
      if (setup.closing === undefined) return end;
      closing = { end, untilUs: barrierUs + setup.closing.graceUs, abandoned: 0 };
    }
    const inFlight = sum(standings, (standing) => standing.inFlight);
    if (inFlight > closing.abandoned && barrierUs >= closing.untilUs && setup.closing !== undefined) {
      closing.abandoned += await setup.closing.abandon();
    }
    if (inFlight === closing.abandoned && crews.ids.every((id) => transport.waiting(id) === 0)) return closing.end;
  }
}

/** The barrier is passed: every crew drains, and cash is recounted if it is due. */
async function settle(
  { transport }: CrawlSetup,
  { crews, arrivals, barrier: { barrierUs }, cash }: {
    readonly crews: AllCrews; readonly arrivals: readonly Arrival[]; readonly barrier: Barrier;
    readonly cash: CashInvariant;
  },
): Promise<{ counts: SuperstepCounts[]; unobserved: number[] }> {
  const countsCash = cash.isDue(sum(arrivals, ({ cashChanges }) => cashChanges), sum(arrivals, ({ known }) => known));
  const settled = await Promise.all(crews.all.map((crew) => crew.settle({ barrierUs, countsCash })));
  if (countsCash) cash.check(settled.map((one) => one.cash), transport.amountUnderWay());
  return {
    counts: crews.joint((_, i) => settled[i].counts), unobserved: crews.joint((_, i) => settled[i].unobserved),
  };
}

/** Field by field: rows of one shape take a quarter of the memory and time that spread ones do. */
function rowOf(
  superstep: number, processor: number, barrierUs: number, counts: SuperstepCounts, traffic: Traffic,
): SuperstepRow {
  return {
    superstep, processor, barrierUs, pages: counts.pages, failures: counts.failures, retried: counts.retried,
    drained: counts.drained, bytes: counts.bytes, extracted: counts.extracted, stale: counts.stale,
    inserted: counts.inserted, reinserted: counts.reinserted, insertComparisons: counts.insertComparisons,
    extractComparisons: counts.extractComparisons, crossLinks: counts.crossLinks, pairsSent: traffic.pairsSent,
    pairsReceived: traffic.pairsReceived, messagesSent: traffic.messagesSent,
    messagesReceived: traffic.messagesReceived, busyUs: counts.busyUs, stalledUs: counts.stalledUs,
    noJobUs: counts.noJobUs, barrierWaitUs: counts.barrierWaitUs, queued: counts.queued, pending: counts.pending,
    inFlight: counts.inFlight, queueStructure: counts.queueStructure, queueReads: counts.queueReads,
    queueWrites: counts.queueWrites, superstepLimit: counts.superstepLimit, pendingTarget: counts.pendingTarget,
    saturatedUs: counts.saturatedUs, waitUs: counts.waitUs, restingUs: counts.restingUs,
    sampledPages: counts.sampledPages, sampledIdle: counts.sampledIdle,
  };
}

/** Whether the crawl ends at this barrier, and why. */
function endOf(
  { transport, maxPages, maxUs, signal, isStopped, recovery }: CrawlSetup, standings: readonly Standing[],
  { superstep, barrierUs }: { readonly superstep: number; readonly barrierUs: number },
): RunEnd | undefined {
  if (standings.every(({ isIdle }, id) => isIdle && transport.waiting(id) === 0)) return 'frontier dry';
  if (fetchedOf(standings) >= maxPages) return 'page limit';
  if (barrierUs >= maxUs) return 'time limit';
  if (signal?.aborted === true || isStopped?.(superstep) === true) return 'interrupted';
  return recovery?.isGivenUp === true ? 'no progress' : undefined;
}

/** The crews as one: lists are by processor. */
class AllCrews {
  readonly all: readonly Crew[];
  readonly ids: readonly number[];

  constructor(crews: readonly Crew[]) {
    this.all = crews;
    this.ids = crews.flatMap(({ ids }) => ids).sort((a, b) => a - b);
  }

  /** The states that crews report, by processor. */
  joint<T>(ofCrew: (crew: Crew, i: number) => readonly T[]): T[] {
    const joint = new Array<T>(this.ids.length);
    this.all.forEach((crew, i) => { ofCrew(crew, i).forEach((value, at) => (joint[crew.ids[at]] = value)); });
    return joint;
  }

  /** One answer per crew, called in order: those elsewhere work while this thread does. */
  begin({ superstep, isCheckpoint, transport, shares, endUs }: {
    readonly superstep: number; readonly isCheckpoint: boolean; readonly transport: Transport;
    readonly shares: readonly number[]; readonly endUs: readonly number[];
  }): Promise<Arrival[]> {
    return Promise.all(this.all.map((crew) => crew.begin({
      superstep, isCheckpoint,
      received: crew.ids.map((id) => transport.receive(id)),
      endUs: crew.ids.map((id) => endUs[id]),
      shares: crew.ids.map((id) => shares[id]),
    })));
  }

  async revive(resumedUs: number): Promise<SuperstepCounts[]> {
    // Async, so that a synchronous exception of one does not leave the promises of others unhandled.
    const inVain = await Promise.all(this.all.map(async (crew) => crew.revive(resumedUs)));
    return this.joint((_, i) => inVain[i]);
  }
}

/**
 * How many downloads each processor may start in the next superstep: the pages left (neither fetched nor in flight),
 * shared as evenly as integers allow, the remainder to the lowest numbers, among the processors that have something
 * queued, pending or received.
 */
function sharesOf({ transport, maxPages }: CrawlSetup, standings: readonly Standing[]): number[] {
  if (maxPages === Infinity) return standings.map(() => Infinity);
  const left = maxPages - sum(standings, ({ fetched, inFlight }) => fetched + inFlight);
  const able = standings.map(({ hasWork }, id) => hasWork || transport.waiting(id) > 0);
  const sharers = able.filter(Boolean).length;
  let rank = 0;
  return able.map((isAble) => {
    if (!isAble) return 0;
    return Math.floor(left / sharers) + (rank++ < left % sharers ? 1 : 0);
  });
}

function fetchedOf(standings: readonly Standing[]): number {
  return sum(standings, ({ fetched }) => fetched);
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
