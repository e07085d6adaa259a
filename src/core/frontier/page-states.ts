import { grown, pageGrowth, type PageIndex } from '../../base/index.ts';

/**
 * The states of a page, in the order in which it passes through them: found (known since the last superstep, not yet in
 * the queue), queued, pending (extracted, waits for a robot), inFlight (being downloaded, or downloaded and not yet
 * observed), fetched, failed.
 */
export const pageStates = ['found', 'queued', 'pending', 'inFlight', 'fetched', 'failed'] as const;
export type PageState = (typeof pageStates)[number];
export const stateCode = { found: 0, queued: 1, pending: 2, inFlight: 3, fetched: 4, failed: 5 } as const;

/** The same, by comparisons: V8 is slow to look up a varying name, and pages change state at every step. */
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

const tallies = [new Uint32Array(pageStates.length), new Uint32Array(pageStates.length)] as const;

/** The saved form of page states, by local index. */
export interface PageStatesState {
  readonly pages: Uint32Array;
  readonly states: Uint8Array;
  readonly queuedKeys: Uint32Array;
  readonly queuedScores: Float64Array;
}

/** The count of a page's entries stops here: its key must have grown in as many supersteps while it was queued. */
const MAX_ENTRIES = 0xffff;

/**
 * The pages one processor knows, numbered in order of discovery (the local index), with their states.
 * 19 bytes per page, plus up to an eighth of spare capacity, besides the index that it shares with others.
 */
export class PageStates {
  readonly #index: PageIndex;
  #count = 0;
  /** Page id by local index. */
  #pages = new Uint32Array(0);
  #states = new Uint8Array(0);
  #queuedKeys = new Uint32Array(0);
  #queuedScores = new Float64Array(0);
  /** Entries of the page in the queue, up to MAX_ENTRIES. */
  #entries = new Uint16Array(0);
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
   * A copy that can be cloned. Pages being downloaded are saved as pending, because a download does not outlive its
   * processor. Queue entries are not saved: they follow from the keys, and stale ones are useless.
   * @param isExact pages being downloaded stay so, because their downloads are saved too.
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

  /** Bytes of the arrays, with spare capacity. */
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

  /** Local index of `page`, which becomes known (found) if it is new; the index then equals the previous count. */
  know(page: number): number {
    const present = this.#index.find(page);
    if (present >= 0) return present;
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

  /** The first page in a state among the next `most` from `local` on, from the first page on after the last; or -1. */
  nextIn(state: PageState, local: number, most: number): number {
    const code = codeOf(state);
    const looks = Math.min(most, this.count);
    for (let look = 0, at = local; look < looks; look++, at = at + 1 === this.count ? 0 : at + 1)
      if (this.#states[at] === code) return at;
    return -1;
  }

  /** Pages in a state, recounted: O(known). */
  recount(): Record<PageState, number> {
    const states = this.#states;
    // Two alternating tallies: mostly the same counter is incremented repeatedly, and each increment waits for the
    // last.
    const [counts, others] = tallies;
    counts.fill(0);
    others.fill(0);
    for (let local = 1; local < this.#count; local += 2) {
      counts[states[local - 1]]++;
      others[states[local]]++;
    }
    if (this.#count % 2 === 1) counts[states[this.#count - 1]]++;
    const of = (code: number): number => counts[code] + others[code];
    const { found, queued, pending, inFlight, fetched, failed } = stateCode;
    return {
      found: of(found), queued: of(queued), pending: of(pending), inFlight: of(inFlight), fetched: of(fetched),
      failed: of(failed),
    };
  }

  /** Key and score with which the page was last queued, or is pending. */
  queuedKey(local: number): number {
    return this.#queuedKeys[local];
  }

  queuedScore(local: number): number {
    return this.#queuedScores[local];
  }

  /** Records that an entry of the page is in the queue, whatever its key. */
  holds(local: number): void {
    if (this.#entries[local] < MAX_ENTRIES) this.#entries[local]++;
  }

  /** Records the key and score of a page, with which it is queued or pending. */
  keyed(local: number, key: number, score: number): void {
    this.#queuedKeys[local] = key;
    this.#queuedScores[local] = score;
  }

  /** Records the key and score of a page whose entry goes into the queue. */
  entered(local: number, key: number, score: number): void {
    this.keyed(local, key, score);
    this.holds(local);
  }

  /** Records that an entry of the page left the queue; false if none was in it. */
  left(local: number): boolean {
    if (local >= this.count || this.#entries[local] === 0) return false;
    // Entries that were not counted must not be counted down.
    if (this.#entries[local] < MAX_ENTRIES) this.#entries[local]--;
    return true;
  }
}
