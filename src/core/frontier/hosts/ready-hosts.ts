import { LargeMap } from '../../../base/index.ts';
import type { AddressRest } from '../../world/index.ts';
import { PlacedHeap, type Placed } from './heap.ts';
import type { JobHeap } from './job-heap.ts';

/** A host with jobs whose own delay has passed. */
interface ReadyHost extends Placed {
  readonly host: number;
  readonly jobs: JobHeap;
}

/** An address that hosts may share: it is asked for one page at a time, and rests in between. */
interface Address extends Placed {
  readonly name: string;
  /** When it will have rested; valid while none of its hosts has an open download. */
  readyAtUs: number;
  /** How long it rests after a download, as the World said last. */
  restUs: number;
  /** Open downloads of its hosts. */
  open: number;
  /** Hosts that are ready and wait for it, ranked by their best job. */
  readonly parked: PlacedHeap<ReadyHost>;
  /** The host whose turn it is, while the address is free: it has the best job. */
  first: ReadyHost | undefined;
  /** Whether its end of rest is waited for. */
  isAwaited: boolean;
}

/** Addresses at one moment: of hosts, by name, and of those that are at work or at rest. */
export interface AddressesState {
  readonly ofHosts: readonly (readonly [host: number, name: string])[];
  readonly addresses: readonly (readonly [name: string, readyAtUs: number, restUs: number, open: number])[];
}

/**
 * The hosts of a processor that may be asked now, as far as they themselves are concerned, and the addresses that they
 * share: of the hosts at one address, the one with the best job is ready while the address is free, and the others are
 * parked. Where no World tells an address, it is a heap of hosts.
 *
 * Cost   O(log hosts) each.
 */
export class ReadyHosts {
  /** Ranked by their best job; of each address one at most. */
  readonly #free = new PlacedHeap<ReadyHost>();
  readonly #addresses = new LargeMap<string, Address>();
  readonly #ofHosts = new LargeMap<number, Address>();
  /** Addresses at rest that hosts wait for, ranked by -readyAtUs. */
  readonly #resting = new PlacedHeap<Address>();
  #nowUs = 0;
  #size = 0;

  /** Hosts, parked ones included. */
  get size(): number {
    return this.#size;
  }

  /** When an address that hosts wait for will have rested; Infinity if there is none. */
  get nextUs(): number {
    return -this.#resting.firstRank;
  }

  addressOf(host: number): string | undefined {
    return this.#at(host)?.name;
  }

  /** Whether any host may be asked now. */
  get areAny(): boolean {
    return this.#free.size > 0;
  }

