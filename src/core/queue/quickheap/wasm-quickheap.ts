import { assert, kernelModule, WorldError } from '../../../base/index.ts';
import { assertBatch, assertExtraction, type BucketQuickHeapOptions, shortestRunFor } from '../preconditions.ts';
import type { PriorityQueue } from '../priority-queue.ts';

/** What quickheap-kernel.as.ts exports. A queue is an address in its memory. */
interface KernelExports {
  stage(): number;
  stageLength(): number;
  create(shortestRun: number, compareOnly: boolean): number;
  dispose(queue: number): void;
  prepare(queue: number, keys: number): number;
  insertStaged(queue: number, count: number): void;
  extractStaged(queue: number, count: number): void;
  size(queue: number): number;
  comparisons(queue: number): number;
  copies(queue: number): number;
  pivots(queue: number): number;
  idleChunks(): number;
  bytesTaken(): number;
  faultOf(queue: number): number;
}

/** One memory with the queues in it, and the code that works on them. */
export class QuickHeapKernel {
  readonly exports: KernelExports;
  readonly stageLength: number;
  readonly #memory: WebAssembly.Memory;
  readonly #stageAt: number;
  #stage: Float64Array;
  /** A queue that is forgotten without dispose() gives its memory back when it is collected. */
  readonly forgotten: FinalizationRegistry<number>;

