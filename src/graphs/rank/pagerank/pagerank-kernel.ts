import type { WebGraph } from '../../graph/index.ts';
import { blockCosts, evenParts, restlessRuns } from './blocks.ts';
import { extrapolation } from './extrapolation.ts';
import { mutualLinks, solveTogether } from './mutual-links.ts';
import {
  BLOCK_PAGES, CHUNK_LINKS, MAX_VECTORS, VECTORS, kernelExports, type KernelExports, type KernelLayout,
  type KernelThread,
} from './pagerank-memory.ts';

/** Lists are coded if that leaves less than this share of them, as measured on one block in SAMPLE_STEP. */
const WORTH_CODING = 0.85;
const SAMPLE_STEP = 32;
/** A cycle goes on if its last sweep left less than this share of what an extrapolation would have left before it. */
const WORTH_ANOTHER_SWEEP = 0.25;
/** Below this sweeps cost less than thoughts about them. */
const SMALL_PAGES = 16384;
export interface KernelSteps {
  readonly selfLoops: boolean;
  readonly mutualLinks: boolean;
  readonly danglingLast: boolean;
  readonly deltaCoded: boolean;
}

/**
 * A graph's in-lists in the kernel's memory, and the state of an iteration over them: `code` and `begin` come before
 * the first `sweep`, and either may come again. With several threads each has one of these, and all make the same
 * calls, which return the same.
 *
 * Each thread sweeps a contiguous part of the blocks, as equal as their entries and pages allow, over its own copy of
 * the shares, and copies the others' when all are done: Gauss-Seidel inside, Jacobi between. Sums are added up in the
 * order of the threads.
 */
export class PageRankKernel {
  readonly #thread: number;
  readonly #threads: number;
  readonly #layout: KernelLayout;
  readonly #memory: WebAssembly.Memory;
  readonly #exports: KernelExports;
  readonly #barrier: () => void;
  readonly #steps: KernelSteps;
  readonly #graph: Pick<WebGraph, 'outOffsets' | 'outTargets'>;
  /** As mutualLinks returns them; found on first use. */
  #mutual: Uint32Array | undefined;
  #isMutualSolved = false;
  #listsEnd = 0;
  /** Address of this thread's sums. */
  readonly #sums: number;
  /** The starts of the lists that are swept, by block. */
  #starts: number;
  /** First block of each thread's part, and the end. */
  #parts: readonly number[];
  #damping = 0;
  /** Counted on first use. */
  #danglingPages: number | undefined;
  #keptSoFar = 0;
  /** The address of the changes of the last sweep; 0 if it stored none. */
  #keptAt = 0;
  /** Runs of blocks: the first of each, and its end. */
  #restless: readonly number[] = [];
  /** The cost of each block, in list entries. */
  #costs: Float64Array;
  /** Differences to store before an extrapolation. */
  #cycle = VECTORS;

  /** Makes the in-lists of the pages, straight from their out-links. O(n + m). */
  constructor(
    graph: Pick<WebGraph, 'outOffsets' | 'outTargets'>,
    steps: KernelSteps,
    place: KernelThread & { readonly exports?: KernelExports },
  ) {
    const { thread, layout, memory, barrier, exports = kernelExports(memory) } = place;
    this.#thread = thread;
    this.#threads = layout.threads;
    this.#layout = layout;
    this.#memory = memory;
    this.#exports = exports;
    this.#barrier = barrier;
    this.#steps = steps;
    this.#graph = graph;
    this.#sums = layout.sums[thread];
    exports.setAddresses(layout.pages, layout.degrees, layout.factors, layout.shares[thread], layout.ranks);
    this.#transpose(graph);
    this.#starts = layout.starts;
    this.#costs = blockCosts(this.#words(layout.starts, layout.blocks), [this.#listsEnd]);
    this.#parts = evenParts(this.#costs, this.#threads);
  }

