import type { WebGraph } from '../../../graphs/graph/index.ts';
import { BitSet } from '../../../base/index.ts';
import { keyOfScore } from '../../queue/index.ts';
import { Ideals, type IdealErrors, type OnSuperstep } from './ideal.ts';
import { RankQueue, type RankClasses } from './rank-queue.ts';

export interface BestFirstInput {
  /** Its pages are numbered by falling rank. */
  readonly graph: WebGraph;
  readonly ranks: Float64Array;
  readonly seedPages: readonly number[];
  readonly processorOfHost: Uint32Array;
  readonly processors: number;
  readonly robots: number;
  /** R_x, and the number of pending jobs. */
  readonly r: number;
  /** Order of the sequential crawl, to compare with; undefined: without errors. */
  readonly sequential: Uint32Array | undefined;
  readonly onSuperstep?: OnSuperstep | undefined;
}

/** What a crawl of a trial is like. */
export interface BestFirstCrawl {
  readonly order: Uint32Array;
  readonly errors: IdealErrors | undefined;
  readonly supersteps: number;
  readonly pairs: number;
  /** mean(X)/mean(Y) of pages. */
  readonly balance: number;
}

/**
 * A crawl best first by true PageRank in which nothing takes time or fails, and only R_x ends a superstep. It does what
 * the scheduler would do (`test/engine/tune/best-first.test.ts` compares the two), without World, record and heaps.
 * Ranks never change, so that queues need no comparisons.
 *
 * In a superstep each processor fetches the R_x best pages that it knew at its start. Each robot takes the best job
 * whose host is free; downloads that begin together end together.
 */
export class BestFirst {
  readonly #input: BestFirstInput;
  readonly #ownerOf: Uint32Array;
  readonly #own: RankQueue[];
  readonly #ideals: Ideals | undefined;
  /** The pages that each processor knows or has sent. */
  readonly #seen: BitSet[];
  /** Found since the superstep began, by processor, and sent by it. */
  readonly #found: number[][];
  readonly #outboxes: number[][];
  readonly #order: Uint32Array;
  #fetched = 0;
  #supersteps = 0;
  #pairs = 0;
  readonly #sums = { mean: 0, most: 0 };

  constructor(input: BestFirstInput) {
    const { graph, processors, seedPages } = input;
    this.#input = input;
    this.#ownerOf = graph.hosts.ofPage.map((host) => input.processorOfHost[host]);
    const { ofPage, counts } = classesOf(input, processors, this.#ownerOf);
    const links = new Int32Array(2 * graph.pages);
    this.#own = Array.from(counts, (count) => new RankQueue(ofPage, count, links));
    this.#seen = Array.from({ length: processors }, () => new BitSet());
    this.#found = Array.from({ length: processors }, () => []);
    this.#outboxes = Array.from({ length: processors }, () => []);
    this.#order = new Uint32Array(graph.pages);
    if (input.sequential !== undefined) {
      const all = classesOf(input, 1);
      this.#ideals = new Ideals({
        graph, sequential: input.sequential, own: this.#own, ownerOf: this.#ownerOf,
        all: new RankQueue(all.ofPage, all.counts[0], new Int32Array(2 * graph.pages)),
        onSuperstep: input.onSuperstep,
      });
    }
    for (const page of seedPages) this.#know(this.#ownerOf[page], page);
  }

  get result(): BestFirstCrawl {
    return {
      order: this.#order.slice(0, this.#fetched), errors: this.#ideals?.errors, supersteps: this.#supersteps,
      pairs: this.#pairs, balance: this.#sums.mean / this.#sums.most,
    };
  }

  /** Runs one superstep. @returns how many pages it fetched; undefined if nothing was left to do. */
  superstep(): number | undefined {
    const { processors, r } = this.#input;
    const hasMail = this.#receive();
    this.#queueFound();
    const counts = this.#own.map(({ size }) => Math.min(r, size));
    const size = counts.reduce((sum, count) => sum + count, 0);
    if (size === 0 && !hasMail) return undefined;
    this.#supersteps++;
    if (size === 0) return 0;
    this.#ideals?.begin(counts);
    const fetched = counts.map((count, processor) => this.#fetch(processor, count));
    this.#sums.mean += size / processors;
    this.#sums.most += Math.max(...counts);
    this.#ideals?.end(fetched, size);
    return size;
  }

  /** @returns whether there was anything to receive. */
  #receive(): boolean {
    let hasMail = false;
    for (const box of this.#outboxes) {
      hasMail ||= box.length > 0;
      for (const page of box) this.#know(this.#ownerOf[page], page);
      box.length = 0;
    }
    return hasMail;
  }

  #know(processor: number, page: number): void {
    if (this.#seen[processor].add(page)) this.#found[processor].push(page);
  }

  #queueFound(): void {
    this.#found.forEach((pages, processor) => {
      for (const page of pages) {
        this.#own[processor].append(page);
        this.#ideals?.know(page);
      }
      pages.length = 0;
    });
  }

  /** The pages that a processor fetches in a superstep, in their order; their links are followed. */
  #fetch(processor: number, count: number): Uint32Array {
    const jobs = new Uint32Array(count);
    for (let i = 0; i < count; i++) jobs[i] = this.#own[processor].take();
    const fetched = this.#input.robots === 1 || count < 2 ? jobs : inOrderOfRobots(jobs, this.#input);
    const { outOffsets, outTargets } = this.#input.graph;
    const pages = this.#seen[processor];
    for (const page of fetched) {
      this.#order[this.#fetched++] = page;
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
        const target = outTargets[i];
        if (!pages.add(target)) continue;
        if (this.#ownerOf[target] === processor) this.#found[processor].push(target);
        else {
          this.#outboxes[processor].push(target);
          this.#pairs++;
        }
      }
    }
    return fetched;
  }
}

