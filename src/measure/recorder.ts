import type { Traffic } from '../bsp/index.ts';
import { assert, grown } from '../std/index.ts';
import type { Crash, Failure, RunEvents, SuperstepRow } from './record.ts';

/** What the recorder needs of an outcome; a World's Outcome has it. */
interface RecordedOutcome {
  readonly page: number;
  readonly kind: string;
  readonly startedAtUs: number;
  readonly finishedAtUs: number;
}

/** The outcomes of one processor, in its order. 20 bytes each. */
class ProcessorLog {
  count = 0;
  pages = new Uint32Array(64);
  /** Started and finished, two an outcome. */
  times = new Float64Array(128);
  /** Kinds of the outcomes that were no page, by position in this log. */
  readonly failures = new Map<number, string>();

  add(outcome: RecordedOutcome): void {
    const position = this.count++;
    this.pages = grown(this.pages, this.count);
    this.times = grown(this.times, 2 * this.count);
    this.pages[position] = outcome.page;
    this.times[2 * position] = outcome.startedAtUs;
    this.times[2 * position + 1] = outcome.finishedAtUs;
    if (outcome.kind !== 'fetched') this.failures.set(position, outcome.kind);
  }

  /** What was fetched from `position` on is lost: it has to be fetched again. */
  lose(position: number): void {
    for (; position < this.count; position++) if (!this.failures.has(position)) this.failures.set(position, 'lost');
  }
}

/** How far a record had come. */
export interface RecorderMark {
  readonly rows: number;
  /** Outcomes of each processor. */
  readonly outcomes: readonly number[];
  /** What each processor had observed in the superstep under way: what was drained at the barrier before it. */
  readonly observed: readonly Observed[];
}

type Observed = Pick<SuperstepRow, 'pages' | 'failures' | 'retried'>;

/** What a row of a superstep says besides the counts of the processor. */
type RowOfBarrier = 'superstep' | 'processor' | 'barrierUs' | keyof Traffic;

/** Writes down what happens during a run, and puts it into the total order (finishedAtUs, processor, sequence) at its end. */
export class Recorder {
  readonly rows: SuperstepRow[] = [];
  readonly crashes: Crash[] = [];
  readonly #logs: ProcessorLog[];

  constructor(processors: number) {
    this.#logs = Array.from({ length: processors }, () => new ProcessorLog());
  }

  /** Notes an outcome of `processor`; each processor's come in the order (finishedAtUs, sequence). */
  outcome(processor: number, outcome: RecordedOutcome): void {
    this.#logs[processor].add(outcome);
  }

  /** Notes what `processor` did in a superstep. */
  superstep(superstep: number, processor: number, barrierUs: number, counts: Omit<SuperstepRow, RowOfBarrier>, traffic: Traffic): void {
    this.rows.push({ superstep, processor, barrierUs, ...counts, ...traffic });
  }

  /** @param counts of the superstep under way, one a processor. */
  mark(counts: readonly Observed[]): RecorderMark {
    return {
      rows: this.rows.length,
      outcomes: this.#logs.map(({ count }) => count),
      observed: counts.map(({ pages, failures, retried }) => ({ pages, failures, retried })),
    };
  }

  /**
   * A processor crashed, and the crawl goes back to where the record stood at `mark`, in all but time: the outcomes since stay in
   * the record, and the pages among them become failures that are tried again. So do the rows, those of the superstep that was broken off
   * included.
   */
  crashed(mark: RecorderMark, crash: Crash): void {
    this.crashes.push(crash);
    this.#logs.forEach((log, processor) => log.lose(mark.outcomes[processor]));
    for (let i = mark.rows; i < this.rows.length; i++) {
      const observed = mark.observed.at(i - mark.rows) ?? { pages: 0, failures: 0, retried: 0 };
      this.rows[i] = { ...this.rows[i], ...inVain(this.rows[i], observed) };
    }
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
    let lastUs = -Infinity;
    for (let position = 0, fetched = 0; position < total; position++) {
      const processor = this.#earliest(heads);
      const log = this.#logs[processor];
      const head = heads[processor]++;
      const page = log.pages[head];
      const startedUs = log.times[2 * head];
      const finishedUs = log.times[2 * head + 1];
      assert(finishedUs >= lastUs, 'outcomes of a processor are out of order');
      lastUs = finishedUs;
      const kind = log.failures.get(head);
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

  /** The processor whose next outcome finished first; ties to the lowest. */
  #earliest(heads: Uint32Array): number {
    let earliest = -1;
    let earliestUs = Infinity;
    for (let processor = 0; processor < this.#logs.length; processor++) {
      const log = this.#logs[processor];
      if (heads[processor] === log.count) continue;
      const finishedUs = log.times[2 * heads[processor] + 1];
      if (finishedUs < earliestUs || earliest < 0) {
        earliest = processor;
        earliestUs = finishedUs;
      }
    }
    return earliest;
  }
}

/** The counts of a row whose outcomes, but for those `observed` before the checkpoint, have to be had again. */
function inVain({ pages, failures }: Observed, observed: Observed): Observed {
  const lost = pages + failures - observed.pages - observed.failures;
  return { pages: observed.pages, failures: observed.failures + lost, retried: observed.retried + lost };
}
