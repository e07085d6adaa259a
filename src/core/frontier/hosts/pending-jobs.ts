import { assert, LargeMap, LargeSet } from '../../../base/index.ts';
import type { AddressRest } from '../../world/index.ts';
import { PlacedHeap, type Placed } from './heap.ts';
import { JobHeap, JobPlaces } from './job-heap.ts';
import { ReadyHosts, type AddressesState } from './ready-hosts.ts';
import { backoffUs, type HostDelays } from './retries.ts';

interface HostSlot extends Placed {
  readonly host: number;
  readonly jobs: JobHeap;
  /** When the host's delay will have passed; valid while it has no open download. */
  readyAtUs: number;
  /** Failures since the last completed download. */
  failures: number;
  /** Whether it waits for longer than politeness requires. */
  isResting: boolean;
  /** How many of its jobs count as startable. */
  startable: number;
  place: 'idle' | 'open' | 'waiting' | 'ready';
}

/** A host at one moment, exactly: of an idle one nothing is saved but what it still waits for. */
type SavedSlot =
  Omit<HostSlot, 'jobs' | 'startable' | 'heapPlace'> & { readonly entries: Float64Array };

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

export interface PendingJobsOptions extends HostDelays {
  /** A host's jobs count as startable if its delay lets them begin within so long, microseconds; default: all. */
  readonly horizonUs?: number | undefined;
}

/**
 * The pending jobs of a processor (the paper's Q) and politeness: a job is ready when its host has no open download and
 * its delay has passed. The delay runs from the end of one download to the start of the next on that host: politeness,
 * what the host asked for, or the back-off of its consecutive failures, whichever is longest. A host has the
 * politeness of all hosts, unless its own was raised. Hosts that share an address have turns there (`ReadyHosts`).
 *
 * Invariant: a host is open (has a download open), otherwise idle (no jobs), waiting (jobs, delay runs) or ready (jobs,
 * may start). Cost: add, change, takeBest and close O(log D), with D pending jobs; 4 bytes per page.
 */
export class PendingJobs {
  readonly #delays: PendingJobsOptions;
  /** No host is ready earlier: a crashed processor may have visited hosts without a record. */
  readonly #notBeforeUs: number;
  readonly #slots = new LargeMap<number, HostSlot>();
  /** Raised delays of hosts, microseconds; Infinity blocks the host. */
  readonly #hostDelays = new LargeMap<number, number>();
  readonly #givenUp = new LargeSet<number>();
  readonly #ready = new ReadyHosts();
  /** Ranked by -readyAtUs: the earliest first. */
  readonly #waiting = new PlacedHeap<HostSlot>();
  readonly #places = new JobPlaces();
  #size = 0;
  #startable = 0;
  #nowUs = 0;

  /** @param notBeforeUs no host is ready earlier. */
  constructor(delays: PendingJobsOptions, notBeforeUs = 0) {
    this.#delays = delays;
    this.#notBeforeUs = notBeforeUs;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Jobs that can be started soon: none of a host that backs off or asked for a pause, since meanwhile the robots need
   * others, and of each other host those within the horizon.
   */
  get startable(): number {
    return this.#startable;
  }

  /** Bytes of the arrays of pages, with spare capacity. */
  get bytes(): number {
    return this.#places.at.byteLength;
  }

  /** Adds the job of a queue entry. */
  add(entry: number, host: number): void {
    const slot = this.#slots.get(host) ?? this.#slotFor(host);
    const { firstRank } = slot.jobs;
    this.#size++;
    if (slot.readyAtUs <= this.#nowUs) slot.isResting = false;
    slot.jobs.addEntry(entry);
    this.#count(slot);
    if (slot.place === 'ready' && entry > firstRank) this.#ready.changed(slot);
    else if (slot.place === 'idle') this.#wait(slot);
  }

  /** A page has another entry now: its job, if it has one here, gets this one. */
  change(entry: number, host: number): void {
    const slot = this.#slots.get(host);
    if (slot === undefined) return;
    const { firstRank } = slot.jobs;
    if (!slot.jobs.changeEntry(entry)) return;
    if (slot.place === 'ready' && slot.jobs.firstRank !== firstRank) this.#ready.changed(slot);
  }

  /** Counts the jobs of a host that can be started soon anew. */
  #count(slot: HostSlot): void {
    const startable = slot.isResting ? 0 : Math.min(slot.jobs.size, this.#most(slot.host));
    this.#startable += startable - slot.startable;
    slot.startable = startable;
  }

  /** How many downloads of a host can begin within the horizon, at most. */
  #most(host: number): number {
    const { horizonUs = Infinity } = this.#delays;
    if (horizonUs === Infinity) return Infinity;
    const politenessUs = this.#politenessUs(host);
    return politenessUs === 0 ? Infinity : 1 + Math.floor(horizonUs / politenessUs);
  }

  /** Takes the best ready job and opens its host; undefined if none is ready. `nowUs` never falls. */
  takeBest(nowUs: number): number | undefined {
    this.releaseHosts(nowUs);
    const slot = this.#ready.take() as HostSlot | undefined;
    if (slot === undefined) return undefined;
    const entry = slot.jobs.firstRank;
    slot.jobs.take();
    slot.place = 'open';
    this.#size--;
    this.#count(slot);
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
    this.#count(slot);
    if (slot.jobs.size > 0) this.#wait(slot);
    else slot.place = 'idle';
  }

  /** Raises the politeness of a host; a shorter delay changes nothing. An idle host waits so long from now on. */
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
    this.#count(slot);
    if (place === 'idle') return;
    if (place === 'waiting') this.#waiting.remove(slot);
    else this.#ready.remove(slot);
    this.#wait(slot);
  }

