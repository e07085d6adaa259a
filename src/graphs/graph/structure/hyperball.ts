import type { WebGraph } from '../web-graph.ts';
import { assert, DrawStream, kernelModule, WorldError } from '../../../base/index.ts';

/** The exports of hyperball-kernel.as.ts. */
interface Exports {
  step(
    offsets: number, targets: number, list: number, now: number, next: number, changed: number, changing: number,
    begin: number, end: number, registersLog2: number, scale: number, small: number,
  ): number;
}

export interface HyperBallOptions {
  /** b: a counter has 2^b registers; minRegistersLog2 ... maxRegistersLog2. */
  readonly registersLog2: number;
  /** Runs with independent draws. */
  readonly runs: number;
  readonly seed: number;
  readonly onProgress?: ((run: number, step: number, share: number) => void) | undefined;
}

export const minRegistersLog2 = 4;
export const maxRegistersLog2 = 12;

const WASM_PAGE_BYTES = 65536;
/** Maximum memory of a kernel. */
export const maxKernelBytes = 65535 * WASM_PAGE_BYTES;
/** Pages per call, after which progress is reported. */
const BLOCK_PAGES = 1 << 15;

/** Relative standard deviation of a counter (Boldi & Vigna 2013, section 3). */
export function counterDeviation(registersLog2: number): number {
  return 1.06 / Math.sqrt(2 ** registersLog2);
}

/** Bytes of the kernel's memory for a graph. */
export function hyperBallBytes({ pages, arcs }: Pick<WebGraph, 'pages' | 'arcs'>, registersLog2: number): number {
  return layoutOf(pages, arcs, registersLog2).bytes;
}

/** The memory for small graphs: V8 reserves gigabytes of addresses per memory, so there cannot be thousands. */
let small: WebAssembly.Memory | undefined;
const SMALL_BYTES = 16 * WASM_PAGE_BYTES;

/**
 * The neighbourhood function, estimated by each run: N(0), N(1), ... until no counter grows.
 *
 * Source  Boldi & Vigna, "In-core computation of geometric centralities with HyperBall", 2013; counters by Flajolet et
 *         al., "HyperLogLog", 2007, figure 3, without its correction for hashes of 32 bits, which only about 10^9 pages
 *         would need.
 * Cost    per step, one bit per arc, and 2^b bytes if the page it leads to changed. Memory: hyperBallBytes.
 * Errors  WorldError if the kernel's 4 GiB are not enough.
 */
export function hyperBall(
  graph: Pick<WebGraph, 'name' | 'pages' | 'arcs' | 'outOffsets' | 'outTargets'>, options: HyperBallOptions,
): Float64Array[] {
  const { registersLog2, runs, seed } = options;
  const { pages, arcs, outOffsets, outTargets } = graph;
  assert(
    Number.isInteger(registersLog2) && registersLog2 >= minRegistersLog2 && registersLog2 <= maxRegistersLog2,
    () => `2^${registersLog2} registers are not from 2^${minRegistersLog2} to 2^${maxRegistersLog2}`,
  );
  const layout = layoutOf(pages, arcs, registersLog2);
  const memory = memoryOf(graph.name, layout.bytes);
  const kernel = new WebAssembly.Instance(kernelModule('graphs/graph/structure/hyperball-kernel'), { env: { memory } })
    .exports as unknown as Exports;
  new Uint32Array(memory.buffer, layout.offsets, pages + 1).set(outOffsets);
  new Uint32Array(memory.buffer, layout.targets, arcs).set(outTargets);
  const registers = 2 ** registersLog2;
  const smallEstimates = new Float64Array(memory.buffer, layout.small, registers + 1);
  for (let empty = 1; empty <= registers; empty++) smallEstimates[empty] = registers * Math.log(registers / empty);
  const scale = correction(registersLog2) * registers * registers;
  const bitBytes = Math.ceil(pages / 8);
  const bits = (at: number): Uint8Array => new Uint8Array(memory.buffer, at, bitBytes);

  return Array.from({ length: runs }, (_, run) => {
    let { now, next, changed, changing } = layout;
    const counters = new Uint8Array(memory.buffer, now, pages * registers);
    putFirstPages(counters, pages, registersLog2, new DrawStream(seed, `hyperball, run ${run}`));
    bits(changed).fill(255);
    // A counter that has met a single page: all registers but one are empty.
    const neighbourhoods = [pages * smallEstimates[registers - 1]];
    for (let t = 1; ; t++) {
      bits(changing).fill(0);
      let growth = 0;
      for (let begin = 0; begin < pages; begin += BLOCK_PAGES) {
        const end = Math.min(begin + BLOCK_PAGES, pages);
        growth += kernel.step(
          layout.offsets, layout.targets, layout.list, now, next, changed, changing, begin, end, registersLog2, scale,
          layout.small,
        );
        options.onProgress?.(run, t, end / pages);
      }
      if (!bits(changing).some((byte) => byte !== 0)) return Float64Array.from(neighbourhoods);
      neighbourhoods.push(neighbourhoods[t - 1] + growth);
      [now, next] = [next, now];
      [changed, changing] = [changing, changed];
    }
  });
}

