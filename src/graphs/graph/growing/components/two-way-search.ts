import { isArc, type GrowingComponents } from '../contract.ts';
import { Partition } from '../partition.ts';
import { ArcLists, NONE } from './arc-lists.ts';

/**
 * Components of a sparse graph, by searches in both directions. Each component has a level, never above those that it
 * has arcs to, and the arcs from its own level to it are listed. An arc (s, t) to a higher level closes no cycle.
 * Otherwise s is searched from backwards, on its own level, until D arcs have been followed. If the search ends before,
 * t comes to the level of s; if not, to the one above. What t reaches and is below comes there too, by a search
 * forwards; it has met whatever is on a path from t to s, which becomes one component. "Page" below is the page that
 * stands for its component.
 *
 * Source  Bender, Fineman, Gilbert & Tarjan, "A new approach to incremental cycle detection and related problems", ACM
 *         Transactions on Algorithms 12(2), 2016 (arXiv 1112.0784): the search for sparse graphs, and its extension to
 *         strong components. With m unknown, levels begin anew whenever the number of arcs has doubled.
 * Cost    O(min(m^1/2, n^2/3) m) for m arcs together, repeated arcs included: D is min(m^1/2, n^2/3), the searches
 *         backwards follow D arcs per arc added, those forwards follow each arc once per level, of which there are no
 *         more. An arc within a component costs nearly O(1). 16 to 32 bytes per arc between components; 40 per page.
 */
export class TwoWaySearch implements GrowingComponents {
  readonly pages: number;
  readonly #partition: Partition;
  readonly #levels: Uint32Array;
  /** Arcs from any level. */
  readonly #out: ArcLists;
  /** Arcs from the page's own level. */
  readonly #in: ArcLists;
  #sources = new Uint32Array(0);
  #targets = new Uint32Array(0);
  #arcs = 0;
  /** D. */
  #followedMax = 0;
  /** Pages that a search has met: equal to #search. */
  readonly #met: Uint32Array;
  #search = 0;
  /** Pairs of pages: the arcs that the searches followed to pages that they met. */
  readonly #followed: number[] = [];

  constructor(pages: number) {
    this.pages = pages;
    this.#partition = new Partition(pages);
    this.#levels = new Uint32Array(pages);
    this.#out = new ArcLists(pages);
    this.#in = new ArcLists(pages);
    this.#met = new Uint32Array(pages);
  }

  get count(): number {
    return this.#partition.count;
  }

  componentOf(page: number): number {
    return this.#partition.lowestOf(page);
  }

