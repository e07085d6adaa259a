import { Columns } from '../../base/index.ts';
import type { PolicyState } from './policy-state.ts';

/** Links of fetched pages to pages of the same processor, in order of fetching. 8 bytes per page, 4 per link. */
export class KnownLinks {
  /** The pages in the order of fetching, and the ends of their links among the targets. */
  readonly #fetched = new Columns({ locals: Uint32Array, ends: Uint32Array });
  readonly #targets = new Columns({ locals: Uint32Array });

  constructor(state: PolicyState) {
    state.keep(this.#fetched);
    state.keep(this.#targets);
  }

  /** Pages whose links are known. */
  get pages(): number {
    return this.#fetched.length;
  }

  get links(): number {
    return this.#targets.length;
  }

  add(local: number, targets: Uint32Array): void {
    const begin = this.links;
    const place = this.pages;
    this.#targets.resize(begin + targets.length);
    this.#targets.arrays.locals.set(targets, begin);
    this.#fetched.resize(place + 1);
    this.#fetched.arrays.locals[place] = local;
    this.#fetched.arrays.ends[place] = this.links;
  }

  /** The `i`th page fetched. */
  localAt(i: number): number {
    return this.#fetched.arrays.locals[i];
  }

  /** Its links; a view that is good until the next `add`. */
  targetsAt(i: number): Uint32Array {
    const { ends } = this.#fetched.arrays;
    return this.#targets.arrays.locals.subarray(i === 0 ? 0 : ends[i - 1], ends[i]);
  }

  /** Compressed sparse rows over `count` pages; a page that is not fetched has no links. O(pages + links). */
  rows(count: number): { readonly outOffsets: Uint32Array; readonly outTargets: Uint32Array } {
    const { pages } = this;
    const { locals } = this.#fetched.arrays;
    const outOffsets = new Uint32Array(count + 1);
    for (let i = 0; i < pages; i++) outOffsets[locals[i] + 1] = this.targetsAt(i).length;
    for (let local = 0; local < count; local++) outOffsets[local + 1] += outOffsets[local];
    const outTargets = new Uint32Array(this.links);
    for (let i = 0; i < pages; i++) outTargets.set(this.targetsAt(i), outOffsets[locals[i]]);
    return { outOffsets, outTargets };
  }
}
