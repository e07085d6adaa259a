import { grown, pageGrowth, type PageIndex } from '../base/index.ts';

/**
 * What a processor knows of a page, in the order in which a page passes through:
 * found (known since the last superstep, not yet in the queue), queued, pending (extracted, waits for a robot),
 * inFlight (being downloaded, or downloaded and not yet observed), fetched, failed.
 */
export const pageStates = ['found', 'queued', 'pending', 'inFlight', 'fetched', 'failed'] as const;
export type PageState = (typeof pageStates)[number];
export const stateCode = { found: 0, queued: 1, pending: 2, inFlight: 3, fetched: 4, failed: 5 } as const;

/** The same, by comparisons: engines are slow to look a varying name up, and pages move at every step. */
function codeOf(state: PageState): number {
  switch (state) {
    case 'found': return stateCode.found;
    case 'queued': return stateCode.queued;
    case 'pending': return stateCode.pending;
    case 'inFlight': return stateCode.inFlight;
    case 'fetched': return stateCode.fetched;
    case 'failed': return stateCode.failed;
  }
}

/** What is saved of them, by local index. */
export interface PageStatesState {
  readonly pages: Uint32Array;
  readonly states: Uint8Array;
  readonly queuedKeys: Uint32Array;
  readonly queuedScores: Float64Array;
}

/**
 * A page with so many entries is no longer watched: it takes as many supersteps, in each of which its key grows while
 * it waits.
 */
const entriesMost = 0xffff;

/**
 * The pages one processor knows, numbered in order of discovery (the local index), with their states.
 * 19 bytes a page besides the index that it shares with others, and up to an eighth more.
 */
export class PageStates {
  readonly #index: PageIndex;
  #count = 0;
  /** Page id by local index. */
  #pages = new Uint32Array(64);
  #states = new Uint8Array(64);
  #queuedKeys = new Uint32Array(64);
  #queuedScores = new Float64Array(64);
  /** Entries of the page in the queue, up to entriesMost. */
  #entries = new Uint16Array(64);
  readonly #counts = new Float64Array(pageStates.length);

  constructor(index: PageIndex, saved?: PageStatesState) {
    this.#index = index;
    if (saved === undefined) return;
    this.#pages = saved.pages.slice();
    this.#count = saved.pages.length;
    saved.pages.forEach((page, local) => { index.set(page, local); });
    this.#states = saved.states.slice();
    this.#queuedKeys = saved.queuedKeys.slice();
    this.#queuedScores = saved.queuedScores.slice();
    this.#entries = new Uint16Array(this.count);
    for (const state of this.#states) this.#counts[state]++;
  }

  /**
   * A copy that can be cloned. What is being downloaded is pending in it, for a download does not outlive its
   * processor. Entries in the queue are not in it: those of queued pages follow from their keys, and stale ones are
   * worth nothing.
   * @param isExact what is being downloaded stays so, for its downloads are saved too.
   */
  save(isExact = false): PageStatesState {
    const states = this.#states.slice(0, this.count);
    for (let local = 0; local < states.length && !isExact; local++)
      if (states[local] === stateCode.inFlight) states[local] = stateCode.pending;
    return {
      pages: this.#pages.slice(0, this.count),
      states,
      queuedKeys: this.#queuedKeys.slice(0, this.count),
      queuedScores: this.#queuedScores.slice(0, this.count),
    };
  }

  /** Pages known. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of its own arrays, spare room included. */
  get bytes(): number {
    const arrays = [this.#pages, this.#states, this.#queuedKeys, this.#queuedScores, this.#entries];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  pageAt(local: number): number {
    return this.#pages[local];
  }

  /** Local index of `page`, or -1. */
  find(page: number): number {
    return this.#index.find(page);
  }

  /** Local index of `page`, which becomes known (found) where it is new; then it equals the former count. */
  know(page: number): number {
    const known = this.#index.find(page);
    if (known >= 0) return known;
    const local = this.#count++;
    this.#index.set(page, local);
    if (local === this.#states.length) this.#grow();
    this.#pages[local] = page;
    this.#counts[stateCode.found]++;
    return local;
  }

  #grow(): void {
    this.#pages = grown(this.#pages, this.#count, pageGrowth);
    this.#states = grown(this.#states, this.#count, pageGrowth);
    this.#queuedKeys = grown(this.#queuedKeys, this.#count, pageGrowth);
    this.#queuedScores = grown(this.#queuedScores, this.#count, pageGrowth);
    this.#entries = grown(this.#entries, this.#count, pageGrowth);
  }

  is(local: number, state: PageState): boolean {
    return this.#states[local] === codeOf(state);
  }

  move(local: number, to: PageState): void {
    const code = codeOf(to);
    this.#counts[this.#states[local]]--;
    this.#counts[code]++;
    this.#states[local] = code;
  }

  /** Pages in a state, by counter: O(1). */
  countOf(state: PageState): number {
    return this.#counts[codeOf(state)];
  }

  /** Pages in a state, ascending: O(known). */
  pagesIn(state: PageState): number[] {
    const locals: number[] = [];
    for (let local = 0; local < this.count; local++) if (this.is(local, state)) locals.push(local);
    return locals;
  }

  /** Pages in a state, recounted: O(known). */
  recount(): Record<PageState, number> {
    const states = this.#states;
    // Two tallies in turn: mostly the same number is added to again and again, and each time waits for the last.
    const counts = new Uint32Array(pageStates.length);
    const others = new Uint32Array(pageStates.length);
    for (let local = 1; local < this.#count; local += 2) {
      counts[states[local - 1]]++;
      others[states[local]]++;
    }
    if (this.#count % 2 === 1) counts[states[this.#count - 1]]++;
    return Object.fromEntries(pageStates.map((state, code) => [state, counts[code] + others[code]])) as Record<
      PageState,
      number
    >;
  }

  /** Key and score with which the page was last queued. */
  queuedKey(local: number): number {
    return this.#queuedKeys[local];
  }

  queuedScore(local: number): number {
    return this.#queuedScores[local];
  }

  /** Notes that an entry of the page is in the queue, whatever its key. */
  holds(local: number): void {
    if (this.#entries[local] < entriesMost) this.#entries[local]++;
  }

  /** Notes that an entry of the page goes into the queue. */
  entered(local: number, key: number, score: number): void {
    this.#queuedKeys[local] = key;
    this.#queuedScores[local] = score;
    this.holds(local);
  }

  /** Notes that an entry of the page left the queue; false when none was in it. */
  left(local: number): boolean {
    if (local >= this.count || this.#entries[local] === 0) return false;
    // What was not counted must not be counted down.
    if (this.#entries[local] < entriesMost) this.#entries[local]--;
    return true;
  }
}
