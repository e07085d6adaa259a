import { noTraffic, type Traffic, type Transport } from '../bsp/index.ts';
import type { RunEnd, Sinks, SuperstepRow } from '../events/index.ts';
import { CashInvariant } from '../scheduler/index.ts';
import type { SuperstepCounts } from '../frontier/index.ts';
import { AllCrews } from './crews/all-crews.ts';
import type { Crew, Worked } from './crews/crew.ts';
import type { Recovery } from './recovery.ts';

export interface CrawlSetup {
  /** Every processor is in one of them. */
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

/** The end of a live crawl: it awaits and observes open downloads, so that their store and the processors agree. */
export interface Closing {
  /** Maximum wait, microseconds. */
  readonly graceUs: number;
  /** Cancels the downloads that are still open. Resolves to a time by which all others have ended. */
  abandon(): Promise<number>;
}

/**
 * The crawl: bulk-synchronous supersteps of receiveMessages, run, sendMessages, bspSync on every processor (Marin,
 * Paredes & Bonacic, WIDM 2008, section 2), until nothing is left or a limit is reached. It drives simulated and live
 * Worlds alike, and reaches processors through crews; everything that concerns several processors is here.
 *
 * If a processor crashes before it passes the barrier, the superstep is lost: all go back to their last checkpoint, as
 * in Pregel (Malewicz et al., SIGMOD 2010, section 4.2), since the later work of others depends on its messages.
 */
export async function crawl(setup: CrawlSetup): Promise<RunEnd> {
  const { transport, sinks, recovery, maxUs } = setup;
  const crews = new AllCrews(setup.crews);
  let barrierUs = setup.beginUs ?? 0;
  let cash = new CashInvariant();
  let closing: { readonly end: RunEnd; untilUs: number; hasAbandoned: boolean } | undefined;
  for (let superstep = setup.firstSuperstep ?? 0; ; superstep++) {
    const sinceUs = barrierUs;
    recovery?.passTo(sinceUs, crews.ids.length);
    const isCheckpoint = recovery?.isCheckpointDue(superstep) === true;
    if (isCheckpoint) await sinks.checkpoint({ superstep });
    sinks.superstepBegins(superstep);
    const endUs = closing === undefined ? Math.min(sinceUs + setup.superstepUs, maxUs) : closing.untilUs;
    const ids = crews.atWork(superstep, transport, isCheckpoint);
    const shares = closing === undefined ? sharesOf(setup, crews, ids) : ids.map(() => 0);
    const { arrivedUs, sent, observed, known, cashChanges } = await crews.begin({
      superstep, sinceUs, isCheckpoint,
      tasks: ids.map((id, i) => ({
        id, share: shares[i], received: transport.receive(id),
        endUs: Math.min(endUs, recovery?.nextCrashUs(id) ?? Infinity),
      })),
    });
    if (isCheckpoint) recovery.checkpointTaken(superstep, observed);
    for (const { from, to, pairs } of sent) transport.send(from, to, pairs);
    const { traffic, ...barrier } = await transport.sync([arrivedUs]);

    const crash = recovery?.crashBefore(barrier.barrierUs, { arrivedUs, sinceUs, maxUs });
    barrierUs = crash?.resumedUs ?? barrier.barrierUs;
    const end = (worked: readonly Pick<Worked, 'id' | 'counts' | 'unobserved'>[]) => ({
      superstep, barrierUs, unobserved: worked.map(({ unobserved }) => unobserved), pagesFetched: crews.fetched,
      rows: worked.map(({ id, counts }) => (
        rowOf(superstep, id, barrierUs, counts, (crash ? undefined : traffic.get(id)) ?? noTraffic)
      )),
    });
    if (recovery !== undefined && crash !== undefined) {
      transport.discard();
      const inVain = await crews.revive(barrierUs);
      await sinks.superstep(end(inVain.map((worked) => ({ ...worked, unobserved: 0 }))));
      await recovery.rollBack(superstep, crash, sinks);
      cash = new CashInvariant();
    } else {
      const countsCash = cash.isDue(cashChanges, known, crews.ids.length);
      const { worked, cash: amounts } = await crews.settle(ids, { barrierUs, countsCash, received: traffic });
      if (countsCash) cash.check(amounts, transport.amountUnderWay());
      await sinks.superstep(end(worked));
    }
    await setup.breathe();

    if (closing === undefined) {
      const end = endOf(setup, crews, { superstep, barrierUs });
      if (end === undefined) continue;
      if (setup.closing === undefined) return end;
      closing = { end, untilUs: barrierUs + setup.closing.graceUs, hasAbandoned: false };
    }
    if (crews.inFlight === 0 && transport.receivers().length === 0) return closing.end;
    if (barrierUs < closing.untilUs || setup.closing === undefined) continue;
    // The next superstep observes all that has ended here, whatever time it is elsewhere.
    closing.untilUs = closing.hasAbandoned ? barrierUs + 1 : Math.max(barrierUs + 1, await setup.closing.abandon());
    closing.hasAbandoned = true;
  }
}

/** Names each field: rows of the same shape take a quarter of the memory and time of spread ones. */
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
    sampledPages: counts.sampledPages, sampledIdle: counts.sampledIdle, denied: counts.denied,
    dropped: counts.dropped, rekeyed: counts.rekeyed, transferUs: counts.transferUs,
    throttledUs: counts.throttledUs,
  };
}

/** Whether the crawl ends at this barrier, and why. */
function endOf(
  { transport, maxPages, maxUs, signal, isStopped, recovery }: CrawlSetup, crews: AllCrews,
  { superstep, barrierUs }: { readonly superstep: number; readonly barrierUs: number },
): RunEnd | undefined {
  if (crews.areIdle && transport.receivers().length === 0) return 'frontier dry';
  if (crews.fetched >= maxPages) return 'page limit';
  if (barrierUs >= maxUs) return 'time limit';
  if (signal?.aborted === true || isStopped?.(superstep) === true) return 'interrupted';
  return recovery?.isGivenUp === true ? 'no progress' : undefined;
}

/**
 * How many downloads each processor of `ids` may start in the next superstep: an even share of the pages that are
 * neither fetched nor in flight, among the processors that have work or mail; the lowest numbers get the remainder.
 */
function sharesOf({ transport, maxPages }: CrawlSetup, crews: AllCrews, ids: readonly number[]): number[] {
  if (maxPages === Infinity) return ids.map(() => Infinity);
  const pages = maxPages - crews.fetched - crews.inFlight;
  const able = ids.map((id) => crews.standing(id).hasWork || transport.waiting(id) > 0);
  const sharers = able.filter(Boolean).length;
  let rank = 0;
  return able.map((isAble) => {
    if (!isAble) return 0;
    return Math.floor(pages / sharers) + (rank++ < pages % sharers ? 1 : 0);
  });
}
