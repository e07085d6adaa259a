import { assert, kernelModule, WorldError } from '../../../base/index.ts';
import { assertCbt, type CbtState } from './cbt-state.ts';
import { assertBatch, assertBlockSize, assertExtraction } from '../preconditions.ts';
import type { PriorityQueue } from '../priority-queue.ts';

/** The exports of cbt-kernel.as.ts. Addresses are u32, and arrive signed. */
interface Exports {
  /** @internal */
  readonly memory: WebAssembly.Memory;
  limitMemory(bytes: number): void;
  create(blockSize: number, compareOnly: number): number;
  dispose(queue: number): void;
  reserve(queue: number, entries: number): number;
  insert(queue: number, entries: number): number;
  extract(queue: number, entries: number): number;
  staging(queue: number): number;
  stagingLength(queue: number): number;
  count(queue: number): number;
  hole(queue: number): number;
  rest(queue: number): number;
  restCount(queue: number): number;
  restSorted(queue: number): number;
  winnerAt(queue: number): number;
  blockOf(queue: number): number;
  leafOf(queue: number): number;
}

/** One instance of the kernel: a linear memory, and the queues in it. */
export class CbtKernel {
  readonly exports: Exports;
  #entries = new Float64Array(0);

  /** @param memoryLimit maximum bytes of the memory; never more than 4 GiB less one page. */
  constructor(memoryLimit?: number) {
    this.exports = new WebAssembly.Instance(kernelModule('core/queue/cbt/cbt-kernel')).exports as unknown as Exports;
    if (memoryLimit !== undefined) this.exports.limitMemory(memoryLimit);
  }

  /** The memory as entries. Goes stale when the memory grows: do not retain it across a call. */
  get entries(): Float64Array {
    const { buffer } = this.exports.memory;
    if (this.#entries.buffer !== buffer) this.#entries = new Float64Array(buffer);
    return this.#entries;
  }

  get bytes(): number {
    return this.exports.memory.buffer.byteLength;
  }
}

let threadKernel: CbtKernel | undefined;

/** Frees the queues that were dropped without `dispose`, some time after they became unreachable. */
const dropped = new FinalizationRegistry<{ kernel: CbtKernel; queue: number }>(({ kernel, queue }) => {
  kernel.exports.dispose(queue);
});

/** The CBT of `cbt-kernel.as.ts`, which says more. Its twin in `test/queue/twins/` makes the same comparisons. */
export class WasmCbt implements PriorityQueue {
  readonly comparisons = { insert: 0, extract: 0 };

  readonly #kernel: CbtKernel;
  readonly #blockSize: number;
  readonly #stagingLength: number;
  /** Position of the staging area in the kernel's entries. */
  readonly #staging: number;
  /** Address of the queue, 0 once disposed of. */
  #queue: number;
  #size = 0;

  /**
   * Throws AssertionError for an invalid block size, WorldError if the memory is not enough.
   *
   * @param blockSize entries a block holds (the paper's R), an integer in [1, blockSizeLimit].
   * @param options.compareOnly sorts chunks by counted comparisons instead of by digits.
   * @param options.kernel the instance that holds the queue, by default the thread's own.
   */
  constructor(blockSize: number, options: { compareOnly?: boolean; kernel?: CbtKernel } = {}) {
    assertBlockSize(blockSize);
    this.#blockSize = blockSize;
    this.#kernel = options.kernel ?? (threadKernel ??= new CbtKernel());
    const { exports } = this.#kernel;
    this.#queue = exports.create(blockSize, options.compareOnly === true ? 1 : 0) >>> 0;
    if (this.#queue === 0) throw this.#outOfMemory('a new queue');
    this.#staging = (exports.staging(this.#queue) >>> 0) / 8;
    this.#stagingLength = exports.stagingLength(this.#queue);
    dropped.register(this, { kernel: this.#kernel, queue: this.#queue }, this);
  }

  get size(): number {
    return this.#size;
  }

  get structure(): { unit: 'blocks'; count: number } {
    this.#assertAlive();
    const { exports } = this.#kernel;
    return { unit: 'blocks', count: exports.count(this.#queue) - (exports.hole(this.#queue) === -1 ? 0 : 1) };
  }

  /** Throws WorldError, and leaves the queue as it was, if the memory is not enough. */
  insertMany(entries: Float64Array, from: number, to: number): void {
    assertBatch(entries, from, to);
    this.#assertAlive();
    const kernel = this.#kernel;
    if (kernel.exports.reserve(this.#queue, to - from) === 0) throw this.#outOfMemory(`${to - from} more entries`);
    this.#size += to - from;
    while (from < to) {
      const end = Math.min(to, from + this.#stagingLength);
      kernel.entries.set(entries.subarray(from, end), this.#staging);
      this.comparisons.insert += kernel.exports.insert(this.#queue, end - from);
      from = end;
    }
  }

  extractTop(k: number, into: Float64Array): number {
    const leaving = assertExtraction(k, this.#size, into);
    this.#assertAlive();
    const kernel = this.#kernel;
    this.#size -= leaving;
    for (let at = 0; at < leaving; ) {
      const count = Math.min(leaving - at, this.#stagingLength);
      this.comparisons.extract += kernel.exports.extract(this.#queue, count);
      into.set(kernel.entries.subarray(this.#staging, this.#staging + count), at);
      at += count;
    }
    return leaving;
  }

  /** The memory is free for other queues of the kernel. */
  dispose(): void {
    if (this.#queue === 0) return;
    dropped.unregister(this);
    this.#kernel.exports.dispose(this.#queue);
    this.#queue = 0;
    this.#size = 0;
  }

  /** A copy of the whole structure. O(size). */
  state(): CbtState {
    this.#assertAlive();
    const { exports } = this.#kernel;
    const queue = this.#queue;
    const blockSize = this.#blockSize;
    const entriesAt = (address: number, count: number): Float64Array => {
      const at = (address >>> 0) / 8;
      return this.#kernel.entries.slice(at, at + count);
    };
    const words = new Uint32Array(exports.memory.buffer);
    const [winnerAt, blockOf, leafOf] = [exports.winnerAt(queue), exports.blockOf(queue), exports.leafOf(queue)].map(
      (address) => (address >>> 0) / 4,
    );
    const count = exports.count(queue);
    const winner = [...words.subarray(winnerAt + 1, winnerAt + 2 * count)];
    const hole = exports.hole(queue);
    return {
      blockSize,
      winner: [NaN, ...winner],
      hole,
      leaf: new Map(winner.slice(count - 1).map((item) => [item, words[leafOf + item]])),
      block: new Map(
        winner
          .slice(count - 1)
          .filter((item) => item !== hole)
          .map((item) => [item, entriesAt(words[blockOf + item], blockSize)]),
      ),
      rest: entriesAt(exports.rest(queue), exports.restCount(queue)),
      restSorted: exports.restCount(queue) > 0 && exports.restSorted(queue) !== 0,
    };
  }

  checkInvariants(): void {
    assertCbt(this.state(), this.#size);
  }

  #assertAlive(): void {
    assert(this.#queue !== 0, 'CBT: used after dispose()');
  }

  #outOfMemory(what: string): WorldError {
    const mebibytes = Math.round(this.#kernel.bytes / 2 ** 20);
    return new WorldError(
      `CBT: no memory for ${what} in blocks of ${this.#blockSize}: the thread's kernel has ${mebibytes} MiB and cannot grow enough; ` +
        'fewer processors or slices, smaller blocks, or a queue in secondary memory need less',
    );
  }
}
