import { kernelModule } from '../../../base/index.ts';

/** 9 digits, a separator, 9 digits, CR, LF. */
const LONGEST_LINE = 21;
/** Bytes of a chunk in the kernel at once: these and the resulting ids fit into a processor's own cache. */
const WINDOW_BYTES = 1 << 16;
/** Two digits, a separator, LF. */
const MAX_LINES = WINDOW_BYTES / 4;
/** Bytes that the kernel reads beyond the end of the window, and does not use. */
const OVERREAD_BYTES = 32;

/** Addresses in the kernel's memory: two words of a result, the window, the ids of its lines. */
const RESULT = 1024;
const WINDOW = RESULT + 64;
const SOURCES = WINDOW + WINDOW_BYTES + OVERREAD_BYTES;
const TARGETS = SOURCES + 4 * MAX_LINES;
const END = TARGETS + 4 * MAX_LINES;

interface Exports {
  readLines(
    at: number, end: number, idBound: number, largest: number, sources: number, targets: number, result: number,
  ): number;
}

/**
 * Lines of the usual form, two ids of at most 9 digits with one separator between, read by a kernel from a window of a
 * chunk that is copied to it. It stores nothing of a parser's between chunks, so one is enough for all parsers of a
 * thread.
 */
export class ArcLines {
  readonly #kernel: Exports;
  readonly #window: Uint8Array;
  readonly #result: Uint32Array;
  /** Ids of the lines read last; valid until the next call. */
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  #chunk: Uint8Array = new Uint8Array(0);
  /** Start of the window in the chunk. */
  #from = 0;
  #to = 0;

  constructor(module: WebAssembly.Module) {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(END / 65536) });
    this.#kernel = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    this.#window = new Uint8Array(memory.buffer, WINDOW, WINDOW_BYTES);
    this.#result = new Uint32Array(memory.buffer, RESULT, 2);
    this.sources = new Uint32Array(memory.buffer, SOURCES, MAX_LINES);
    this.targets = new Uint32Array(memory.buffer, TARGETS, MAX_LINES);
  }

  /** Begins a chunk, whose bytes must not change while its lines are read. */
  begin(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#from = this.#to = 0;
  }

  /**
   * Reads lines from position `i` of the chunk, where one begins, and returns their number: 0 if the first has another
   * form, an id not below `idBound`, or is too near the chunk's end; otherwise there may be more. `largest` is the
   * maximum so far; see end, largest.
   */
  take(i: number, idBound: number, largest: number): number {
    if (this.#to - i < LONGEST_LINE) {
      if (this.#chunk.length - i < LONGEST_LINE) return 0;
      this.#from = i;
      this.#to = Math.min(this.#chunk.length, i + WINDOW_BYTES);
      this.#window.set(this.#chunk.subarray(i, this.#to));
    }
    const at = WINDOW + i - this.#from;
    return this.#kernel.readLines(at, WINDOW + this.#to - this.#from, idBound, largest, SOURCES, TARGETS, RESULT);
  }

  /** Position in the chunk where the lines read last end. */
  get end(): number {
    return this.#result[0] - WINDOW + this.#from;
  }

  /** The maximum of their ids and of `largest` before. */
  get largest(): number {
    return this.#result[1];
  }
}

let shared: ArcLines | undefined;
let isRefused = false;

/**
 * The thread's instance, created on first use. Undefined if the system has no memory for it: an engine reserves
 * gigabytes of addresses for a kernel, more than some limits allow (`ulimit -v`), and a text can be read without it.
 */
export function arcLines(): ArcLines | undefined {
  if (shared !== undefined || isRefused) return shared;
  const module = kernelModule('graphs/formats/edge-list/arc-kernel');
  try {
    shared = new ArcLines(module);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    isRefused = true;
  }
  return shared;
}
