import type { WebGraph } from '../graph/index.ts';
import type { SettledCrawl } from '../settings/index.ts';
import type { Outcome } from '../world/index.ts';

/**
 * What a run reports while it goes on. Record, replay hash, progress and live statistics are sinks; none of them
 * changes a run.
 *
 *  - *Order.* The outcomes of a processor come in the order (finishedAtUs, sequence); between processors nothing is
 *    promised within a superstep. At `superstep` the cut is complete: every download that ended at or before
 *    `barrierUs` has been reported, and nothing that ends later.
 *  - *Cost.* Nothing is built for an event that no sink hears. `outcome` is a plain call with the World's own object,
 *    which, with its links, is borrowed until the call returns. The loop waits for `superstep`, `checkpoint`,
 *    `rolledBack` and `ended` where they return a promise, and nowhere else.
 *  - *Undoing.* After a simulated crash the outcomes since the last checkpoint are lost: they happened, and their pages
 *    are fetched again (`rolledBack`).
 *  - *History.* A run that is resumed first reports what happened before, between `started` and the first new event. No
 *    sink saves state of its own.
 *  - *Failure.* A sink that throws ends the run with its error; the others receive `ended('failed')`.
 */
export interface RunSink {
  /** Whether `outcome` reads `outcome.links`; a history then comes with links, which takes longer. */
  readonly readsLinks?: boolean;
  /** First of all events. */
  started?(run: RunStarted): void;
  /** The run goes on with this superstep: the scheduler observes all that was reported before. */
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
  /** From now on a crash goes back to here. Comes before the superstep begins. */
  checkpoint?(taken: CheckpointTaken): void | Promise<void>;
  /** A processor crashed. */
  crash?(crash: Crash): void;
  /** The run goes on from its last checkpoint. Comes after the row of the superstep that was broken off. */
  rolledBack?(back: RolledBack): void | Promise<void>;
  /** A setting was changed while the run went on. */
  changed?(change: Change): void;
  /** Last of all events; `failed`: the run has ended with an error. */
  ended?(end: RunEnd | 'failed'): void | Promise<void>;
}

/** Why a run ended. */
export type RunEnd = 'frontier dry' | 'page limit' | 'time limit' | 'interrupted' | 'no progress';

/** What a run says of itself before anything happens. */
export interface RunStarted {
  /** Whose clock it is: a virtual one, or the world's. */
  readonly kind: 'simulation' | 'live';
  /** The settings of the run, with those that follow from others. */
  readonly settings: SettledCrawl;
  /** The stored graph; a live crawl has none. */
  readonly graph: WebGraph | undefined;
  /** Names behind the ids that later events have. */
  readonly names: PageNames;
  /** Pages that the run can fetch at most, as far as that is known beforehand; else Infinity. */
  readonly maxPages: number;
  /** The first superstep that is new; what comes before it happened before the run was resumed. */
  readonly firstSuperstep: number;
  /** Crashes may undo what happened since a checkpoint. */
  readonly mayRollBack: boolean;
}

/** Names behind the ids of pages and hosts. */
export interface PageNames {
  hostOf(page: number): number;
  hostName(host: number): string;
  /** Undefined where the graph has no URLs. */
  urlOf(page: number): string | undefined;
}

/** A superstep whose barrier is passed. */
export interface SuperstepEnd {
  /** Its number, from 0 on. */
  readonly superstep: number;
  /** When its barrier let the processors go on, microseconds since the run began. */
  readonly barrierUs: number;
  /** One per processor, in their order. The sink may hold them: they never change. */
  readonly rows: readonly SuperstepRow[];
  /**
   * By processor: how many of the outcomes reported last ended between its arrival and the barrier. The scheduler
   * learns from them in the next superstep; where the run ends here, it never does.
   */
  readonly unobserved: readonly number[];
  /** Pages that the scheduler has observed as fetched in the whole run, those lost in crashes apart. */
  readonly pagesFetched: number;
}

export interface CheckpointTaken {
  readonly superstep: number;
}

export interface RolledBack {
  /** The superstep before which the checkpoint was taken. */
  readonly superstep: number;
  /** `lost`: it happened, and its pages are fetched again. */
  readonly kind: 'lost';
  /** What each processor had already observed of that superstep: what the barrier before it had brought. */
  readonly observed: readonly Observed[];
}

export type Observed = Pick<SuperstepRow, 'pages' | 'failures' | 'retried'>;

/** A setting changed while the run went on: it holds from this moment of the processor on, and replays there. */
export interface Change {
  readonly superstep: number;
  readonly processor: number;
  /** Outcomes that the processor had observed in the superstep, those drained at the barrier before apart. */
  readonly observed: number;
  /**
   * `robots` of the processor; `paused`, 1 or 0: its robots start nothing; `stop`, 1: the run ends at the barrier of
   * this superstep (of processor 0, for it concerns all).
   */
  readonly setting: 'robots' | 'paused' | 'stop';
  readonly value: number;
}

/**
 * A processor crashed in a superstep or in the restart after it, and all went on from their last checkpoint. Every
 * crash until the end of the crawl is in the record.
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
  /** Outcomes observed that were no page. */
  readonly failures: number;
  /** Those after which the page is to be tried again. */
  readonly retried: number;
  /** Outcomes observed that had been drained at the barrier before. */
  readonly drained: number;
  readonly bytes: number;
  /**
   * Queue entries extracted, the stale ones among them, entries inserted, those among them for pages already queued.
   */
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
  /** Messages that these made. */
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
  /** Calls of a queue in secondary memory that read from its files, or wrote to them; 0 of one in memory. */
  readonly queueReads: number;
  readonly queueWrites: number;
}
