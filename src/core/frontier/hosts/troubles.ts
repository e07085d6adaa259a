import { LargeMap } from '../../../base/index.ts';
import { isTransient, type Outcome } from '../../world/index.ts';
import { HostOutages, type HostGivenUp, type HostPatience, type OutagesState } from './outages.ts';
import type { PendingJobs } from './pending-jobs.ts';

/** The saved form of a processor's troubles with hosts. */
export interface HostTroublesState {
  /** (local index, starts that were failures of its host). */
  readonly probes: readonly (readonly [number, number])[];
  readonly outages: OutagesState;
  readonly givenUp: readonly HostGivenUp[];
  /** Local indices of pages with an outcome, not yet completed, that says nothing about them. */
  readonly returned: readonly number[];
}

/** Failures of hosts: which pages they return to the pending jobs, and which hosts are given up. */
export class HostTroubles {
  readonly #pendingJobs: PendingJobs;
  readonly #outages: HostOutages;
  /** Starts of pages that were failures of their hosts. */
  readonly #probes: LargeMap<number, number>;
  readonly #givenUp: HostGivenUp[];
  /** Pages whose download has ended, is not yet completed, and says nothing about them. */
  readonly #returned: Set<number>;

  constructor(patience: HostPatience, pendingJobs: PendingJobs, saved?: HostTroublesState) {
    this.#pendingJobs = pendingJobs;
    this.#outages = new HostOutages(patience, saved?.outages);
    this.#probes = new LargeMap(saved?.probes);
    this.#givenUp = [...(saved?.givenUp ?? [])];
    this.#returned = new Set(saved?.returned);
    for (const { host } of this.#givenUp) pendingJobs.giveUp(host);
  }

  save(): HostTroublesState {
    return {
      probes: [...this.#probes], outages: this.#outages.save(), givenUp: [...this.#givenUp],
      returned: [...this.#returned],
    };
  }

  get givenUp(): readonly HostGivenUp[] {
    return this.#givenUp;
  }

  /** Hosts that fail now. */
  get count(): number {
    return this.#outages.count;
  }

  /** Whether most hosts fail that have answered before: the crawler's own network seems to be out. */
  isNetworkOut(nowUs: number): boolean {
    return this.#outages.isNetworkOut(nowUs, this.#hostsUp);
  }

  get #hostsUp(): number {
    return Math.max(0, this.#pendingJobs.hosts - this.#outages.count);
  }

  /** Starts of a page that were failures of its host. */
  probesOf(local: number): number {
    return this.#probes.size === 0 ? 0 : this.#probes.get(local) ?? 0;
  }

  isReturned(local: number): boolean {
    return this.#returned.has(local);
  }

  /** The outcome of a page is completed. @returns whether it said nothing about the page. */
  complete(local: number): boolean {
    return this.#returned.delete(local);
  }

  /** The page has ended for good. */
  forget(local: number): void {
    if (this.#probes.size > 0) this.#probes.delete(local);
  }

  /**
   * A download has ended: its host rests, or is given up. @returns the entries that were pending of a host given up.
   */
  release(host: number, local: number, outcome: Outcome): readonly number[] {
    const { kind, finishedAtUs, waitUs, addressRest } = outcome;
    const verdict = this.#outages.heard(host, outcome);
    if (verdict === 'page') {
      this.#pendingJobs.close(host, finishedAtUs, waitUs, isTransient(kind), Infinity, addressRest);
      return [];
    }
    this.#returned.add(local);
    if (verdict === 'nobody') {
      this.#pendingJobs.closeUnasked(host, finishedAtUs, waitUs, addressRest);
      return [];
    }
    this.#probes.set(local, this.probesOf(local) + 1);
    const leftUs = this.#outages.leftUs(host, outcome, this.#hostsUp);
    const leastUs = Math.min(this.#outages.leastRestUs(host, outcome), leftUs ?? 0);
    this.#pendingJobs.close(host, finishedAtUs, Math.max(waitUs, leastUs), true, leftUs, addressRest);
    if (leftUs !== undefined) return [];
    this.#givenUp.push(this.#outages.giveUp(host, outcome));
    return this.#pendingJobs.giveUp(host);
  }
}
