import { noTraffic, type Transport } from '../bsp/index.ts';
import type { RecorderMark, RunSummary } from '../measure/index.ts';
import { CashInvariant, type SuperstepCounts } from '../scheduler/index.ts';
import { LocalCrew, type Crew, type CrewParts, type Standing } from './crew.ts';

/** `processors`, `recorder` and `revive` make up the loop's own crew; the recorder has the rows of all. */
export interface CrawlSetup extends CrewParts {
  /** The other crews; with the loop's own they have every processor once. */
  readonly crews?: readonly Crew[] | undefined;
  /** Where their clocks stand; 0 unless the crawl goes on from a checkpoint. */
  readonly beginUs?: number | undefined;
  /** Number of its first superstep; 0 unless the crawl goes on from a checkpoint. */
  readonly firstSuperstep?: number | undefined;
  readonly transport: Transport;
  /** Longest superstep, microseconds; Infinity for none. */
  readonly superstepUs: number;
  /** Pages to fetch, Infinity for all. */
  readonly maxPages: number;
  /** When to stop, microseconds since the run began; Infinity for never. */
  readonly maxUs: number;
  /** When processors crash: the first moment of one after `sinceUs`, Infinity for none. */
  readonly crashes: { nextUs(processor: number, sinceUs: number): number };
  /** From a crash until all processors go on from the last checkpoint; a crash before that begins it anew. */
  readonly restartUs: number;
  /** Supersteps between checkpoints; 0 for one at the start alone. */
  readonly checkpointSupersteps: number;
  /** How the crawl ends while downloads are open; undefined where it leaves them. */
  readonly closing?: Closing | undefined;
  readonly observer?: CrawlObserver | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Lets other work run; awaited at every barrier. */
  readonly breathe: () => Promise<void>;
}

/**
 * The end of a crawl whose downloads leave a trace outside: nothing more is started, and what is open is waited for and
 * observed, so that what was noted of downloads and what the processors know is the same in the end.
 */
export interface Closing {
  /** Longest wait, microseconds. */
  readonly graceUs: number;
  /** Calls off what is open then; how many downloads these were. */
  abandon(): Promise<number>;
}

/** A crawl that goes back to the same checkpoint so often is given up: processors live too short for one to follow. */
const crashesInVain = 100;

/** Watches a crawl from outside; it must not change it. */
export interface CrawlObserver {
  /**
   * All messages are received and insertions made by the crew of this thread: the state from which the superstep's
   * pages are chosen.
   */
  superstepBegins?(superstep: number): void;
  /** The superstep's barrier is passed. */
  superstepEnded?(superstep: number, barrierUs: number, pagesFetched: number): void;
}

/**
 * The crawl: bulk-synchronous supersteps of receiveMessages, run, sendMessages, bspSync on every processor (Marin,
 * Paredes & Bonacic, WIDM 2008, section 2), until nothing is left or a limit is reached. Drives simulated and live
 * Worlds alike: it awaits what they promise and asks them nothing else. Processors are asked through crews, wherever
 * these are; all that concerns more than one of them is here.
 *
 * Where a processor crashes before the barrier is passed, at work, waiting for others or in the exchange of messages,
 * the superstep is lost: all go back to their last checkpoint, as in Pregel (Malewicz et al., SIGMOD 2010, section
 * 4.2), for what others did since rests on its messages.
 */