  /** Whether the address of a host, as far as it is known, is neither at work nor at rest. */
  isFree(host: number): boolean {
    const at = this.#at(host);
    return at === undefined || (at.open === 0 && at.readyAtUs <= this.#nowUs);
  }

  /** A host's own delay has passed. */
  add(host: ReadyHost): void {
    this.#size++;
    const at = this.#at(host.host);
    if (at === undefined) this.#free.add(host, host.jobs.firstRank);
    else this.#offer(at, host, host.jobs.firstRank);
  }

  /** Takes the host with the best job that may be asked; its address is at work until `ended`. */
  take(): ReadyHost | undefined {
    const host = this.#free.take();
    if (host === undefined) return undefined;
    this.#size--;
    const at = this.#at(host.host);
    if (at !== undefined) {
      at.first = undefined;
      at.open++;
    }
    return host;
  }

  remove(host: ReadyHost): void {
    this.#size--;
    const at = this.#at(host.host);
    if (at !== undefined && at.first !== host) {
      at.parked.remove(host);
      if (at.parked.size === 0) this.#forget(at);
      return;
    }
    this.#free.remove(host);
    if (at === undefined) return;
    at.first = undefined;
    this.#letOn(at);
  }

  /** The best job of a host is another now. */
  changed(host: ReadyHost): void {
    const rank = host.jobs.firstRank;
    const at = this.#at(host.host);
    if (at === undefined) {
      this.#free.change(host, rank);
    } else if (at.first !== host) {
      at.parked.remove(host);
      this.#offer(at, host, rank);
    } else if (rank >= at.parked.firstRank) {
      this.#free.change(host, rank);
    } else {
      this.#park(at, host);
      this.#letOn(at);
    }
  }

  /** The open download of a host has ended. Its address, if the World tells it, is known from then on, and rests. */
  ended(host: number, endedUs: number, addressRest: AddressRest | undefined): void {
    const place = this.#at(host);
    if (place !== undefined) {
      place.open--;
      if (addressRest === undefined) this.#rest(place, endedUs);
      else if (addressRest.address !== place.name) this.#rest(place, endedUs + place.restUs);
    }
    if (addressRest === undefined) return;
    const at = this.#addresses.get(addressRest.address) ?? this.#known(addressRest.address);
    this.#ofHosts.set(host, at);
    at.restUs = addressRest.restUs;
    this.#rest(at, endedUs + addressRest.restUs);
  }

  /** Makes hosts ready whose address has rested. `nowUs` never falls. */
  release(nowUs: number): void {
    this.#nowUs = nowUs;
    while (this.#resting.firstRank >= -nowUs) {
      const at = this.#resting.take()!;
      at.isAwaited = false;
      this.#letOn(at);
    }
  }

  save(): AddressesState {
    return {
      ofHosts: Array.from(this.#ofHosts, ([host, { name }]) => [host, name] as const),
      addresses: Array.from(this.#addresses.values(), ({ name, readyAtUs, restUs, open }) =>
        [name, readyAtUs, restUs, open] as const),
    };
  }

  /**
   * Takes up what `save` gave; no host may have been added before.
   * @param askedUs when each address may have been asked last, by downloads that are open no more. Undefined: those
   * that were open still are.
   */
  restore({ ofHosts, addresses }: AddressesState, nowUs: number, askedUs?: number): void {
    this.#nowUs = nowUs;
    for (const [name, readyAtUs, restUs, open] of addresses) {
      const at = this.#known(name);
      Object.assign(at, { readyAtUs, restUs, open });
      if (askedUs === undefined) continue;
      at.open = 0;
      at.readyAtUs = Math.max(readyAtUs, askedUs + restUs);
    }
    for (const [host, name] of ofHosts) this.#ofHosts.set(host, this.#addresses.get(name)!);
  }

  #at(host: number): Address | undefined {
    return this.#ofHosts.size === 0 ? undefined : this.#ofHosts.get(host);
  }

  #known(name: string): Address {
    const at: Address = {
      name, readyAtUs: 0, restUs: 0, open: 0, parked: new PlacedHeap(), first: undefined, isAwaited: false,
      heapPlace: 0,
    };
    this.#addresses.set(name, at);
    return at;
  }

  /** A host waits for its address, or takes its turn. */
  #offer(at: Address, host: ReadyHost, rank: number): void {
    const { first } = at;
    if (first !== undefined && rank > first.jobs.firstRank) {
      this.#park(at, first);
      at.first = host;
      this.#free.add(host, rank);
      return;
    }
    at.parked.add(host, rank);
    this.#letOn(at);
  }

  /** The host whose turn it was waits again. */
  #park(at: Address, first: ReadyHost): void {
    this.#free.remove(first);
    at.first = undefined;
    at.parked.add(first, first.jobs.firstRank);
  }

  /** The address is asked for nothing until then. */
  #rest(at: Address, readyAtUs: number): void {
    if (readyAtUs > at.readyAtUs) this.#forget(at);
    at.readyAtUs = Math.max(at.readyAtUs, readyAtUs);
    if (at.first !== undefined && at.readyAtUs > this.#nowUs) this.#park(at, at.first);
    this.#letOn(at);
  }

  /** The end of its rest is no longer waited for. */
  #forget(at: Address): void {
    if (!at.isAwaited) return;
    this.#resting.remove(at);
    at.isAwaited = false;
  }

  /** If the address is free, the host with the best job has its turn; otherwise the end of its rest is waited for. */
  #letOn(at: Address): void {
    if (at.open > 0 || at.first !== undefined || at.parked.size === 0 || at.isAwaited) return;
    if (at.readyAtUs > this.#nowUs) {
      at.isAwaited = true;
      this.#resting.add(at, -at.readyAtUs);
      return;
    }
    const rank = at.parked.firstRank;
    at.first = at.parked.take();
    this.#free.add(at.first!, rank);
  }
}
