import type { WebGraph } from '../../graphs/graph/index.ts';
import type { SettledCrawl } from '../settings/index.ts';
import type { Outcome } from '../world/index.ts';

/**
 * What a run reports while it is running. Record, replay hash, progress and live statistics are sinks; none of them
 * changes a run.
 *
 *  - *Order.* The outcomes of a processor arrive in the order (finishedAtUs, sequence); across processors, the order
 *  within a superstep is unspecified. At `superstep` the cut is complete: every download that ended at or before
 *  `barrierUs` has been reported, and none that ended later.
 *  - *Cost.* Nothing is built for an event that no sink handles. `outcome` is a plain call with the World's own object,
 *    which, with its links, is borrowed until the call returns. The loop awaits promises returned by `superstep`,
 *    `checkpoint`, `rolledBack` and `ended`, and no others.
 *  - *Undoing.* After a simulated crash the outcomes since the last checkpoint are lost: they happened, and their pages
 *    are fetched again (`rolledBack`).
 *  - *History.* A resumed run first reports what happened before, between `started` and the first new event. Sinks save
 *  no state of their own.
 *  - *Failure.* A sink that throws ends the run with its error; the others receive `ended('failed')`.
 */
export interface RunSink {
  /** Whether `outcome` reads `outcome.links`; the history then includes links, which takes longer. */
  readonly readsLinks?: boolean;
  /** The first event. */
  started?(run: RunStarted): void;
  /** The run continues with this superstep: the scheduler observes everything that was reported before. */
  superstepBegins?(superstep: number): void;
  /**
   * A download has ended.
   *
   * @param processor - the processor that started it.
   * @param outcome - how it ended; borrowed, with its links, until the call returns.
   * @param willRetry - the page is to be tried again: the failure is transient, or only robots.txt was fetched.
   */
  outcome?(processor: number, outcome: Outcome, willRetry: boolean): void;
  /** The barrier of a superstep is passed. */
  superstep?(end: SuperstepEnd): void | Promise<void>;
  /** From now on a crash rolls back to here. Reported before the superstep begins. */
  checkpoint?(checkpoint: CheckpointTaken): void | Promise<void>;
  /** A processor crashed. */
  crash?(crash: Crash): void;
  /** The run continues from its last checkpoint. Reported after the row of the superstep that was aborted. */
  rolledBack?(back: RolledBack): void | Promise<void>;
  /** A setting was changed during the run. */
  changed?(change: Change): void;
  /** The last event; `failed`: the run ended with an error. */
  ended?(end: RunEnd | 'failed'): void | Promise<void>;
}

/** Why a run ended. */
export type RunEnd = 'frontier dry' | 'page limit' | 'time limit' | 'interrupted' | 'no progress';

/** Facts about a run, before anything happens. */
export interface RunStarted {
  /** Which clock its times are from: a virtual one, or the real one. */
  readonly kind: 'simulation' | 'live';
  /** The settings of the run, including those derived from others. */
  readonly settings: SettledCrawl;
  /** The stored graph, where all of it is here; a live crawl has none. */
  readonly graph: WebGraph | undefined;
  /** Names behind the ids that later events have. */
  readonly names: PageNames;
  /** Maximum number of pages that the run can fetch, if known beforehand; otherwise Infinity. */
  readonly maxPages: number;
  /** The first new superstep; earlier ones happened before the run was resumed. */
  readonly firstSuperstep: number;
  /** Whether crashes may undo what happened since a checkpoint. */
  readonly mayRollBack: boolean;
}

/** Names behind the ids of pages and hosts. */
export interface PageNames {
  hostOf(page: number): number;
  hostName(host: number): string;
  /** The id of a host; -1 if it is not known. Cost: up to O(hosts). */
  findHost(name: string): number;
  /** Undefined if the graph has no URLs. */
  urlOf(page: number): string | undefined;
}

/** A superstep that has ended with its barrier. */
export interface SuperstepEnd {
  /** Its number, from 0 on. */
  readonly superstep: number;
  /** When its barrier released the processors, in microseconds since the run began. */
  readonly barrierUs: number;
  /**
   * In order of processors, one at least; processors at rest have none. The row of a processor at rest would be its
   * last one again, but for `superstep`, `barrierUs` and the time of its robots, which wait from barrier to barrier.
   * The sink may retain rows: they never change.
   */
  readonly rows: readonly SuperstepRow[];
  /**
   * Per row: how many of the last reported outcomes of its processor ended between its arrival and the barrier. The
   * scheduler observes them in the next superstep; if the run ends here, it never does.
   */
  readonly unobserved: readonly number[];
  /** Pages that the scheduler has observed as fetched in the whole run, except those lost in crashes. */
  readonly pagesFetched: number;
}

