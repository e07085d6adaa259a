import { assert, grown } from '../../base/index.ts';
import type { WebGraph } from '../../graphs/graph/index.ts';

/** No entry. Entries are numbered from 1. */
const NONE = 0;
const FETCHED = 2 ** 31;

/**
 * The pages fetched so far, numbered in their order, and how many links there are between them. Links that wait for
 * their target are only counted, so a page costs much less than in `grown-graph.ts`; the links themselves are read
 * again where all of them are needed.
 *
 * Cost  addPage O(links). rows O(pages + links). 8 bytes per page known, 5 per page fetched, and 8 per link of pages
 *       that are dangling when they are fetched; without a stored graph, 4 more per link.
 */
export class FetchedGraph {
  readonly #stored: Pick<WebGraph, 'outOffsets' | 'outTargets'> | undefined;
  #pages = 0;
  #links = 0;
  #arcs = 0;
  #dangling = 0;
  #order: Uint32Array = new Uint32Array(64);
  /** Each page's number of links to it so far, and in bit 31 whether it is fetched. */
  #states: Uint32Array = new Uint32Array(64);
  /** Whether the page of a number links to another fetched page. */
  #hasArc: Uint8Array = new Uint8Array(64);
  /** The first entry that waits for each page. An entry is a dangling page, and the next entry. */
  #heads: Uint32Array = new Uint32Array(64);
  #waiting: Uint32Array = new Uint32Array(64);
  #nexts: Uint32Array = new Uint32Array(64);
  #entries = 0;
  /** Used without a stored graph: all links, the end of each page's links, and the last page that named each page. */
  #ends: Float64Array = new Float64Array(64);
  #targets: Uint32Array = new Uint32Array(64);
  #namedBy: Uint32Array = new Uint32Array(64);

  /** @param stored - the graph that links are read from. It repeats no link of a page. */
  constructor(stored: Pick<WebGraph, 'outOffsets' | 'outTargets'> | undefined) {
    this.#stored = stored;
    if (stored !== undefined) this.#reserve(Math.max(0, stored.outOffsets.length - 2));
  }

  get pages(): number {
    return this.#pages;
  }

  /** Different links of the pages fetched, to any page. */
  get links(): number {
    return this.#links;
  }

  /** Links between different fetched pages. */
  get arcs(): number {
    return this.#arcs;
  }

  /** Pages without a link to another page fetched. */
  get danglingPages(): number {
    return this.#dangling;
  }

  /** A page was fetched. @param links - ids, borrowed for the call; not needed with a stored graph. */
  addPage(page: number, links?: Uint32Array): void {
    const number = this.#pages++;
    this.#order = grown(this.#order, this.#pages, 1.5);
    this.#hasArc = grown(this.#hasArc, this.#pages, 1.5);
    this.#order[number] = page;
    if (this.#stored === undefined) {
      assert(links !== undefined, 'a page without its links');
      this.#store(page, links);
    }
    // The links that have waited for it.
    this.#arcs += this.#states[page];
    this.#states[page] |= FETCHED;
    for (let entry = this.#heads[page]; entry !== NONE; entry = this.#nexts[entry]) this.#link(this.#waiting[entry]);
    this.#heads[page] = NONE;
    this.#dangling++;
    this.#follow(page, number);
  }

  /** The links between pages fetched as compressed rows of their numbers. */
  rows(): Pick<WebGraph, 'pages' | 'arcs' | 'outOffsets' | 'outTargets'> {
    const pages = this.#pages;
    const numbers = new Int32Array(this.#states.length).fill(-1);
    for (let number = 0; number < pages; number++) numbers[this.#order[number]] = number;
    const outOffsets = new Uint32Array(pages + 1);
    const outTargets = new Uint32Array(this.#arcs);
    const targets = this.#stored?.outTargets ?? this.#targets;
    let arcs = 0;
    for (let number = 0; number < pages; number++) {
      const end = this.#endOf(number);
      for (let i = this.#beginOf(number); i < end; i++) {
        const target = numbers[targets[i]];
        if (target >= 0 && target !== number) outTargets[arcs++] = target;
      }
      outOffsets[number + 1] = arcs;
    }
    return { pages, arcs, outOffsets, outTargets };
  }

  #follow(page: number, number: number): void {
    const states = this.#states;
    const targets = this.#stored?.outTargets ?? this.#targets;
    const begin = this.#beginOf(number);
    const end = this.#endOf(number);
    this.#links += end - begin;
    let arcs = 0;
    // No branch, so that many links are under way to memory at a time.
    for (let i = begin; i < end; i++) {
      const target = targets[i];
      const state = states[target];
      states[target] = state + 1;
      arcs += target === page ? 0 : state >>> 31;
    }
    this.#arcs += arcs;
    if (arcs > 0) this.#link(number);
    else for (let i = begin; i < end; i++) if (targets[i] !== page) this.#wait(targets[i], number);
  }

  /** A page has a link to another page fetched. */
  #link(number: number): void {
    if (this.#hasArc[number] === 1) return;
    this.#hasArc[number] = 1;
    this.#dangling--;
  }

  #wait(target: number, number: number): void {
    const entry = ++this.#entries;
    this.#waiting = grown(this.#waiting, entry + 1, 1.5);
    this.#nexts = grown(this.#nexts, entry + 1, 1.5);
    this.#waiting[entry] = number;
    this.#nexts[entry] = this.#heads[target];
    this.#heads[target] = entry;
  }

  /** The links of the page fetched last, without repetitions. */
  #store(page: number, links: Uint32Array): void {
    let end = this.#pages === 1 ? 0 : this.#ends[this.#pages - 2];
    this.#targets = grown(this.#targets, end + links.length, 1.5);
    this.#reserve(links.reduce((largest, link) => Math.max(largest, link), page));
    for (const link of links) {
      if (this.#namedBy[link] === this.#pages) continue;
      this.#namedBy[link] = this.#pages;
      this.#targets[end++] = link;
    }
    this.#ends = grown(this.#ends, this.#pages, 1.5);
    this.#ends[this.#pages - 1] = end;
  }

  #reserve(id: number): void {
    this.#states = grown(this.#states, id + 1, 1.5);
    this.#heads = grown(this.#heads, id + 1, 1.5);
    if (this.#stored === undefined) this.#namedBy = grown(this.#namedBy, id + 1, 1.5);
  }

  /** The beginning of a page's links, by its number. */
  #beginOf(number: number): number {
    if (this.#stored !== undefined) return this.#stored.outOffsets[this.#order[number]];
    return number === 0 ? 0 : this.#ends[number - 1];
  }

  #endOf(number: number): number {
    return this.#stored === undefined ? this.#ends[number] : this.#stored.outOffsets[this.#order[number] + 1];
  }
}
