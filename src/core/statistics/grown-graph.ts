import { grown } from '../../base/index.ts';
import { GrowingDegrees } from '../../graphs/graph/growing/index.ts';
import type { Histogram, WebGraph } from '../../graphs/graph/index.ts';

/** No entry. Entries are numbered from 1. */
const NONE = 0;

/**
 * The graph of the pages fetched so far, numbered in the order in which they were fetched, and the links between them.
 * A link enters when both its pages are there; until then it waits. Loops are left out, and repeated links of a page.
 *
 * Source  SPAWC's UPDATE GRAPH.
 * Cost    O(1) per link. 8 bytes per arc, 8 per waiting link, 8 per page known, 8 per page fetched.
 */
export class GrownGraph {
  #pages = 0;
  #arcs = 0;
  readonly #degrees = new GrowingDegrees();
  #sources: Uint32Array = new Uint32Array(64);
  #targets: Uint32Array = new Uint32Array(64);
  /** 1 + the number of each fetched page. */
  #numbers: Uint32Array = new Uint32Array(64);
  /** The first entry that waits for each page; for a fetched page, the page that named it last. */
  #heads: Uint32Array = new Uint32Array(64);
  /** Links that wait: the number of their source, and the next entry of the same target. */
  #waiting: Uint32Array = new Uint32Array(64);
  #nexts: Uint32Array = new Uint32Array(64);
  #entries = 0;
  #free = NONE;

  /** Pages fetched. */
  get pages(): number {
    return this.#pages;
  }

  /** Links between them. */
  get arcs(): number {
    return this.#arcs;
  }

  /** Pages without a link to another page fetched. */
  get danglingPages(): number {
    return this.#degrees.dangling;
  }

  /** How many pages have each number of links to them. */
  inDegrees(): Histogram {
    const list = this.#degrees.inDegrees();
    return {
      values: Uint32Array.from(list, ({ degree }) => degree), counts: Uint32Array.from(list, ({ pages }) => pages),
    };
  }

  /**
   * A page was fetched.
   * @param links - ids, borrowed for the call.
   * @param onArc - each arc that enters, as numbers of its pages.
   */
  addPage(page: number, links: Uint32Array, onArc?: (source: number, target: number) => void): void {
    const local = this.#pages++;
    this.#reserve(page);
    this.#numbers[page] = local + 1;
    this.#degrees.addPages(1);
    let entry = this.#heads[page];
    this.#heads[page] = NONE;
    while (entry !== NONE) {
      this.#enter(this.#waiting[entry], local, onArc);
      const next = this.#nexts[entry];
      this.#nexts[entry] = this.#free;
      this.#free = entry;
      entry = next;
    }
    for (let i = 0; i < links.length; i++) this.#follow(page, local, links[i], onArc);
  }

  /** The arcs as compressed rows. O(pages + arcs). */
  rows(): Pick<WebGraph, 'pages' | 'arcs' | 'outOffsets' | 'outTargets'> {
    const outOffsets = new Uint32Array(this.#pages + 1);
    const outTargets = new Uint32Array(this.#arcs);
    for (let arc = 0; arc < this.#arcs; arc++) outOffsets[this.#sources[arc] + 1]++;
    for (let page = 0; page < this.#pages; page++) outOffsets[page + 1] += outOffsets[page];
    for (let arc = 0; arc < this.#arcs; arc++) outTargets[outOffsets[this.#sources[arc]]++] = this.#targets[arc];
    // Each offset is now at its page's end, which is the next page's start.
    outOffsets.copyWithin(1, 0, this.#pages);
    outOffsets[0] = 0;
    return { pages: this.#pages, arcs: this.#arcs, outOffsets, outTargets };
  }

  /** All arcs so far, in the order in which they entered. */
  eachArc(visit: (source: number, target: number) => void): void {
    for (let arc = 0; arc < this.#arcs; arc++) visit(this.#sources[arc], this.#targets[arc]);
  }

  #follow(page: number, local: number, link: number, onArc?: (source: number, target: number) => void): void {
    if (link === page) return;
    this.#reserve(link);
    const other = this.#numbers[link];
    const head = this.#heads[link];
    if (other !== 0) {
      // Named by this page before.
      if (head === local + 1) return;
      this.#heads[link] = local + 1;
      this.#enter(local, other - 1, onArc);
    } else if (head === NONE || this.#waiting[head] !== local) this.#wait(link, local);
  }

  #enter(source: number, target: number, onArc?: (source: number, target: number) => void): void {
    const arc = this.#arcs++;
    this.#sources = grown(this.#sources, this.#arcs, 1.5);
    this.#targets = grown(this.#targets, this.#arcs, 1.5);
    this.#sources[arc] = source;
    this.#targets[arc] = target;
    this.#degrees.addArc(source, target);
    onArc?.(source, target);
  }

  #wait(link: number, local: number): void {
    let entry = this.#free;
    if (entry !== NONE) this.#free = this.#nexts[entry];
    else {
      entry = ++this.#entries;
      this.#waiting = grown(this.#waiting, entry + 1, 1.5);
      this.#nexts = grown(this.#nexts, entry + 1, 1.5);
    }
    this.#waiting[entry] = local;
    this.#nexts[entry] = this.#heads[link];
    this.#heads[link] = entry;
  }

  #reserve(id: number): void {
    this.#numbers = grown(this.#numbers, id + 1);
    this.#heads = grown(this.#heads, id + 1);
  }
}
