/** The record of a run: what `--out` keeps on disk, and the figures anyone can recompute from it. */
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

/** Columns of `supersteps.csv`, in their order. */
export const superstepColumns = [
  'superstep', 'processor', 'barrierUs', 'pages', 'failures', 'retried', 'drained', 'bytes', 'extracted', 'stale',
  'inserted', 'reinserted', 'insertComparisons', 'extractComparisons', 'crossLinks', 'pairsSent', 'pairsReceived',
  'messagesSent', 'messagesReceived', 'busyUs', 'stalledUs', 'noJobUs', 'barrierWaitUs', 'queued', 'pending',
  'inFlight', 'queueStructure', 'queueReads', 'queueWrites',
] as const satisfies readonly (keyof SuperstepRow)[];

/** An outcome that was no page; `position` counts all outcomes in the order of the replay hash. */
export interface Failure {
  readonly position: number;
  readonly processor: number;
  readonly page: number;
  readonly kind: string;
  readonly startedUs: number;
  readonly finishedUs: number;
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

/** Everything that happened, in the total order (finishedAtUs, processor, sequence). */
export interface RunEvents {
  /** Ids of the pages fetched: `order.u32`. */
  readonly order: Uint32Array;
  /** Processor of each. */
  readonly processors: Uint32Array;
  /** Started and finished, microseconds, two a page: `times.f64`. */
  readonly times: Float64Array;
  readonly failures: readonly Failure[];
  readonly rows: readonly SuperstepRow[];
  readonly crashes: readonly Crash[];
}