  addArc(source: number, target: number): void {
    if (!isArc(this.pages, source, target)) return;
    const from = this.#partition.rootOf(source);
    const to = this.#partition.rootOf(target);
    if (from === to) return;
    if (this.#arcs === this.#sources.length) this.#beginAnew();
    if (this.#levels[from] >= this.#levels[to] && this.#closesCycle(from, to)) {
      this.#mergePaths(to, from);
      return;
    }
    const arc = this.#arcs++;
    this.#sources[arc] = from;
    this.#targets[arc] = to;
    this.#out.add(from, arc);
    if (this.#levels[from] === this.#levels[to]) this.#in.add(to, arc);
  }

  update(): void {
    // Every arc updates the components.
  }

  /** Brings `to` to the level of `from` at least. True if it reaches `from`: then the searches followed all paths. */
  #closesCycle(from: number, to: number): boolean {
    this.#search++;
    this.#followed.length = 0;
    const level = this.#levels[from];
    const isComplete = this.#searchBackward(from);
    if (isComplete && this.#levels[to] === level) return this.#met[to] === this.#search;
    if (!isComplete) {
      // Whatever leads from `to` to `from` will be on the new level, and met forwards.
      this.#search++;
      this.#followed.length = 0;
      this.#met[from] = this.#search;
    }
    return this.#searchForward(to, isComplete ? level : level + 1);
  }

  /** Meets the pages on the level of `start` that reach it. False if there were too many arcs to follow. */
  #searchBackward(start: number): boolean {
    const met = this.#met;
    const stack = [start];
    met[start] = this.#search;
    let budget = this.#followedMax;
    for (let page = stack.pop(); page !== undefined; page = stack.pop()) {
      for (let arc = this.#in.firstOf(page), previous = NONE; arc !== NONE; arc = this.#in.nextOf(arc)) {
        const source = this.#partition.rootOf(this.#sources[arc]);
        if (source === page) {
          this.#in.removeAfter(page, previous);
          continue;
        }
        previous = arc;
        if (budget-- === 0) return false;
        this.#followed.push(source, page);
        if (met[source] === this.#search) continue;
        met[source] = this.#search;
        stack.push(source);
      }
    }
    return true;
  }

  /** Lifts `start`, and all that it reaches below `level`. True if it comes to a page met before. */
  #searchForward(start: number, level: number): boolean {
    const levels = this.#levels;
    const stack: number[] = [];
    let isMet = false;
    const lift = (page: number): void => {
      levels[page] = level;
      this.#in.clear(page);
      stack.push(page);
      if (this.#met[page] === this.#search) isMet = true;
    };
    lift(start);
    for (let page = stack.pop(); page !== undefined; page = stack.pop()) {
      for (let arc = this.#out.firstOf(page), previous = NONE; arc !== NONE; arc = this.#out.nextOf(arc)) {
        const target = this.#partition.rootOf(this.#targets[arc]);
        if (target === page) {
          this.#out.removeAfter(page, previous);
          continue;
        }
        previous = arc;
        if (levels[target] < level) lift(target);
        if (levels[target] > level) continue;
        this.#in.add(target, arc);
        if (this.#met[target] === this.#search) isMet = true;
        this.#followed.push(page, target);
      }
    }
    return isMet;
  }

  /** Makes one component of all pages on the paths from `start` to `end` that were followed. */
  #mergePaths(start: number, end: number): void {
    const successors = new Map<number, number[]>();
    const predecessors = new Map<number, number[]>();
    for (let i = 0; i < this.#followed.length; i += 2) {
      const [page, next] = [this.#followed[i], this.#followed[i + 1]];
      put(successors, page, next);
      put(predecessors, next, page);
    }
    const reachEnd = reachedFrom(end, predecessors);
    let whole = start;
    for (const page of reachedFrom(start, successors)) {
      if (!reachEnd.has(page) || page === whole) continue;
      const root = this.#partition.merge(whole, page);
      const other = root === whole ? page : whole;
      this.#out.append(root, other);
      this.#in.append(root, other);
      whole = root;
    }
  }

  /** Room for twice the arcs, D for so many, and a single level. */
  #beginAnew(): void {
    const room = Math.max(16, 2 * this.#arcs);
    this.#followedMax = Math.ceil(Math.min(Math.sqrt(room), Math.cbrt(this.pages) ** 2));
    for (const lists of [this.#in, this.#out]) lists.reserve(room);
    this.#sources = grown(this.#sources, room);
    this.#targets = grown(this.#targets, room);
    this.#levels.fill(0);
    this.#in.clearAll();
    for (let arc = 0; arc < this.#arcs; arc++) {
      const to = this.#partition.rootOf(this.#targets[arc]);
      if (to !== this.#partition.rootOf(this.#sources[arc])) this.#in.add(to, arc);
    }
  }
}

function put(lists: Map<number, number[]>, page: number, other: number): void {
  const list = lists.get(page);
  if (list === undefined) lists.set(page, [other]);
  else list.push(other);
}

function reachedFrom(start: number, next: ReadonlyMap<number, readonly number[]>): Set<number> {
  const reached = new Set([start]);
  // A set can be added to while it is gone through.
  for (const page of reached) for (const other of next.get(page) ?? []) reached.add(other);
  return reached;
}

function grown(values: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(length);
  longer.set(values);
  return longer;
}
