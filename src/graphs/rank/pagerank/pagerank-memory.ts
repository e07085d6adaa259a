import type { WebGraph } from '../../graph/index.ts';
import { kernelModule, WorldError } from '../../../base/index.ts';

/** The exports of pagerank-kernel.as.ts. */
export interface KernelExports {
  setAddresses(pages: number, degrees: number, factors: number, shares: number, ranks: number): void;
  setPreference(at: number): void;
  countLinks(targets: number, end: number, counters: number): void;
  layOutLists(
    at: number, counters: number, stride: number, threads: number, starts: number, danglingStarts: number,
    danglingLast: boolean,
  ): number;
  scatterLinks(targets: number, end: number, page: number, rest: number, cursors: number): void;
  codeLists(first: number, end: number, starts: number, codeStarts: number, to: number): number;
  begin(
    first: number, end: number, damping: number, selfLoops: boolean, danglingLast: boolean, start: number,
    scale: number,
  ): void;
  sweep(
    first: number, end: number, starts: number, differences: number, adds: boolean, damping: number, changes: number,
    sums: number,
  ): void;
  finish(first: number, end: number, danglingStarts: number, damping: number, sums: number): void;
  residual(
    first: number, end: number, starts: number, damping: number, rest: number, total: number, sums: number,
  ): void;
  gramOfDifferences(
    first: number, end: number, differences: number, stride: number, count: number, step: number, sums: number,
  ): void;
  combine(
    first: number, end: number, differences: number, stride: number, count: number, weights: number, damping: number,
    saved: number,
  ): void;
}

/** Pages per block, as in pagerank-memory.as.ts. */
export const BLOCK_PAGES = 256;
/**
 * Differences that an extrapolation combines. With 5 it removes four parts of the error; more are seldom worth their
 * sweeps, and one more is at most stored.
 */
export const VECTORS = 5;
export const MAX_VECTORS = 6;
/** Links copied into the kernel at a time: they fit in the second-level cache. */
export const CHUNK_LINKS = 2 ** 16;
/** Bytes for the sums of a thread, padded to avoid sharing cache lines. */
const SUM_BYTES = 8 * MAX_VECTORS * (MAX_VECTORS + 16);
const WASM_PAGE_BYTES = 65536;
const MAX_WASM_PAGES = 65535;
const MAX_MEMORY_BYTES = WASM_PAGE_BYTES * MAX_WASM_PAGES;

/**
 * The layout of the kernel's memory: addresses in bytes, the same for all threads, each of which has its own `shares`,
 * `sums` and `chunk`. The first page belongs to the compiler.
 */
export interface KernelLayout {
  readonly pages: number;
  readonly threads: number;
  readonly blocks: number;
  readonly sums: readonly number[];
  readonly chunks: readonly number[];
  readonly shares: readonly number[];
  readonly degrees: number;
  readonly factors: number;
  readonly preference: number;
  /**
   * The ranks once they are measured; before that, between an extrapolation and the sweep that judges it, the shares
   * before it.
   */
  readonly ranks: number;
  /** MAX_VECTORS vectors of f32, `stride` bytes apart. Before the first sweep, the counters of links. */
  readonly differences: number;
  readonly stride: number;
  /** One u32 per block: the start of its lists, coded and not, and of the lists of its dangling pages. */
  readonly starts: number;
  readonly codeStarts: number;
  readonly danglingStarts: number;
  /** One f64 per block: its change in the last sweep. */
  readonly changes: number;
  readonly lists: number;
  /** 0 if the memory cannot also hold coded lists. */
  readonly code: number;
  readonly end: number;
}

/**
 * 56 bytes per page (8 more for each further thread and for a preference), plus 4 per arc and 8 to 24 per page for the
 * lists. As much again is reserved for coded lists if 4 GiB can hold it; only what they fill is ever touched.
 */
export function kernelLayout({ pages, arcs }: Pick<WebGraph, 'pages' | 'arcs'>, threads: number): KernelLayout {
  let end = WASM_PAGE_BYTES;
  const place = (bytes: number): number => {
    const at = end;
    end += Math.ceil(bytes / 64) * 64;
    return at;
  };
  const each = (bytes: number): number[] => Array.from({ length: threads }, () => place(bytes));
  const blocks = Math.ceil(pages / BLOCK_PAGES);
  const stride = Math.ceil(pages / 16) * 64;
  const listBytes = 4 * arcs + 24 * pages;
  return {
    pages, threads, blocks, stride,
    sums: each(SUM_BYTES),
    chunks: each(4 * Math.min(arcs, CHUNK_LINKS)),
    shares: each(8 * (pages + 1)),
    degrees: place(4 * pages),
    factors: place(8 * pages),
    ranks: place(8 * pages),
    differences: place(Math.max(MAX_VECTORS, threads) * stride),
    starts: place(4 * blocks),
    codeStarts: place(4 * (blocks + 1)),
    danglingStarts: place(4 * blocks),
    changes: place(8 * blocks),
    preference: place(8 * pages),
    lists: place(listBytes),
    // Last, so that the unused part of the coded lists is never touched.
    code: end + listBytes <= MAX_MEMORY_BYTES ? place(listBytes) : 0,
    end,
  };
}

/** Memory for a layout. @throws WorldError if the kernel's 4 GiB, or the machine's memory, are not enough. @internal */
export function kernelMemory({ end }: KernelLayout, name: string): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: Math.ceil(end / WASM_PAGE_BYTES), maximum: MAX_WASM_PAGES, shared: true });
  } catch (cause) {
    const message = `PageRank: no memory for the ${Math.ceil(end / 2 ** 20)} MiB that the kernel needs for ${name}; it can have 4 GiB`;
    throw new WorldError(message, { cause });
  }
}

/** The kernel on a memory. @internal */
export function kernelExports(memory: WebAssembly.Memory): KernelExports {
  return new WebAssembly.Instance(kernelModule('graphs/rank/pagerank/pagerank-kernel'), { env: { memory } })
    .exports as unknown as KernelExports;
}

/** The memory for small graphs: V8 reserves gigabytes of addresses per memory, so there cannot be thousands. */
let small: { readonly memory: WebAssembly.Memory; readonly exports: KernelExports } | undefined;
const SMALL_BYTES = 2 ** 20;

/** One of the threads that share a kernel's memory. */
export interface KernelThread {
  /** 0 ... layout.threads - 1. */
  readonly thread: number;
  readonly layout: KernelLayout;
  /** @internal */
  readonly memory: WebAssembly.Memory;
  /** Returns when all threads have called it. */
  readonly barrier: () => void;
}

/** A single thread with its own memory; `isPassing` if no other kernel will be made before this one is finished. */
export function singleThread(graph: WebGraph, isPassing: boolean): KernelThread & { readonly exports: KernelExports } {
  const layout = kernelLayout(graph, 1);
  const ownMemory = (): { memory: WebAssembly.Memory; exports: KernelExports } => {
    const memory = kernelMemory(
      isPassing && layout.end <= SMALL_BYTES ? { ...layout, end: SMALL_BYTES } : layout, graph.name,
    );
    return { memory, exports: kernelExports(memory) };
  };
  const { memory, exports } = isPassing && layout.end <= SMALL_BYTES ? (small ??= ownMemory()) : ownMemory();
  return { thread: 0, layout, memory, exports, barrier: () => undefined };
}
