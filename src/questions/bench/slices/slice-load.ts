import { keyLimit, packEntry, WasmCbt, WasmQuickHeap } from '../../../core/queue/index.ts';
import { assert, DrawStream, xorshift32 } from '../../../base/index.ts';

export const loadedQueues = ['quickheap', 'cbt'] as const;
export type LoadedQueue = (typeof loadedQueues)[number];

export interface LoadOptions {
  /** Entries of this slice, N/T. */
  readonly entries: number;
  /** Entries of its batches, R/T. */
  readonly batch: number;
  /** Batches to come, at most: the keys are spread so that they last. */
  readonly batches: number;
  readonly seed: number;
  readonly slice: number;
}

/**
 * The keys of a hold model that are known before anything has left: batch b is drawn from below the key that N entries,
 * spread as they then are, have at their front after b batches. So the clock need not stand between an extraction and
 * the insertion after it.
 */
export class LoadKeys {
  readonly #options: LoadOptions;
  readonly #state: Uint32Array;
  /** Initial keys spread over so much, later ones over twice that: the front falls by it in N/R batches. */
  readonly #unit: number;
  #made = 0;
  #batch = 0;

  constructor(options: LoadOptions) {
    const { entries, batch, batches, seed, slice } = options;
    this.#options = options;
    this.#state = Uint32Array.of(new DrawStream(seed, 'slice load').uint32(slice) || 1);
    this.#unit = Math.floor(keyLimit / ((batches * batch) / entries + 4));
  }

  /** The entries held first, a part at a time. */
  *initial(): Generator<Float64Array> {
    const { entries, batch } = this.#options;
    for (let rest = entries; rest > 0; rest -= batch) {
      yield Float64Array.from({ length: Math.min(batch, rest) }, () => this.#entry(keyLimit - 1, this.#unit));
    }
  }

  /** The entries of the next `count` batches, one after the other. */
  next(count: number): Float64Array {
    const { entries, batch, batches } = this.#options;
    assert(
      this.#batch + count <= batches,
      () => `slice load: ${this.#batch + count} batches, keys were spread for ${batches}`,
    );
    const newKeys = new Float64Array(count * batch);
    for (let i = 0; i < newKeys.length; i += batch, this.#batch++) {
      const front = keyLimit - 1 - Math.floor((this.#batch * batch * this.#unit) / entries);
      for (let at = i; at < i + batch; at++) newKeys[at] = this.#entry(front, 2 * this.#unit);
    }
    return newKeys;
  }

  /** A key in (highest - width, highest]. */
  #entry(highest: number, width: number): number {
    this.#state[0] = xorshift32(this.#state[0]);
    return packEntry(highest - Math.floor((this.#state[0] / 2 ** 32) * width), this.#made++);
  }
}

/** A queue in the kernel of its thread, with its own part of the hold model. */
export class SliceLoad {
  readonly queue: WasmCbt | WasmQuickHeap;
  readonly #keys: LoadKeys;
  readonly #batch: number;
  readonly #into: Float64Array;

  /**
   * @param options.compareOnly makes the comparisons all of the work; without it keys are sorted by digits, which is
   * faster.
   */
  constructor(kind: LoadedQueue, options: LoadOptions & { readonly compareOnly: boolean }) {
    const { batch, compareOnly } = options;
    this.queue = kind === 'cbt'
      ? new WasmCbt(batch, { compareOnly })
      : new WasmQuickHeap(batch, { compareOnly });
    this.#batch = batch;
    this.#into = new Float64Array(batch);
    this.#keys = new LoadKeys(options);
    for (const part of this.#keys.initial()) this.queue.insertMany(part, 0, part.length);
  }

  /** The entries of that many batches. */
  prepare(batches: number): Float64Array {
    return this.#keys.next(batches);
  }

  /** Extract-top of a batch, and immediately insert-many of the one at `at` in what was prepared. */
  run(prepared: Float64Array, at: number): void {
    const count = this.queue.extractTop(this.#batch, this.#into);
    assert(count === this.#batch, () => `${count} entries left a slice, not ${this.#batch}`);
    this.queue.insertMany(prepared, at, at + this.#batch);
  }

  dispose(): void {
    this.queue.dispose();
  }
}
