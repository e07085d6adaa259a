import type { Traffic } from '../../bsp/index.ts';
import { assert, grown, WorldError } from '../../base/index.ts';
import type { Crash, Failure, RunEvents, SuperstepRow } from './events.ts';

/** What the recorder needs of an outcome; a World's Outcome has it. */
interface RecordedOutcome {
  readonly page: number;
  readonly kind: string;
  readonly startedAtUs: number;
  readonly finishedAtUs: number;
}

/** The outcomes of one processor, as one recorder gives them to another: it can be cloned. */
export interface OutcomeLog {
  readonly pages: Uint32Array<ArrayBuffer>;
  /** Started and finished, two an outcome. */
  readonly times: Float64Array<ArrayBuffer>;
  /** Kinds of the outcomes that were no page, by position in this log. */
  readonly failures: Map<number, string>;
}

/** What a Map holds. */
const FAILURES_MOST = 2 ** 24;

/** The outcomes of one processor, in its order. 20 bytes each. */
class ProcessorLog implements OutcomeLog {
  readonly #processor: number;
  readonly #failuresMost: number;
  count = 0;
  pages: Uint32Array<ArrayBuffer> = new Uint32Array(64);
  times: Float64Array<ArrayBuffer> = new Float64Array(128);
  readonly failures: Map<number, string> = new Map();

  constructor(processor: number, failuresMost: number, taken?: OutcomeLog) {
    this.#processor = processor;
    this.#failuresMost = failuresMost;
    if (taken === undefined) return;
    this.count = taken.pages.length;
    this.pages = taken.pages;
    this.times = taken.times;
    this.failures = taken.failures;
  }

  add(outcome: RecordedOutcome): void {
    const position = this.count++;
    if (position === this.pages.length) {
      this.pages = grown(this.pages, this.count);
      this.times = grown(this.times, 2 * this.pages.length);
    }
    this.pages[position] = outcome.page;
    this.times[2 * position] = outcome.startedAtUs;
    this.times[2 * position + 1] = outcome.finishedAtUs;
    if (outcome.kind !== 'fetched') this.#fail(position, outcome.kind);
  }

  finishedUs(position: number): number {
    return position < this.count ? this.times[2 * position + 1] : Infinity;
  }

  /** What was fetched from `position` on is lost: it has to be fetched again. */
  lose(position: number): void {
    for (; position < this.count; position++) if (!this.failures.has(position)) this.#fail(position, 'lost');
  }

  #fail(position: number, kind: string): void {
    if (this.failures.size >= this.#failuresMost) {
      throw new WorldError(
        `processor ${this.#processor} has met ${this.#failuresMost} requests without a page, ` +
          'and a record holds no more of one processor: crawl with more processors, or in several crawls',
      );
    }
    this.failures.set(position, kind);
  }
}

/** How far a record had come. */
export interface RecorderMark {
  readonly rows: number;
  /** What each processor had observed in the superstep under way: what was drained at the barrier before it. */
  readonly observed: readonly Observed[];
}

export type Observed = Pick<SuperstepRow, 'pages' | 'failures' | 'retried'>;

/** What a row of a superstep says besides the counts of the processor. */
type RowOfBarrier = 'superstep' | 'processor' | 'barrierUs' | keyof Traffic;

/**
 * Writes down what happens during a run, and puts it into the total order (finishedAtUs, processor, sequence) at its
 * end. Where the processors are in several crews, each crew has one for their outcomes; that of the loop has the rows,
 * and takes those in at the end.
 */
export class Recorder {
  readonly rows: SuperstepRow[] = [];
  readonly crashes: Crash[] = [];
  readonly #logs: ProcessorLog[];

  readonly #failuresMost: number;

  /** @param failuresMost failures of a processor, with more of which WorldError is thrown. */
  constructor(processors: number, failuresMost = FAILURES_MOST) {
    this.#failuresMost = failuresMost;
    this.#logs = Array.from({ length: processors }, (_, processor) => new ProcessorLog(processor, failuresMost));
  }

  /** Notes an outcome of `processor`; each processor's come in the order (finishedAtUs, sequence). */
  outcome(processor: number, outcome: RecordedOutcome): void {
    this.#logs[processor].add(outcome);
  }

  /** Notes what `processor` did in a superstep. */
  superstep(
    superstep: number, processor: number, barrierUs: number, counts: Omit<SuperstepRow, RowOfBarrier>, traffic: Traffic,
  ): void {
    // Field by field: a row of one shape takes a quarter of the room and of the time that a spread one does.
    this.rows.push({
      superstep, processor, barrierUs, pages: counts.pages, failures: counts.failures, retried: counts.retried,
      drained: counts.drained, bytes: counts.bytes, extracted: counts.extracted, stale: counts.stale,
      inserted: counts.inserted, reinserted: counts.reinserted, insertComparisons: counts.insertComparisons,
      extractComparisons: counts.extractComparisons, crossLinks: counts.crossLinks, pairsSent: traffic.pairsSent,
      pairsReceived: traffic.pairsReceived, messagesSent: traffic.messagesSent,
      messagesReceived: traffic.messagesReceived, busyUs: counts.busyUs, stalledUs: counts.stalledUs,
      noJobUs: counts.noJobUs, barrierWaitUs: counts.barrierWaitUs, queued: counts.queued, pending: counts.pending,
      inFlight: counts.inFlight, queueStructure: counts.queueStructure, queueReads: counts.queueReads,
      queueWrites: counts.queueWrites,
    });
  }

