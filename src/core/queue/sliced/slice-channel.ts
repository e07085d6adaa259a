/**
 * The shared memory for the requests to a slice's thread and its answers: T times one writer and one reader.
 *
 * The owner writes entries, operation and count, then raises `asked`; the thread wakes, does it, writes entries and
 * counts, then raises `done`. Both are atomic, so that what was written before is read after (ECMAScript, "Memory
 * Model"). Neither side touches the memory out of turn, and nothing in it is locked.
 */
import { availableParallelism } from 'node:os';
import { assert } from '../../../base/index.ts';
import type { PriorityQueue, QueueOptions } from '../priority-queue.ts';

/** The data passed to both sides, which survives structured cloning. Entries of 8 bytes. */
export interface SliceMemory {
  /** How often a side looks whether it is its turn before it goes to sleep; 0 where others want the core. */
  readonly looks: number;
  readonly control: SharedArrayBuffer;
  readonly counts: SharedArrayBuffer;
  readonly batch: SharedArrayBuffer;
}

/** The data with which a slice's thread starts. */
export interface SliceTask {
  readonly memory: SliceMemory;
  readonly options: QueueOptions;
}

/** Cells of `control`, 32 bits each. */
const cell = { asked: 0, done: 1, operation: 2, count: 3 } as const;
/** Cells of `counts`, 64 bits each. */
const counted = { size: 0, insert: 1, extract: 2 } as const;

/** Looks that take some tens of microseconds, which is what it costs to sleep and be woken. */
const SPINS_BEFORE_SLEEP = 20_000;

/** Whether the cell comes to differ from `value` within so many looks. */
function changesSoon(control: Int32Array, index: number, value: number, looks: number): boolean {
  for (let look = 0; look < looks; look++) if (Atomics.load(control, index) !== value) return true;
  return false;
}

export const operation = { insertMany: 0, extractTop: 1 } as const;
export type Operation = (typeof operation)[keyof typeof operation];

/** Memory for `entries` at first. Sides look before they sleep only where each of `threads` threads has a core. */
export function newSliceMemory(entries: number, threads: number): SliceMemory {
  return {
    looks: threads <= availableParallelism() ? SPINS_BEFORE_SLEEP : 0,
    control: new SharedArrayBuffer(4 * Object.keys(cell).length),
    counts: new SharedArrayBuffer(8 * Object.keys(counted).length),
    batch: new SharedArrayBuffer(8 * entries),
  };
}

/** The owner's end. */
export class SliceChannel {
  readonly #looks: number;
  readonly #control: Int32Array;
  readonly #counts: Float64Array;
  #batch: Float64Array;
  readonly #sendBatch: (batch: SharedArrayBuffer) => void;

  /** @param sendBatch hands larger memory for entries to the thread, which asks for it when it meets it. */
  constructor(memory: SliceMemory, sendBatch: (batch: SharedArrayBuffer) => void) {
    this.#looks = memory.looks;
    this.#control = new Int32Array(memory.control);
    this.#counts = new Float64Array(memory.counts);
    this.#batch = new Float64Array(memory.batch);
    this.#sendBatch = sendBatch;
  }

  /** Entries and comparisons of the slice when it last answered. */
  get size(): number {
    return this.#counts[counted.size];
  }

  get comparisons(): { insert: number; extract: number } {
    return { insert: this.#counts[counted.insert], extract: this.#counts[counted.extract] };
  }

  /** The entries to be inserted, or those extracted: room for `count` at least. Only while nothing is asked. */
  batch(count: number): Float64Array {
    if (count > this.#batch.length) {
      const memory = new SharedArrayBuffer(8 * Math.max(count, 2 * this.#batch.length));
      this.#batch = new Float64Array(memory);
      this.#sendBatch(memory);
    }
    return this.#batch;
  }

  /** Sets the thread to work on `count` entries. */
  ask(what: Operation, count: number): void {
    this.#control[cell.operation] = what;
    this.#control[cell.count] = count;
    Atomics.add(this.#control, cell.asked, 1);
    Atomics.notify(this.#control, cell.asked);
  }

  /** Fulfilled when the thread has done what it was asked; never, if the thread has died. */
  async answered(): Promise<void> {
    const asked = Atomics.load(this.#control, cell.asked);
    for (;;) {
      const done = Atomics.load(this.#control, cell.done);
      if (done === asked) return;
      if (changesSoon(this.#control, cell.done, done, this.#looks)) continue;
      const wait = waitAsync(this.#control, cell.done, done);
      if (wait.async) await wait.value;
    }
  }
}

/** In Node since 16, in TypeScript's library since ES2024. */
const { waitAsync } = Atomics as unknown as {
  waitAsync: (
    array: Int32Array, index: number, value: number,
  ) => { async: false } | { async: true; value: Promise<string> };
};

/**
 * The thread's end of the channel: it does operations on `queue`, and sleeps between them, until the thread ends.
 * @param receiveBatch the memory that came with an operation, if any: at most one batch.
 */
export function serve(
  memory: SliceMemory, queue: PriorityQueue, receiveBatch: () => SharedArrayBuffer | undefined,
): never {
  const control = new Int32Array(memory.control);
  const counts = new Float64Array(memory.counts);
  let batch = new Float64Array(memory.batch);
  for (let last = 0; ; ) {
    if (!changesSoon(control, cell.asked, last, memory.looks)) Atomics.wait(control, cell.asked, last);
    // Read before the answer: after it, the owner may ask again at once.
    const asked = Atomics.load(control, cell.asked);
    if (asked === last) continue;
    last = asked;
    const larger = receiveBatch();
    if (larger !== undefined) batch = new Float64Array(larger);
    const count = control[cell.count];
    const what = control[cell.operation];
    if (what === operation.insertMany) {
      queue.insertMany(batch, 0, count);
    } else {
      const extracted = queue.extractTop(count, batch);
      assert(extracted === count, () => `a slice gave ${extracted} entries of ${count} it was known to hold`);
    }
    counts[counted.size] = queue.size;
    counts[counted.insert] = queue.comparisons.insert;
    counts[counted.extract] = queue.comparisons.extract;
    Atomics.add(control, cell.done, 1);
    Atomics.notify(control, cell.done);
  }
}
