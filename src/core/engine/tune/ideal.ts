import { BitSet } from '../../../base/index.ts';
import type { WebGraph } from '../../../graphs/graph/index.ts';
import type { RankQueue } from './rank-queue.ts';

/** Means over the supersteps that fetched anything; each error is in [0, 1]. */
export interface IdealErrors {
  /** W' = what the same processors would fetch, as many pages each, if messages and insertions were instant. */
  readonly stale: number;
  /** Compared with as long a prefix of the sequential crawl (one processor, page by page), over all pages so far. */
  readonly prefix: number;
  /** I = the next |W| pages of a global best-first crawl from the same state. */
  readonly state: number;
}

/** Hears of each superstep: its pages by processor (W), and both ideals in order (W' of `stale`, I of `state`). */
export type OnSuperstep =
  (fetched: readonly Uint32Array[], instant: readonly number[], global: readonly number[]) => void;

export interface IdealsInput {
  readonly graph: WebGraph;
  /** Order of the sequential crawl. */
  readonly sequential: Uint32Array;
  /** The processor of each page. */
  readonly ownerOf: Uint32Array;
  /** The queues of the processors, and one of all pages, empty. */
  readonly own: readonly RankQueue[];
  readonly all: RankQueue;
  readonly onSuperstep: OnSuperstep | undefined;
}

/**
 * Compares each superstep of a crawl that fetches best-first by true PageRank, and in which nothing takes time, with
 * what it would ideally have fetched: error = 1 - |W and ideal| / |W|, W the superstep's pages. The paper's own formula
 * is lost (Marin, Paredes & Bonacic, WIDM 2008); `stale` measures its stated purpose: how long messages may be delayed.
 *
 * Ties are broken by global order of discovery: by (superstep, processor, local index), and further inside an ideal, in
 * its order of discovery. On a single processor that is the local index.
 *
 * Cost: each ideal takes |W| pages from the queues, reads their links, and puts all back.
 */
export class Ideals {
  readonly #input: IdealsInput;
  /** Pages known to their processors when the superstep began: a bit each, since most links lead to such pages. */
  readonly #known = new BitSet();
  /** The ideal that last found a page. */
  readonly #seenIn: Uint32Array;
  /** The ideals in which a page was last taken. */
  readonly #instantIn: Uint32Array;
  readonly #globalIn: Uint32Array;
  #ideal = 0;
  #instant: number[] = [];
  #global: number[] = [];
  readonly #isFetched: Uint8Array;
  readonly #sequentialPosition: Uint32Array;
  #fetched = 0;
  #inPrefix = 0;
  #supersteps = 0;
  readonly #sums = { stale: 0, prefix: 0, state: 0 };

  constructor(input: IdealsInput) {
    const { graph: { pages }, sequential } = input;
    this.#input = input;
    this.#seenIn = new Uint32Array(pages);
    this.#instantIn = new Uint32Array(pages);
    this.#globalIn = new Uint32Array(pages);
    this.#isFetched = new Uint8Array(pages);
    this.#sequentialPosition = new Uint32Array(pages).fill(0xffffffff);
    sequential.forEach((page, position) => (this.#sequentialPosition[page] = position));
  }

  get errors(): IdealErrors {
    const mean = (sum: number): number => (this.#supersteps === 0 ? 0 : sum / this.#supersteps);
    return { stale: mean(this.#sums.stale), prefix: mean(this.#sums.prefix), state: mean(this.#sums.state) };
  }

  /** Queues a page as a superstep begins: lower processors come first, then earlier discoveries. */
  know(page: number): void {
    this.#known.add(page);
    this.#input.all.append(page);
  }

  /** Takes the ideal pages, before each processor fetches so many pages. */
  begin(counts: readonly number[]): void {
    this.#takeByTurns(counts);
    this.#takeGlobally(counts.reduce((sum, count) => sum + count, 0));
  }

  /** Compares the pages that the processors fetched with the ideal ones. */
  end(fetched: readonly Uint32Array[], size: number): void {
    this.#supersteps++;
    let [instant, global] = [0, 0];
    for (const pages of fetched) {
      for (const page of pages) {
        if (this.#instantIn[page] === this.#ideal) instant++;
        if (this.#globalIn[page] === this.#ideal) global++;
        this.#isFetched[page] = 1;
        this.#input.all.remove(page);
      }
    }
    this.#sums.stale += 1 - instant / size;
    this.#sums.state += 1 - global / size;
    this.#input.onSuperstep?.(fetched, this.#instant, this.#global);
    this.#sums.prefix += 1 - this.#countInPrefix(fetched, size) / this.#fetched;
  }

  /** Processors take turns, page by page, each as many as it fetches. */
  #takeByTurns(counts: readonly number[]): void {
    const { own } = this.#input;
    this.#ideal += 2;
    this.#instant = [];
    for (const queue of own) queue.mark();
    const most = Math.max(...counts);
    for (let turn = 0; turn < most; turn++) {
      for (let processor = 0; processor < counts.length; processor++) {
        if (turn >= counts[processor]) continue;
        const page = own[processor].take();
        this.#instantIn[page] = this.#ideal;
        if (this.#input.onSuperstep !== undefined) this.#instant.push(page);
        this.#follow(page, this.#ideal - 1);
      }
    }
    for (const queue of own) queue.undo();
  }

  /** The best page of all processors, `size` times. */
  #takeGlobally(size: number): void {
    const { all } = this.#input;
    this.#global = [];
    all.mark();
    for (let i = 0; i < size; i++) {
      const page = all.take();
      this.#globalIn[page] = this.#ideal;
      if (this.#input.onSuperstep !== undefined) this.#global.push(page);
      this.#follow(page, this.#ideal, all);
    }
    all.undo();
  }

  /** Pages that a page links to are known at once, inside this ideal: to `all`, or to their processors. */
  #follow(page: number, ideal: number, all?: RankQueue): void {
    const { graph: { outOffsets, outTargets }, own, ownerOf } = this.#input;
    for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
      const target = outTargets[i];
      if (this.#known.has(target) || this.#seenIn[target] === ideal) continue;
      this.#seenIn[target] = ideal;
      (all ?? own[ownerOf[target]]).append(target);
    }
  }

  /** Pages fetched until now that are in the prefix of the same length of the sequential crawl. */
  #countInPrefix(fetched: readonly Uint32Array[], size: number): number {
    const start = this.#fetched;
    this.#fetched += size;
    for (const pages of fetched)
      for (const page of pages) if (this.#sequentialPosition[page] < start) this.#inPrefix++;
    const { sequential } = this.#input;
    const end = Math.min(this.#fetched, sequential.length);
    for (let position = start; position < end; position++)
      if (this.#isFetched[sequential[position]] === 1) this.#inPrefix++;
    return this.#inPrefix;
  }
}
