import { transpose, type InArcs, type WebGraph } from '../graph/index.ts';
import { kernelModule, WorldError } from '../std/index.ts';
import { extrapolationWeights } from './extrapolation.ts';
import { outDegrees } from './plain-pagerank.ts';

/** What pagerank-kernel.as.ts exports. */
interface Exports {
  prepare(
    offsets: number, sources: number, degrees: number, factors: number, shares: number, pages: number, damping: number, selfLoops: boolean,
  ): void;
  sweep(
    offsets: number, sources: number, degrees: number, factors: number, shares: number, differences: number,
    pages: number, damping: number, selfLoops: boolean, danglingLast: boolean,
  ): number;
  codeLists(
    offsets: number, sources: number, factors: number, code: number, begin: number, end: number, pages: number, danglingLast: boolean,
  ): number;
  sweepCoded(
    code: number, degrees: number, factors: number, shares: number, differences: number,
    pages: number, damping: number, selfLoops: boolean, danglingLast: boolean,
  ): number;
  ranksOfShares(
    offsets: number, sources: number, degrees: number, shares: number, ranks: number, pages: number, damping: number,
  ): number;
  residual(
    offsets: number, sources: number, degrees: number, shares: number, ranks: number, pages: number, damping: number, total: number,
    rounding: number,
  ): number;
  gramOfDifferences(
    degrees: number, differences: number, stride: number, count: number, pages: number, step: number, gram: number, row: number,
  ): void;
  combine(
    factors: number, shares: number, differences: number, stride: number, count: number, pages: number, weights: number, damping: number,
  ): void;
}

/** Differences that an extrapolation combines. With 5 it removes four parts of the error; more are not worth their sweeps. */
const kept = 5;
const wasmPage = 65536;

/** Lists are coded where that leaves less than this of them. Of every hundredth block of 64 pages it is found out beforehand. */
const worthCoding = 0.7;
const sampleBlock = 64;
const sampleStep = 100 * sampleBlock;

/** One instance of the kernel. Its memory begins with a page of the compiler's own. */
class Instance {
  readonly exports: Exports;
  readonly memory: WebAssembly.Memory;

  constructor(bytes: number) {
    this.memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / wasmPage), maximum: 65535 });
    const instance = new WebAssembly.Instance(kernelModule('rank/pagerank-kernel'), { env: { memory: this.memory } });
    this.exports = instance.exports as unknown as Exports;
  }
}

/** For small graphs: an engine sets gigabytes of addresses aside for every memory, so thousands of them will not do. */
let small: Instance | undefined;
const smallBytes = 16 * wasmPage;

export interface KernelSteps {
  readonly selfLoops: boolean;
  readonly danglingLast: boolean;
  readonly deltaCoded: boolean;
}

/**
 * A graph in the kernel's memory, and the iteration's state. A second one of a small graph takes the memory of the first: use one
 * at a time.
 *
 * Memory   4 (n + 1) + 4 m bytes of in-links, 4 n of out-degrees, 8 n each of factors, shares and ranks, 20 n of differences; and 4 m + 8 n addresses
 *          for coded lists, of which only what they fill is taken.
 */
export class PageRankKernel {
  readonly #instance: Instance;
  readonly #pages: number;
  readonly #arcs: number;
  readonly #damping: number;
  readonly #steps: KernelSteps;
  /** Addresses in the kernel's memory. */
  readonly #offsets: number;
  readonly #sources: number;
  readonly #degrees: number;
  readonly #factors: number;
  readonly #shares: number;
  /** The ranks once they are measured; before that, between an extrapolation and the sweep that judges it, the shares before it. */
  readonly #ranks: number;
  readonly #differences: number;
  readonly #scratch: number;
  readonly #code: number;
  /** Bytes from one vector of differences to the next. */
  readonly #stride: number;
  readonly #isCoded: boolean;
  #keptSoFar = 0;

  /** @throws WorldError for a graph that the 4 GiB of a kernel do not hold. */
  constructor(graph: WebGraph, damping: number, steps: KernelSteps) {
    const { pages, arcs } = graph;
    this.#pages = pages;
    this.#arcs = arcs;
    this.#damping = damping;
    this.#steps = steps;
    let end = wasmPage;
    const place = (bytes: number): number => {
      const at = end;
      end += Math.ceil(bytes / 16) * 16;
      return at;
    };
    this.#scratch = place(8 * kept * (kept + 1));
    this.#offsets = place(4 * (pages + 1));
    this.#sources = place(4 * arcs);
    this.#degrees = place(4 * pages);
    this.#factors = place(8 * pages);
    this.#shares = place(8 * (pages + 1));
    this.#ranks = place(8 * pages);
    this.#stride = Math.ceil(pages / 4) * 16;
    this.#differences = place(kept * this.#stride);
    // Last, so that what coded lists do not fill is never touched.
    this.#code = place(4 * arcs + 8 * pages);
    try {
      this.#instance = end <= smallBytes ? (small ??= new Instance(smallBytes)) : new Instance(end);
    } catch (cause) {
      const message = `PageRank: no memory for the ${Math.ceil(end / 2 ** 20)} MiB that the kernel needs for ${graph.name}; it can have 4 GiB`;
      throw new WorldError(message, { cause });
    }
    const { inOffsets, inSources } = transpose(graph);
    this.#words(this.#offsets, pages + 1).set(inOffsets);
    this.#words(this.#sources, arcs).set(inSources);
    this.#words(this.#degrees, pages).set(outDegrees(graph));
    // Pages that are not swept never write theirs.
    this.#words(this.#differences, (kept * this.#stride) / 4).fill(0);
    this.#instance.exports.prepare(
      this.#offsets, this.#sources, this.#degrees, this.#factors, this.#shares, pages, damping, steps.selfLoops,
    );
    this.#isCoded = steps.deltaCoded && this.#isWorthCoding();
    if (this.#isCoded) this.#codeLists(0, pages);
  }

