import { BitSet, grown, LargeMap, pageGrowth } from '../base/index.ts';

/** What is kept of hosts' pages: slot of each page by local index, and the pages that are done. */
export interface HostPagesState {
  readonly hosts: Uint32Array;
  readonly slots: Uint32Array;
  readonly done: Uint32Array;
}

/**
 * The pages of each host in order of discovery. Hosts are numbered 0, 1, 2, ... in order of discovery too (their
 * slots). O(1) an event, 12 bytes a page and an array a host.
 */
export class HostPages {
  readonly #slotOfHost = new LargeMap<number, number>();
  /** By slot: local indices, and how many there are. */
  readonly #pages: Uint32Array[] = [];
  readonly #counts: number[] = [];
  /** By slot: pages at the head of the list that are done. */
  readonly #heads: number[] = [];
  /** By local index: the host's slot, and the page's place in its list. */
  #slots = new Uint32Array(64);
  #places = new Uint32Array(64);
  #known = 0;
  readonly #done = new BitSet();

  constructor(saved?: HostPagesState) {
    if (saved === undefined) return;
    saved.slots.forEach((slot, local) => this.know(local, saved.hosts[slot]));
    for (const local of saved.done) this.#done.add(local);
  }

  get hosts(): number {
    return this.#pages.length;
  }

  get bytes(): number {
    return this.#pages.reduce(
      (sum, { byteLength }) => sum + byteLength, this.#slots.byteLength + this.#places.byteLength + this.#done.bytes,
    );
  }

  /** Returns the host's slot. */
  know(local: number, host: number): number {
    let slot = this.#slotOfHost.get(host);
    if (slot === undefined) {
      slot = this.hosts;
      this.#slotOfHost.set(host, slot);
      this.#pages.push(new Uint32Array(0));
      this.#counts.push(0);
      this.#heads.push(0);
    }
    this.#slots = grown(this.#slots, local + 1, pageGrowth);
    this.#places = grown(this.#places, local + 1, pageGrowth);
    this.#slots[local] = slot;
    this.#places[local] = this.#counts[slot]++;
    this.#pages[slot] = grown(this.#pages[slot], this.#counts[slot], pageGrowth);
    this.#pages[slot][this.#places[local]] = local;
    this.#known = local + 1;
    return slot;
  }

  /** The page was fetched, or failed. */
  finish(local: number): void {
    this.#done.add(local);
  }

  isDone(local: number): boolean {
    return this.#done.has(local);
  }

  /** Pages of a host that were ever known. */
  countOf(slot: number): number {
    return this.#counts[slot];
  }

  /** The place from which on pages of the host may not be done yet. */
  headOf(slot: number): number {
    const pages = this.#pages[slot];
    while (this.#heads[slot] < this.#counts[slot] && this.#done.has(pages[this.#heads[slot]])) this.#heads[slot]++;
    return this.#heads[slot];
  }

  pageAt(slot: number, place: number): number {
    return this.#pages[slot][place];
  }

  /** 1 and the pages of the same host that became known after it. */
  fromHereOn(local: number): number {
    return this.#counts[this.#slots[local]] - this.#places[local];
  }

  save(): HostPagesState {
    const done: number[] = [];
    for (let local = 0; local < this.#known; local++) if (this.#done.has(local)) done.push(local);
    return {
      hosts: Uint32Array.from(this.#slotOfHost.keys()), slots: this.#slots.slice(0, this.#known),
      done: Uint32Array.from(done),
    };
  }
}
