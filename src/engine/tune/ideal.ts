import type { WebGraph } from '../../graph/index.ts';
import type { RunSink, SuperstepEnd } from '../../events/index.ts';
import { createQueue, entryIndex, keyOfScore, packEntry, type PriorityQueue } from '../../queue/index.ts';
import type { Processor } from '../../scheduler/index.ts';
import { grown } from '../../base/index.ts';
import type { Outcome } from '../../world/index.ts';

/** Means over the supersteps that fetched anything; each error is in [0, 1]. */
export interface IdealErrors {
  /** W' = what the same processors would fetch, as many pages each, if messages and insertions were instant. */
  readonly stale: number;
  /**
   * Compared with the prefix of the same length of the sequential crawl (one processor, page by page), over all pages
   * so far.
   */
  readonly prefix: number;
  /** I = the next |W| pages of one global best-first crawl from the same state. */
  readonly state: number;
}

export interface IdealInput {
  readonly graph: WebGraph;
  readonly ranks: Float64Array;
  readonly processors: number;
  /** Order of the sequential crawl. */
  readonly sequential: Uint32Array;
  /**
   * Called for each superstep that fetched anything: the pages of each processor (W), and those of the two ideals, in
   * the order in which they were taken (W' of `stale`, I of `state`).
   */
  readonly onSuperstep?:
    ((fetched: readonly Uint32Array[], instant: readonly number[], global: readonly number[]) => void) | undefined;
}

/**
 * Compares each superstep of a crawl that fetches best-first by true PageRank, and in which nothing takes time, with
 * what it would ideally have fetched: error = 1 - |W and ideal| / |W|, W the superstep's pages. The paper's own formula
 * is lost (Marin, Paredes & Bonacic, WIDM 2008); `stale` measures its stated purpose: how long messages may be delayed.
 *
 * Ties are broken by global order of discovery: pages are numbered as they become known, by (superstep, processor,
 * local index), and further inside an ideal, in its order of discovery. On a single processor that is the local index.
 *
 * Cost: each superstep takes |W| entries from persistent heaps, reads their links, and puts them back: O(m + n log n)
 * per run.
 */
export class IdealSink implements RunSink {
  readonly #input: IdealInput;
  /** Page of each global number; beyond #known those found inside an ideal. */
  #pageOf = new Uint32Array(1024);
  #known = 0;
  readonly #isKnown: Uint8Array;
  readonly #isFetched: Uint8Array;
  /** Local indices below this are numbered, for each processor. */
  readonly #numbered: Uint32Array;
  /** Pages that each processor fetched and that belong to no earlier superstep. */
  readonly #pages: number[][];
  #ownerOf: (page: number) => number = () => 0;
  /**
   * Persistent heaps of the unfetched known pages, per processor and of all. Pages fetched since are dropped on
   * the way out.
   */
  readonly #own: RestorableHeap[];
  readonly #all: RestorableHeap;
  /** The ideal in which a page was last found or fetched, by its number. */
  readonly #foundIn: Uint32Array;
  readonly #takenIn: Uint32Array;
  #ideal = 0;
  /** Pages of the last ideal, in the order in which it took them. */
  #taken: number[] = [];

  readonly #sequentialPosition: Uint32Array;
  #fetched = 0;
  #inPrefix = 0;
  #supersteps = 0;
  readonly #sums = { stale: 0, prefix: 0, state: 0 };

