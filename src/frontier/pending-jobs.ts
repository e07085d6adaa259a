import { assert, LargeMap } from '../base/index.ts';
import { Heap } from './heap.ts';
import { backoffUs, type HostDelays } from './retries.ts';

interface HostSlot {
  readonly host: number;
  /** The host's pending jobs: their entries are the ranks, and there is nothing more to them. */
  readonly jobs: Heap<undefined>;
  /** When the host's delay will have passed; counts while it has no open download. */
  readyAtUs: number;
  /** Failures since the last download that came to its end. */
  failures: number;
  /** It waits for longer than politeness asks for. */
  isResting: boolean;
  place: 'idle' | 'open' | 'waiting' | 'ready';
}

/** A host at one moment, exactly: of an idle one nothing is saved but what it still waits for. */
type SavedSlot =
  Omit<HostSlot, 'jobs'> & { readonly entries: Float64Array };

/** Pending jobs at one moment, exactly. */
export interface ExactPendingState {
  readonly nowUs: number;
  readonly slots: readonly SavedSlot[];
}

/** What is kept of pending jobs: entries and hosts of the jobs, and the hosts that are not to be forgotten. */
export interface PendingState {
  readonly entries: Float64Array;
  readonly hosts: Uint32Array;
  readonly waits: readonly { readonly host: number; readonly readyAtUs: number; readonly failures: number }[];
}

/**
 * The pending jobs of a processor (the paper's Q) and politeness: a job is ready when its host has no open download and
 * its delay has passed. The delay runs from the end of one download to the start of the next on that host: politeness,
 * or what the host asked for, or the back-off of its failures in a row, whichever is longest.
 *
 * Invariant: a host is open (has a download open), else idle (no jobs), waiting (jobs, delay runs) or ready (jobs, may
 * start). Cost: takeBest and close O(log D), D the number of pending jobs; add too, and a search among the ready hosts
 * where the job is the best of one.
 */
export class PendingJobs {
  readonly #delays: HostDelays;
  /** No host is ready before; hosts may have been visited by a processor that did not live to tell. */
  readonly #notBeforeUs: number;
  readonly #slots = new LargeMap<number, HostSlot>();
  /** By their best job. */
  readonly #ready = new Heap<HostSlot>();
  /** By -readyAtUs: the earliest first. */
  readonly #waiting = new Heap<HostSlot>();
  #size = 0;
  #resting = 0;
  #nowUs = 0;

  /** @param notBeforeUs no host is ready before. */
  constructor(delays: HostDelays, notBeforeUs = 0) {
    this.#delays = delays;
    this.#notBeforeUs = notBeforeUs;
  }

  get size(): number {
    return this.#size;
  }

  /** Jobs whose host backs off, or asked to be left alone: others should be found for the robots meanwhile. */
  get resting(): number {
    return this.#resting;
  }

