import type { SuperstepRow } from '../record/events.ts';
import type { LimitKind } from './kinds.ts';

// What the processors of a crawl waited for, superstep by superstep.

/** What a crawl pays for time. */
export interface LimitCosts {
  readonly politenessUs: number;
  /** Bytes per second, 0 for no limit; undefined of a live crawl, which cannot know it. */
  readonly processorBandwidth?: number | undefined;
  /** The longest superstep; undefined for no limit. */
  readonly superstepUs?: number | undefined;
  /** The page limit; undefined for none. */
  readonly maxPages?: number | undefined;
  /** Whether the run ended because nothing was left: then the last processors at work decide; otherwise all pages. */
  readonly isWhole: boolean;
}

/** A link of a processor that is this full is what downloads wait for. */
const fullLink = 0.8;
/** With this share of queued pages on idle hosts there are enough of them for the idle robots. */
const enoughIdle = 0.1;
/** Arrivals and ends of supersteps that differ by less than this share of its length are the same. */
const sameTime = 0.01;
/** What shorter supersteps are likely to save of the time for which pages that were found waited for a barrier. */
const savedByBarriers = 0.6;
/** Each time that this many downloads are summed up, they count a quarter: the share of bytes in them changes. */
const rememberedDownloads = 16;

/** Sums over the last downloads of a processor. */
interface Downloads {
  busyUs: number;
  ended: number;
  transferUs: number;
  throttledUs: number;
}

/** A superstep, for all of its rows. */
interface Step {
  readonly lengthUs: number;
  /** What the barrier took after the last processor's arrival. */
  readonly priceUs: number;
  /** Whether all processors at work reached R_x. */
  readonly areLimited: boolean;
  /** Whether it ended since nothing was left to do. */
  readonly isDry: boolean;
}

/** What a row's time counts: its waits for others; its work, and the price of the barrier. */
interface Weight {
  readonly early: number;
  readonly work: number;
}