  /** @param pages maximum pages of 64 KiB. The last of 4 GiB stays out, so that every end has an address. */
  constructor(pages = 65535) {
    this.#memory = new WebAssembly.Memory({ initial: 2, maximum: pages });
    const instance = new WebAssembly.Instance(kernelModule('core/queue/quickheap/quickheap-kernel'), {
      env: { memory: this.#memory, abort: () => assert(false, 'QuickHeap kernel: aborted') },
    });
    this.exports = instance.exports as unknown as KernelExports;
    this.#stageAt = this.exports.stage();
    this.stageLength = this.exports.stageLength();
    this.#stage = new Float64Array(this.#memory.buffer, this.#stageAt, this.stageLength);
    this.forgotten = new FinalizationRegistry((queue) => this.exports.dispose(queue));
  }

  /** Entries on their way in and out. Ask again after every call: when memory grows, the array of before is void. */
  get stage(): Float64Array {
    if (this.#stage.length === 0) this.#stage = new Float64Array(this.#memory.buffer, this.#stageAt, this.stageLength);
    return this.#stage;
  }
}

export interface WasmQuickHeapOptions extends BucketQuickHeapOptions {
  /** Sort by comparisons alone, for counts that compare with other comparison-based queues. */
  readonly compareOnly?: boolean;
  /** The memory to live in; by default the thread's. */
  readonly kernel?: QuickHeapKernel;
}

let ofThread: QuickHeapKernel | undefined;

const faults = [
  '', 'a count is out of bounds', 'the pivots are not in order', 'the run is not sorted',
  'a bucket holds a key outside its bounds', 'a key outside the run exceeds its least', 'two splits overlap',
  'a key that waits for a split lies outside its bounds', 'the parts do not add up to the size',
];

/**
 * Bucket QuickHeap with the join rule, in WebAssembly. Its twin, `test/queue/twins/bucket-quickheap.ts`, says
 * what it does; quickheap-kernel.as.ts says how.
 *
 * All queues of a thread lie in one memory of at most 4 GiB and share a pool of chunks. A queue takes none before its
 * first entry, about 20 KiB then, and more as it grows. Memory for a batch is taken before anything is changed: if
 * there is none, the call throws WorldError and the queue is as before. Memory goes back to the pool by dispose(), or
 * when the queue is collected; the pool itself never shrinks.
 *
 * Cost    the twin's; with radix sort, the default, some ten comparisons an entry fewer. Entries are copied
 *         in and out.
 */
export class WasmQuickHeap implements PriorityQueue {
  readonly comparisons = { insert: 0, extract: 0 };
  /** Keys copied inside the structure, in all and by the dearest call: a bound of a batch's time on any machine. */
  readonly copies = { total: 0, worst: 0 };
  readonly #kernel: QuickHeapKernel;
  readonly #shortestRun: number;
  readonly #compareOnly: boolean;
  /** Address in the kernel; 0 before the first entry. */
  #queue = 0;
  #disposed = false;

  /** @param block typical batch size (the paper's R), an integer in [1, 2^20]; batches of any size work. */
  constructor(block: number, options: WasmQuickHeapOptions = {}) {
    this.#shortestRun = shortestRunFor(block, options);
    this.#compareOnly = options.compareOnly ?? false;
    this.#kernel = options.kernel ?? (ofThread ??= new QuickHeapKernel());
  }

  get size(): number {
    this.#assertAlive();
    return this.#queue === 0 ? 0 : this.#kernel.exports.size(this.#queue);
  }

  get structure(): { unit: 'pivots'; count: number } {
    this.#assertAlive();
    return { unit: 'pivots', count: this.#queue === 0 ? 0 : this.#kernel.exports.pivots(this.#queue) };
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    assertBatch(entries, from, to);
    this.#assertAlive();
    if (from === to) return;
    const kernel = this.#kernel;
    const queue = (this.#queue ||= this.#create());
    if (kernel.exports.prepare(queue, to - from) === 0) throw this.#noMemory(`insert ${to - from} entries`);
    const comparisons = kernel.exports.comparisons(queue);
    const copiesBefore = this.copies.total;
    while (from < to) {
      const part = Math.min(to - from, kernel.stageLength);
      if (kernel.exports.prepare(queue, part) === 0)
        throw this.#noMemory(`insert the last ${to - from} entries of a batch`);
      kernel.stage.set(entries.subarray(from, from + part));
      kernel.exports.insertStaged(queue, part);
      from += part;
    }
    this.comparisons.insert += kernel.exports.comparisons(queue) - comparisons;
    this.#countCopies(copiesBefore);
  }

  extractTop(k: number, into: Float64Array): number {
    const leaving = assertExtraction(k, this.size, into);
    if (leaving === 0) return 0;
    const kernel = this.#kernel;
    const queue = this.#queue;
    const comparisons = kernel.exports.comparisons(queue);
    const copiesBefore = this.copies.total;
    for (let at = 0; at < leaving; ) {
      const part = Math.min(leaving - at, kernel.stageLength);
      if (kernel.exports.prepare(queue, 0) === 0) throw this.#noMemory(`extract ${leaving - at} entries`);
      kernel.exports.extractStaged(queue, part);
      into.set(kernel.stage.subarray(0, part), at);
      at += part;
    }
    this.comparisons.extract += kernel.exports.comparisons(queue) - comparisons;
    this.#countCopies(copiesBefore);
    return leaving;
  }

  /** Gives the memory back to the pool. */
  dispose(): void {
    this.#disposed = true;
    if (this.#queue === 0) return;
    this.#kernel.forgotten.unregister(this);
    this.#kernel.exports.dispose(this.#queue);
    this.#queue = 0;
  }

  checkInvariants(): void {
    this.#assertAlive();
    if (this.#queue === 0) return;
    const fault = this.#kernel.exports.faultOf(this.#queue);
    assert(fault === 0, () => `WasmQuickHeap: ${faults[fault]}`);
  }

  #countCopies(copies: number): void {
    this.copies.total = this.#kernel.exports.copies(this.#queue);
    this.copies.worst = Math.max(this.copies.worst, this.copies.total - copies);
  }

  #create(): number {
    const queue = this.#kernel.exports.create(this.#shortestRun, this.#compareOnly);
    if (queue === 0) throw this.#noMemory('make another queue');
    this.#kernel.forgotten.register(this, queue, this);
    return queue;
  }

  #assertAlive(): void {
    assert(!this.#disposed, 'QuickHeap: used after dispose()');
  }

  #noMemory(what: string): WorldError {
    const mebibytes = Math.round((this.#kernel.exports.bytesTaken() >>> 0) / 2 ** 20);
    return new WorldError(
      `QuickHeap: no memory to ${what}: the thread's kernel has ${mebibytes} MiB and cannot grow enough; ` +
        'fewer processors or slices, or a queue in secondary memory need less',
    );
  }
}
