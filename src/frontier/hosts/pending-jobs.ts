import { assert, LargeMap, LargeSet } from '../../base/index.ts';
import type { AddressRest } from '../../world/index.ts';
import { Heap } from './heap.ts';
import { ReadyHosts, type AddressesState } from './ready-hosts.ts';
import { backoffUs, type HostDelays } from './retries.ts';

interface HostSlot {
  readonly host: number;
  /** The host's pending jobs: their entries are the ranks, and carry all there is to know. */
  readonly jobs: Heap<undefined>;
  /** When the host's delay will have passed; valid while it has no open download. */
  readyAtUs: number;
  /** Failures since the last completed download. */
  failures: number;
  /** Whether it waits for longer than politeness requires. */
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
  readonly hostDelays?: HostDelaysById | undefined;
  readonly addresses?: AddressesState | undefined;
}

/** Delays of single hosts, (host, microseconds); Infinity: it is blocked. */
export type HostDelaysById = readonly (readonly [number, number])[];

/** The saved form of pending jobs: their entries and hosts, and the hosts to remember. */
export interface PendingState {
  readonly entries: Float64Array;
  readonly hosts: Uint32Array;
  readonly waits: readonly { readonly host: number; readonly readyAtUs: number; readonly failures: number }[];
  readonly hostDelays?: HostDelaysById | undefined;
  readonly addresses?: AddressesState | undefined;
}

/**
 * The pending jobs of a processor (the paper's Q) and politeness: a job is ready when its host has no open download and
 * its delay has passed. The delay runs from the end of one download to the start of the next on that host: politeness,
 * what the host asked for, or the back-off of its consecutive failures, whichever is longest. Politeness is that of all
 * hosts, or a host's own if that was raised. Hosts that share an address have turns there (`ReadyHosts`).
 *
 * Invariant: a host is open (has a download open), otherwise idle (no jobs), waiting (jobs, delay runs) or ready (jobs,
 * may start). Cost: takeBest and close O(log D), with D pending jobs; add the same, plus a search among the ready hosts
 * if the job is the best of a ready host.
 */
export class PendingJobs {
  readonly #delays: HostDelays;
  /** No host is ready earlier: a crashed processor may have visited hosts without a record. */
  readonly #notBeforeUs: number;
  readonly #slots = new LargeMap<number, HostSlot>();
  /** Of hosts with a politeness of their own, microseconds; Infinity: blocked. */
  readonly #hostDelays = new LargeMap<number, number>();
  readonly #givenUp = new LargeSet<number>();
  readonly #ready = new ReadyHosts();
  /** Ranked by -readyAtUs: the earliest first. */
  readonly #waiting = new Heap<HostSlot>();
  #size = 0;
  #resting = 0;
  #nowUs = 0;

  /** @param notBeforeUs no host is ready earlier. */
  constructor(delays: HostDelays, notBeforeUs = 0) {
    this.#delays = delays;
    this.#notBeforeUs = notBeforeUs;
  }

  get size(): number {
    return this.#size;
  }

  /** Jobs whose host is backing off or asked for a pause: meanwhile the robots need others. */
  get resting(): number {
    return this.#resting;
  }

  /** Adds the job of a queue entry, which stays the same whatever happens to the page's score. */
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
   * Takes the best job that is ready at `nowUs` and opens its host. Returns its entry; undefined if none is ready.
   * `nowUs` never falls from call to call.
   */
  takeBest(nowUs: number): number | undefined {
    this.releaseHosts(nowUs);
    const slot = this.#ready.take() as HostSlot | undefined;
    if (slot === undefined) return undefined;
    const entry = slot.jobs.firstRank;
    slot.jobs.take();
    slot.place = 'open';
    this.#size--;
    return entry;
  }

  /**
   * The download that was open on `host` has ended.
   * @param waitUs how long the host asks not to be contacted.
   * @param maxBackoffUs bounds how long it backs off.
   * @param addressRest its address, and how long that rests.
   */
  close(
    host: number, endedUs: number, waitUs = 0, hasFailed = false, maxBackoffUs = Infinity, addressRest?: AddressRest,
  ): void {
    const slot = this.#openSlot(host);
    this.#ready.ended(host, endedUs, addressRest);
    slot.failures = hasFailed ? slot.failures + 1 : 0;
    this.#rest(slot, endedUs, Math.max(waitUs, Math.min(backoffUs(this.#delays, slot.failures), maxBackoffUs)));
  }

  /** As `close`, where nobody was asked: the host's failures in a row stay as they are. */
  closeUnasked(host: number, endedUs: number, waitUs: number, addressRest?: AddressRest): void {
    this.#ready.ended(host, endedUs, addressRest);
    this.#rest(this.#openSlot(host), endedUs, waitUs);
  }

