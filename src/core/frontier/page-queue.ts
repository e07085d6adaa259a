import {
  entryIndex, entryKey, LoggedQueue, packEntry, repeat, type PriorityQueue, type QueueLog,
} from '../queue/index.ts';
import { assert, grown, pageGrowth } from '../../base/index.ts';
import type { SuperstepCounts } from './counts.ts';
import type { PageStates } from './page-states.ts';
import type { Policy } from '../policy/index.ts';

interface PageQueueOptions {
  readonly queue: PriorityQueue;
  readonly policy: Policy;
  /** A queued page is reinserted when its score has grown or fallen by this factor and its key has changed with it. */
  readonly reinsert: number;
  /** Whether pending pages get other keys, by the same rule. */
  readonly rekeysPending: boolean;
}

/** A page queue at one moment, exactly. */
export interface PageQueueState {
  /** Those in the queue, in no order. */
  readonly entries: Float64Array;
  /** How they came to be there, where the queue is to be the same inside; absent where it is of another kind. */
  readonly log?: QueueLog | undefined;
  /** Pages below this local index have been inserted at least once. */
  readonly foundFrom: number;
  /** Pages that wait, whose score may have changed since the last insertion. */
  readonly touched: Uint32Array;
}

/**
 * A processor's priority queue as its pages see it. There is no change-key: a queued page whose score has changed
 * enough is inserted again; the old entry is stale and is dropped when it is extracted. A pending page gets its other
 * key by the same rule, in the heap of its host.
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
  /** Pages that wait, whose score may have changed since the last insertion, each once. */
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

  /** Bytes of the arrays, with spare capacity. */
  get bytes(): number {
    return this.#touched.byteLength + this.#isTouched.byteLength + this.#entries.byteLength;
  }

  /** The entry with which the page was last queued, or is pending. */
  entryOf(local: number): number {
    return packEntry(this.#states.queuedKey(local), local);
  }

  /** The entry of a page that becomes pending again: its key follows its score, unless pending pages keep theirs. */
  renewed(local: number): number {
    if (!this.#options.rekeysPending) return this.entryOf(local);
    const { policy } = this.#options;
    return this.#keyed(local, policy.key(local), policy.score(local));
  }

  /** Puts the queued pages of a restored frontier into the empty queue, each with the key and score it had. */
  restore(): void {
    const { queue } = this.#options;
    assert(queue.size === 0, 'a processor is restored with an empty queue');
    const states = this.#states;
    this.#foundFrom = states.count;
    const queued = states.pagesIn('queued');
    for (const local of queued) states.holds(local);
    // The scores of open downloads may have changed; they are pending now.
    for (const local of states.pagesIn('pending')) this.touch(local);
    queue.insertMany(Float64Array.from(queued, (local) => this.entryOf(local)), 0, queued.length);
    this.#inserted = queued.length;
    this.#structure = queue.structure.count;
  }

  /**
   * All that it needs to go on from here as if it had never been left, the stale entries included. The entries of a
   * queue that has noted nothing leave it and go in again, which changes its structure, and so what it compares later,
   * but nothing that it returns.
   */
  save(): PageQueueState {
    const { queue } = this.#options;
    const state = { foundFrom: this.#foundFrom, touched: this.#touched.slice(0, this.#touchedCount) };
    if (queue instanceof LoggedQueue) return { ...state, entries: queue.entries(), log: queue.log() };
    const entries = new Float64Array(queue.size);
    const count = queue.extractTop(queue.size, entries);
    assert(count === entries.length, 'a queue returns all that it holds');
    queue.insertMany(entries, 0, count);
    this.#structure = queue.structure.count;
    return { ...state, entries };
  }

  /** Takes up what `save` gave, with an empty queue. */
  restoreExactly({ entries, log, foundFrom, touched }: PageQueueState): void {
    const { queue } = this.#options;
    assert(queue.size === 0, 'a frontier is restored with an empty queue');
    for (const entry of entries) this.#states.holds(entryIndex(entry));
    if (log === undefined) queue.insertMany(entries, 0, entries.length);
    else {
      repeat(log, queue);
      assert(queue.size === entries.length, 'a queue to which the same was done has the same entries');
      ({ reads: this.#reads, writes: this.#writes } = queue.io ?? { reads: 0, writes: 0 });
    }
    this.#inserted = entries.length;
    this.#structure = queue.structure.count;
    this.#foundFrom = foundFrom;
    for (const local of touched) this.touch(local);
  }

  /** Notes that the score of a page may have changed: it is checked when pages are next inserted. */
  touch(local: number): void {
    const states = this.#states;
    if (!states.is(local, 'queued') && !(this.#options.rekeysPending && states.is(local, 'pending'))) return;
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
   * @param change called with the entry of each pending page whose score and key have changed as much.
   * @param setsAside whether a page that was found passes the queue by: it has its key and is pending.
   */
  insert(
    counts: SuperstepCounts, change: (entry: number, local: number) => void, setsAside?: (local: number) => boolean,
  ): void {
    const { queue, policy, reinsert } = this.#options;
    const states = this.#states;
    this.#entries = grown(this.#entries, states.count - this.#foundFrom + this.#touchedCount);
    let size = 0;
    for (let local = this.#foundFrom; local < states.count; local++) {
      const score = policy.score(local);
      if (setsAside?.(local) === true) {
        this.#keyed(local, policy.key(local), score);
        states.move(local, 'pending');
        continue;
      }
      this.#entries[size++] = this.#entered(local, policy.key(local), score);
      states.move(local, 'queued');
    }
    this.#foundFrom = states.count;
    const end = size;
    for (let i = 0; i < this.#touchedCount; i++) {
      const local = this.#touched[i];
      this.#isTouched[local] = 0;
      const score = policy.score(local);
      const queuedScore = states.queuedScore(local);
      const rise = score >= reinsert * queuedScore ? 1 : score * reinsert <= queuedScore ? -1 : 0;
      if (rise === 0) continue;
      const key = policy.key(local);
      if (rise * (key - states.queuedKey(local)) <= 0) continue;
      if (states.is(local, 'queued')) {
        this.#entries[size++] = this.#entered(local, key, score);
      } else if (states.is(local, 'pending')) {
        change(this.#keyed(local, key, score), local);
        counts.rekeyed++;
      }
    }
    this.#touchedCount = 0;
    if (size === 0) return;
    const comparisons = queue.comparisons.insert;
    queue.insertMany(this.#entries, 0, size);
    counts.insertComparisons += queue.comparisons.insert - comparisons;
    counts.inserted += size;
    counts.reinserted += size - end;
    this.#inserted += size;
  }

  /** Notes the key and score of a page. @returns its entry. */
  #keyed(local: number, key: number, score: number): number {
    this.#states.keyed(local, key, score);
    return packEntry(key, local);
  }

  /** The same for a page whose entry goes into the queue. */
  #entered(local: number, key: number, score: number): number {
    this.#states.entered(local, key, score);
    return packEntry(key, local);
  }

  /** Extracts up to `count` entries; pages of fresh ones become pending. Calls `take` with these, best first. */
  extract(count: number, counts: SuperstepCounts, take: (entry: number, local: number) => void): void {
    const { queue } = this.#options;
    const states = this.#states;
    const comparisons = queue.comparisons.extract;
    this.#entries = grown(this.#entries, count);
    const entries = this.#entries;
    const size = queue.extractTop(count, entries);
    for (let i = 0; i < size; i++) {
      const local = entryIndex(entries[i]);
      assert(states.left(local), () => `the queue returned page ${local}, which was not inserted, or not so often`);
      if (!states.is(local, 'queued') || entryKey(entries[i]) !== states.queuedKey(local)) {
        counts.stale++;
        continue;
      }
      states.move(local, 'pending');
      take(entries[i], local);
    }
    counts.extracted += size;
    counts.extractComparisons += queue.comparisons.extract - comparisons;
    this.#extracted += size;
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