  /** No job of this host is taken any more, and none may be added. @returns the entries that were pending. */
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
   * @returns their entries, in no particular order. O(jobs of the host log jobs).
   */
  remove(host: number, isOver: (entry: number) => boolean): readonly number[] {
    const slot = this.#slots.get(host);
    if (slot === undefined) return [];
    const entries = [...slot.jobs.ranks];
    while (slot.jobs.size > 0) slot.jobs.take();
    this.#size -= entries.length;
    this.#count(slot);
    if (slot.place !== 'open') {
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

  /** The raised delays of hosts. */
  get hostDelays(): HostDelaysById {
    return [...this.#hostDelays];
  }

  #politenessUs(host: number): number {
    const { politenessUs } = this.#delays;
    return this.#hostDelays.size === 0 ? politenessUs : this.#hostDelays.get(host) ?? politenessUs;
  }

  /** Whether a host could be asked when a job was last looked for, and has no job here. */
  isIdle(host: number): boolean {
    const slot = this.#slots.get(host);
    if (slot === undefined) return this.#notBeforeUs <= this.#nowUs && this.#ready.isFree(host);
    return slot.place === 'idle' && slot.readyAtUs <= this.#nowUs && this.#ready.isFree(host);
  }

  /** Hosts with jobs that wait or are ready. */
  get hosts(): number {
    return this.#waiting.size + this.#ready.size;
  }

  /** When the next waiting host or address becomes ready; Infinity if none waits. */
  get nextReadyUs(): number {
    return Math.min(-this.#waiting.firstRank, this.#ready.nextUs);
  }

  /** The time up to now in which a job could have been taken; `nowUs` if one was ready when jobs were last taken. */
  readyUs(nowUs: number): number {
    return this.#ready.areAny ? nowUs : Math.max(0, nowUs - this.nextReadyUs);
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
    for (const { host, jobs, readyAtUs, failures, isResting, place } of this.#slots.values()) {
      if (place === 'idle' && failures === 0 && readyAtUs <= this.#nowUs) continue;
      slots.push({ host, readyAtUs, failures, isResting, place, entries: Float64Array.from(jobs.ranks) });
    }
    return { nowUs: this.#nowUs, slots, hostDelays: this.hostDelays, addresses: this.#ready.save() };
  }

  /** Takes up what `saveExactly` gave; nothing may have been added before. */
  restoreExactly({ nowUs, slots, hostDelays = [], addresses }: ExactPendingState): void {
    assert(this.#slots.size === 0, 'pending jobs are restored into empty ones');
    if (addresses !== undefined) this.#ready.restore(addresses, nowUs);
    for (const [host, delayUs] of hostDelays) this.#hostDelays.set(host, delayUs);
    this.#nowUs = nowUs;
    for (const { host, entries, readyAtUs, failures, isResting, place } of slots) {
      const slot = Object.assign(this.#slotFor(host), { readyAtUs, failures, isResting, place });
      for (const entry of entries) slot.jobs.addEntry(entry);
      this.#size += entries.length;
      this.#count(slot);
      if (slot.place === 'waiting') this.#waiting.add(slot, -slot.readyAtUs);
      else if (slot.place === 'ready') this.#ready.add(slot);
    }
  }

  #slotFor(host: number): HostSlot {
    const slot: HostSlot = {
      host, jobs: new JobHeap(this.#places), readyAtUs: this.#notBeforeUs, failures: 0, isResting: false, startable: 0,
      place: 'idle', heapPlace: 0,
    };
    this.#slots.set(host, slot);
    return slot;
  }

  #wait(slot: HostSlot): void {
    slot.place = 'waiting';
    this.#waiting.add(slot, -slot.readyAtUs);
  }

  /** Makes the hosts ready whose delay has passed, and sets the time for later jobs. `nowUs` never falls. */
  releaseHosts(nowUs: number): void {
    this.#nowUs = nowUs;
    this.#ready.release(nowUs);
    while (this.#waiting.firstRank >= -nowUs) {
      const slot = this.#waiting.take();
      assert(slot !== undefined, 'a waiting host has vanished');
      slot.place = 'ready';
      if (slot.isResting) {
        slot.isResting = false;
        this.#count(slot);
      }
      this.#ready.add(slot);
    }
  }
}