  /** Adds the job of a queue entry, which it keeps whatever the page's score does later. */
  add(entry: number, host: number): void {
    const slot = this.#slots.get(host) ?? this.#slotFor(host);
    this.#size++;
    if (slot.readyAtUs <= this.#nowUs) slot.isResting = false;
    if (slot.isResting) this.#resting++;
    if (slot.place === 'ready' && entry > slot.jobs.firstRank) this.#ready.raise(slot, entry);
    slot.jobs.add(undefined, entry);
    if (slot.place === 'idle') this.#wait(slot);
  }

  /**
   * Takes the best job that is ready at `nowUs` and opens its host. Returns its entry; undefined where none is ready.
   * `nowUs` never falls from call to call.
   */
  takeBest(nowUs: number): number | undefined {
    this.settle(nowUs);
    const slot = this.#ready.take();
    if (slot === undefined) return undefined;
    const entry = slot.jobs.firstRank;
    slot.jobs.take();
    slot.place = 'open';
    this.#size--;
    return entry;
  }

  /**
   * The download that was open on `host` has ended.
   * @param waitUs how long the host asks to be left alone.
   */
  close(host: number, endedUs: number, waitUs = 0, hasFailed = false): void {
    const slot = this.#slots.get(host);
    assert(slot?.place === 'open', () => `host ${host} has no open download to close`);
    slot.failures = hasFailed ? slot.failures + 1 : 0;
    const restUs = Math.max(waitUs, backoffUs(this.#delays, slot.failures));
    slot.readyAtUs = endedUs + Math.max(this.#delays.politenessUs, restUs);
    slot.isResting = restUs > this.#delays.politenessUs;
    if (slot.isResting) this.#resting += slot.jobs.size;
    if (slot.jobs.size > 0) this.#wait(slot);
    else slot.place = 'idle';
  }

  /** When the next waiting host gets ready; Infinity where none waits. */
  get nextReadyUs(): number {
    return -this.#waiting.firstRank;
  }

  /** Jobs held, recounted from the hosts: O(hosts). */
  recount(): number {
    let jobs = 0;
    for (const slot of this.#slots.values()) jobs += slot.jobs.size;
    return jobs;
  }

  /** A copy that can be cloned; `open` entries are of downloads under way, whose pages it takes for jobs again. */
  save(open: readonly { readonly entry: number; readonly host: number }[], nowUs: number): PendingState {
    const jobs = [...this.#slots.values()].flatMap(({ host, jobs: { ranks } }) =>
      ranks.map((entry) => ({ entry, host })),
    );
    jobs.push(...open);
    return {
      entries: Float64Array.from(jobs, ({ entry }) => entry),
      hosts: Uint32Array.from(jobs, ({ host }) => host),
      waits: [...this.#slots.values()]
        .filter(({ readyAtUs, failures }) => failures > 0 || readyAtUs > nowUs)
        .map(({ host, readyAtUs, failures }) => ({ host, readyAtUs, failures })),
    };
  }

  /** Takes up what `save` gave; nothing may have been added before. */
  restore({ entries, hosts, waits }: PendingState): void {
    assert(this.#slots.size === 0, 'pending jobs are restored into empty ones');
    for (const { host, readyAtUs, failures } of waits) {
      const slot = this.#slotFor(host);
      slot.failures = failures;
      slot.readyAtUs = Math.max(slot.readyAtUs, readyAtUs);
      slot.isResting = slot.readyAtUs > this.#notBeforeUs;
    }
    for (let i = 0; i < entries.length; i++) this.add(entries[i], hosts[i]);
  }

  /** All that they need to go on from here as if they had never been left. */
  saveExactly(): ExactPendingState {
    const slots: SavedSlot[] = [];
    for (const { jobs, ...slot } of this.#slots.values()) {
      if (slot.place === 'idle' && slot.failures === 0 && slot.readyAtUs <= this.#nowUs) continue;
      slots.push({ ...slot, entries: Float64Array.from(jobs.ranks) });
    }
    return { nowUs: this.#nowUs, slots };
  }

  /** Takes up what `saveExactly` gave; nothing may have been added before. */
  restoreExactly({ nowUs, slots }: ExactPendingState): void {
    assert(this.#slots.size === 0, 'pending jobs are restored into empty ones');
    this.#nowUs = nowUs;
    for (const { entries, ...saved } of slots) {
      const slot: HostSlot = { ...saved, jobs: new Heap() };
      this.#slots.set(slot.host, slot);
      for (const entry of entries) slot.jobs.add(undefined, entry);
      this.#size += entries.length;
      if (slot.isResting) this.#resting += entries.length;
      if (slot.place === 'waiting') this.#waiting.add(slot, -slot.readyAtUs);
      else if (slot.place === 'ready') this.#ready.add(slot, slot.jobs.firstRank);
    }
  }

  #slotFor(host: number): HostSlot {
    const slot: HostSlot = {
      host, jobs: new Heap(), readyAtUs: this.#notBeforeUs, failures: 0, isResting: false, place: 'idle',
    };
    this.#slots.set(host, slot);
    return slot;
  }

  #wait(slot: HostSlot): void {
    slot.place = 'waiting';
    this.#waiting.add(slot, -slot.readyAtUs);
  }

  /**
   * Makes ready the hosts whose time has come; what is added from then on knows that it is `nowUs`, which never falls.
   */
  settle(nowUs: number): void {
    this.#nowUs = nowUs;
    while (this.#waiting.firstRank >= -nowUs) {
      const slot = this.#waiting.take();
      assert(slot !== undefined, 'a waiting host has vanished');
      slot.place = 'ready';
      if (slot.isResting) this.#resting -= slot.jobs.size;
      slot.isResting = false;
      this.#ready.add(slot, slot.jobs.firstRank);
    }
  }
}
