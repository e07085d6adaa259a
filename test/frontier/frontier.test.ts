import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PageIndex } from '../../src/base/index.ts';
import {
  Frontier, PendingTarget, pageStates, type FrontierOptions, type FrontierState,
} from '../../src/core/frontier/index.ts';
import { definePolicy, PolicyRegistry } from '../../src/core/policy/index.ts';
import { createQueue, keyOfScore, LoggedQueue } from '../../src/core/queue/index.ts';
import type { Outcome, OutcomeKind } from '../../src/core/world/index.ts';
import { isFullSweep } from '../sweep.ts';

// Goal: a frontier by itself, without robots, World or loop, does what lists and sorts do, whatever is asked of it and
// in whatever order of times.

const [pages, hosts, pending, retries] = [60, 5, 6, 2];
const [politenessUs, backoffUs, maxBackoffUs] = [100, 250, 600];
/** So many downloads of a host can begin within twice its delay. */
const [horizonUs, jobsInHorizon] = [2 * politenessUs, 3];
const hostOf = (page: number): number => page % hosts;

/** The score of a page is what it was credited with, and 1. */
const credits = new PolicyRegistry([definePolicy({
  name: 'credits', title: 'most credited', needs: ['amounts'],
  make: ({ state }) => {
    const page = state.pages({ score: Float64Array });
    return {
      know: (local) => { page.score[local] = 1; },
      key: (local) => keyOfScore(page.score[local]),
      score: (local) => page.score[local],
      amounts: { credit: (local, amount) => { page.score[local] += amount; }, spread: () => 1 },
    };
  },
})]);

interface ModelPage {
  readonly page: number;
  score: number;
  state: 'found' | 'queued' | 'pending' | 'denied' | 'inFlight' | 'fetched' | 'failed';
  key: number;
  tries: number;
}

/** Lists that are searched and sorted each time. */
class Model {
  readonly known: ModelPage[] = [];
  /** Hosts whose rules are known, and the pages that turned out to be denied, in that order. */
  readonly rules = new Set([1, 3]);
  readonly denied: ModelPage[] = [];
  readonly sent = new Map<number, number>();
  /** Whether keys of pending pages follow their scores. */
  readonly rekeys: boolean;
  readonly hosts = Array.from({ length: hosts }, () => ({ isOpen: false, readyUs: 0, failures: 0, restUs: 0 }));

  constructor(rekeys: boolean) {
    this.rekeys = rekeys;
  }

  /** A page becomes pending again. */
  again(one: ModelPage): void {
    one.state = 'pending';
    if (this.rekeys) one.key = one.score;
  }

  know(page: number): ModelPage {
    const known = this.known.find((one) => one.page === page);
    if (known !== undefined) return known;
    const added: ModelPage = { page, score: 1, state: 'found', key: 0, tries: 0 };
    this.known.push(added);
    return added;
  }

  denies(page: number): boolean {
    return this.rules.has(hostOf(page)) && page % 3 !== 1;
  }

