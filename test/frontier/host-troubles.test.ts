import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HostTroubles } from '../../src/core/frontier/hosts/troubles.ts';
import { PendingJobs } from '../../src/core/frontier/index.ts';
import { entryIndex, packEntry } from '../../src/core/queue/index.ts';
import type { HostTrouble, Outcome, OutcomeKind } from '../../src/core/world/index.ts';

// Goal: a failure of a host is no try of its pages, and a host is given up when its patience is over, neither sooner
// nor later. The swarm checks whole crawls against a model of the same rules.

const patienceUs = 900e6;
const politenessUs = 1e6;
const links = new Uint32Array(0);

/** Pages that are known later leave first. */
const jobOf = (page: number): number => packEntry(page, page);

/** A processor's hosts; page 10 h + i is page i of host h, and its local index is its id. */
class Hosts {
  readonly jobs = new PendingJobs({ politenessUs, backoffUs: 1e6, maxBackoffUs: patienceUs / 5 });
  readonly troubles: HostTroubles;
  nowUs = 0;

  constructor(hostPatienceUs = patienceUs, count = 1) {
    this.troubles = new HostTroubles({ hostPatienceUs }, this.jobs);
    for (let host = 0; host < count; host++) for (let i = 0; i < 3; i++) this.jobs.add(jobOf(10 * host + i), host);
  }

  /** Takes the job that is ready first, which ends so at once. @returns its page. */
  next(kind: OutcomeKind, hostTrouble?: HostTrouble, waitUs = 0): number {
    let job = this.jobs.takeBest(this.nowUs);
    if (job === undefined) {
      this.nowUs = this.jobs.nextReadyUs;
      job = this.jobs.takeBest(this.nowUs)!;
    }
    const page = entryIndex(job);
    const outcome: Outcome = {
      page, sequence: 0, kind, hostTrouble, waitUs, startedAtUs: this.nowUs, finishedAtUs: this.nowUs, bytes: 0, links,
    };
    this.troubles.release(Math.floor(page / 10), page, outcome);
    if (this.troubles.complete(page) && this.troubles.givenUp.length === 0) this.jobs.add(job, Math.floor(page / 10));
    return page;
  }
}

describe('a host that cannot be reached', () => {
  test('is asked once per rest, and rests double up to a fifth of the patience; the last probe is at its end', () => {
    const hosts = new Hosts();
    const atUs: number[] = [];
    while (hosts.troubles.givenUp.length === 0) {
      hosts.next('refused', 'unreachable');
      atUs.push(hosts.nowUs);
    }
    const restsUs = atUs.slice(1).map((us, i) => us - atUs[i]);
    expect(restsUs.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 64, 128].map((seconds) => seconds * 1e6));
    expect(Math.max(...restsUs)).toBe(patienceUs / 5);
    expect(hosts.troubles.givenUp).toEqual([
      { host: 0, sinceUs: 0, atUs: patienceUs, failures: atUs.length, trouble: 'unreachable', kind: 'refused' },
    ]);
    expect(hosts.jobs.size).toBe(0);
    expect(hosts.jobs.isBlocked(0)).toBe(true);
  });

  test('rests though no back-off is set, so that a crawl without delays comes to an end', () => {
    const jobs = new PendingJobs({ politenessUs: 0, backoffUs: 0, maxBackoffUs: 0 });
    const troubles = new HostTroubles({ hostPatienceUs: patienceUs }, jobs);
    const hosts = Object.assign(new Hosts(), { jobs, troubles });
    jobs.add(jobOf(0), 0);
    let probes = 0;
    for (; hosts.troubles.givenUp.length === 0; probes++) hosts.next('refused', 'unreachable');
    expect(hosts.nowUs).toBe(patienceUs);
    expect(probes).toBeLessThan(20);
  });

  test('has its whole patience again after an answer, a server error too', () => {
    for (const kind of ['fetched', 'notFound', 'serverError', 'robotsFetched', 'rejected'] as const) {
      const hosts = new Hosts();
      while (hosts.nowUs < patienceUs / 2) hosts.next('timeout', 'unreachable');
      hosts.next(kind);
      const againUs = (hosts.next('timeout', 'unreachable'), hosts.nowUs);
      while (hosts.troubles.givenUp.length === 0) hosts.next('timeout', 'unreachable');
      expect(hosts.troubles.givenUp[0]).toMatchObject({ sinceUs: againUs, atUs: againUs + patienceUs });
    }
  });

  test('whose name does not exist is asked three times within a minute', () => {
    const hosts = new Hosts();
    for (let i = 0; i < 3; i++) hosts.next('refused', 'noSuchName');
    expect(hosts.troubles.givenUp).toMatchObject([{ failures: 3, trouble: 'noSuchName' }]);
    expect(hosts.nowUs).toBeGreaterThan(30e6);
    expect(hosts.nowUs).toBeLessThan(60e6);
    // An answer of DNS that is no answer begins anew.
    const other = new Hosts();
    for (const trouble of ['noSuchName', 'noSuchName', 'unreachable', 'noSuchName', 'noSuchName'] as const)
      other.next('refused', trouble);
    expect(other.troubles.givenUp).toEqual([]);
  });

  test('whose address must not be contacted is given up at once', () => {
    const hosts = new Hosts();
    hosts.next('refused', 'notAllowed');
    expect(hosts.troubles.givenUp).toHaveLength(1);
  });

  test('without patience, is given up never, and failures are the pages\'', () => {
    const hosts = new Hosts(0);
    const page = hosts.next('refused', 'unreachable');
    expect(hosts.troubles.isReturned(page)).toBe(false);
    expect(hosts.troubles.probesOf(page)).toBe(0);
    expect(hosts.troubles.count).toBe(0);
  });
});

