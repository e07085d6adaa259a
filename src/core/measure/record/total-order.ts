import { assert, grown } from '../../../base/index.ts';
import type {
  Change, Crash, Observed, RolledBack, RunEnd, RunSink, RunStarted, SuperstepEnd, SuperstepRow,
} from '../../events/index.ts';
import type { OutcomeKind } from '../../world/index.ts';
import { LOST, recordedKinds } from './events.ts';

/** What a record needs of an outcome; a World's Outcome has it. */
export interface RecordedOutcome {
  readonly page: number;
  readonly kind: OutcomeKind;
  readonly startedAtUs: number;
  readonly finishedAtUs: number;
}

/** Outcomes in the total order, as columns; good until the call that passes them returns. */
export interface OutcomeBatch {
  readonly size: number;
  readonly pages: Uint32Array;
  readonly processors: Uint32Array;
  /** Positions in `recordedKinds`. */
  readonly kinds: Uint8Array;
  /** Started and finished, microseconds, two per outcome. */
  readonly times: Float64Array;
}

/** What one superstep, or several that a crash could have undone, left behind for good. */
export interface Settled {
  readonly outcomes: OutcomeBatch;
  readonly rows: readonly SuperstepRow[];
  readonly crashes: readonly Crash[];
  readonly changes: readonly Change[];
  /**
   * Positions in `outcomes` of those that the scheduler observed after the last of the rows: had the run ended with
   * that row, they would not be part of it.
   */
  readonly unobserved: readonly number[];
}

/** Receives what happened, in the total order, once nothing can change it any more. */
export interface OrderedTarget {
  settled(settled: Settled): void;
  ended?(end: RunEnd | 'failed'): void | Promise<void>;
}

/** A processor's outcomes that are not settled yet, in its order. */
class ProcessorLog {
  size = 0;
  /** Outcomes at the end that the scheduler has not observed. */
  unobserved = 0;
  /** Outcomes at the front that came before the last checkpoint. */
  safe = 0;
  pages = new Uint32Array(16);
  kinds = new Uint8Array(16);
  times = new Float64Array(32);

  add({ page, kind, startedAtUs, finishedAtUs }: RecordedOutcome): void {
    const position = this.size++;
    if (position === this.pages.length) {
      this.pages = grown(this.pages, this.size);
      this.kinds = grown(this.kinds, this.pages.length);
      this.times = grown(this.times, 2 * this.pages.length);
    }
    this.pages[position] = page;
    this.kinds[position] = kind === 'fetched' ? 0 : recordedKinds.indexOf(kind);
    this.times[2 * position] = startedAtUs;
    this.times[2 * position + 1] = finishedAtUs;
  }

  /** How many outcomes at the front were observed, or ended before `us`. */
  readyBefore(us: number): number {
    let count = this.size;
    while (count > this.size - this.unobserved && this.times[2 * count - 1] >= us) count--;
    return count;
  }

  /** Forgets so many outcomes at the front. */
  drop(count: number): void {
    this.pages.copyWithin(0, count, this.size);
    this.kinds.copyWithin(0, count, this.size);
    this.times.copyWithin(0, 2 * count, 2 * this.size);
    this.size -= count;
    this.unobserved = Math.min(this.unobserved, this.size);
    this.safe = Math.max(0, this.safe - count);
  }
}

/**
 * The sink that puts a run into the total order (finishedAtUs, processor, sequence), cut by cut, for record and
 * replay hash. It holds the outcomes and rows of a superstep, or since the last checkpoint if crashes may undo them: 21
 * bytes per outcome, and the rows. Each outcome costs O(log n), with n processors that have some.
 */
