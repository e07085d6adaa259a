import { grown, pageGrowth } from '../base/index.ts';

/** What is kept of known links. */
export interface KnownLinksState {
  readonly locals: Uint32Array;
  readonly ends: Uint32Array;
  readonly targets: Uint32Array;
}

/**
 * The links of the pages fetched so far that lead to pages of the same processor, by local index, in order of fetching.
 * 8 bytes a page, 4 a link.
 */
export class KnownLinks {
  #locals = new Uint32Array(64);
  /** Where each page's links end among the targets. */
  #ends = new Uint32Array(64);
  #targets = new Uint32Array(256);
  #pages = 0;

  constructor(saved?: KnownLinksState) {
    if (saved === undefined) return;
    this.#locals = saved.locals.slice();
    this.#ends = saved.ends.slice();
    this.#targets = saved.targets.slice();
    this.#pages = saved.locals.length;
  }

  /** Pages whose links are known. */
  get pages(): number {
    return this.#pages;
  }

  get links(): number {
    return this.#pages === 0 ? 0 : this.#ends[this.#pages - 1];
  }

  get bytes(): number {
    return this.#locals.byteLength + this.#ends.byteLength + this.#targets.byteLength;
  }

  add(local: number, targets: Uint32Array): void {
    const begin = this.links;
    this.#locals = grown(this.#locals, this.#pages + 1, pageGrowth);
    this.#ends = grown(this.#ends, this.#pages + 1, pageGrowth);
    this.#targets = grown(this.#targets, begin + targets.length, pageGrowth);
    this.#targets.set(targets, begin);
    this.#locals[this.#pages] = local;
    this.#ends[this.#pages++] = begin + targets.length;
  }

  /** The `i`th page fetched. */
  localAt(i: number): number {
    return this.#locals[i];
  }

  /** Its links; a view that is good until the next `add`. */
  targetsAt(i: number): Uint32Array {
    return this.#targets.subarray(i === 0 ? 0 : this.#ends[i - 1], this.#ends[i]);
  }

  /** In compressed sparse rows over `known` pages, those not fetched without links. O(pages + links). */
  rows(known: number): { readonly outOffsets: Uint32Array; readonly outTargets: Uint32Array } {
    const outOffsets = new Uint32Array(known + 1);
    for (let i = 0; i < this.#pages; i++) outOffsets[this.#locals[i] + 1] = this.targetsAt(i).length;
    for (let local = 0; local < known; local++) outOffsets[local + 1] += outOffsets[local];
    const outTargets = new Uint32Array(this.links);
    for (let i = 0; i < this.#pages; i++) outTargets.set(this.targetsAt(i), outOffsets[this.#locals[i]]);
    return { outOffsets, outTargets };
  }

  save(): KnownLinksState {
    return {
      locals: this.#locals.slice(0, this.#pages), ends: this.#ends.slice(0, this.#pages),
      targets: this.#targets.slice(0, this.links),
    };
  }
}