  #setAside(one: ModelPage): void {
    one.state = 'denied';
    this.denied.push(one);
  }

  insert(): void {
    for (const one of this.known) {
      if (one.state === 'found' && this.denies(one.page)) {
        one.key = one.score;
        this.#setAside(one);
      }
      const waits = one.state === 'queued' || (this.rekeys && (one.state === 'pending' || one.state === 'denied'));
      const grows = waits && one.score >= 1.1 * one.key;
      if (one.state !== 'found' && !grows) continue;
      if (one.state === 'found') one.state = 'queued';
      one.key = one.score;
    }
  }

  #best(candidates: readonly ModelPage[]): ModelPage | undefined {
    // Sorting is stable: ties by order of discovery.
    return [...candidates].sort((a, b) => b.key - a.key)[0];
  }

  #isResting({ page }: ModelPage, nowUs: number): boolean {
    const { readyUs, restUs } = this.hosts[hostOf(page)];
    return restUs > politenessUs && readyUs > nowUs;
  }

  refill(nowUs: number): void {
    const jobs = (): ModelPage[] =>
      this.known.filter((one) => one.state === 'pending' && !this.#isResting(one, nowUs));
    const most = this.rekeys ? jobsInHorizon : Infinity;
    const counted = (): number => this.hosts.reduce((sum, _, host) =>
      sum + Math.min(most, jobs().filter(({ page }) => hostOf(page) === host).length), 0);
    for (let best; counted() < pending && (best = this.#best(this.known.filter(({ state }) => state === 'queued'))); ) {
      if (this.denies(best.page)) this.#setAside(best);
      else best.state = 'pending';
    }
  }

  take(nowUs: number): ModelPage | undefined {
    const best = this.#best(this.known.filter(({ state, page }) => {
      const host = this.hosts[hostOf(page)];
      return state === 'pending' && !host.isOpen && host.readyUs <= nowUs;
    }));
    if (best === undefined) return undefined;
    best.state = 'inFlight';
    this.hosts[hostOf(best.page)].isOpen = true;
    return best;
  }

  complete(one: ModelPage, { kind, finishedAtUs, waitUs, links }: Outcome): void {
    const host = this.hosts[hostOf(one.page)];
    const isTransient = kind === 'timeout' || kind === 'serverError' || kind === 'refused';
    host.isOpen = false;
    host.failures = isTransient ? host.failures + 1 : 0;
    const backoff = host.failures === 0 ? 0 : Math.min(maxBackoffUs, backoffUs * 2 ** (host.failures - 1));
    host.restUs = Math.max(waitUs, backoff);
    host.readyUs = finishedAtUs + Math.max(politenessUs, host.restUs);
    if (kind === 'fetched') {
      one.state = 'fetched';
      for (const link of links) {
        if (link % 2 === 0) this.know(link).score += 1;
        else this.sent.set(link, (this.sent.get(link) ?? 0) + 1);
      }
    } else if (kind === 'robotsFetched' || (isTransient && one.tries < retries)) {
      this.again(one);
      if (isTransient) one.tries++;
      const jobs = this.known.filter(({ page, state }) => state === 'pending' && hostOf(page) === hostOf(one.page));
      if (kind === 'robotsFetched')
        for (const job of jobs.sort((a, b) => b.key - a.key)) if (this.denies(job.page)) this.#setAside(job);
    } else one.state = 'failed';
  }
}

function newFrontier(
  rekeysPending: boolean, denies: FrontierOptions['denies'], saved?: FrontierState, nowUs = 0,
): Frontier {
  const pendingTarget = new PendingTarget(pending);
  const queue = createQueue({ kind: 'quickheap', block: 4, seed: 1 });
  const input = {
    processor: 0, processors: 2, seed: 1, seedPages: 1, pendingTarget: () => pending, reinsert: 1.1, options: {},
  };
  const options: FrontierOptions = {
    id: 0, pendingTarget, retries, hostPatienceUs: 0, reinsert: 1.1, rekeysPending,
    horizonUs: rekeysPending ? horizonUs : undefined, politenessUs, backoffUs, maxBackoffUs, hostOf,
    policy: credits.make('credits', input, saved?.policy),
    queue: denies === undefined ? queue : new LoggedQueue(queue), pageIndex: new PageIndex(),
    exchange: { exchange: 'bulk', exchangeBatch: 1 }, ownerOf: (page) => page % 2, denies,
  };
  return new Frontier(options, saved, nowUs);
}

const kinds = fc.constantFrom<OutcomeKind>(
  'fetched', 'fetched', 'fetched', 'timeout', 'serverError', 'notFound', 'robotsFetched', 'robotsFetched',
);
const even = fc.nat(pages / 2 - 1).map((i) => 2 * i);
const step = fc.oneof(
  fc.record({ what: fc.constant('know' as const), page: even, amount: fc.nat(5) }),
  fc.record({ what: fc.constant('superstep' as const) }),
  fc.record({ what: fc.constant('save' as const) }),
  fc.record({ what: fc.constant('leave' as const) }),
  fc.record({ what: fc.constant('deny' as const), most: fc.nat(5), admits: fc.boolean() }),
  fc.record({ what: fc.constant('take' as const), afterUs: fc.nat(300) }),
  fc.record({
    what: fc.constant('end' as const), which: fc.nat(9), kind: kinds, afterUs: fc.nat(300),
    waitUs: fc.constantFrom(0, 0, 0, 700), links: fc.uniqueArray(fc.nat(pages - 1), { maxLength: 4 }),
  }),
);

const name = 'is a list of pages that is searched and sorted; keys of pending pages follow: %s';

