import type { GraphPages } from '../../../graphs/graph/index.ts';
import type { HostAddresses } from '../../world/index.ts';
import type { RunEvents, SuperstepRow } from '../record/events.ts';
import { addressInWords, type SharedAddress } from './shared-addresses.ts';
import { bySuperstep } from '../supersteps.ts';
import { bestChanges, type LeastTimes } from './gains.ts';
import { limitKinds, type LimitKind } from './kinds.ts';
import { Waits, type LimitCosts } from './waits.ts';

/** What limits a crawl. */
export interface Limits {
  /**
   * Those of which more is likely to bring most: one, or two where the second brings nearly half as much. None where
   * nothing brings a tenth more pages per second, or nothing was fetched.
   */
  readonly named: readonly LimitKind[];
  /**
   * Share of the time that processors with work waited for each: what more of it can save at most. The rest is the
   * latency of hosts. Shares overlap where more of either shortens the same wait.
   */
  readonly shares: Readonly<Record<LimitKind, number>>;
  /**
   * Hosts whose delays and downloads fill at least nine tenths of the longest such time of any host, longest first; or
   * the one address that hosts share and that takes longer than any host.
   */
  readonly hosts: { readonly count: number; readonly names: readonly string[] };
}

export interface LimitsInput extends LimitCosts {
  /** Undefined where addresses have no delay, or are not known; and those that hosts share. */
  readonly addresses?: HostAddresses | undefined;
  readonly shared?: readonly SharedAddress[] | undefined;
  readonly events: RunEvents;
  readonly graph: GraphPages;
}

/** A host that is as busy as this, compared with the busiest, is among the largest. */
const nearlyBusiest = 0.9;
const namedHosts = 3;

/** What limits a crawl, from its counts alone. O(rows + pages). */
export function measureLimits(input: LimitsInput): Limits {
  const { events: { rows, order }, addresses } = input;
  // A host has an address, which rests too.
  const politenessUs = Math.max(input.politenessUs, addresses?.delayUs ?? 0);
  const limits = new LimitsSoFar({ ...input, politenessUs });
  for (const ofSuperstep of bySuperstep(rows)) limits.add(ofSuperstep);
  const turns = hostTurns({ ...input, politenessUs });
  return limits.limits(order.length, busiestHosts(input, turns), longestTurns(input, turns, politenessUs));
}

/** The limits of a crawl while it goes on: it divides the time of processors with work by their waits. O(rows). */
export class LimitsSoFar {
  readonly #waits: Waits;
  readonly #isWhole: boolean;

  constructor(costs: LimitCosts) {
    this.#waits = new Waits(costs);
    this.#isWhole = costs.isWhole;
  }

  /** @param rows - of the superstep that has ended; one at least. */
  add(rows: readonly SuperstepRow[]): void {
    this.#waits.add(rows);
  }

  /**
   * @param pages - fetched so far.
   * @param turns - the longest turns of a host; known at the end of a whole crawl, where they bound what a change
   * brings.
   */
  limits(
    pages: number, hosts: Limits['hosts'] = { count: 0, names: [] }, turns?: Omit<LeastTimes, 'robotUs'>,
  ): Limits {
    const { us: shares, totalUs, robotUs } = this.#waits;
    // Waits of robots and of pages overlap, and their estimates may add up to more than there was.
    for (const kind of limitKinds)
      shares[kind] = totalUs === 0 || pages === 0 ? 0 : Math.min(1, shares[kind] / totalUs);
    const least = turns !== undefined && this.#isWhole ? { ...turns, robotUs } : undefined;
    return { named: bestChanges(shares, totalUs, least), shares, hosts };
  }
}

/** Time of each host's downloads and delays, and its requests. */
interface HostTurns {
  readonly us: Float64Array;
  readonly requests: Float64Array;
}

function hostTurns({ events, graph: { hosts }, politenessUs }: LimitsInput): HostTurns {
  const us = new Float64Array(hosts.count);
  const requests = new Float64Array(hosts.count);
  const add = (page: number, downloadUs: number): void => {
    us[hosts.ofPage[page]] += politenessUs + downloadUs;
    requests[hosts.ofPage[page]]++;
  };
  const { order, times } = events;
  for (let i = 0; i < order.length; i++) add(order[i], times[2 * i + 1] - times[2 * i]);
  for (const { page, startedUs, finishedUs } of events.failures) add(page, finishedUs - startedUs);
  return { us, requests };
}

function longestTurns(
  { shared = [] }: LimitsInput, { us, requests }: HostTurns, politenessUs: number,
): Omit<LeastTimes, 'robotUs'> {
  let longest = { hostUs: 0, hostDelayUs: 0 };
  for (let host = 0; host < us.length; host++) {
    if (us[host] - politenessUs <= longest.hostUs) continue;
    longest = { hostUs: us[host] - politenessUs, hostDelayUs: (requests[host] - 1) * politenessUs };
  }
  for (const { leastUs } of shared)
    if (leastUs > longest.hostUs) longest = { hostUs: leastUs, hostDelayUs: leastUs };
  return longest;
}

function busiestHosts({ graph: { hosts }, shared = [] }: LimitsInput, { us }: HostTurns): Limits['hosts'] {
  const most = us.reduce((greatest, turn) => Math.max(greatest, turn), 0);
  const address = shared.reduce<SharedAddress | undefined>((busiest, other) =>
    other.busyUs > (busiest?.busyUs ?? most) ? other : busiest, undefined);
  if (address !== undefined) return { count: 1, names: [addressInWords(address)] };
  if (most === 0) return { count: 0, names: [] };
  const largest: number[] = [];
  for (let host = 0; host < hosts.count; host++) if (us[host] >= nearlyBusiest * most) largest.push(host);
  largest.sort((a, b) => us[b] - us[a] || a - b);
  return { count: largest.length, names: largest.slice(0, namedHosts).map((host) => hosts.names.at(host)) };
}