  constructor(input: IdealInput) {
    const { graph, processors, sequential } = input;
    this.#input = input;
    this.#isKnown = new Uint8Array(graph.pages);
    this.#isFetched = new Uint8Array(graph.pages);
    this.#foundIn = new Uint32Array(graph.pages);
    this.#takenIn = new Uint32Array(graph.pages);
    this.#numbered = new Uint32Array(processors);
    this.#pages = Array.from({ length: processors }, () => []);
    this.#own = Array.from({ length: processors }, () => new RestorableHeap());
    this.#all = new RestorableHeap();
    this.#sequentialPosition = new Uint32Array(graph.pages).fill(0xffffffff);
    sequential.forEach((page, position) => (this.#sequentialPosition[page] = position));
  }

  get errors(): IdealErrors {
    const mean = (sum: number): number => (this.#supersteps === 0 ? 0 : sum / this.#supersteps);
    return { stale: mean(this.#sums.stale), prefix: mean(this.#sums.prefix), state: mean(this.#sums.state) };
  }

  /** All messages of a superstep are received and all insertions made. */
  received(processors: readonly Processor[]): void {
    this.#ownerOf = processors[0].frontier.options.ownerOf;
    processors.forEach(({ frontier: { states } }, processor) => {
      for (; this.#numbered[processor] < states.count; this.#numbered[processor]++) {
        const page = states.pageAt(this.#numbered[processor]);
        const entry = this.#entry(page, this.#known++);
        this.#isKnown[page] = 1;
        this.#own[processor].add(entry);
        this.#all.add(entry);
      }
    });
  }

  /** Nothing fails in a crawl in which nothing takes time. */
  outcome(processor: number, { page }: Outcome): void {
    this.#pages[processor].push(page);
  }

  superstep({ unobserved }: SuperstepEnd): void {
    const fetched = this.#pages.map((pages, processor) =>
      Uint32Array.from(pages.splice(0, pages.length - unobserved[processor])));
    const size = fetched.reduce((sum, pages) => sum + pages.length, 0);
    if (size === 0) return;
    this.#supersteps++;
    this.#sums.stale += 1 - this.#takeByTurns(fetched) / size;
    const instant = this.#taken;
    this.#sums.state += 1 - this.#takeGlobally(fetched, size) / size;
    this.#input.onSuperstep?.(fetched, instant, this.#taken);
    for (const pages of fetched) for (const page of pages) this.#isFetched[page] = 1;
    this.#sums.prefix += 1 - this.#countInPrefix(fetched, size) / this.#fetched;
  }

  #entry(page: number, number: number): number {
    this.#pageOf = grown(this.#pageOf, number + 1);
    this.#pageOf[number] = page;
    return packEntry(keyOfScore(this.#input.ranks[page]), number);
  }

  readonly #isSpent = (entry: number): boolean => this.#isFetched[this.#pageOf[entryIndex(entry)]] === 1;

  /** Processors take turns, page by page, each as many as it fetched. Returns |W and W'|. */
  #takeByTurns(fetched: readonly Uint32Array[]): number {
    const { processors } = this.#input;
    const left = fetched.map((pages) => pages.length);
    let found = this.#begin();
    for (let progress = true; progress; ) {
      progress = false;
      for (let processor = 0; processor < processors; processor++) {
        if (left[processor] === 0) continue;
        const entry = this.#own[processor].take(this.#isSpent);
        if (entry === undefined) continue;
        left[processor]--;
        progress = true;
        found = this.#fetch(entry, found, (page) => this.#own[this.#ownerOf(page)]);
      }
    }
    for (const standing of this.#own) standing.putBack();
    return this.#countTaken(fetched);
  }

  /** The best page of all processors, `size` times. Returns |W and I|. */
  #takeGlobally(fetched: readonly Uint32Array[], size: number): number {
    let found = this.#begin();
    for (let i = 0; i < size; i++) {
      const entry = this.#all.take(this.#isSpent);
      if (entry === undefined) break;
      found = this.#fetch(entry, found, () => this.#all);
    }
    this.#all.putBack();
    return this.#countTaken(fetched);
  }

  /** Starts an ideal; returns the number of the first page found inside it. */
  #begin(): number {
    this.#ideal++;
    this.#taken = [];
    return this.#known;
  }

  /** Fetches a page inside an ideal: its new links reach their processors at once. Returns the next number. */
  #fetch(entry: number, found: number, standingOf: (page: number) => RestorableHeap): number {
    const page = this.#pageOf[entryIndex(entry)];
    this.#takenIn[page] = this.#ideal;
    this.#taken.push(page);
    const { outOffsets, outTargets } = this.#input.graph;
    for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
      const target = outTargets[i];
      if (this.#isKnown[target] === 1 || this.#foundIn[target] === this.#ideal) continue;
      this.#foundIn[target] = this.#ideal;
      standingOf(target).addInside(this.#entry(target, found++));
    }
    return found;
  }

  #countTaken(fetched: readonly Uint32Array[]): number {
    let taken = 0;
    for (const pages of fetched) for (const page of pages) if (this.#takenIn[page] === this.#ideal) taken++;
    return taken;
  }

  /**
   * Pages fetched so far, including this superstep's, that are in the prefix of the same length of the sequential
   * crawl.
   */
  #countInPrefix(fetched: readonly Uint32Array[], size: number): number {
    const before = this.#fetched;
    this.#fetched += size;
    for (const pages of fetched)
      for (const page of pages) if (this.#sequentialPosition[page] < before) this.#inPrefix++;
    const { sequential } = this.#input;
    const end = Math.min(this.#fetched, sequential.length);
    for (let position = before; position < end; position++)
      if (this.#isFetched[sequential[position]] === 1) this.#inPrefix++;
    return this.#inPrefix;
  }
}

/**
 * A heap from which an ideal takes entries, and into which they are put back; pages found inside the ideal are stored
 * separately.
 */
class RestorableHeap {
  readonly #heap: PriorityQueue = heap();
  #inside: PriorityQueue | undefined;
  /** Entries taken out of the heap since the last putBack; the last one may be in hand, not yet taken by the ideal. */
  #out = new Float64Array(16);
  #outCount = 0;
  #hand: number | undefined;
  #insideHand: number | undefined;
  readonly #single = new Float64Array(1);

  add(entry: number): void {
    insert(this.#heap, entry, this.#single);
  }

  addInside(entry: number): void {
    this.#inside ??= heap();
    insert(this.#inside, entry, this.#single);
    // The entry in hand may no longer be the best: put it back.
    if (this.#insideHand === undefined) return;
    insert(this.#inside, this.#insideHand, this.#single);
    this.#insideHand = undefined;
  }

  /** Takes the best entry that is not spent; spent ones leave for good. */
  take(isSpent: (entry: number) => boolean): number | undefined {
    while (this.#hand === undefined) {
      if (this.#heap.extractTop(1, this.#single) === 0) break;
      if (isSpent(this.#single[0])) continue;
      this.#hand = this.#single[0];
      this.#out = grown(this.#out, this.#outCount + 1);
      this.#out[this.#outCount++] = this.#hand;
    }
    if (
      this.#insideHand === undefined &&
      this.#inside !== undefined &&
      this.#inside.extractTop(1, this.#single) === 1
    ) {
      this.#insideHand = this.#single[0];
    }
    if (this.#insideHand !== undefined && (this.#hand === undefined || this.#insideHand > this.#hand)) {
      const entry = this.#insideHand;
      this.#insideHand = undefined;
      return entry;
    }
    const entry = this.#hand;
    this.#hand = undefined;
    return entry;
  }

  putBack(): void {
    this.#heap.insertMany(this.#out, 0, this.#outCount);
    this.#outCount = 0;
    this.#hand = undefined;
    this.#inside = undefined;
    this.#insideHand = undefined;
  }
}

const heap = (): PriorityQueue => createQueue({ kind: 'binary-heap', block: 1, seed: 0 });

function insert(queue: PriorityQueue, entry: number, single: Float64Array): void {
  single[0] = entry;
  queue.insertMany(single, 0, 1);
}