test.each([false, true])(name, (rekeys) => {
  const taken = { jobs: 0, none: 0, restored: 0, left: 0, denied: 0 };
  fc.assert(fc.property(fc.array(step, { minLength: 20, maxLength: 150 }), (steps) => {
    const model = new Model(rekeys);
    const denies = (page: number): boolean => model.denies(page);
    let frontier = newFrontier(rekeys, denies);
    const open: ModelPage[] = [];
    let nowUs = 0;
    // A crawl whose processors crash is never left exactly: what hosts of no page wait for is not in such a state.
    let hasCrashed = false;
    const check = (): void => {
      const counted = (count: (state: (typeof pageStates)[number]) => number): object =>
        Object.fromEntries(pageStates.map((state) => [state, count(state)]));
      expect(counted((state) => frontier.states.countOf(state)))
        .toEqual(counted((state) => model.known.filter((one) =>
          one.state === state || (state === 'pending' && one.state === 'denied')).length));
      expect(frontier.deniedCount).toBe(model.denied.length);
      expect(model.known.map(({ page }) => page)).toEqual(model.known.map((_, local) => frontier.states.pageAt(local)));
    };
    for (const one of steps) {
      if (one.what === 'know') {
        frontier.credit(frontier.know(one.page), one.amount);
        model.know(one.page).score += one.amount;
      } else if (one.what === 'superstep') {
        frontier.insert();
        model.insert();
        frontier.refill(nowUs);
        model.refill(nowUs);
      } else if (one.what === 'take') {
        nowUs += one.afterUs;
        const local = frontier.take(nowUs);
        const expected = model.take(nowUs);
        expect(local).toBe(expected === undefined ? -1 : model.known.indexOf(expected));
        if (expected === undefined) taken.none++;
        else {
          taken.jobs++;
          open.push(expected);
        }
      } else if (one.what === 'end' && open.length > 0) {
        nowUs += one.afterUs;
        const [page] = open.splice(one.which % open.length, 1);
        const { kind, waitUs } = one;
        const links = Uint32Array.from(kind === 'fetched' ? one.links : []);
        const outcome = {
          page: page.page, sequence: 0, kind, startedAtUs: 0, finishedAtUs: nowUs, bytes: 1, waitUs, links,
        };
        if (kind === 'robotsFetched') model.rules.add(hostOf(page.page));
        frontier.release(outcome);
        frontier.complete(outcome);
        model.complete(page, outcome);
      } else if (one.what === 'deny') {
        const denied = model.denied.splice(0, one.most);
        const locals = frontier.takeDenied(one.most);
        expect(locals).toEqual(denied.map((page) => model.known.indexOf(page)));
        denied.forEach((page, i) => {
          taken.denied++;
          if (one.admits) model.again(page);
          else page.state = 'failed';
          if (one.admits) frontier.admit(locals[i]);
          else frontier.completeDenied({
            page: page.page, sequence: 0, kind: 'robotsDenied', startedAtUs: nowUs, finishedAtUs: nowUs, bytes: 0,
            waitUs: 0, links: new Uint32Array(0),
          });
        });
      } else if (one.what === 'leave' && !hasCrashed) {
        taken.left++;
        frontier = newFrontier(rekeys, denies, structuredClone(frontier.saveExactly(nowUs)), nowUs);
      } else if (one.what === 'save' && open.length === 0) {
        // Nobody knows who was visited since: each host has its whole delay before it, or what it still waits for.
        taken.restored++;
        hasCrashed = true;
        frontier.insert();
        model.insert();
        const saved = structuredClone(frontier.save(nowUs));
        frontier = newFrontier(rekeys, denies, saved, nowUs);
        for (const page of model.denied.splice(0)) page.state = 'pending';
        for (const host of model.hosts) {
          host.restUs = host.readyUs > nowUs + politenessUs ? politenessUs + 1 : 0;
          host.readyUs = Math.max(host.readyUs, nowUs + politenessUs);
        }
      }
      check();
    }
    const sent = new Map<number, number>();
    frontier.outboxes.send(0, {
      send: (_from, _to, { pages: ids, amounts, size }) => {
        for (let i = 0; i < size; i++) sent.set(ids[i], (sent.get(ids[i]) ?? 0) + amounts[i]);
      },
    });
    expect(sent).toEqual(model.sent);
  }), { seed: 1, numRuns: isFullSweep ? 300 : 100 });
  expect(Math.min(taken.jobs, taken.none, taken.restored)).toBeGreaterThan(100);
  expect(Math.min(taken.left, taken.denied)).toBeGreaterThan(30);
});