describe('resets and time-outs', () => {
  const kinds = ['refused', 'timeout'] as const;
  test.each(kinds)('%s: of one page alone its own, of two pages in a row the host\'s', (kind) => {
    const hosts = new Hosts();
    const first = hosts.next(kind);
    expect(hosts.troubles.probesOf(first)).toBe(0);
    hosts.jobs.add(jobOf(first), 0);
    expect(hosts.next(kind)).toBe(first);
    expect(hosts.troubles.probesOf(first)).toBe(0);
    const second = hosts.next(kind);
    expect(second).not.toBe(first);
    expect(hosts.troubles.probesOf(second)).toBe(1);
  });

  test('are the host\'s while it cannot be reached', () => {
    const hosts = new Hosts();
    hosts.next('refused', 'unreachable');
    const page = hosts.next('timeout');
    expect(hosts.troubles.probesOf(page)).toBe(2);
  });
});

test('a request that was never made is no failure: neither the host\'s, nor the page\'s, nor an answer', () => {
  const hosts = new Hosts();
  for (let i = 0; i < 3; i++) hosts.next('refused', 'unreachable');
  const beforeUs = hosts.nowUs;
  hosts.next('busy', undefined, 5e6);
  // The rest after the third failure had passed; after this there is only what was asked for.
  expect(hosts.nowUs).toBe(beforeUs + 4e6);
  hosts.next('refused', 'unreachable');
  expect(hosts.nowUs).toBe(beforeUs + 9e6);
  // The fourth failure in a row: eight seconds.
  hosts.next('refused', 'unreachable');
  expect(hosts.nowUs).toBe(beforeUs + 17e6);
});

describe('the crawler\'s own network', () => {
  test('is out when most hosts fail that had answered: none is given up, and the time does not count', () => {
    const hosts = new Hosts(patienceUs, 5);
    for (let i = 0; i < 5; i++) hosts.next('fetched');
    while (hosts.nowUs < 3 * patienceUs) hosts.next('refused', 'unreachable');
    expect(hosts.troubles.isNetworkOut(hosts.nowUs)).toBe(true);
    expect(hosts.troubles.givenUp).toEqual([]);
    hosts.next('fetched');
    const backUs = hosts.nowUs;
    expect(hosts.troubles.isNetworkOut(hosts.nowUs)).toBe(false);
    while (hosts.troubles.givenUp.length === 0) hosts.next('refused', 'unreachable');
    expect(hosts.nowUs - backUs).toBeGreaterThan(patienceUs / 2);
  });

  test('is not suspected where hosts never answered, however many fail', () => {
    const hosts = new Hosts(patienceUs, 20);
    for (let i = 0; i < 60; i++) hosts.next('refused', 'unreachable');
    expect(hosts.troubles.isNetworkOut(hosts.nowUs)).toBe(false);
  });

  test('is suspected for a day at most', () => {
    const hosts = new Hosts(patienceUs, 3);
    for (let i = 0; i < 3; i++) hosts.next('fetched');
    while (hosts.troubles.givenUp.length === 0) hosts.next('refused', 'unreachable');
    expect(hosts.nowUs).toBeGreaterThan(86_400e6);
    expect(hosts.nowUs).toBeLessThan(86_400e6 + 2 * patienceUs);
  });
});

test('what is saved at any moment goes on as if it had never been left', () => {
  const ends: fc.Arbitrary<readonly [OutcomeKind, HostTrouble?]> = fc.constantFrom(
    ['fetched'], ['serverError'], ['timeout'], ['refused'], ['refused', 'unreachable'], ['refused', 'noSuchName'],
    ['busy'],
  );
  fc.assert(fc.property(fc.array(fc.tuple(fc.nat(4), ends), { maxLength: 40 }), fc.nat(40), (steps, at) => {
    const run = (savedAt: number): unknown => {
      let jobs = new PendingJobs({ politenessUs, backoffUs: 1e6, maxBackoffUs: patienceUs / 5 });
      let troubles = new HostTroubles({ hostPatienceUs: patienceUs }, jobs);
      const said: unknown[] = [];
      let nowUs = 0;
      for (const [i, [host, [kind, hostTrouble]]] of steps.entries()) {
        if (i === savedAt) {
          const saved = structuredClone({ jobs: jobs.saveExactly(), troubles: troubles.save() });
          jobs = new PendingJobs({ politenessUs, backoffUs: 1e6, maxBackoffUs: patienceUs / 5 });
          troubles = new HostTroubles({ hostPatienceUs: patienceUs }, jobs, saved.troubles);
          jobs.restoreExactly(saved.jobs);
        }
        if (jobs.isBlocked(host)) continue;
        if (jobs.size === 0) jobs.add(jobOf(i), host);
        nowUs = Math.max(nowUs, jobs.nextReadyUs === Infinity ? nowUs : jobs.nextReadyUs);
        const job = jobs.takeBest(nowUs);
        if (job === undefined) continue;
        const page = entryIndex(job);
        const of = steps[page][0];
        const gone = troubles.release(of, page, {
          page, sequence: i, kind, hostTrouble, waitUs: 0, startedAtUs: nowUs, finishedAtUs: nowUs, bytes: 0, links,
        });
        said.push([page, nowUs, gone, troubles.complete(page), troubles.probesOf(page), jobs.nextReadyUs]);
      }
      return [said, troubles.givenUp];
    };
    expect(run(at)).toEqual(run(-1));
  }));
});
