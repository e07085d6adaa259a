import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PendingJobs } from '../../src/core/frontier/index.ts';
import { entryIndex, packEntry } from '../../src/core/queue/index.ts';
import { tries } from '../sweep.ts';

// Goal: robots get the best job that politeness allows, at every moment.
// Method: random scripts against a list that is scanned from end to end.

interface Job { entry: number; host: number }
interface Told { address: string; restUs: number }

class Model {
  readonly jobs: Job[] = [];
  /** Hosts with an open download, and the address that they were known to have when it began. */
  readonly open = new Map<number, string | undefined>();
  readonly addresses = new Map<number, string>();
  readonly addressRests = new Map<string, { readyAtUs: number; restUs: number }>();
  readonly readyAtUs = new Map<number, number>();
  readonly failures = new Map<number, number>();
  /** Hosts that rest for longer than the delay, from the last download on. */
  readonly rests = new Set<number>();
  readonly delays = new Map<number, number>();
  readonly delayUs: number;
  readonly backoffUs: number;
  readonly horizonUs: number;

  constructor(delayUs: number, backoffUs: number, horizonUs: number) {
    this.delayUs = delayUs;
    this.backoffUs = backoffUs;
    this.horizonUs = horizonUs;
  }

  takeBest(nowUs: number): Job | undefined {
    const ready = this.jobs.filter(({ host }) =>
      !this.open.has(host) && (this.readyAtUs.get(host) ?? 0) <= nowUs && this.addressReadyUs(host) <= nowUs);
    const best = ready.sort((a, b) => b.entry - a.entry).at(0);
    if (best === undefined) return undefined;
    this.jobs.splice(this.jobs.indexOf(best), 1);
    this.open.set(best.host, this.addresses.get(best.host));
    return best;
  }

  /** When the host's address will be free; Infinity while it is asked for a page. */
  addressReadyUs(host: number): number {
    const address = this.addresses.get(host);
    if (address === undefined) return 0;
    return [...this.open.values()].includes(address) ? Infinity : this.addressRests.get(address)?.readyAtUs ?? 0;
  }

  ended(host: number, endedUs: number, told: Told | undefined): void {
    const before = this.open.get(host);
    this.open.delete(host);
    const rest = (address: string, restUs: number, untilUs: number): void => {
      const readyAtUs = Math.max(untilUs, this.addressRests.get(address)?.readyAtUs ?? 0);
      this.addressRests.set(address, { readyAtUs, restUs });
    };
    if (before !== undefined && told !== undefined && told.address !== before) {
      const { restUs } = this.addressRests.get(before)!;
      rest(before, restUs, endedUs + restUs);
    }
    if (told === undefined) return;
    this.addresses.set(host, told.address);
    rest(told.address, told.restUs, endedUs + told.restUs);
  }

  close(host: number, endedUs: number, waitUs: number, hasFailed: boolean, told: Told | undefined): void {
    this.ended(host, endedUs, told);
    const failures = hasFailed ? (this.failures.get(host) ?? 0) + 1 : 0;
    this.failures.set(host, failures);
    const backoff = failures === 0 ? 0 : Math.min(5 * this.backoffUs, this.backoffUs * 2 ** (failures - 1));
    const delayUs = this.delays.get(host) ?? this.delayUs;
    this.readyAtUs.set(host, endedUs + Math.max(delayUs, waitUs, backoff));
    if (Math.max(waitUs, backoff) > delayUs) this.rests.add(host);
    else this.rests.delete(host);
  }

  raise(host: number, delayUs: number, nowUs: number): void {
    if (delayUs <= (this.delays.get(host) ?? this.delayUs)) return;
    this.delays.set(host, delayUs);
    if (this.open.has(host)) return;
    const readyAtUs = this.readyAtUs.get(host) ?? 0;
    if (readyAtUs <= nowUs) this.rests.delete(host);
    this.readyAtUs.set(host, Math.max(readyAtUs, nowUs + delayUs));
  }

  block(host: number): number[] {
    this.delays.set(host, Infinity);
    const dropped = this.jobs.filter((job) => job.host === host);
    this.jobs.splice(0, this.jobs.length, ...this.jobs.filter((job) => job.host !== host));
    return dropped.map(({ entry }) => entry).sort((a, b) => a - b);
  }

  remove(host: number, isOver: (entry: number) => boolean): number[] {
    const removed = this.jobs.filter((job) => job.host === host && isOver(job.entry)).map(({ entry }) => entry);
    this.jobs.splice(0, this.jobs.length, ...this.jobs.filter(({ entry }) => !removed.includes(entry)));
    return removed.sort((a, b) => a - b);
  }

  /** Jobs of hosts that do not rest, of each those that its delay lets begin within the horizon. */
  startable(nowUs: number): number {
    let sum = 0;
    for (const host of new Set(this.jobs.map((job) => job.host))) {
      if (!this.open.has(host) && this.rests.has(host) && (this.readyAtUs.get(host) ?? 0) > nowUs) continue;
      const delayUs = this.delays.get(host) ?? this.delayUs;
      const most = delayUs === 0 || this.horizonUs === Infinity ? Infinity : 1 + Math.floor(this.horizonUs / delayUs);
      sum += Math.min(most, this.jobs.filter((job) => job.host === host).length);
    }
    return sum;
  }

  /** The job of a page gets another entry, if it has one. */
  change(entry: number): void {
    const job = this.jobs.find((known) => entryIndex(known.entry) === entryIndex(entry));
    if (job !== undefined) job.entry = entry;
  }