/** Divides the time of a crawl by what its processors waited for; times overlap where more of either saves the same. */
export class Waits {
  readonly #costs: LimitCosts;
  readonly #us: Record<LimitKind, number> = {
    politeness: 0, robots: 0, superstepLimit: 0, pendingJobs: 0, processorBandwidth: 0, hostBandwidth: 0, barriers: 0,
    frontier: 0, retries: 0,
  };
  totalUs = 0;
  #pages = 0;
  #inFlight = 0;
  /** Downloads that the page limit leaves to each processor at work in this superstep. */
  #share = Infinity;
  /** Want of pages that nobody could have known, unless a page is found later. */
  #dryUs = 0;
  /** Each processor's want of pages in its last superstep that a sooner barrier would have ended. */
  readonly #lateUs = new Map<number, number>();
  readonly #downloads = new Map<number, Downloads>();
  /** The time in which all robots of each processor download at once. */
  readonly #busyUs = new Map<number, number>();
  /** Waits for hosts while no queued page was sampled: in all, and for their delays. */
  #unknownUs = 0;
  #unknownDelayUs = 0;
  #sampled = 0;
  #sampledIdle = 0;

  constructor(costs: LimitCosts) {
    this.#costs = costs;
  }

  /** No crawl with as many robots, and the same downloads, is faster. */
  get robotUs(): number {
    return Math.max(0, ...this.#busyUs.values());
  }

  /** Microseconds by kind, so far. */
  get us(): Record<LimitKind, number> {
    const us = { ...this.#us };
    if (!this.#costs.isWhole) us.frontier += this.#dryUs;
    if (this.#sampled === 0) return us;
    us.pendingJobs += this.#unknownUs * starved(this.#sampledIdle, this.#sampled);
    us.politeness += this.#unknownDelayUs;
    return us;
  }

  /** @param rows - of the superstep that has ended; one at least. */
  add(rows: readonly SuperstepRow[]): void {
    const { isWhole, superstepUs = Infinity } = this.#costs;
    const lengthUs = rows[0].barrierUs - this.totalUs;
    this.totalUs = rows[0].barrierUs;
    this.#meetFound(rows);
    const atWork = rows.filter(isAtWork);
    this.#shareOut(rows, atWork.length);
    if (atWork.length === 0) this.#us.barriers += lengthUs;
    if (atWork.length === 0 || lengthUs === 0) return;
    const priceUs = rows.reduce((least, { waitUs }) => Math.min(least, waitUs), Infinity);
    const isTimed = lengthUs - priceUs >= (1 - sameTime) * superstepUs;
    const step: Step = {
      lengthUs, priceUs, areLimited: atWork.every(isLimited), isDry: !isTimed && !atWork.some(isLimited),
    };
    const pages = atWork.reduce((sum, row) => sum + row.pages, 0);
    const isLast = ({ waitUs }: SuperstepRow): boolean => waitUs - priceUs <= sameTime * lengthUs;
    const last = atWork.filter(isLast).length;
    for (const row of atWork) {
      // The last processors at work decide a whole crawl; otherwise all pages count.
      const early = isWhole || pages === 0 ? 1 / atWork.length : row.pages / pages;
      const work = isLast(row) ? 1 / last : 0;
      this.#divide(row, step, { early, work: isTimed && !isWhole ? early : work });
    }
  }

  /** The processors at work share what the page limit leaves; none is left once it is reached. */
  #shareOut(rows: readonly SuperstepRow[], sharers: number): void {
    const { maxPages = Infinity } = this.#costs;
    const left = maxPages - this.#pages - this.#inFlight;
    this.#pages += rows.reduce((sum, { pages }) => sum + pages, 0);
    this.#inFlight = rows.reduce((sum, { inFlight }) => sum + inFlight, 0);
    this.#share = this.#pages + this.#inFlight >= maxPages ? 0 : Math.floor(left / Math.max(1, sharers));
  }

  /** A processor that may start no more downloads lacks neither pages nor pending jobs. */
  #isCut({ pages, failures, denied, inFlight }: SuperstepRow): boolean {
    return pages + failures - denied + inFlight >= this.#share;
  }

  /** Pages were found, so the want of them is over: the frontier lacked them, or they waited for the barrier. */
  #meetFound(rows: readonly SuperstepRow[]): void {
    const us = this.#us;
    for (const { processor, inserted, reinserted } of rows) {
      const lateUs = this.#lateUs.get(processor) ?? 0;
      if (inserted > reinserted) us.barriers += savedByBarriers * lateUs;
      else this.#dryUs += lateUs;
      this.#lateUs.delete(processor);
    }
    if (!rows.some(({ inserted, reinserted }) => inserted > reinserted)) return;
    us.frontier += this.#dryUs;
    this.#dryUs = 0;
  }

  #divide(row: SuperstepRow, step: Step, weight: Weight): void {
    const us = this.#us;
    const { queued, waitUs } = row;
    const { priceUs, areLimited, isDry } = step;
    const downloads = this.#downloadsOf(row);
    const robots = robotsOf(row, step.lengthUs);
    this.#busyUs.set(row.processor, (this.#busyUs.get(row.processor) ?? 0) + row.busyUs / robots);
    const pass = this.#delaysPass(row, step.lengthUs, downloads);
    const waits = this.#lostInWaits(row, step.lengthUs, pass);
    const earlyUs = weight.early * waits * (waitUs - priceUs);
    const paidUs = weight.work * waits * priceUs;
    us.barriers += paidUs;
    // Fewer barriers would cost less too.
    if (areLimited) us.superstepLimit += paidUs;
    else if (isDry && !this.#isCut(row)) {
      if (queued > 0) us.pendingJobs += paidUs;
      else this.#dryUs += paidUs;
    }
    if (isLimited(row)) us.superstepLimit += earlyUs;
    else this.#want(row, earlyUs, step.lengthUs, downloads);
    // It would only have waited longer, had it reached R_x sooner.
    if (isLimited(row) && earlyUs > 0 && !areLimited) return;
    // What is not lost in waits is as the work before.
    const workUs = step.lengthUs - waitUs;
    this.#divideWork(row, step, weight.work * (1 + ratio((1 - waits) * waitUs, workUs)), downloads, pass);
  }

  #divideWork(
    row: SuperstepRow, { lengthUs, priceUs }: Step, weight: number, downloads: Downloads, pass: boolean,
  ): void {
    const us = this.#us;
    const { politenessUs, processorBandwidth = 0 } = this.#costs;
    const { queued, saturatedUs, stalledUs, restingUs, waitUs, sampledPages, sampledIdle, bytes } = row;
    const ofLink = Math.min(1, ratio(downloads.throttledUs, downloads.busyUs));
    const isFull = processorBandwidth > 0 && 1e6 * bytes >= fullLink * processorBandwidth * (lengthUs - priceUs);
    const linkShare = isFull ? Math.max(ofLink, fullLink) : ofLink;
    const saturated = weight * saturatedUs;
    // More robots would share a full link.
    if (!isFull) us.robots += saturated * (1 - ofLink);
    const idleUs = Math.max(0, weight * (lengthUs - waitUs) - saturated);
    const stalled = idleUs * stalledShare(row);
    const resting = stalled * ratio(restingUs, stalledUs);
    us.retries += resting;
    const inDownload = ratio(downloadUs(downloads), politenessUs + downloadUs(downloads));
    const waiting = stalled - resting;
    const inDelays = pass ? 0 : waiting * (1 - inDownload);
    this.#sampled += sampledPages;
    this.#sampledIdle += sampledIdle;
    if (queued > 0 && sampledPages === 0) {
      this.#unknownUs += waiting;
      this.#unknownDelayUs += inDelays;
    } else {
      if (queued > 0 && !this.#isCut(row)) us.pendingJobs += waiting * starved(sampledIdle, sampledPages);
      us.politeness += inDelays;
    }
    const jobless = idleUs - stalled;
    this.#want(row, jobless, lengthUs, downloads);
    // While downloads are waited for, bytes may be. A host's turn is its delay and a download; latency is nobody's.
    const inDownloadsUs = saturated + inDownload * waiting + jobless;
    us.processorBandwidth += inDownloadsUs * linkShare;
    const ownUs = downloads.transferUs - downloads.throttledUs;
    us.hostBandwidth +=
      inDownloadsUs * (1 - linkShare) * Math.min(1, ratio(ownUs, downloads.busyUs - downloads.throttledUs));
  }

  /**
   * No job is pending. Queued pages would be fetched as jobs; with an empty queue the frontier lacks pages, except
   * pages that are found meanwhile and wait for the barrier.
   */
  #want(row: SuperstepRow, wantUs: number, lengthUs: number, downloads: Downloads): void {
    if (this.#isCut(row)) return;
    const { processor, queued } = row;
    const late = Math.max(0, 1 - downloadUs(downloads) / lengthUs);
    if (queued > 0) {
      this.#us.pendingJobs += wantUs;
      this.#us.barriers += savedByBarriers * late * wantUs;
      return;
    }
    this.#lateUs.set(processor, (this.#lateUs.get(processor) ?? 0) + late * wantUs);
    this.#dryUs += (1 - late) * wantUs;
  }

  /** Whether delays of hosts pass while a processor waits, so that half of them would be as long. */
  #delaysPass({ waitUs }: SuperstepRow, lengthUs: number, downloads: Downloads): boolean {
    const half = this.#costs.politenessUs / 2;
    return waitUs > half && half + downloadUs(downloads) > lengthUs - waitUs;
  }

  /** The share of a processor's waits in which it did less than at work: downloads and delays of hosts go on. */
  #lostInWaits(row: SuperstepRow, lengthUs: number, pass: boolean): number {
    const { busyUs, barrierWaitUs, saturatedUs, waitUs, queued, sampledPages, sampledIdle } = row;
    const { politenessUs } = this.#costs;
    if (waitUs === 0) return 0;
    const workUs = lengthUs - waitUs;
    const busyInWaitUs = Math.max(0, robotsOf(row, lengthUs) * waitUs - barrierWaitUs);
    const goesOn = Math.min(1, ratio(busyInWaitUs / waitUs, ratio(busyUs - busyInWaitUs, workUs)));
    if (pass) return 1 - goesOn;
    const isFed = queued === 0 || sampledPages === 0 ? 1 : 1 - starved(sampledIdle, sampledPages);
    const ofHosts = stalledShare(row) * (1 - ratio(saturatedUs, workUs)) * isFed;
    // Hosts in a delay that were free before the barrier are late: by half of the wait each.
    const late = waitUs < politenessUs ? waitUs / (2 * politenessUs) : 1 - politenessUs / (2 * waitUs);
    return (1 - goesOn) * (1 - ofHosts * (1 - late));
  }

  #downloadsOf(row: SuperstepRow): Downloads {
    const { processor, busyUs, pages, failures, denied } = row;
    let sums = this.#downloads.get(processor);
    if (sums === undefined)
      this.#downloads.set(processor, (sums = { busyUs: 0, ended: 0, transferUs: 0, throttledUs: 0 }));
    if (sums.ended >= rememberedDownloads) {
      sums.busyUs /= 4;
      sums.ended /= 4;
      sums.transferUs /= 4;
      sums.throttledUs /= 4;
    }
    sums.busyUs += busyUs;
    sums.ended += pages + failures - denied;
    sums.transferUs += row.transferUs;
    sums.throttledUs += row.throttledUs;
    return sums;
  }
}

function isAtWork({ busyUs, stalledUs }: SuperstepRow): boolean {
  return busyUs + stalledUs > 0;
}

function robotsOf({ busyUs, stalledUs, noJobUs, barrierWaitUs }: SuperstepRow, lengthUs: number): number {
  return (busyUs + stalledUs + noJobUs + barrierWaitUs) / lengthUs;
}

/** Whether a processor has reached R_x. */
function isLimited({ pages, failures, drained, denied, superstepLimit }: SuperstepRow): boolean {
  return pages + failures - drained - denied >= superstepLimit;
}

/** Share of the robots' idle time in which jobs were pending and could not be taken. */
function stalledShare({ stalledUs, noJobUs, pending }: SuperstepRow): number {
  return stalledUs + noJobUs === 0 ? Number(pending > 0) : ratio(stalledUs, stalledUs + noJobUs);
}

/** How much of a wait for hosts more pending jobs would have filled, by a sample of the queued pages. */
function starved(sampledIdle: number, sampledPages: number): number {
  return Math.min(1, sampledIdle / sampledPages / enoughIdle);
}

function downloadUs({ busyUs, ended }: Downloads): number {
  return busyUs / Math.max(1, ended);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
