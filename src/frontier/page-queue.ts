import { entryIndex, entryKey, packEntry, type PriorityQueue } from '../queue/index.ts';
import { assert, grown, pageGrowth } from '../base/index.ts';
import type { SuperstepCounts } from './counts.ts';
import type { PageStates } from './page-states.ts';
import type { Policy } from '../policy/index.ts';

interface PageQueueOptions {
  readonly queue: PriorityQueue;
  readonly policy: Policy;
  /** A queued page is reinserted when its score has grown or fallen by this factor and its key has changed with it. */
  readonly reinsert: number;
}

/** A page queue at one moment, exactly. */
export interface PageQueueState {
  /** Those in the queue, in no order. */
  readonly entries: Float64Array;
  /** Pages below this local index have been inserted at least once. */
  readonly foundFrom: number;
  /** Queued pages whose score may have changed since the last insertion. */
  readonly touched: Uint32Array;
}

/**
 * A processor's priority queue as its pages see it. There is no change-key: a queued page whose score has changed
 * enough is inserted again; the old entry is stale and is dropped when it is extracted.
 */
export class PageQueue {
  readonly #options: PageQueueOptions;
  readonly #states: PageStates;
  #inserted = 0;
  #extracted = 0;
  /** The queue's reads and writes before the current superstep. */
  #reads = 0;
  #writes = 0;
  /** Pages below this local index have been inserted at least once. */
  #foundFrom = 0;
  /** Queued pages whose score may have changed since the last insertion, each once. */
  #touched = new Uint32Array(0);
  #touchedCount = 0;
  #isTouched = new Uint8Array(0);
  #entries = new Float64Array(0);
  /** The count of the queue's structure, which changes with its entries alone. */
  #structure = 0;

  constructor(options: PageQueueOptions, states: PageStates) {
    this.#options = options;
    this.#states = states;
  }

  /** Entries put into and taken out of the queue here. */
  get entriesHeld(): number {
    return this.#inserted - this.#extracted;
  }

  /** Bytes of its own arrays, spare capacity included. */
  get bytes(): number {
    return this.#touched.byteLength + this.#isTouched.byteLength + this.#entries.byteLength;
  }