/** Dense classes of equal ranks, best first, within each group. */
function classesOf({ ranks }: BestFirstInput, groups: number, groupOf?: Uint32Array): RankClasses {
  const ofPage = new Uint32Array(ranks.length);
  const counts = new Uint32Array(groups);
  const lastKey = new Float64Array(groups).fill(-1);
  for (let page = 0; page < ranks.length; page++) {
    const group = groupOf === undefined ? 0 : groupOf[page];
    const key = keyOfScore(ranks[page]);
    if (key !== lastKey[group]) {
      lastKey[group] = key;
      counts[group]++;
    }
    ofPage[page] = counts[group] - 1;
  }
  return { ofPage, counts };
}

/** Each robot takes the best job whose host has no download open; they end together, and take the next. */
function inOrderOfRobots(
  jobs: Uint32Array, { graph: { hosts }, robots }: Pick<BestFirstInput, 'graph' | 'robots'>,
): Uint32Array {
  // Jobs are in order; a job follows the one before it on its host.
  const follower = new Int32Array(jobs.length).fill(-1);
  const lastOfHost = new Map<number, number>();
  const free = new LeastFirst(jobs.length);
  jobs.forEach((page, job) => {
    const host = hosts.ofPage[page];
    const last = lastOfHost.get(host);
    if (last === undefined) free.add(job);
    else follower[last] = job;
    lastOfHost.set(host, job);
  });
  const fetched = new Uint32Array(jobs.length);
  const open: number[] = [];
  for (let count = 0; count < jobs.length; ) {
    while (open.length < robots && free.size > 0) open.push(free.take());
    for (const job of open) {
      fetched[count++] = jobs[job];
      if (follower[job] >= 0) free.add(follower[job]);
    }
    open.length = 0;
  }
  return fetched;
}

/** A binary heap of integers. */
class LeastFirst {
  size = 0;
  readonly #heap: Int32Array;

  constructor(most: number) {
    this.#heap = new Int32Array(most);
  }

  add(value: number): void {
    const heap = this.#heap;
    let at = this.size++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (heap[above] <= value) break;
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = value;
  }

  take(): number {
    const heap = this.#heap;
    const least = heap[0];
    const value = heap[--this.size];
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.size) break;
      if (below + 1 < this.size && heap[below + 1] < heap[below]) below++;
      if (heap[below] >= value) break;
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = value;
    return least;
  }
}