  #openSlot(host: number): HostSlot {
    const slot = this.#slots.get(host);
    assert(slot?.place === 'open', () => `host ${host} has no open download to close`);
    return slot;
  }

  #rest(slot: HostSlot, endedUs: number, restUs: number): void {
    const politenessUs = this.#politenessUs(slot.host);
    slot.readyAtUs = endedUs + Math.max(politenessUs, restUs);
    slot.isResting = restUs > politenessUs;
    if (slot.isResting) this.#resting += slot.jobs.size;
    if (slot.jobs.size > 0) this.#wait(slot);
    else slot.place = 'idle';
  }

  /**
   * Raises the politeness of a host; a shorter delay changes nothing. If it has no open download, it waits so long from
   * now on. O(hosts).
   */
  raiseDelay(host: number, delayUs: number, nowUs: number): void {
    if (delayUs <= this.#politenessUs(host)) return;
    this.releaseHosts(nowUs);
    this.#hostDelays.set(host, delayUs);
    const slot = this.#slots.get(host) ?? this.#slotFor(host);
    const { place } = slot;
    // The end of its download sets all of this.
    if (place === 'open') return;
    if (slot.readyAtUs <= nowUs) slot.isResting = false;
    slot.readyAtUs = Math.max(slot.readyAtUs, nowUs + delayUs);
    if (place === 'idle') return;
    if (place === 'waiting') this.#waiting.remove(slot);
    else this.#ready.remove(slot);
    this.#wait(slot);
  }

  /** No job of this host is taken any more, and none may be added. @returns the entries that were pending. O(hosts). */
  block(host: number): readonly number[] {
    this.#hostDelays.set(host, Infinity);
    return this.remove(host, () => true);
  }

  /** As `block`, for a host that cannot be reached. */
  giveUp(host: number): readonly number[] {
    this.#givenUp.add(host);
    return this.remove(host, () => true);
  }

  /**
   * Removes the jobs of a host for which `isOver` says so.
   * @returns their entries, in no particular order. O(hosts + jobs log jobs).
   */
  remove(host: number, isOver: (entry: number) => boolean): readonly number[] {
    const slot = this.#slots.get(host);
    if (slot === undefined) return [];
    const entries = [...slot.jobs.ranks];
    while (slot.jobs.size > 0) slot.jobs.take();
    this.#size -= entries.length;
    if (slot.place !== 'open') {
      if (slot.isResting) this.#resting -= entries.length;
      if (slot.place === 'waiting') this.#waiting.remove(slot);
      else if (slot.place === 'ready') this.#ready.remove(slot);
      slot.place = 'idle';
    }
    const removed: number[] = [];
    for (const entry of entries) {
      if (isOver(entry)) removed.push(entry);
      else this.add(entry, host);
    }
    return removed;
  }

  isBlocked(host: number): boolean {
    return (this.#hostDelays.size > 0 && this.#hostDelays.get(host) === Infinity) ||
      (this.#givenUp.size > 0 && this.#givenUp.has(host));
  }

  /** Of hosts whose own was raised. */
  get hostDelays(): HostDelaysById {
    return [...this.#hostDelays];
  }

  #politenessUs(host: number): number {
    const { politenessUs } = this.#delays;
    return this.#hostDelays.size === 0 ? politenessUs : this.#hostDelays.get(host) ?? politenessUs;
  }

  /** Whether a host has no job here and no open download. */
  isIdle(host: number): boolean {
    const slot = this.#slots.get(host);
    return slot === undefined || slot.place === 'idle';
  }

  /** Hosts with jobs that wait or are ready. */
  get hosts(): number {
    return this.#waiting.size + this.#ready.size;
  }

  /** When the next waiting host or address becomes ready; Infinity if none waits. */
  get nextReadyUs(): number {
    return Math.min(-this.#waiting.firstRank, this.#ready.nextUs);
  }

  /** Number of jobs, recounted from the hosts: O(hosts). */
  recount(): number {
    let jobs = 0;
    for (const slot of this.#slots.values()) jobs += slot.jobs.size;
    return jobs;
  }

  /** A copy that can be cloned; `open` has the entries of open downloads, which are saved as jobs. */
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
      hostDelays: this.hostDelays,
      addresses: this.#ready.save(),
    };
  }

  /** Restores what `save` returned, but for the delays of single hosts; nothing may have been added before. */
  restore({ entries, hosts, waits, addresses }: PendingState): void {
    assert(this.#slots.size === 0, 'pending jobs are restored into empty ones');
    if (addresses !== undefined) this.#ready.restore(addresses, 0, this.#notBeforeUs - this.#delays.politenessUs);
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
    return { nowUs: this.#nowUs, slots, hostDelays: this.hostDelays, addresses: this.#ready.save() };
  }

  /** Takes up what `saveExactly` gave; nothing may have been added before. */
  restoreExactly({ nowUs, slots, hostDelays = [], addresses }: ExactPendingState): void {
    assert(this.#slots.size === 0, 'pending jobs are restored into empty ones');
    if (addresses !== undefined) this.#ready.restore(addresses, nowUs);
    for (const [host, delayUs] of hostDelays) this.#hostDelays.set(host, delayUs);
    this.#nowUs = nowUs;
    for (const { entries, ...saved } of slots) {
      const slot: HostSlot = { ...saved, jobs: new Heap() };
      this.#slots.set(slot.host, slot);
      for (const entry of entries) slot.jobs.add(undefined, entry);
      this.#size += entries.length;
      if (slot.isResting) this.#resting += entries.length;
      if (slot.place === 'waiting') this.#waiting.add(slot, -slot.readyAtUs);
      else if (slot.place === 'ready') this.#ready.add(slot);
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
   * Makes the hosts ready whose delay has passed, and sets the time for jobs added later. `nowUs` never falls.
   */
  releaseHosts(nowUs: number): void {
    this.#nowUs = nowUs;
    this.#ready.release(nowUs);
    while (this.#waiting.firstRank >= -nowUs) {
      const slot = this.#waiting.take();
      assert(slot !== undefined, 'a waiting host has vanished');
      slot.place = 'ready';
      if (slot.isResting) this.#resting -= slot.jobs.size;
      slot.isResting = false;
      this.#ready.add(slot);
    }
  }
}