export async function crawl(setup: CrawlSetup): Promise<RunSummary['ended']> {
  const { transport, recorder, maxUs, observer } = setup;
  let barrierUs = setup.beginUs ?? 0;
  const own = new LocalCrew(setup, barrierUs, (superstep) => observer?.superstepBegins?.(superstep));
  // The other crews are asked first: those elsewhere work while this one does.
  const crews: readonly Crew[] = [...(setup.crews ?? []), own];
  const all = crews.flatMap(({ ids }) => ids).sort((a, b) => a - b);
  const joint = <T>(ofCrew: (crew: Crew, i: number) => readonly T[]): T[] => byProcessor(crews, all.length, ofCrew);

  let standings = joint(({ standings }) => standings);
  let cash = new CashInvariant();
  let checkpoint: { readonly superstep: number; crashes: number; readonly mark: RecorderMark } | undefined;
  let closing: { readonly ended: RunSummary['ended']; readonly untilUs: number; abandoned: number } | undefined;
  for (let superstep = setup.firstSuperstep ?? 0; ; superstep++) {
    const shares = closing === undefined ? sharesOf(setup, standings) : standings.map(() => 0);
    const crashUs = all.map((id) => setup.crashes.nextUs(id, barrierUs));
    const firstCrashUs = Math.min(...crashUs);
    const isCheckpoint = firstCrashUs < Infinity && isCheckpointDue(setup, superstep, checkpoint?.superstep);
    const endUs = closing === undefined ? Math.min(barrierUs + setup.superstepUs, maxUs) : closing.untilUs;
    const arrivals = await Promise.all(crews.map((crew) => crew.begin({
      superstep,
      received: crew.ids.map((id) => transport.receive(id)),
      endUs: crew.ids.map((id) => Math.min(endUs, crashUs[id])),
      shares: crew.ids.map((id) => shares[id]),
      isCheckpoint,
    })));
    const arrivedUs = joint((_, i) => arrivals[i].arrivedUs);
    if (isCheckpoint)
      checkpoint = { superstep, crashes: 0, mark: recorder.mark(joint((_, i) => arrivals[i].observed)) };
    for (const { sent } of arrivals) for (const { from, to, pairs } of sent) transport.send(from, to, pairs);
    const barrier = await transport.sync(arrivedUs);

    if (checkpoint !== undefined && firstCrashUs <= barrier.barrierUs) {
      transport.discard();
      const noticedUs = Math.max(firstCrashUs, ...arrivedUs);
      const most = crashesInVain - checkpoint.crashes;
      const { crashes, resumedUs } = restart(setup, all.length, barrierUs, noticedUs, most);
      // Async: what one throws at once must not leave the others' promises alone.
      const inVain = await Promise.all(crews.map(async (crew) => crew.revive(resumedUs)));
      barrierUs = resumedUs;
      joint((_, i) => inVain[i]).forEach((counts, id) => {
        recorder.superstep(superstep, id, resumedUs, counts, noTraffic);
      });
      recorder.crashed(checkpoint.mark, crashes.map((crash) => ({ superstep, ...crash, resumedUs })));
      cash = new CashInvariant();
      checkpoint.crashes += crashes.length;
    } else {
      const countsCash = cash.isDue(
        sum(arrivals, ({ cashChanges }) => cashChanges), sum(arrivals, ({ known }) => known),
      );
      const settled = await Promise.all(crews.map((crew) => crew.settle({ barrierUs: barrier.barrierUs, countsCash })));
      if (countsCash) cash.check(settled.map((one) => one.cash), transport.amountUnderWay());
      barrierUs = barrier.barrierUs;
      const counts: SuperstepCounts[] = joint((_, i) => settled[i].counts);
      for (const id of all) recorder.superstep(superstep, id, barrierUs, counts[id], barrier.traffic[id]);
    }
    standings = joint(({ standings }) => standings);
    const pagesFetched = sum(standings, ({ fetched }) => fetched);
    observer?.superstepEnded?.(superstep, barrierUs, pagesFetched);
    await setup.breathe();

    if (closing === undefined) {
      const ended = endOf(setup, { standings, pagesFetched, barrierUs, crashes: checkpoint?.crashes ?? 0 });
      if (ended === undefined) continue;
      if (setup.closing === undefined) return ended;
      closing = { ended, untilUs: barrierUs + setup.closing.graceUs, abandoned: 0 };
    }
    const inFlight = sum(standings, (standing) => standing.inFlight);
    if (inFlight > closing.abandoned && barrierUs >= closing.untilUs && setup.closing !== undefined) {
      closing.abandoned += await setup.closing.abandon();
    }
    if (inFlight === closing.abandoned && all.every((id) => transport.waiting(id) === 0)) return closing.ended;
  }
}

/** Whether the crawl ends at this barrier, and why. */
function endOf(
  { transport, maxPages, maxUs, signal }: CrawlSetup,
  at: {
    readonly standings: readonly Standing[];
    readonly pagesFetched: number;
    readonly barrierUs: number;
    readonly crashes: number;
  },
): RunSummary['ended'] | undefined {
  if (at.standings.every(({ isIdle }, id) => isIdle && transport.waiting(id) === 0)) return 'frontier dry';
  if (at.pagesFetched >= maxPages) return 'page limit';
  if (at.barrierUs >= maxUs) return 'time limit';
  if (signal?.aborted === true) return 'interrupted';
  return at.crashes >= crashesInVain ? 'no progress' : undefined;
}

/** What crews say of their processors, by processor. */
function byProcessor<T>(
  crews: readonly Crew[], processors: number, ofCrew: (crew: Crew, i: number) => readonly T[],
): T[] {
  const all = new Array<T>(processors);
  crews.forEach((crew, i) => { ofCrew(crew, i).forEach((value, at) => (all[crew.ids[at]] = value)); });
  return all;
}

interface CrashOf {
  readonly processor: number;
  readonly atUs: number;
}

/** Crashes after `sinceUs`, in order of time; ties to the lowest processor. */
function* crashesSince({ crashes }: CrawlSetup, processors: number, sinceUs: number): Generator<CrashOf> {
  const nextUs = Array.from({ length: processors }, (_, id) => crashes.nextUs(id, sinceUs));
  for (;;) {
    const atUs = Math.min(...nextUs);
    if (atUs === Infinity) return;
    const processor = nextUs.indexOf(atUs);
    yield { processor, atUs };
    nextUs[processor] = crashes.nextUs(processor, atUs);
  }
}

/**
 * All crashes from the beginning of a superstep that is lost until all processors go on. Those until `noticedUs`, when
 * all that could arrive have, are answered by one restart; each that comes later begins it anew.
 * @param most crashes after which nobody waits for a restart any more, nor after the time limit.
 */
function restart(
  setup: CrawlSetup, processors: number, sinceUs: number, noticedUs: number, most: number,
): { readonly crashes: CrashOf[]; readonly resumedUs: number } {
  const crashes: CrashOf[] = [];
  let resumedUs = noticedUs + setup.restartUs;
  for (const crash of crashesSince(setup, processors, sinceUs)) {
    const isGivenUp = crashes.length >= most || resumedUs >= setup.maxUs;
    if (crash.atUs > resumedUs || (crash.atUs > noticedUs && isGivenUp)) break;
    crashes.push(crash);
    resumedUs = Math.max(noticedUs, crash.atUs) + setup.restartUs;
  }
  return { crashes, resumedUs };
}

function isCheckpointDue({ checkpointSupersteps }: CrawlSetup, superstep: number, last: number | undefined): boolean {
  return last === undefined || (checkpointSupersteps > 0 && superstep - last >= checkpointSupersteps);
}

/**
 * What each processor may start in the coming superstep: the pages left (neither fetched nor in flight), shared as
 * evenly as integers allow, the remainder to the lowest numbers, among the processors that have something queued,
 * pending or received.
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

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