  /** The entry with which the page was last queued. */
  entryOf(local: number): number {
    return packEntry(this.#states.queuedKey(local), local);
  }

  /** Puts the queued pages of a restored frontier into the empty queue, each with the key and score it had. */
  restore(): void {
    const { queue } = this.#options;
    assert(queue.size === 0, 'a processor is restored with an empty queue');
    const states = this.#states;
    this.#foundFrom = states.count;
    const queued = states.pagesIn('queued');
    for (const local of queued) states.entered(local, states.queuedKey(local), states.queuedScore(local));
    queue.insertMany(Float64Array.from(queued, (local) => this.entryOf(local)), 0, queued.length);
    this.#inserted = queued.length;
    this.#structure = queue.structure.count;
  }

  /**
   * All that it needs to go on from here as if it had never been left, the stale entries included. The entries leave
   * the queue and go in again, which changes its structure, and so what it compares later, but nothing that it returns.
   */
  save(): PageQueueState {
    const { queue } = this.#options;
    const entries = new Float64Array(queue.size);
    const taken = queue.extractTop(queue.size, entries);
    assert(taken === entries.length, 'a queue returns all that it holds');
    queue.insertMany(entries, 0, taken);
    this.#structure = queue.structure.count;
    return { entries, foundFrom: this.#foundFrom, touched: this.#touched.slice(0, this.#touchedCount) };
  }

  /** Takes up what `save` gave, with an empty queue. */
  restoreExactly({ entries, foundFrom, touched }: PageQueueState): void {
    const { queue } = this.#options;
    assert(queue.size === 0, 'a frontier is restored with an empty queue');
    for (const entry of entries) this.#states.holds(entryIndex(entry));
    queue.insertMany(entries, 0, entries.length);
    this.#inserted = entries.length;
    this.#structure = queue.structure.count;
    this.#foundFrom = foundFrom;
    for (const local of touched) this.touch(local);
  }

  /** Notes that the score of a page may have changed: it is checked when pages are next inserted. */
  touch(local: number): void {
    if (!this.#states.is(local, 'queued')) return;
    if (local >= this.#isTouched.length) this.#isTouched = grown(this.#isTouched, local + 1, pageGrowth);
    if (this.#isTouched[local] === 1) return;
    this.#isTouched[local] = 1;
    if (this.#touchedCount === this.#touched.length) this.#touched = grown(this.#touched, this.#touchedCount + 1);
    this.#touched[this.#touchedCount++] = local;
  }

  /** The same for the first `count` of these pages. */
  touchAll(locals: Uint32Array, count: number): void {
    for (let i = 0; i < count; i++) this.touch(locals[i]);
  }

  /**
   * Inserts the pages found since the last superstep, and reinserts the queued pages whose score and key have changed
   * enough.
   * @param setsAside whether a page that was found passes the queue by: it has its key and is pending.
   */
  insert(counts: SuperstepCounts, setsAside?: (local: number) => boolean): void {
    const { queue, policy, reinsert } = this.#options;
    const states = this.#states;
    this.#entries = grown(this.#entries, states.count - this.#foundFrom + this.#touchedCount);
    let size = 0;
    for (let local = this.#foundFrom; local < states.count; local++) {
      const score = policy.score(local);
      if (setsAside?.(local) === true) {
        states.keyed(local, policy.key(local), score);
        states.move(local, 'pending');
        continue;
      }
      this.#entries[size++] = this.#enter(local, score);
      states.move(local, 'queued');
    }
    this.#foundFrom = states.count;
    const found = size;
    for (let i = 0; i < this.#touchedCount; i++) {
      const local = this.#touched[i];
      this.#isTouched[local] = 0;
      const score = policy.score(local);
      const before = states.queuedScore(local);
      const rise = score >= reinsert * before ? 1 : score * reinsert <= before ? -1 : 0;
      if (rise !== 0 && rise * (policy.key(local) - states.queuedKey(local)) > 0)
        this.#entries[size++] = this.#enter(local, score);
    }
    this.#touchedCount = 0;
    if (size === 0) return;
    const before = queue.comparisons.insert;
    queue.insertMany(this.#entries, 0, size);
    counts.insertComparisons += queue.comparisons.insert - before;
    counts.inserted += size;
    counts.reinserted += size - found;
    this.#inserted += size;
  }

  /** The entry with which the page would be queued now. */
  #enter(local: number, score: number): number {
    const key = this.#options.policy.key(local);
    this.#states.entered(local, key, score);
    return packEntry(key, local);
  }

  /**
   * Extracts up to `wanted` entries. The pages of those that are not stale become pending; `take` is called with their
   * entries, best first.
   */
  extract(wanted: number, counts: SuperstepCounts, take: (entry: number, local: number) => void): void {
    const { queue } = this.#options;
    const states = this.#states;
    const before = queue.comparisons.extract;
    this.#entries = grown(this.#entries, wanted);
    const entries = this.#entries;
    const taken = queue.extractTop(wanted, entries);
    for (let i = 0; i < taken; i++) {
      const local = entryIndex(entries[i]);
      assert(states.left(local), () => `the queue returned page ${local}, which was not inserted, or not so often`);
      if (!states.is(local, 'queued') || entryKey(entries[i]) !== states.queuedKey(local)) {
        counts.stale++;
        continue;
      }
      states.move(local, 'pending');
      take(entries[i], local);
    }
    counts.extracted += taken;
    counts.extractComparisons += queue.comparisons.extract - before;
    this.#extracted += taken;
  }

  /** Records the state of the queue at the end of the superstep. */
  count(counts: SuperstepCounts): void {
    const { queue } = this.#options;
    if (counts.inserted + counts.extracted > 0) this.#structure = queue.structure.count;
    counts.queueStructure = this.#structure;
    const { io } = queue;
    if (io === undefined) return;
    counts.queueReads = io.reads - this.#reads;
    counts.queueWrites = io.writes - this.#writes;
    this.#reads = io.reads;
    this.#writes = io.writes;
  }
}
