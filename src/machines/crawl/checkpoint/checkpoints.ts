import type { SavedMail } from '../../../core/bsp/index.ts';
import type { RunSink } from '../../../core/events/index.ts';
import type { CrawlStore, LiveWorld } from '../../../core/live/index.ts';
import type { RunEvents } from '../../../core/measure/index.ts';
import type { Processor } from '../../../core/scheduler/index.ts';
import { assert, WorldError } from '../../../base/index.ts';
import { encodeCheckpoint } from './checkpoint.ts';

/**
 * A checkpoint is due when this many times the duration of the last one has passed: they take at most a twentieth of
 * the time.
 */
const checkpointShare = 20;
const minCheckpointUs = 1e6;

export interface CheckpointParts {
  readonly store: CrawlStore;
  /** The barrier at which the run goes on. */
  readonly beginUs: number;
  readonly clock: { readonly nowUs: number };
  readonly processors: readonly Processor[];
  readonly worlds: readonly LiveWorld[];
  readonly mail: () => SavedMail;
  readonly events: () => RunEvents;
  readonly maxBytes: number | undefined;
  /** True if one is taken before this superstep; `isDue` decides unless other machines have a say. */
  readonly isTakenAt?: ((superstep: number) => boolean) | undefined;
  /** Called if a checkpoint cannot be taken: the crawl must end, since it could not be resumed. */
  readonly onFailure: () => void;
}

/** Stores checkpoints of a live crawl when they are due, as supersteps begin. */
export class Checkpoints {
  /** Fulfilled when the last one is written; awaited at every barrier, so that a failing store ends the crawl. */
  written: Promise<void> = Promise.resolve();
  /** Why no checkpoint can be taken any more; the record can still be written. */
  failure: WorldError | undefined;
  readonly sink: RunSink;
  readonly #parts: CheckpointParts;
  #dueAtUs = -Infinity;
  #superstep = 0;
  #takenAt = -1;
  /** The last one: clocks of processors at rest are behind it. */
  #barrierUs: number;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
    this.#barrierUs = parts.beginUs;
    let firstSuperstep = 0;
    this.sink = {
      started: (run) => { ({ firstSuperstep } = run); },
      superstepBegins: (superstep) => { if (superstep >= firstSuperstep) this.#begin(superstep); },
      superstep: ({ barrierUs }) => { this.#barrierUs = barrierUs; },
    };
  }

  get isDue(): boolean {
    return this.#parts.clock.nowUs >= this.#dueAtUs;
  }

  /** Called when the crawl has ended; takes the checkpoint of the superstep that would follow. */
  takeLast(): void {
    this.#take(this.#superstep + 1);
  }

  #begin(superstep: number): void {
    this.#superstep = superstep;
    const { isTakenAt } = this.#parts;
    if (isTakenAt === undefined ? this.isDue : isTakenAt(superstep)) this.#take(superstep);
  }

  #take(superstep: number): void {
    if (this.failure !== undefined) return;
    const { store, clock } = this.#parts;
    assert(superstep > this.#takenAt, () => `the checkpoint of superstep ${superstep} is not behind the last`);
    this.#takenAt = superstep;
    const beginUs = clock.nowUs;
    const state = this.#encoded(superstep);
    if (state === undefined) return;
    this.written = store.checkpoint({ superstep, barrierUs: this.#barrierUs, state });
    // Awaited at the barrier, but it may fail before that.
    this.written.catch(() => undefined);
    this.#dueAtUs = clock.nowUs + Math.max(minCheckpointUs, checkpointShare * (clock.nowUs - beginUs));
  }

  #encoded(superstep: number): Uint8Array | undefined {
    const { processors, worlds, mail, events, maxBytes, onFailure } = this.#parts;
    try {
      return encodeCheckpoint({
        superstep, barrierUs: this.#barrierUs,
        processors: processors.map((processor, i) => (
          { id: processor.options.id, ...processor.saveExactly(), downloads: worlds[i].openRequests() }
        )),
        mail: mail(), events: events(),
      }, maxBytes);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      this.failure = error;
      onFailure();
      return undefined;
    }
  }
}