export interface CheckpointTaken {
  readonly superstep: number;
}

export interface RolledBack {
  /** The superstep before which the checkpoint was taken. */
  readonly superstep: number;
  /** `lost`: it was rolled back, and its pages are fetched again. */
  readonly kind: 'lost';
  /** Outcomes of that superstep that each processor had observed: the ones drained at the barrier before it. */
  readonly observed: readonly Observed[];
}

export type Observed = Pick<SuperstepRow, 'pages' | 'failures' | 'retried'>;

/** A setting changed during the run: it applies from this moment of the processor on, and is replayed there. */
export interface Change {
  readonly superstep: number;
  readonly processor: number;
  /** Outcomes that the processor had observed in the superstep, except those drained at the barrier before. */
  readonly observed: number;
  /**
   * `robots` of the processor; `paused`, 1 or 0: its robots start nothing; `hostDelayMs`: the least delay between two
   * downloads from `host`; `hostBlocked`, 1: nothing more is downloaded from it; `stop`, 1: the run ends at the barrier
   * of this superstep (recorded for processor 0, because it concerns all).
   */
  readonly setting: 'robots' | 'paused' | 'hostDelayMs' | 'hostBlocked' | 'stop';
  readonly value: number;
  /** The host's id, if the setting belongs to a host. */
  readonly host?: number | undefined;
}

/**
 * A processor crashed in a superstep or in the restart after it, and all continued from their last checkpoint. Every
 * crash until the end of the crawl is recorded.
 */
export interface Crash {
  readonly superstep: number;
  readonly processor: number;
  readonly atUs: number;
  readonly resumedUs: number;
}

/** One row of `supersteps.csv`: what one processor did in one superstep. Units last in the names. */
export interface SuperstepRow {
  readonly superstep: number;
  readonly processor: number;
  /** When the superstep's barrier let the processors go on. */
  readonly barrierUs: number;
  /** Pages fetched and observed, those drained at the barrier before included. */
  readonly pages: number;
  /** Outcomes observed without a page. */
  readonly failures: number;
  /** Failures after which the page is retried. */
  readonly retried: number;
  /** Outcomes observed that had been drained at the barrier before. */
  readonly drained: number;
  readonly bytes: number;
  /** Queue entries extracted, and the stale ones; entries inserted, and those of pages that were queued already. */
  readonly extracted: number;
  readonly stale: number;
  readonly inserted: number;
  readonly reinserted: number;
  readonly insertComparisons: number;
  readonly extractComparisons: number;
  /** Links from observed pages to pages of other processors, before combining. */
  readonly crossLinks: number;
  /** Pairs over the superstep's barrier. */
  readonly pairsSent: number;
  readonly pairsReceived: number;
  /** Messages that carried them. */
  readonly messagesSent: number;
  readonly messagesReceived: number;
  /** Robot time. */
  readonly busyUs: number;
  readonly stalledUs: number;
  readonly noJobUs: number;
  readonly barrierWaitUs: number;
  /** After the barrier: pages queued, jobs pending, downloads open. */
  readonly queued: number;
  readonly pending: number;
  readonly inFlight: number;
  /** After the barrier: blocks of the CBT, pivots of the QuickHeap, levels of the binary heap. */
  readonly queueStructure: number;
  /** Reads and writes of the files of a queue in secondary memory; 0 for one in memory. */
  readonly queueReads: number;
  readonly queueWrites: number;
  /** R_x, and the pending jobs that the superstep aimed at. */
  readonly superstepLimit: number;
  readonly pendingTarget: number;
  /** Microseconds, not of robots: while all robots downloaded and a further job was ready; from arrival to barrier. */
  readonly saturatedUs: number;
  readonly waitUs: number;
  /** Part of `stalledUs` in which each pending job's host backed off or had asked for a pause. */
  readonly restingUs: number;
  /** A sample of queued pages while robots were stalled, and how many of their hosts were free and had no job. */
  readonly sampledPages: number;
  readonly sampledIdle: number;
  /** Failures that rules denied without a download; they do not count towards R_x. */
  readonly denied: number;
  /** Pages that failed without an outcome, because their host was given up or blocked. */
  readonly dropped: number;
  /** Pending pages that got another key, since their scores had changed. */
  readonly rekeyed: number;
  /** Time in which the bytes of ended downloads came in, and the part that the processor's own link added. */
  readonly transferUs: number;
  readonly throttledUs: number;
}
