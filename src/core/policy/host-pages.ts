import { Columns, grown, IdIndex, pageGrowth, type ColumnArrays } from '../../base/index.ts';
import type { PolicyState } from './policy-state.ts';

/** What is saved of hosts' pages: hosts by slot, and by local index the host's slot and whether the page is done. */
type SavedHostPages = ColumnArrays<{
  readonly hosts: Uint32ArrayConstructor;
  readonly slots: Uint32ArrayConstructor;
  readonly done: Uint8ArrayConstructor;
}>;

/**
 * The pages of each host in order of discovery. Hosts are numbered 0, 1, 2, ... in order of discovery too (their
 * slots). O(1) per event, 13 bytes per page and an array per host.
 */
export class HostPages {
  readonly #hosts = new IdIndex();
  /** Each slot's local indices, their number, and how many at the head of the list are done. */
  readonly #pages: Uint32Array[] = [];
  readonly #counts: number[] = [];
  readonly #heads: number[] = [];
  /** Each page's slot of its host, its place in the host's list, and 1 if it is done. */
  readonly #columns = new Columns({ slots: Uint32Array, places: Uint32Array, done: Uint8Array });
  readonly #page = this.#columns.arrays;

  constructor(state: PolicyState) {
    state.keep<SavedHostPages, this>(this);
  }

  get hosts(): number {
    return this.#pages.length;
  }

  get bytes(): number {
    return this.#pages.reduce((sum, { byteLength }) => sum + byteLength, this.#columns.bytes + this.#hosts.bytes);
  }

  /** Returns the host's slot. */
  know(local: number, host: number): number {
    const slot = this.#hosts.add(host);
    if (slot === this.hosts) {
      this.#pages.push(new Uint32Array(0));
      this.#counts.push(0);
      this.#heads.push(0);
    }
    const place = this.#counts[slot]++;
    this.#columns.resize(local + 1);
    this.#page.slots[local] = slot;
    this.#page.places[local] = place;
    this.#pages[slot] = grown(this.#pages[slot], place + 1, pageGrowth);
    this.#pages[slot][place] = local;
    return slot;
  }

  /** The page was fetched, or failed. */
  finish(local: number): void {
    this.#page.done[local] = 1;
  }

  isDone(local: number): boolean {
    return this.#page.done[local] === 1;
  }

  /** Pages of a host that were ever known. */
  countOf(slot: number): number {
    return this.#counts[slot];
  }

  /** The place from which on pages of the host may not be done yet. */
  headOf(slot: number): number {
    const pages = this.#pages[slot];
    while (this.#heads[slot] < this.#counts[slot] && this.isDone(pages[this.#heads[slot]])) this.#heads[slot]++;
    return this.#heads[slot];
  }

  pageAt(slot: number, place: number): number {
    return this.#pages[slot][place];
  }

  /** 1 and the pages of the same host that became known after it. */
  fromHereOn(local: number): number {
    return this.#counts[this.#page.slots[local]] - this.#page.places[local];
  }

  save(): SavedHostPages {
    const { slots, done } = this.#columns.save();
    return { hosts: this.#hosts.ids(), slots, done };
  }

  restore({ hosts, slots, done }: SavedHostPages): void {
    slots.forEach((slot, local) => this.know(local, hosts[slot]));
    done.forEach((isDone, local) => { if (isDone === 1) this.finish(local); });
  }
}
