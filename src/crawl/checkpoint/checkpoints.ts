import type { CrawlStore, LiveClock } from '../../live/index.ts';
import type { RunEvents } from '../../measure/index.ts';
import type { Processor } from '../../scheduler/index.ts';
import { WorldError } from '../../base/index.ts';
import { encodeCheckpoint } from './checkpoint.ts';

/**
 * A checkpoint is due when this many times what the last one took has passed: they cost a twentieth of the time at
 * most.
 */
const checkpointShare = 20;
const checkpointLeastUs = 1e6;

export interface CheckpointParts {
  readonly store: CrawlStore;
  readonly clock: LiveClock;
  readonly processors: readonly Processor[];
  /** All that happened so far. */
  readonly events: () => RunEvents;
  /** Most bytes of a checkpoint. */
  readonly bytesMost: number | undefined;
  /** A checkpoint cannot be taken: the crawl is to end, for it could not go on from its end. */
  readonly onFailure: () => void;
}

/** Stores checkpoints of a live crawl when they are due. */
export class Checkpoints {
  /** Fulfilled when the last one is written; awaited at every barrier, so that a store which fails ends the crawl. */
  written: Promise<void> = Promise.resolve();
  /** Why no more checkpoint can be taken; the record can still be written. */
  failure: WorldError | undefined;
  readonly #parts: CheckpointParts;
  #dueAtUs = -Infinity;
  #superstep = 0;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
  }

  /** All messages of the superstep are received, and none is under way. */
  takeIfDue(superstep: number): void {
    this.#superstep = superstep;
    if (this.#parts.clock.nowUs >= this.#dueAtUs) this.#take(superstep);
  }

  /** The crawl has ended: of the superstep that would follow. */
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
    // It is awaited at the barrier, and may fail before.
    this.written.catch(() => undefined);
    this.#dueAtUs = clock.nowUs + Math.max(checkpointLeastUs, checkpointShare * (clock.nowUs - beginUs));
  }

  #encoded(superstep: number): Uint8Array | undefined {
    const { processors, events, bytesMost, onFailure } = this.#parts;
    const { nowUs: barrierUs } = processors[0].options.world;
    const saved = processors.map(({ frontier }) => frontier.save(barrierUs));
    try {
      return encodeCheckpoint({ superstep, barrierUs, processors: saved, events: events() }, bytesMost);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      this.failure = error;
      onFailure();
      return undefined;
    }
  }
}
