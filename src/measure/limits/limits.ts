import type { GraphPages } from '../../graph/index.ts';
import type { HostAddresses } from '../../world/index.ts';
import type { RunEvents, SuperstepRow } from '../record/events.ts';
import { addressInWords, type SharedAddress } from './shared-addresses.ts';
import { bySuperstep } from '../supersteps.ts';

/**
 * What a crawl can wait for. `politeness`: the delays of hosts. `robots`: all robots download. `superstepLimit`: R_x is
 * reached. `pendingJobs`: robots are idle while queued pages are of hosts without a job. `processorBandwidth`,
 * `hostBandwidth`: downloads wait for bytes. `barriers`: for messages, and the price of a barrier. `frontier`: no page
 * is known that is not being fetched. `retries`: hosts that back off after failures or asked for a pause.
 */
export const limitKinds = [
  'politeness', 'robots', 'superstepLimit', 'pendingJobs', 'processorBandwidth', 'hostBandwidth', 'barriers',
  'frontier', 'retries',
] as const;
export type LimitKind = (typeof limitKinds)[number];

/** What limits a crawl. */
export interface Limits {
  /** Those that limit it most: one, two where the second matters half as much, none if nothing was fetched. */
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

/** What a crawl pays for time. */
export interface LimitCosts {
  readonly politenessUs: number;
  /** Bytes per second, 0 for no limit; undefined of a live crawl, which cannot know them. */
  readonly processorBandwidth?: number | undefined;
  readonly hostBandwidth?: number | undefined;
  /** Whether the run ended because nothing was left: then the last processors at work decide; otherwise all pages. */
  readonly isWhole: boolean;
}

export interface LimitsInput extends LimitCosts {
  /** Undefined where addresses have no delay, or are not known; and those that hosts share. */
  readonly addresses?: HostAddresses | undefined;
  readonly shared?: readonly SharedAddress[] | undefined;
  readonly events: RunEvents;
  readonly graph: GraphPages;
}

/** A link of a processor that is this full is what downloads wait for. */
const fullLink = 0.8;
/** A host that is as busy as this, compared with the busiest, is among the largest. */
const nearlyBusiest = 0.9;
const namedHosts = 3;
/** A second limit is named if it has this share, and half of the first one's. */
const minSecondShare = 0.2;
/** With this share of queued pages on idle hosts there are enough of them for the idle robots. */
const enoughIdle = 0.1;

/** What limits a crawl, from its counts alone. O(rows + pages). */
export function measureLimits(input: LimitsInput): Limits {
  const { events: { rows, order }, addresses } = input;
  // A host has an address, which rests too.
  const politenessUs = Math.max(input.politenessUs, addresses?.delayUs ?? 0);
  const limits = new LimitsSoFar({ ...input, politenessUs });
  for (const ofSuperstep of bySuperstep(rows)) limits.add(ofSuperstep);
  return limits.limits(order.length, busiestHosts({ ...input, politenessUs }));
}

/**
 * What limits a crawl while it goes on: in each superstep the time of the processors with work is divided by what they
 * waited for. O(rows).
 */
export class LimitsSoFar {
  readonly #costs: LimitCosts;
  readonly #us: Record<LimitKind, number> = {
    politeness: 0, robots: 0, superstepLimit: 0, pendingJobs: 0, processorBandwidth: 0, hostBandwidth: 0, barriers: 0,
    frontier: 0, retries: 0,
  };
  #totalUs = 0;
  #busyUs = 0;
  #bytes = 0;
  #downloads = 0;

  constructor(costs: LimitCosts) {
    this.#costs = costs;
  }