  /** True if the lists are coded: they resemble each other enough, and were not to be left as they are. */
  get isCoded(): boolean {
    return this.#isCoded;
  }

  #isWorthCoding(): boolean {
    const offsets = this.#words(this.#offsets, this.#pages + 1);
    const degrees = this.#words(this.#degrees, this.#pages);
    let plain = 0;
    let coded = 0;
    for (let begin = 0; begin < this.#pages; begin += sampleStep) {
      const end = Math.min(begin + sampleBlock, this.#pages);
      coded += this.#codeLists(begin, end);
      for (let page = begin; page < end; page++) {
        if (degrees[page] > 0 || !this.#steps.danglingLast) plain += 4 * (1 + offsets[page + 1] - offsets[page]);
      }
    }
    return coded < worthCoding * plain;
  }

  /** Codes the lists of a range of pages; returns the bytes that takes. */
  #codeLists(begin: number, end: number): number {
    const codeEnd = this.#instance.exports.codeLists(
      this.#offsets, this.#sources, this.#factors, this.#code, begin, end, this.#pages, this.#steps.danglingLast,
    );
    return (codeEnd >>> 0) - this.#code;
  }

  /** Sweeps that an extrapolation needs the differences of. */
  get differencesOfACycle(): number {
    return kept;
  }

  get isCycleComplete(): boolean {
    return this.#keptSoFar === kept;
  }

  /** One sweep; keeps what it changed, for the next extrapolation, if `isKept`. Returns its L1 change as a share of all rank swept. */
  sweep(isKept: boolean): number {
    const differences = isKept ? this.#differences + this.#keptSoFar++ * this.#stride : 0;
    if (this.#isCoded) {
      return this.#instance.exports.sweepCoded(
        this.#code, this.#degrees, this.#factors, this.#shares, differences,
        this.#pages, this.#damping, this.#steps.selfLoops, this.#steps.danglingLast,
      );
    }
    return this.#instance.exports.sweep(
      this.#offsets, this.#sources, this.#degrees, this.#factors, this.#shares, differences,
      this.#pages, this.#damping, this.#steps.selfLoops, this.#steps.danglingLast,
    );
  }

  /** Makes the ranks of the shares, and measures |G(ranks) - ranks|_1 to within `rounding`. A sweep and a half. */
  measure(): { residual: number; rounding: number } {
    const { exports } = this.#instance;
    const total = exports.ranksOfShares(
      this.#offsets, this.#sources, this.#degrees, this.#shares, this.#ranks, this.#pages, this.#damping,
    );
    const residual = exports.residual(
      this.#offsets, this.#sources, this.#degrees, this.#shares, this.#ranks, this.#pages, this.#damping, total, this.#scratch,
    );
    return { residual, rounding: this.#floats(this.#scratch, 1)[0] };
  }

  /** A copy of the ranks measured last. */
  ranks(): Float64Array {
    return this.#floats(this.#ranks, this.#pages).slice();
  }

  /**
   * Ends the cycle with an extrapolation. False, and nothing done, where there is no sensible one. The products of the differences
   * are taken over one page in eight, which costs a sweep or two in all and saves more; small graphs have no pages to spare.
   */
  extrapolate(): boolean {
    const { exports } = this.#instance;
    this.#keptSoFar = 0;
    const step = this.#pages < 16384 ? 1 : 8;
    const row = this.#scratch + 8 * kept * kept;
    exports.gramOfDifferences(this.#degrees, this.#differences, this.#stride, kept, this.#pages, step, this.#scratch, row);
    const weights = extrapolationWeights(this.#floats(this.#scratch, kept * kept), kept);
    if (weights === undefined) return false;
    this.#floats(this.#ranks, this.#pages).set(this.#floats(this.#shares, this.#pages));
    this.#floats(row, kept).set(weights);
    exports.combine(this.#factors, this.#shares, this.#differences, this.#stride, kept, this.#pages, row, this.#damping);
    return true;
  }

  /** The shares as they were before the last extrapolation; only right after the sweep that followed it. */
  takeBack(): void {
    this.#floats(this.#shares, this.#pages).set(this.#floats(this.#ranks, this.#pages));
    this.#keptSoFar = 0;
  }

  /** The graph's transpose, as the kernel holds it: a view, as long-lived as this. */
  inArcs(): InArcs {
    return { inOffsets: this.#words(this.#offsets, this.#pages + 1), inSources: this.#words(this.#sources, this.#arcs) };
  }

  #words(at: number, length: number): Uint32Array {
    return new Uint32Array(this.#instance.memory.buffer, at, length);
  }

  #floats(at: number, length: number): Float64Array {
    return new Float64Array(this.#instance.memory.buffer, at, length);
  }
}
