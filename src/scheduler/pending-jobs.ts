import { assert } from '../std/index.ts';

interface HostSlot {
  readonly host: number;
  /** Entries of the host's pending jobs, ascending: the best is last. */
  readonly jobs: number[];
  /** When the host's delay will have passed; counts while it has no open download. */
  readyAtUs: number;
  place: 'idle' | 'open' | 'waiting' | 'ready';
}

/** Puts `item` into `items`, which ascend by `rank`. O(log n) steps and one memory move. */
function insertSorted<T>(items: T[], item: T, rank: (item: T) => number): void {
  const key = rank(item);
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rank(items[middle]) < key) low = middle + 1;
    else high = middle;
  }
  items.splice(low, 0, item);
}

const bestJob = (slot: HostSlot): number => slot.jobs[slot.jobs.length - 1];
const itself = (entry: number): number => entry;
/** Waiting hosts stand in falling order of time, so that the earliest is last. */
const soonness = (slot: HostSlot): number => -slot.readyAtUs;

/**
 * The pending jobs of a processor (the paper's Q) and politeness: a job is ready when its host has no open download and its
 * delay has passed. The delay runs from the end of one download to the start of the next on that host.
 *
 * Invariant: a host is open (has a download open), else idle (no jobs), waiting (jobs, delay runs) or ready (jobs, may start).
 * Cost: add, takeBest and close O(log D) comparisons and a move of at most D words, D the number of pending jobs.
 */
export class PendingJobs {
  readonly #delayUs: number;
  readonly #slots = new Map<number, HostSlot>();
  /** By their best job, best last. */
  readonly #ready: HostSlot[] = [];
  /** By readyAtUs, earliest last. */
  readonly #waiting: HostSlot[] = [];
  #size = 0;

  /** @param delayUs politeness delay, microseconds. */
  constructor(delayUs: number) {
    this.#delayUs = delayUs;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds the job of a queue entry, which it keeps whatever the page's score does later. */
  add(entry: number, host: number): void {
    let slot = this.#slots.get(host);
    if (slot === undefined) {
      slot = { host, jobs: [], readyAtUs: 0, place: 'idle' };
      this.#slots.set(host, slot);
    }
    this.#size++;
    if (slot.place === 'ready') this.#leaveReady(slot);
    insertSorted(slot.jobs, entry, itself);
    if (slot.place === 'idle') this.#wait(slot);
    else if (slot.place === 'ready') insertSorted(this.#ready, slot, bestJob);
  }

  /**
   * Takes the best job that is ready at `nowUs` and opens its host; undefined where none is ready.
   * `nowUs` never falls from call to call.
   */
  takeBest(nowUs: number): { entry: number; host: number } | undefined {
    this.#settle(nowUs);
    const slot = this.#ready.pop();
    const entry = slot?.jobs.pop();
    if (slot === undefined || entry === undefined) return undefined;
    slot.place = 'open';
    this.#size--;
    return { entry, host: slot.host };
  }

  /** The download that was open on `host` has ended. */
  close(host: number, endedUs: number): void {
    const slot = this.#slots.get(host);
    assert(slot?.place === 'open', () => `host ${host} has no open download to close`);
    slot.readyAtUs = endedUs + this.#delayUs;
    if (slot.jobs.length > 0) this.#wait(slot);
    else slot.place = 'idle';
  }

  /** When the next waiting host gets ready; Infinity where none waits. */
  get nextReadyUs(): number {
    return this.#waiting.at(-1)?.readyAtUs ?? Infinity;
  }

  /** Jobs held, recounted from the hosts: O(hosts). */
  recount(): number {
    let jobs = 0;
    for (const slot of this.#slots.values()) jobs += slot.jobs.length;
    return jobs;
  }

  #wait(slot: HostSlot): void {
    slot.place = 'waiting';
    insertSorted(this.#waiting, slot, soonness);
  }

  #settle(nowUs: number): void {
    while (this.nextReadyUs <= nowUs) {
      const slot = this.#waiting.pop();
      assert(slot !== undefined, 'a waiting host has vanished');
      slot.place = 'ready';
      insertSorted(this.#ready, slot, bestJob);
    }
  }

  #leaveReady(slot: HostSlot): void {
    const position = this.#ready.indexOf(slot);
    assert(position >= 0, () => `ready host ${slot.host} is not among the ready`);
    this.#ready.splice(position, 1);
  }
}