  /** @param rows - of the superstep that has ended; one at least. */
  add(rows: readonly SuperstepRow[]): void {
    const { barrierUs } = rows[0];
    divide(rows, barrierUs - this.#totalUs, this.#costs, this.#us);
    this.#totalUs = barrierUs;
    for (const row of rows) {
      this.#busyUs += row.busyUs;
      this.#bytes += row.bytes;
      this.#downloads += row.pages + row.failures - row.denied;
    }
  }

  /** @param pages - fetched so far. */
  limits(pages: number, hosts: Limits['hosts'] = { count: 0, names: [] }): Limits {
    const shares = { ...this.#us };
    if (this.#totalUs === 0 || pages === 0) return { named: [], shares: zeros(shares), hosts };
    for (const kind of limitKinds) shares[kind] /= this.#totalUs;
    this.#shareDownloads(shares);
    return { named: named(shares), shares, hosts };
  }

  /**
   * A host's turn is its delay and a download; a robot's is the download alone. Of both, the part in which bytes come
   * in is the hosts' bandwidth, and latency is nobody's.
   */
  #shareDownloads(shares: Record<LimitKind, number>): void {
    const { politenessUs, hostBandwidth = 0 } = this.#costs;
    const transfer = hostBandwidth === 0 ? 0 : Math.min(1, ratio((1e6 * this.#bytes) / hostBandwidth, this.#busyUs));
    const downloadUs = ratio(this.#busyUs, this.#downloads);
    const inDownload = ratio(downloadUs, politenessUs + downloadUs);
    shares.hostBandwidth = transfer * (shares.robots + inDownload * shares.politeness);
    shares.politeness *= 1 - inDownload;
  }
}

function zeros(shares: Readonly<Record<LimitKind, number>>): Record<LimitKind, number> {
  const none = { ...shares };
  for (const kind of limitKinds) none[kind] = 0;
  return none;
}

/**
 * Adds the microseconds of a superstep that processors with work waited, on average, for each kind. Those without a row
 * had none.
 */
function divide(
  rows: readonly SuperstepRow[], lengthUs: number, { processorBandwidth, isWhole }: LimitCosts,
  shares: Record<LimitKind, number>,
): void {
  let priceUs = Infinity;
  let atWork = 0;
  let limited = 0;
  let pages = 0;
  for (const row of rows) {
    priceUs = Math.min(priceUs, row.waitUs);
    if (!isAtWork(row)) continue;
    atWork++;
    pages += row.pages;
    if (isLimited(row)) limited++;
  }
  if (atWork === 0) {
    shares.barriers += lengthUs;
    return;
  }
  shares.barriers += priceUs;
  // Fewer barriers would cost less too.
  if (limited === atWork) shares.superstepLimit += priceUs;
  for (const row of rows) {
    if (!isAtWork(row)) continue;
    const each = isWhole || pages === 0 ? 1 / atWork : row.pages / pages;
    const { saturatedUs, stalledUs, noJobUs, restingUs, queued, sampledPages, sampledIdle } = row;
    const isFull = (processorBandwidth ?? 0) > 0 &&
      row.bytes * 1e6 >= fullLink * Number(processorBandwidth) * (lengthUs - priceUs);
    const early = each * (row.waitUs - priceUs);
    if (isLimited(row)) shares.superstepLimit += early;
    else if (queued > 0) shares.pendingJobs += early;
    else if (row.pairsReceived > 0) shares.barriers += early;
    else shares.frontier += early;

    // It would only have waited longer, had it reached R_x sooner.
    if (isLimited(row) && early > 0) continue;
    const workUs = each * (lengthUs - row.waitUs);
    if (isFull) {
      shares.processorBandwidth += workUs;
      continue;
    }
    shares.robots += each * saturatedUs;
    const idleUs = workUs - each * saturatedUs;
    const stalled = idleUs * ratio(stalledUs, stalledUs + noJobUs);
    const resting = stalled * ratio(restingUs, stalledUs);
    const starved = (stalled - resting) * Math.min(1, ratio(sampledIdle, sampledPages) / enoughIdle);
    shares.retries += resting;
    shares.pendingJobs += starved;
    shares.politeness += stalled - resting - starved;
    // Idle robots without a pending job: what is queued could be fetched if it were pending.
    if (queued > 0) shares.pendingJobs += idleUs - stalled;
    else shares.frontier += idleUs - stalled;
  }
}

function isAtWork({ busyUs, stalledUs }: SuperstepRow): boolean {
  return busyUs + stalledUs > 0;
}

/** Whether a processor has reached R_x. */
function isLimited({ pages, failures, drained, denied, superstepLimit }: SuperstepRow): boolean {
  return pages + failures - drained - denied >= superstepLimit;
}

function named(shares: Readonly<Record<LimitKind, number>>): LimitKind[] {
  const [first, second] = [...limitKinds].sort((a, b) => shares[b] - shares[a]);
  if (shares[first] === 0) return [];
  return shares[second] >= Math.max(minSecondShare, shares[first] / 2) ? [first, second] : [first];
}

function busiestHosts(
  { events, graph: { hosts }, politenessUs, shared = [] }: LimitsInput,
): Limits['hosts'] {
  const us = new Float64Array(hosts.count);
  const { order, times } = events;
  for (let i = 0; i < order.length; i++)
    us[hosts.ofPage[order[i]]] += politenessUs + times[2 * i + 1] - times[2 * i];
  for (const { page, startedUs, finishedUs } of events.failures)
    us[hosts.ofPage[page]] += politenessUs + finishedUs - startedUs;
  const most = us.reduce((greatest, one) => Math.max(greatest, one), 0);
  const address = shared.reduce<SharedAddress | undefined>((busiest, other) =>
    other.busyUs > (busiest?.busyUs ?? most) ? other : busiest, undefined);
  if (address !== undefined) return { count: 1, names: [addressInWords(address)] };
  if (most === 0) return { count: 0, names: [] };
  const largest: number[] = [];
  for (let host = 0; host < hosts.count; host++) if (us[host] >= nearlyBusiest * most) largest.push(host);
  largest.sort((a, b) => us[b] - us[a] || a - b);
  return { count: largest.length, names: largest.slice(0, namedHosts).map((host) => hosts.names.at(host)) };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