  #transpose({ outOffsets, outTargets }: Pick<WebGraph, 'outOffsets' | 'outTargets'>): void {
    const { pages, differences, stride, starts, danglingStarts, lists, degrees: degreesAt, chunks } = this.#layout;
    const counters = differences + this.#thread * stride;
    this.#words(counters, pages).fill(0);
    const degrees = this.#words(degreesAt, pages);
    for (let page = this.#share(pages, 0); page < this.#share(pages, 1); page++)
      degrees[page] = outOffsets[page + 1] - outOffsets[page];
    // The links, chunk by chunk; each with the page of its first link, and the number of that page's remaining links.
    const chunk = chunks[this.#thread];
    const inChunks = (take: (end: number, page: number, rest: number) => void): void => {
      const last = this.#share(outTargets.length, 1);
      let page = 0;
      for (let arc = this.#share(outTargets.length, 0); arc < last; arc += CHUNK_LINKS) {
        const links = outTargets.subarray(arc, Math.min(arc + CHUNK_LINKS, last));
        this.#words(chunk, links.length).set(links);
        page = pageOfArc(outOffsets, arc, page);
        take(chunk + 4 * links.length, page, outOffsets[page + 1] - arc);
      }
    };
    inChunks((end) => this.#exports.countLinks(chunk, end, counters));
    this.#barrier();
    if (this.#thread === 0) {
      const end = this.#exports.layOutLists(
        lists, differences, stride, this.#threads, starts, danglingStarts, this.#steps.danglingLast,
      );
      this.#floats(this.#sums, 1)[0] = end >>> 0;
    }
    this.#barrier();
    this.#listsEnd = this.#floats(this.#layout.sums[0], 1)[0];
    inChunks((end, page, rest) => this.#exports.scatterLinks(chunk, end, page, rest, counters));
    this.#barrier();
    // Pages that are not swept never write theirs.
    this.#words(
      differences + this.#share(MAX_VECTORS, 0) * stride,
      ((this.#share(MAX_VECTORS, 1) - this.#share(MAX_VECTORS, 0)) * stride) / 4,
    ).fill(0);
    this.#barrier();
  }

  /** Codes the lists if they are similar enough and coding is enabled. Returns whether it did. */
  code(): boolean {
    const { blocks, starts, codeStarts, danglingStarts, lists, code } = this.#layout;
    if (!this.#steps.deltaCoded || code === 0) return false;
    const startOf = this.#words(starts, blocks);
    const danglingStart = this.#words(danglingStarts, blocks);
    if (this.#thread === 0) {
      let plain = 0;
      let coded = 0;
      for (let block = 0; block < blocks; block += SAMPLE_STEP) {
        plain += danglingStart[block] - startOf[block];
        coded += (this.#exports.codeLists(block, block + 1, starts, codeStarts, code) >>> 0) - code;
      }
      this.#floats(this.#sums, 1)[0] = coded < WORTH_CODING * plain ? 1 : 0;
    }
    const isWorth = this.#gathered(1)[0][0] === 1;
    if (!isWorth) return false;
    const parts = evenParts(blockCosts(startOf, [this.#listsEnd]), this.#threads);
    const [first, end] = [parts[this.#thread], parts[this.#thread + 1]];
    const to = code + (first < blocks ? startOf[first] - lists : 0);
    this.#floats(this.#sums, 1)[0] = this.#exports.codeLists(first, end, starts, codeStarts, to) >>> 0;
    const ends = this.#gathered(1).map(([codeEnd]) => codeEnd);
    this.#starts = codeStarts;
    this.#costs = blockCosts(this.#words(codeStarts, blocks), ends, parts);
    this.#parts = evenParts(this.#costs, this.#threads);
    return true;
  }

  /**
   * The state before the first sweep: the shares of `start` (by default the preference), scaled to the sum of the
   * linear system's solution if they were the ranks. Both have a number >= 0 per page; the preference sums to 1, and is
   * even by default.
   */
  begin(damping: number, preference?: Float64Array, start?: Float64Array): void {
    const { pages, ranks, preference: preferenceAt, degrees } = this.#layout;
    const { selfLoops, danglingLast } = this.#steps;
    this.#damping = damping;
    this.#isMutualSolved = false;
    this.#restless = [];
    this.#endCycle();
    if (this.#thread === 0) {
      if (preference !== undefined) this.#floats(preferenceAt, pages).set(preference);
      const begun = start ?? preference;
      const degreeOf = this.#words(degrees, pages);
      let sum = 0;
      let dangling = 0;
      if (begun === undefined) {
        sum = pages;
        this.#danglingPages ??= countZeros(degreeOf);
        dangling = this.#danglingPages;
      } else {
        this.#floats(ranks, pages).set(begun);
        for (let page = 0; page < pages; page++) {
          sum += begun[page];
          if (degreeOf[page] === 0) dangling += begun[page];
        }
      }
      // y = d P'y + (1 - d) v, summed over all pages: sum(y) = d (sum(y) - sum(y of dangling pages)) + 1 - d.
      const solutionSum = (1 - damping) / (1 - damping * (1 - dangling / sum));
      this.#floats(this.#sums, 1)[0] = begun === undefined ? solutionSum : solutionSum / sum;
    }
    const scale = this.#gathered(1)[0][0];
    this.#exports.setPreference(preference === undefined ? 0 : preferenceAt);
    const startAt = start === undefined && preference === undefined ? 0 : ranks;
    this.#exports.begin(...this.#part(), damping, selfLoops, danglingLast, startAt, scale);
    this.#exchangeShares();
  }

  /**
   * From here on each page of a mutual link has its equation solved together with the equation of the lower page: what
   * it gives comes back in the same sweep. No effect when called again, or if switched off. Pairs whose lower page
   * another thread sweeps are left alone, because that would not give it back yet.
   */
  solveMutualLinks(): void {
    if (this.#isMutualSolved || !this.#steps.mutualLinks) return;
    this.#isMutualSolved = true;
    this.#mutual ??= mutualLinks(this.#graph);
    const { pages, factors } = this.#layout;
    const [first, end] = this.#part().map((block) => block * BLOCK_PAGES);
    solveTogether(this.#mutual, this.#floats(factors, pages), this.#damping, first, end);
  }

  /** Sweeps that an extrapolation needs the differences of. */
  get differencesOfACycle(): number {
    return VECTORS;
  }

  get isCycleComplete(): boolean {
    return this.#keptSoFar === this.#cycle;
  }

  /**
   * One sweep; stores its changes for the next extrapolation if `isKept`. Returns its L1 change as a share of all
   * rank swept.
   */
  sweep(isKept: boolean): number {
    const { differences, stride, changes } = this.#layout;
    this.#keptAt = isKept ? differences + this.#keptSoFar++ * stride : 0;
    this.#exports.sweep(...this.#part(), this.#starts, this.#keptAt, false, this.#damping, changes, this.#sums);
    const [change, total] = added(this.#gathered(2, () => this.#takeOthersShares()));
    return total === 0 ? 0 : change / total;
  }

  /**
   * Sweeps the restless blocks once more, as part of the last sweep: its stored changes include theirs. Other threads
   * see the shares after the next sweep.
   */
  sweepRestless(): void {
    const runs = this.#restless;
    for (let i = 0; i < runs.length; i += 2) {
      this.#exports.sweep(
        runs[i], runs[i + 1], this.#starts, this.#keptAt, true, this.#damping, this.#layout.changes, this.#sums,
      );
    }
  }

  /**
   * Chooses the blocks of this thread that sweepRestless sweeps from now on: those that changed most for their cost in
   * the last sweep; none if it takes too many of them to hold most of the change, or if the graph is small.
   */
  chooseRestless(): void {
    const { changes, blocks, pages } = this.#layout;
    if (pages >= SMALL_PAGES)
      this.#restless = restlessRuns(this.#floats(changes, blocks), this.#costs, ...this.#part());
  }

  /**
   * Makes the ranks of the shares, and measures |G(ranks) - ranks|_1 to within `rounding`. About a sweep and a half.
   *
   * Rounding   With u = 2^-53: a share of the ranks differs from shares / total by 2u of itself, and the operations
   *            around the sum over a list lose 9u of the page's rank; ranks sum to 1. Twice the resulting bound, 16u,
   *            is used.
   */
  measure(): { residual: number; rounding: number } {
    const damping = this.#damping;
    const [total, , dangling, , preferred, danglingRoundings] = this.finish();
    const rest = damping * (dangling / total) + (1 - damping);
    this.#exports.residual(...this.#part(), this.#starts, damping, rest, total, this.#sums);
    const [distance, roundings] = added(this.#gathered(2));
    const residual = distance + Math.abs(rest - (1 - damping) / total) * preferred;
    const lost = (damping / total) * (roundings + danglingRoundings) + 32;
    // The sums over pages, of numbers >= 0, lose 2^-20 of themselves at most.
    return { residual, rounding: lost * 2 ** -53 * (1 + 2 ** -16) + residual * 2 ** -16 };
  }

  /**
   * Computes the ranks up to a common factor, including dangling pages. Returns the sums that
   * pagerank-kernel.as.ts names.
   */
  finish(): Float64Array {
    this.#exports.finish(...this.#part(), this.#layout.danglingStarts, this.#damping, this.#sums);
    return added(this.#gathered(6));
  }

  /** A copy of the ranks measured last. */
  ranks(): Float64Array {
    return this.#floats(this.#layout.ranks, this.#layout.pages).slice();
  }

  /**
   * Ends the cycle with an extrapolation. False, with no effect, if there is no sensible one; and, once in a cycle, if
   * the last difference made it several times as good and it leaves more than `enough` of the change: then the cycle
   * goes on for a sweep. The products of the differences use one page in eight, which costs a sweep or two and saves
   * more; small graphs use all pages.
   */
  extrapolate(enough: number): boolean {
    const { pages, differences, stride, ranks } = this.#layout;
    const count = this.#keptSoFar;
    const step = pages < SMALL_PAGES ? 1 : 8;
    this.#exports.gramOfDifferences(...this.#part(), differences, stride, count, step, this.#sums);
    const gram = added(this.#gathered(count * count));
    const best = extrapolation(gram, count);
    if (count < MAX_VECTORS && best !== undefined && best.left > enough) {
      const earlier = extrapolation(gram, count, count - 1);
      if (earlier !== undefined && best.left < WORTH_ANOTHER_SWEEP * earlier.left) {
        this.#cycle = count + 1;
        return false;
      }
    }
    this.#endCycle();
    if (best === undefined) return false;
    this.#floats(this.#sums, count).set(best.weights);
    this.#exports.combine(...this.#part(), differences, stride, count, this.#sums, this.#damping, ranks);
    this.#exchangeShares();
    return true;
  }

  #endCycle(): void {
    this.#keptSoFar = 0;
    this.#cycle = VECTORS;
  }

  /** The shares as they were before the last extrapolation; only right after the sweep that followed it. */
  takeBack(): void {
    const { pages, ranks, shares } = this.#layout;
    this.#floats(shares[this.#thread], pages).set(this.#floats(ranks, pages));
    this.#endCycle();
  }

  /** First block of this thread's part, and the end. */
  #part(): [first: number, end: number] {
    return [this.#parts[this.#thread], this.#parts[this.#thread + 1]];
  }

  /** The begin (0) or the end (1) of this thread's even share of `count`. */
  #share(count: number, side: 0 | 1): number {
    return Math.floor((count * (this.#thread + side)) / this.#threads);
  }

  /** Reads the first `count` sums of each thread between two barriers, before they may be overwritten. */
  #gathered(count: number, meanwhile: () => void = () => undefined): Float64Array[] {
    this.#barrier();
    const sums = this.#layout.sums.map((at) => this.#floats(at, count).slice());
    if (this.#threads === 1) return sums;
    meanwhile();
    this.#barrier();
    return sums;
  }

  /** Copies the shares computed by other threads into this one's copy, between two barriers. */
  #exchangeShares(): void {
    this.#barrier();
    this.#takeOthersShares();
    this.#barrier();
  }

  #takeOthersShares(): void {
    const { pages, shares } = this.#layout;
    for (let other = 0; other < this.#threads; other++) {
      const from = this.#parts[other] * BLOCK_PAGES;
      const length = Math.min(this.#parts[other + 1] * BLOCK_PAGES, pages) - from;
      if (other === this.#thread || length <= 0) continue;
      this.#floats(shares[this.#thread] + 8 * from, length).set(this.#floats(shares[other] + 8 * from, length));
    }
  }

  #words(at: number, length: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, at, length);
  }

  #floats(at: number, length: number): Float64Array {
    return new Float64Array(this.#memory.buffer, at, length);
  }
}

function countZeros(numbers: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < numbers.length; i++) if (numbers[i] === 0) count++;
  return count;
}

/** The page whose links `arc` is one of; not before `from`. */
function pageOfArc(outOffsets: Uint32Array, arc: number, from: number): number {
  let [low, high] = [from, outOffsets.length - 2];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (outOffsets[middle + 1] > arc) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Sums of threads, added up in their order. */
function added(sums: readonly Float64Array[]): Float64Array {
  const all = sums[0].slice();
  for (const partial of sums.slice(1)) partial.forEach((sum, i) => (all[i] += sum));
  return all;
}