export class TotalOrder implements RunSink {
  readonly #targets: readonly OrderedTarget[];
  /** The logs of processors that have fetched something. */
  readonly #logs: ProcessorLog[] = [];
  /** Those with outcomes that are not settled. */
  readonly #held = new Set<number>();
  readonly #batch = new Batch();
  #rows: SuperstepRow[] = [];
  #crashes: Crash[] = [];
  #changes: Change[] = [];
  #mayRollBack = false;
  #lastUs = -Infinity;
  /** The last barrier. What ends at it may be preceded by a download of no length that begins there. */
  #barrierUs = Infinity;

  constructor(targets: readonly OrderedTarget[]) {
    this.#targets = targets;
  }

  started({ mayRollBack }: Pick<RunStarted, 'mayRollBack'>): void {
    this.#mayRollBack = mayRollBack;
  }

  outcome(processor: number, outcome: RecordedOutcome): void {
    const log = (this.#logs[processor] ??= new ProcessorLog());
    if (log.size === 0) this.#held.add(processor);
    log.add(outcome);
  }

  superstep({ barrierUs, rows, unobserved }: Pick<SuperstepEnd, 'barrierUs' | 'rows' | 'unobserved'>): void {
    this.#barrierUs = barrierUs;
    for (const row of rows) this.#rows.push(row);
    rows.forEach(({ processor }, i) => {
      if (this.#held.has(processor)) this.#logs[processor].unobserved = unobserved[i];
    });
  }

  superstepBegins(): void {
    if (!this.#mayRollBack) this.#settle();
  }

  /** What came before it can no longer be lost. */
  checkpoint(): void {
    this.#settle();
    for (const log of this.#logsHeld()) log.safe = log.size;
  }

  crash(crash: Crash): void {
    this.#crashes.push(crash);
  }

  changed(change: Change): void {
    this.#changes.push(change);
  }

  /** Outcomes and rows since the checkpoint stay; pages among them become failures that are tried again. */
  rolledBack({ superstep, observed }: Pick<RolledBack, 'superstep' | 'observed'>): void {
    for (const log of this.#logsHeld()) {
      for (let i = log.safe; i < log.size; i++) if (log.kinds[i] === 0) log.kinds[i] = LOST;
    }
    this.#rows = this.#rows.map((row) => (
      { ...row, ...inVain(row, row.superstep === superstep ? observed[row.processor] : undefined) }
    ));
  }

  /** Unobserved outcomes are no part of the run; neither is the broken-off superstep of a run that failed. */
  async ended(end: RunEnd | 'failed'): Promise<void> {
    if (end !== 'failed') {
      for (const log of this.#logsHeld()) {
        log.size -= log.unobserved;
        log.unobserved = 0;
      }
      this.#barrierUs = Infinity;
      this.#settle();
    }
    await Promise.all(this.#targets.map(async (target) => target.ended?.(end)));
  }

  /** Hands on all that is held, except what was drained at the very last barrier: no row has it yet. */
  #settle(): void {
    const settled = {
      unobserved: this.#merge(), outcomes: this.#batch, rows: this.#rows, crashes: this.#crashes,
      changes: this.#changes,
    };
    this.#rows = [];
    this.#crashes = [];
    this.#changes = [];
    for (const target of this.#targets) target.settled(settled);
  }

  #logsHeld(): ProcessorLog[] {
    return Array.from(this.#held, (processor) => this.#logs[processor]);
  }

  /** Merges the logs into the batch and empties them; the positions of outcomes not observed. */
  #merge(): number[] {
    const batch = this.#batch;
    const unobserved: number[] = [];
    const processors = [...this.#held].sort((a, b) => a - b);
    const ready = processors.map((processor) => this.#logs[processor].readyBefore(this.#barrierUs));
    batch.clear(ready.reduce((sum, size) => sum + size, 0));
    const heads = new Heads(processors.map((processor, i) => ({ log: this.#logs[processor], size: ready[i] })));
    for (let room = batch.room; room > 0; room--) {
      const i = heads.first;
      const log = this.#logs[processors[i]];
      const head = heads.next();
      const finishedUs = log.times[2 * head + 1];
      assert(finishedUs >= this.#lastUs, 'outcomes of a processor are out of order');
      this.#lastUs = finishedUs;
      if (head >= log.size - log.unobserved) unobserved.push(batch.size);
      batch.add(log.pages[head], processors[i], log.kinds[head], log.times[2 * head], finishedUs);
    }
    processors.forEach((processor, i) => {
      const log = this.#logs[processor];
      log.drop(ready[i]);
      if (log.size === 0) this.#held.delete(processor);
    });
    return unobserved;
  }
}

class Batch implements OutcomeBatch {
  size = 0;
  /** Outcomes that it was cleared for. */
  room = 0;
  pages = new Uint32Array(0);
  processors = new Uint32Array(0);
  kinds = new Uint8Array(0);
  times = new Float64Array(0);

  clear(room: number): void {
    this.size = 0;
    this.room = room;
    this.pages = grown(this.pages, room);
    this.processors = grown(this.processors, room);
    this.kinds = grown(this.kinds, room);
    this.times = grown(this.times, 2 * room);
  }

  add(page: number, processor: number, kind: number, startedUs: number, finishedUs: number): void {
    const position = this.size++;
    this.pages[position] = page;
    this.processors[position] = processor;
    this.kinds[position] = kind;
    this.times[2 * position] = startedUs;
    this.times[2 * position + 1] = finishedUs;
  }
}

/** The first outcomes of logs, as a binary heap by (time, log). */
class Heads {
  readonly #logs: readonly { readonly log: ProcessorLog; readonly size: number }[];
  /** For each log, the outcomes gone by, and when the next finished. */
  readonly #gone: Uint32Array;
  readonly #nextUs: Float64Array;
  /** Logs that have outcomes left, the earliest first. */
  readonly #heap: Uint32Array;
  #size: number;

  constructor(logs: readonly { readonly log: ProcessorLog; readonly size: number }[]) {
    this.#logs = logs;
    this.#gone = new Uint32Array(logs.length);
    this.#nextUs = Float64Array.from(logs, ({ log }) => log.times[1]);
    this.#heap = Uint32Array.from(logs.keys()).filter((i) => logs[i].size > 0);
    this.#size = this.#heap.length;
    for (let at = (this.#size >>> 1) - 1; at >= 0; at--) this.#sink(at, this.#heap[at]);
  }

  /** The log of the earliest outcome; ties to the lowest. */
  get first(): number {
    return this.#heap[0];
  }

  /** Removes the earliest outcome; returns its place in its log. */
  next(): number {
    const i = this.#heap[0];
    const place = this.#gone[i]++;
    const { log, size } = this.#logs[i];
    if (place + 1 < size) {
      this.#nextUs[i] = log.times[2 * place + 3];
      this.#sink(0, i);
    } else if (--this.#size > 0) this.#sink(0, this.#heap[this.#size]);
    return place;
  }

  /** Puts a log into the hole at `at` or, below it, where it is not before its parent. */
  #sink(at: number, log: number): void {
    const heap = this.#heap;
    for (let child = 2 * at + 1; child < this.#size; child = 2 * at + 1) {
      if (child + 1 < this.#size && this.#isBefore(heap[child + 1], heap[child])) child++;
      if (!this.#isBefore(heap[child], log)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = log;
  }

  #isBefore(log: number, other: number): boolean {
    const us = this.#nextUs[log] - this.#nextUs[other];
    return us < 0 || (us === 0 && log < other);
  }
}

/** The counts of a row whose outcomes, but for those `observed` before the checkpoint, have to be had again. */
function inVain(
  { pages, failures }: Observed, observed: Observed = { pages: 0, failures: 0, retried: 0 },
): Observed & { readonly dropped: number } {
  const count = pages + failures - observed.pages - observed.failures;
  return { pages: observed.pages, failures: observed.failures + count, retried: observed.retried + count, dropped: 0 };
}
