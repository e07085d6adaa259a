import { kernelModule } from '../../base/index.ts';

/** 9 digits, a separator, 9 digits, CR, LF. */
const LONGEST_LINE = 21;
/** How much of a chunk the kernel holds at once: it and the ids it becomes stay in a processor's own cache. */
const WINDOW_BYTES = 1 << 16;
/** Two digits, a separator, LF. */
const MAX_LINES = WINDOW_BYTES / 4;
/** What the kernel reads past the end of what it holds, and does not use. */
const OVERREAD_BYTES = 32;

/** Where things lie in the kernel's memory: two words of a result, the window, the ids of its lines. */
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
 * chunk that is copied to it. It holds nothing of a parser's from one chunk to the next, so that one does for all
 * parsers of a thread.
 */
export class ArcLines {
  readonly #kernel: Exports;
  readonly #window: Uint8Array;
  readonly #result: Uint32Array;
  /** Ids of the lines taken last; valid until the next are. */
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  #chunk: Uint8Array = new Uint8Array(0);
  /** The part of the chunk that the window holds. */
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

  /** Begins with a chunk, whose bytes must stay as they are while its lines are taken. */
  begin(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#from = this.#to = 0;
  }

  /**
   * Takes lines from place `i` of the chunk, where one begins, and returns how many: 0 where the first has another
   * form, an id not below `idBound`, or lies too near the chunk's end; otherwise perhaps fewer than there are.
   * `largest` is what came before; see end, largest.
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

  /** Where in the chunk the lines taken last end. */
  get end(): number {
    return this.#result[0] - WINDOW + this.#from;
  }

  /** The largest of their ids and of what came before. */
  get largest(): number {
    return this.#result[1];
  }
}

let shared: ArcLines | undefined;
let isRefused = false;

/**
 * The thread's own, made when it is first needed. Undefined where the system has no memory for it: an engine sets
 * gigabytes of addresses aside for a kernel, more than some limits leave (`ulimit -v`), and a text can be read without.
 */
export function arcLines(): ArcLines | undefined {
  if (shared !== undefined || isRefused) return shared;
  const module = kernelModule('formats/edge-list/arc-kernel');
  try {
    shared = new ArcLines(module);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    isRefused = true;
  }
  return shared;
}