  /** When something may change: the rest of a host with jobs ends, or of an address that ready hosts wait for. */
  nextReadyUs(nowUs: number): number {
    const times = this.jobs.filter(({ host }) => !this.open.has(host)).map(({ host }) => {
      const us = this.readyAtUs.get(host) ?? 0;
      return us > nowUs ? us : this.addressReadyUs(host);
    });
    return Math.min(Infinity, ...times.filter((us) => us > nowUs));
  }
}

describe('pending jobs', () => {
  test('agree with the model at every step', () => {
    const step = fc.record({
      add: fc.array(fc.nat(5), { maxLength: 4 }), passUs: fc.nat(30), takes: fc.nat(3), closes: fc.nat(2),
      waitUs: fc.oneof(fc.constant(0), fc.nat(60)), hasFailed: fc.boolean(),
      raise: fc.option(fc.tuple(fc.nat(5), fc.nat(50)), { freq: 4 }), block: fc.option(fc.nat(5), { freq: 15 }),
      remove: fc.option(fc.nat(5), { freq: 4 }), changes: fc.array(fc.tuple(fc.nat(80), fc.nat(9)), { maxLength: 3 }),
      isLeft: fc.boolean(),
      told: fc.option(fc.record({ address: fc.constantFrom('a', 'b', 'c'), restUs: fc.nat(40) }), { nil: undefined }),
    });
    const script = fc.array(step, { maxLength: 60 });
    const horizon = fc.oneof(fc.constant(Infinity), fc.nat(100));
    const arbitrary = fc.tuple(fc.nat(25), fc.nat(20), horizon, script, fc.boolean());
    fc.assert(fc.property(arbitrary, ([delayUs, backoffUs, horizonUs, steps, hasAddresses]) => {
      const delays = { politenessUs: delayUs, backoffUs, maxBackoffUs: 5 * backoffUs, horizonUs };
      let jobs = new PendingJobs(delays);
      const model = new Model(delayUs, backoffUs, horizonUs);
      let nowUs = 0;
      let jobsMade = 0;
      for (const {
        add, passUs, takes, closes, waitUs, hasFailed, raise, block, remove, isLeft, told, changes,
      } of steps) {
        nowUs += passUs;
        jobs.releaseHosts(nowUs);
        expect(jobs.startable).toBe(model.startable(nowUs));
        if (raise !== null) {
          jobs.raiseDelay(...raise, nowUs);
          model.raise(...raise, nowUs);
        }
        if (block !== null) {
          expect([...jobs.block(block)].sort((a, b) => a - b)).toEqual(model.block(block));
          expect(jobs.isBlocked(block)).toBe(true);
        }
        if (remove !== null) {
          const isOdd = (entry: number): boolean => entryIndex(entry) % 2 === 1;
          expect([...jobs.remove(remove, isOdd)].sort((a, b) => a - b)).toEqual(model.remove(remove, isOdd));
        }
        if (isLeft) {
          const saved = structuredClone(jobs.saveExactly());
          jobs = new PendingJobs(delays);
          jobs.restoreExactly(saved);
        }
        expect(jobs.startable).toBe(model.startable(nowUs));
        for (const host of add.filter((one) => !jobs.isBlocked(one))) {
          const entry = packEntry(Math.imul(++jobsMade, 0x9e3779b1) >>> 2, jobsMade);
          jobs.add(entry, host);
          model.jobs.push({ entry, host });
        }
        expect(jobs.startable, 'a host whose rest has passed rests no more').toBe(model.startable(nowUs));
        for (const [local, key] of changes) {
          const entry = packEntry(key * 0x0c000000, local);
          const job = model.jobs.find((known) => entryIndex(known.entry) === local);
          // Of a page that is no job, whatever its host.
          jobs.change(entry, job?.host ?? local % 6);
          model.change(entry);
        }
        for (const host of [...model.open.keys()].slice(0, closes)) {
          const at = hasAddresses ? told : undefined;
          jobs.close(host, nowUs, waitUs, hasFailed, Infinity, at);
          model.close(host, nowUs, waitUs, hasFailed, at);
        }
        for (let take = 0; take < takes; take++) expect(jobs.takeBest(nowUs)).toBe(model.takeBest(nowUs)?.entry);
        expect(jobs.size).toBe(model.jobs.length);
        expect(jobs.recount()).toBe(model.jobs.length);
        // Asked only when no ready job is left, as the processor does.
        let left = jobs.takeBest(nowUs);
        while (left !== undefined) {
          expect(left).toBe(model.takeBest(nowUs)?.entry);
          left = jobs.takeBest(nowUs);
        }
        expect(jobs.nextReadyUs).toBe(model.nextReadyUs(nowUs));
      }
    }), { seed: 1, numRuns: tries(300) });
  });

  test('the delay runs from the end of one download to the start of the next on that host', () => {
    const jobs = new PendingJobs({ politenessUs: 1000, backoffUs: 0, maxBackoffUs: 0 });
    const [better, worse] = [packEntry(3, 0), packEntry(2, 1)];
    jobs.add(better, 7);
    jobs.add(worse, 7);
    expect(jobs.takeBest(0)).toBe(better);
    expect(jobs.takeBest(50_000)).toBeUndefined();
    jobs.close(7, 50_000);
    expect(jobs.nextReadyUs).toBe(51_000);
    expect(jobs.takeBest(50_999)).toBeUndefined();
    expect(jobs.takeBest(51_000)).toBe(worse);
  });

  test('a download that was not open cannot be closed', () => {
    const jobs = new PendingJobs({ politenessUs: 0, backoffUs: 0, maxBackoffUs: 0 });
    expect(() => jobs.close(1, 0)).toThrow('no open download');
  });
});
