import { assert, grown } from '../../base/index.ts';
import type {
  Change, Crash, Observed, RolledBack, RunEnd, RunSink, RunStarted, SuperstepEnd, SuperstepRow,
} from '../../events/index.ts';
import { outcomeKinds, type OutcomeKind } from '../../world/index.ts';
import { LOST } from './events.ts';

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

/** The outcomes of one processor that are not settled yet, in its order. */
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
    this.kinds[position] = kind === 'fetched' ? 0 : outcomeKinds.indexOf(kind);
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
 * The sink that puts a run into the total order (finishedAtUs, processor, sequence), cut by cut, for all who need it:
 * record and replay hash. It holds the outcomes and rows of one superstep or, where crashes may undo them, those since
 * the last checkpoint: 21 bytes per outcome, and the rows. Each outcome costs a scan over the processors of the cut.
 */
export class TotalOrder implements RunSink {
  readonly #targets: readonly OrderedTarget[];
  readonly #logs: readonly ProcessorLog[];
  readonly #batch = new Batch();
  #rows: SuperstepRow[] = [];
  #crashes: Crash[] = [];
  #changes: Change[] = [];
  #mayRollBack = false;
  #lastUs = -Infinity;
  /** The last barrier. What ends at it may be preceded by a download of no length that begins there. */
  #barrierUs = Infinity;

  constructor(processors: number, targets: readonly OrderedTarget[]) {
    this.#targets = targets;
    this.#logs = Array.from({ length: processors }, () => new ProcessorLog());
  }

  started({ mayRollBack }: Pick<RunStarted, 'mayRollBack'>): void {
    this.#mayRollBack = mayRollBack;
  }

  outcome(processor: number, outcome: RecordedOutcome): void {
    this.#logs[processor].add(outcome);
  }

  superstep({ barrierUs, rows, unobserved }: Pick<SuperstepEnd, 'barrierUs' | 'rows' | 'unobserved'>): void {
    this.#barrierUs = barrierUs;
    for (const row of rows) this.#rows.push(row);
    this.#logs.forEach((log, processor) => { log.unobserved = unobserved[processor]; });
  }

  superstepBegins(): void {
    if (!this.#mayRollBack) this.#settle();
  }

  /** What came before it can no longer be lost. */
  checkpoint(): void {
    this.#settle();
    for (const log of this.#logs) log.safe = log.size;
  }

  crash(crash: Crash): void {
    this.#crashes.push(crash);
  }

  changed(change: Change): void {
    this.#changes.push(change);
  }

  /**
   * The outcomes since the checkpoint stay, and the pages among them become failures that are tried again. So do the
   * rows, that of the superstep that was broken off included.
   */
  rolledBack({ observed }: Pick<RolledBack, 'observed'>): void {
    for (const log of this.#logs) {
      for (let i = log.safe; i < log.size; i++) if (log.kinds[i] === 0) log.kinds[i] = LOST;
    }
    this.#rows = this.#rows.map((row, i) => ({ ...row, ...inVain(row, observed.at(i)) }));
  }

  /**
   * What the scheduler has not observed is no part of the run; of a run that failed, neither is the superstep that was
   * broken off.
   */
  async ended(end: RunEnd | 'failed'): Promise<void> {
    if (end !== 'failed') {
      for (const log of this.#logs) {
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

  /** Merges the logs into the batch and empties them; the positions of outcomes not observed. */
  #merge(): number[] {
    const batch = this.#batch;
    const unobserved: number[] = [];
    const processors: number[] = [];
    const ready = this.#logs.map((log) => log.readyBefore(this.#barrierUs));
    batch.clear(ready.reduce((sum, size) => sum + size, 0));
    ready.forEach((size, processor) => { if (size > 0) processors.push(processor); });
    const heads = new Uint32Array(processors.length);
    /** When each processor's next outcome finished; Infinity where none is left. */
    const nextUs = Float64Array.from(processors, (processor) => this.#logs[processor].times[1]);
    for (let left = batch.room; left > 0; left--) {
      const i = earliest(nextUs);
      const log = this.#logs[processors[i]];
      const head = heads[i]++;
      const finishedUs = nextUs[i];
      assert(finishedUs >= this.#lastUs, 'outcomes of a processor are out of order');
      this.#lastUs = finishedUs;
      if (head >= log.size - log.unobserved) unobserved.push(batch.size);
      batch.add(log.pages[head], processors[i], log.kinds[head], log.times[2 * head], finishedUs);
      nextUs[i] = head + 1 < ready[processors[i]] ? log.times[2 * head + 3] : Infinity;
    }
    for (const processor of processors) this.#logs[processor].drop(ready[processor]);
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

/** Index of the earliest time; ties to the lowest. */
function earliest(timesUs: Float64Array): number {
  let first = 0;
  for (let i = 1; i < timesUs.length; i++) if (timesUs[i] < timesUs[first]) first = i;
  return first;
}

/** The counts of a row whose outcomes, but for those `observed` before the checkpoint, have to be had again. */
function inVain(
  { pages, failures }: Observed, observed: Observed = { pages: 0, failures: 0, retried: 0 },
): Observed {
  const lost = pages + failures - observed.pages - observed.failures;
  return { pages: observed.pages, failures: observed.failures + lost, retried: observed.retried + lost };
}
