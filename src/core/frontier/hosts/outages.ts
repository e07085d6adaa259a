import { BitSet, LargeMap } from '../../../base/index.ts';
import type { HostTrouble, Outcome, OutcomeKind } from '../../world/index.ts';

/** Patience with hosts that cannot be reached. */
export interface HostPatience {
  /** How long a host may fail without an answer before it is given up, microseconds; 0: failures are the pages'. */
  readonly hostPatienceUs: number;
}

/** A host that was given up. */
export interface HostGivenUp {
  readonly host: number;
  /** Its first failure without an answer since, and the last, microseconds. */
  readonly sinceUs: number;
  readonly atUs: number;
  /** Failures in between, both included. */
  readonly failures: number;
  /** The last one: the host's trouble, if it is certain, and the kind of the outcome. */
  readonly trouble: HostTrouble | undefined;
  readonly kind: OutcomeKind;
}

/** A host from its first failure without an answer since. */
interface Outage {
  readonly host: number;
  sinceUs: number;
  failures: number;
  /** Answers of DNS in a row that its name does not exist. */
  missing: number;
  /** The page whose failure began it. */
  readonly page: number;
  /** Whether it is the host that fails, and not one page of it. */
  isHosts: boolean;
}

/** All outages at one moment, exactly: it can be cloned. */
export interface OutagesState {
  readonly outages: readonly Readonly<Outage>[];
  /** Hosts that have answered, one bit each. */
  readonly answered: Uint32Array;
  readonly fallen: readonly number[];
  readonly fallenSinceUs: number;
}

/** Whose failure an outcome is; `nobody`: nobody was asked. */
export type Verdict = 'page' | 'host' | 'nobody';

/** A host whose name does not exist is given up after this many probes, at this distance. */
const maxMissing = 3;
const missingRestUs = 25e6;
/** If this many hosts or more fail at once, the crawler's own network is suspected, for a day at most. */
const minFallen = 3;
const maxNetworkOutageUs = 86_400e6;

/**
 * Decides whose failure an outcome is, the page's or its host's, and when a host is given up.
 *
 *  - Failures of DNS, connections, TLS and robots.txt are the host's (`Outcome.hostTrouble`).
 *  - Any response to a request for a page shows that its host is up: a server error is the page's.
 *  - A reset or a time-out is the page's, unless its host has failed before, other than by this page, and has not
 *    answered since.
 *  - Patience is counted from a host's first failure without an answer since. It is shorter for names that do not
 *    exist, and nil for addresses that must not be contacted.
 *  - While most of the hosts fail that have answered before, the network is out: no host is given up, and the time does
 *    not count.
 *
 * Cost  O(1) per outcome; memory for hosts that fail, and one bit per host that has answered.
 */
export class HostOutages {
  readonly #patienceUs: number;
  readonly #outages = new LargeMap<number, Outage>();
  readonly #answered: BitSet;
  /** Hosts that had answered, and have begun to fail since the last answer of any host. */
  readonly #fallen: Set<number>;
  #fallenSinceUs: number;

  constructor({ hostPatienceUs }: HostPatience, saved?: OutagesState) {
    this.#patienceUs = hostPatienceUs;
    for (const outage of saved?.outages ?? []) this.#outages.set(outage.host, { ...outage });
    this.#answered = new BitSet(saved?.answered);
    this.#fallen = new Set(saved?.fallen);
    this.#fallenSinceUs = saved?.fallenSinceUs ?? 0;
  }

  save(): OutagesState {
    return {
      outages: Array.from(this.#outages.values(), (outage) => ({ ...outage })),
      answered: this.#answered.words, fallen: [...this.#fallen], fallenSinceUs: this.#fallenSinceUs,
    };
  }

  /** Hosts that fail now. */
  get count(): number {
    return this.#outages.size;
  }

  /** Whose failure this outcome of a page of `host` is. */
  heard(host: number, { page, kind, hostTrouble, finishedAtUs }: Outcome): Verdict {
    if (kind === 'busy') return 'nobody';
    // Known without asking the host.
    if (this.#patienceUs === 0 || kind === 'robotsDenied') return 'page';
    if (hostTrouble === undefined && kind !== 'timeout' && kind !== 'refused') {
      this.#answers(host, finishedAtUs);
      return 'page';
    }
    const outage = this.#outages.get(host) ?? this.#begin(host, page, finishedAtUs);
    outage.failures++;
    outage.missing = hostTrouble === 'noSuchName' ? outage.missing + 1 : 0;
    if (hostTrouble !== undefined || outage.page !== page) outage.isHosts = true;
    return outage.isHosts ? 'host' : 'page';
  }

  /**
   * The rest of the patience with a host after it failed, microseconds: the crawler asks it again within that time.
   * Undefined if no patience is left.
   * @param hostsUp hosts with jobs that do not fail.
   */
  leftUs(host: number, { hostTrouble, finishedAtUs, waitUs }: Outcome, hostsUp: number): number | undefined {
    const outage = this.#outages.get(host);
    if (outage === undefined) return Infinity;
    if (this.isNetworkOut(finishedAtUs, hostsUp)) return Infinity;
    if (hostTrouble === 'notAllowed') return undefined;
    if (outage.missing >= maxMissing) return undefined;
    const leftUs = outage.sinceUs + this.#patienceUs - finishedAtUs;
    if (leftUs <= 0 || (waitUs > this.#patienceUs && !this.#answered.has(host))) return undefined;
    return leftUs;
  }

  /** The least rest after a failure of the host: it doubles up to a fifth of the patience. */
  leastRestUs(host: number, { hostTrouble }: Outcome): number {
    if (hostTrouble === 'noSuchName') return Math.min(missingRestUs, this.#patienceUs / maxMissing);
    const { failures = 1 } = this.#outages.get(host) ?? {};
    return Math.round(this.#patienceUs * Math.min(1 / 5, 2 ** (failures - 1) / 1000));
  }

  /** Whether most hosts that had answered fail at once. */
  isNetworkOut(nowUs: number, hostsUp: number): boolean {
    const { size } = this.#fallen;
    return size >= minFallen && size >= hostsUp && nowUs - this.#fallenSinceUs <= maxNetworkOutageUs;
  }

  /** Forgets a host that is given up. */
  giveUp(host: number, { kind, hostTrouble, finishedAtUs }: Outcome): HostGivenUp {
    const { sinceUs = finishedAtUs, failures = 1 } = this.#outages.get(host) ?? {};
    this.#outages.delete(host);
    this.#fallen.delete(host);
    return { host, sinceUs, atUs: finishedAtUs, failures, trouble: hostTrouble, kind };
  }

  #begin(host: number, page: number, nowUs: number): Outage {
    const outage: Outage = { host, sinceUs: nowUs, failures: 0, missing: 0, page, isHosts: false };
    this.#outages.set(host, outage);
    if (this.#answered.has(host)) {
      if (this.#fallen.size === 0) this.#fallenSinceUs = nowUs;
      this.#fallen.add(host);
    }
    return outage;
  }

  #answers(host: number, nowUs: number): void {
    this.#answered.add(host);
    if (this.#outages.size > 0) this.#outages.delete(host);
    if (this.#fallen.size === 0) return;
    // The network is back: the time without it counts for no host.
    if (this.#fallen.size >= minFallen) {
      for (const outage of this.#outages.values())
        outage.sinceUs += nowUs - Math.max(outage.sinceUs, this.#fallenSinceUs);
    }
    this.#fallen.clear();
  }
}
