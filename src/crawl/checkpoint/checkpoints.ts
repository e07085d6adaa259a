import type { CrawlStore, LiveClock } from '../../live/index.ts';
import type { RunEvents } from '../../measure/index.ts';
import { barrierOf, type Processor } from '../../scheduler/index.ts';
import { WorldError } from '../../base/index.ts';
import { encodeCheckpoint } from './checkpoint.ts';

/**
 * A checkpoint is due when this many times the duration of the last one has passed: they take at most a twentieth of
 * the time.
 */
const checkpointShare = 20;
const minCheckpointUs = 1e6;

export interface CheckpointParts {
  readonly store: CrawlStore;
  readonly clock: LiveClock;
  readonly processors: readonly Processor[];
  /** All events so far. */
  readonly events: () => RunEvents;
  /** Maximum size of a checkpoint in bytes. */
  readonly maxBytes: number | undefined;
  /** Called if a checkpoint cannot be taken: the crawl must end, since it could not be resumed. */
  readonly onFailure: () => void;
}

/** Stores checkpoints of a live crawl when they are due. */
export class Checkpoints {
  /** Fulfilled when the last one is written; awaited at every barrier, so that a failing store ends the crawl. */
  written: Promise<void> = Promise.resolve();
  /** Why no checkpoint can be taken any more; the record can still be written. */
  failure: WorldError | undefined;
  readonly #parts: CheckpointParts;
  #dueAtUs = -Infinity;
  #superstep = 0;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
  }

  /** Called when all messages of the superstep are received. */
  takeIfDue(superstep: number): void {
    this.#superstep = superstep;
    if (this.#parts.clock.nowUs >= this.#dueAtUs) this.#take(superstep);
  }

  /** Called when the crawl has ended; takes the checkpoint of the superstep that would follow. */
  takeLast(): void {
    this.#take(this.#superstep + 1);
  }

  #take(superstep: number): void {
    if (this.failure !== undefined) return;
    const { store, clock } = this.#parts;
    const beginUs = clock.nowUs;
    const state = this.#encoded(superstep);
    if (state === undefined) return;
    this.written = store.checkpoint(state);
    // Awaited at the barrier, but it may fail before that.
    this.written.catch(() => undefined);
    this.#dueAtUs = clock.nowUs + Math.max(minCheckpointUs, checkpointShare * (clock.nowUs - beginUs));
  }

  #encoded(superstep: number): Uint8Array | undefined {
    const { processors, events, maxBytes, onFailure } = this.#parts;
    const barrierUs = barrierOf(processors);
    const saved = processors.map(({ frontier }) => frontier.save(barrierUs));
    try {
      return encodeCheckpoint({ superstep, barrierUs, processors: saved, events: events() }, maxBytes);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      this.failure = error;
      onFailure();
      return undefined;
    }
  }
}