  /** @param counts of the superstep under way, one a processor. */
  mark(counts: readonly Observed[]): RecorderMark {
    return {
      rows: this.rows.length,
      observed: counts.map(({ pages, failures, retried }) => ({ pages, failures, retried })),
    };
  }

  /**
   * Processors crashed, and the crawl goes back to where the record stood at `mark`, in all but time: the outcomes
   * since stay in the record, and the pages among them become failures that are tried again (`lose`). So do the rows,
   * those of the superstep that was broken off included.
   */
  crashed(mark: RecorderMark, crashes: readonly Crash[]): void {
    this.crashes.push(...crashes);
    for (let i = mark.rows; i < this.rows.length; i++) {
      const observed = mark.observed.at(i - mark.rows) ?? { pages: 0, failures: 0, retried: 0 };
      this.rows[i] = { ...this.rows[i], ...inVain(this.rows[i], observed) };
    }
  }

  /** Outcomes noted of each processor so far. */
  outcomes(): number[] {
    return this.#logs.map(({ count }) => count);
  }

  /** What was fetched since there were so many outcomes of each processor is to be had again. */
  lose(outcomes: readonly number[]): void {
    this.#logs.forEach((log, processor) => { log.lose(outcomes[processor]); });
  }

  /** What is noted of `processor`, as copies. */
  logOf(processor: number): OutcomeLog {
    const { pages, times, count, failures } = this.#logs[processor];
    return { pages: pages.slice(0, count), times: times.slice(0, 2 * count), failures };
  }

  /** Takes over what another recorder noted of `processor`. */
  take(processor: number, log: OutcomeLog): void {
    assert(this.#logs[processor].count === 0, () => `outcomes of processor ${processor} are noted by two recorders`);
    this.#logs[processor] = new ProcessorLog(processor, this.#failuresMost, log);
  }

  /** Pages of the outcomes noted of `processor` so far, in its order; a view that later outcomes may make stale. */
  pagesOf(processor: number): Uint32Array {
    const { pages, count } = this.#logs[processor];
    return pages.subarray(0, count);
  }

  /** Merges the processors' logs. O(outcomes x log processors) would do; P is small, and a scan over P is plain. */
  finish(): RunEvents {
    const total = this.#logs.reduce((sum, log) => sum + log.count, 0);
    const failed = this.#logs.reduce((sum, log) => sum + log.failures.size, 0);
    const order = new Uint32Array(total - failed);
    const processors = new Uint32Array(total - failed);
    const times = new Float64Array(2 * (total - failed));
    const failures: Failure[] = [];
    const heads = new Uint32Array(this.#logs.length);
    /** When each processor's next outcome finished; Infinity where none is left. */
    const nextUs = Float64Array.from(this.#logs, (log) => log.finishedUs(0));
    let lastUs = -Infinity;
    for (let position = 0, fetched = 0; position < total; position++) {
      const processor = earliest(nextUs);
      const log = this.#logs[processor];
      const head = heads[processor]++;
      const page = log.pages[head];
      const startedUs = log.times[2 * head];
      const finishedUs = nextUs[processor];
      nextUs[processor] = log.finishedUs(head + 1);
      assert(finishedUs >= lastUs, 'outcomes of a processor are out of order');
      lastUs = finishedUs;
      const kind = log.failures.size === 0 ? undefined : log.failures.get(head);
      if (kind !== undefined) {
        failures.push({ position, processor, page, kind, startedUs, finishedUs });
        continue;
      }
      order[fetched] = page;
      processors[fetched] = processor;
      times[2 * fetched] = startedUs;
      times[2 * fetched + 1] = finishedUs;
      fetched++;
    }
    return { order, processors, times, failures, rows: this.rows, crashes: this.crashes };
  }
}

/** The processor whose next outcome finished first; ties to the lowest. */
function earliest(nextUs: Float64Array): number {
  let first = 0;
  for (let processor = 1; processor < nextUs.length; processor++)
    if (nextUs[processor] < nextUs[first]) first = processor;
  return first;
}

/** The counts of a row whose outcomes, but for those `observed` before the checkpoint, have to be had again. */
function inVain({ pages, failures }: Observed, observed: Observed): Observed {
  const lost = pages + failures - observed.pages - observed.failures;
  return { pages: observed.pages, failures: observed.failures + lost, retried: observed.retried + lost };
}