function layoutOf(pages: number, arcs: number, registersLog2: number) {
  let bytes = WASM_PAGE_BYTES; // The first page belongs to the compiler.
  const place = (length: number): number => {
    const at = bytes;
    bytes += Math.ceil(length / 16) * 16;
    return at;
  };
  const counters = pages * 2 ** registersLog2;
  return {
    small: place(8 * (2 ** registersLog2 + 1)), offsets: place(4 * (pages + 1)), targets: place(4 * arcs),
    // No page links to more than all pages, and one entry more is written than is retained.
    list: place(4 * (pages + 1)),
    now: place(counters), next: place(counters), changed: place(pages / 8), changing: place(pages / 8), bytes,
  };
}

function memoryOf(name: string, bytes: number): WebAssembly.Memory {
  if (bytes <= SMALL_BYTES)
    return (small ??= new WebAssembly.Memory({ initial: SMALL_BYTES / WASM_PAGE_BYTES, maximum: 65535 }));
  const message = `HyperBall: no memory for the ${Math.ceil(bytes / 2 ** 20)} MiB that it needs for ${name}; it can have 4 GiB`;
  if (bytes > maxKernelBytes) throw new WorldError(message);
  try {
    return new WebAssembly.Memory({ initial: Math.ceil(bytes / WASM_PAGE_BYTES), maximum: 65535 });
  } catch (cause) {
    throw new WorldError(message, { cause });
  }
}

/**
 * Initial counters, which have seen only their own page: its register and rank are drawn, and are all that counters
 * learn about it.
 */
function putFirstPages(counters: Uint8Array, pages: number, registersLog2: number, stream: DrawStream): void {
  counters.fill(0);
  for (let page = 0; page < pages; page++) {
    const { register, rank } = drawnRegister(stream, page, registersLog2);
    counters[page * 2 ** registersLog2 + register] = rank;
  }
}

/** The register of a page, and its rank: 1 more than the leading zeros of 32 random bits. */
export function drawnRegister(
  stream: DrawStream, page: number, registersLog2: number,
): { register: number; rank: number } {
  return { register: stream.uint32(page) >>> (32 - registersLog2), rank: Math.clz32(stream.uint32(page, 1)) + 1 };
}

/** alpha_m of Flajolet et al., which removes the bias of the harmonic mean of m registers. */
export function correction(registersLog2: number): number {
  const registers = 2 ** registersLog2;
  if (registers === 16) return 0.673;
  if (registers === 32) return 0.697;
  if (registers === 64) return 0.709;
  return 0.7213 / (1 + 1.079 / registers);
}
