import type { Outcome } from '../../src/core/world/index.ts';
import { bitsOf, type Rules } from './rules.ts';
import { contacted, failing, giveUp, leastRestUs, noContacts, patienceLeftUs, type Contacts } from './outages.ts';
import type { Entry } from './watched.ts';

// One processor as src/README.md describes it, in the plainest way: lists that are scanned, nothing stored that can be
// recounted. It decides nothing: it is fed what the product did, and says where that was wrong. It shares no code with
// scheduler/ but the draws of policy random, which are given.

/** A check of the swarm does not hold. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

export function hold(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Broken(message());
}

/** `denied`: rules deny it, and its outcome is due at once. */
type PageState = 'found' | 'queued' | 'pending' | 'denied' | 'inFlight' | 'fetched' | 'failed';

interface Page {
  readonly page: number;
  state: PageState;
  /** With which it was last queued, or is pending; NaN where it is not known. */
  key: number;
  score: number;
  tries: number;
  /** Starts that were failures of its host. */
  probes: number;
  /** Its outcome, not yet observed, says nothing about it. */
  isReturned: boolean;
  coins: number;
}

interface Host {
  readyUs: number;
  failures: number;
  isOpen: boolean;
  /** Its last download asked for more than politeness. */
  rests: boolean;
}

/** What shares a message, and its coins by page, in order of first mention. */
export interface Message {
  /** The sending page, if each has messages of its own. */
  readonly from: number;
  readonly pairs: Map<number, number>;
}

/** What a crash takes back to the checkpoint. */
interface State {
  /** By local index. */
  pages: Page[];
  queue: Entry[];
  hosts: Map<number, Host>;
  /** Messages by destination. */
  outboxes: Map<number, Message[]>;
  /** Pages sent, where each is sent once. */
  sent: Set<number>;
  root: number;
  drained: Outcome[];
  /** Pending jobs aimed at. */
  target: number;
  contacts: Contacts;
  /** Addresses of hosts, as they became known. */
  addressOf: Map<number, string>;
  addresses: Map<string, Address>;
}

/** An address that hosts may share. */
interface Address {
  readyUs: number;
  restUs: number;
  /** Its hosts with an open download. */
  open: number;
}

const before = (a: Entry, b: Entry): number => b.key - a.key || a.local - b.local;
const shown = ({ key, local }: Entry): string => `(key ${key}, local ${local})`;
export const isTransient = (kind: string): boolean => ['serverError', 'timeout', 'refused'].includes(kind);

const noCounts = {
  pages: 0, failures: 0, retried: 0, drained: 0, bytes: 0, extracted: 0, stale: 0, inserted: 0, reinserted: 0,
  crossLinks: 0, denied: 0, dropped: 0, rekeyed: 0,
};

export class ModelProcessor {
  readonly id: number;
  readonly #rules: Rules;
  /** Hosts whose robots.txt its World has read. */
  #readRules = new Set<number>();
  #state: State = {
    pages: [], queue: [], hosts: new Map(), outboxes: new Map(), sent: new Set(), root: 0, drained: [], target: 0,
    contacts: noContacts(), addressOf: new Map(), addresses: new Map(),
  };
  #notBeforeUs = 0;
  /** Counts of the superstep, as its row has them. */
  counts = { ...noCounts };

  constructor(id: number, rules: Rules) {
    this.id = id;
    this.#rules = rules;
    const { seedPages, pending, robots, superstepMs, superstepLimit = 0 } = rules.experiment;
    const perSecond = this.#follows ? 10 : 100;
    const timed = Math.max(4 * robots, Math.ceil((perSecond * robots * superstepMs) / 1000));
    const usual = superstepMs === 0 ? 4 * superstepLimit : timed;
    this.#state.target = pending ?? usual;
    for (const page of seedPages) {
      if (rules.ownerOf(page) === id)
        this.#state.pages[this.#know(page)].coins = Math.floor(2 ** 52 / seedPages.length);
    }
    this.#state.root = id === 0 ? 2 ** 52 - seedPages.length * Math.floor(2 ** 52 / seedPages.length) : 0;
  }

  /** Whether keys of pending pages follow their scores. */
  get #follows(): boolean {
    return this.#rules.experiment.pendingKeys === 'follow';
  }

  get #isKeyKnown(): boolean {
    return this.#rules.isOpic || this.#rules.fixedKey !== undefined;
  }

  /** Pages in a state. */
  count(state: PageState): number {
    return this.#state.pages.filter((page) => page.state === state).length;
  }

  get hasWork(): boolean {
    const waiting = this.count('found') + this.count('queued') + this.count('pending') + this.count('denied');
    return waiting + this.#state.drained.length > 0;
  }

  get isIdle(): boolean {
    const { queue, outboxes } = this.#state;
    // After a roll-back links may wait to be sent.
    const hasLinks = [...outboxes.values()].flat().some(({ pairs }) => pairs.size > 0);
    return !this.hasWork && this.count('inFlight') === 0 && queue.length === 0 && !hasLinks;
  }

  /** Coins on pages, in the root and the outboxes. */
  get coins(): number {
    const sent = [...this.#state.outboxes.values()].flat().flatMap(({ pairs }) => [...pairs.values()]);
    return [this.#state.root, ...sent, ...this.#state.pages.map(({ coins }) => coins)].reduce(
      (sum, coins) => sum + coins, 0,
    );
  }

  save(): unknown {
    return structuredClone(this.#state);
  }

  restore(saved: unknown, nowUs: number): void {
    this.#state = structuredClone(saved as State);
    this.#notBeforeUs = nowUs + this.#rules.politenessUs;
    this.#readRules.clear();
    for (const page of this.#state.pages)
      if (page.state === 'inFlight' || page.state === 'denied') page.state = 'pending';
    this.#state.queue = this.#state.pages.flatMap(({ state, key }, local) =>
      state === 'queued' ? [{ key, local }] : [],
    );
    for (const host of this.#state.hosts.values()) {
      host.readyUs = Math.max(host.readyUs, this.#notBeforeUs);
      host.rests = host.readyUs > this.#notBeforeUs;
      host.isOpen = false;
    }
    for (const address of this.#state.addresses.values()) {
      address.readyUs = Math.max(address.readyUs, nowUs + address.restUs);
      address.open = 0;
    }
  }

  /** When the address of a page's host is free; Infinity while it is at work. */
  #addressReadyUs(page: number): number {
    const name = this.#state.addressOf.get(this.#rules.graph.hosts.ofPage[page]);
    const address = name === undefined ? undefined : this.#state.addresses.get(name);
    return address === undefined ? 0 : address.open > 0 ? Infinity : address.readyUs;
  }

  /** A download has ended: its address, told now, rests. */
  #told({ page, finishedAtUs, addressRest }: Outcome): void {
    const host = this.#rules.graph.hosts.ofPage[page];
    const { addressOf, addresses } = this.#state;
    const before = addressOf.get(host);
    if (before !== undefined) addresses.get(before)!.open--;
    if (addressRest === undefined) return;
    const { address: name, restUs } = addressRest;
    hold(before === undefined || before === name, () => `host ${host} has another address, ${name}`);
    addressOf.set(host, name);
    const known = addresses.get(name);
    addresses.set(name, {
      readyUs: Math.max(known?.readyUs ?? 0, finishedAtUs + restUs), restUs, open: known?.open ?? 0,
    });
  }

  /** What a queue made from a checkpoint was filled with. */
  refilled(entries: readonly Entry[]): void {
    hold(same(entries, this.#state.queue), () =>
      `processor ${this.id} has not the entries of its checkpoint: ${entries.map(shown).join()}`);
  }

  receive(mail: readonly Message[]): void {
    const { drained } = this.#state;
    this.counts = { ...noCounts, drained: drained.length };
    for (const outcome of drained) this.observe(outcome);
    this.#state.drained = [];
    for (const { pairs } of mail) for (const [page, coins] of pairs) this.#state.pages[this.#know(page)].coins += coins;
  }

  /**
   * The insertion of a superstep: every page found since the last one, and queued pages whose score has grown enough,
   * and none else. Pending pages whose score has grown enough get its key.
   */
  inserted(entries: readonly Entry[]): void {
    const { pages, queue } = this.#state;
    const isKeyKnown = this.#isKeyKnown;
    for (const [local, page] of pages.entries()) {
      if (this.#follows && (page.state === 'pending' || page.state === 'denied')) this.#follow(page, local);
      if (page.state !== 'found' || !this.#isFree(page)) continue;
      page.state = 'denied';
      this.#rekey(page, local);
    }
    const found = pages.flatMap(({ state }, local) => (state === 'found' ? [local] : []));
    if (isKeyKnown) {
      const again = pages.flatMap((page, local) => (this.#grew(page) ? [local] : []));
      const expected = [...found, ...again].map((local) => ({ local, key: this.#keyOf(local) }));
      hold(same(entries, expected), () =>
        `processor ${this.id} inserted ${entries.map(shown).join()}; expected ${expected.map(shown).join()}`);
    }
    const isFound = new Set(found);
    for (const entry of entries) {
      const page = pages[entry.local] as Page | undefined;
      hold(page !== undefined, () => `processor ${this.id} inserted ${shown(entry)}, which it does not know`);
      if (!isFound.delete(entry.local)) {
        hold(page.state === 'queued' && page.key !== entry.key, () =>
          `processor ${this.id} inserted ${shown(entry)} again, with no reason`);
        this.counts.reinserted++;
      }
      page.state = 'queued';
      page.key = entry.key;
      page.score = page.coins;
      queue.push(entry);
      this.counts.inserted++;
    }
    hold(isFound.size === 0, () => `processor ${this.id} did not insert ${[...isFound].join()}`);
  }

  #follow(page: Page, local: number): void {
    if (!this.#isKeyKnown) {
      page.key = NaN;
      this.counts.rekeyed = NaN;
    } else if (this.#hasGrown(page)) {
      this.#rekey(page, local);
      this.counts.rekeyed++;
    }
  }

  /** The page gets the key of its score now. */
  #rekey(page: Page, local: number): void {
    page.key = this.#isKeyKnown ? this.#keyOf(local) : NaN;
    page.score = page.coins;
  }

  #grew(page: Page): boolean {
    return page.state === 'queued' && this.#hasGrown(page);
  }

  #hasGrown({ coins, score }: Page): boolean {
    return this.#rules.isOpic && coins >= this.#rules.experiment.reinsert * score && bitsOf(coins) > bitsOf(score);
  }

  #keyOf(local: number): number {
    const { page, coins } = this.#state.pages[local];
    return this.#rules.fixedKey?.(page, local, this.id) ?? bitsOf(coins);
  }

  /** The greatest entries left the queue (any, where slices are approximate). */
  extracted(wanted: number, entries: readonly Entry[], nowUs: number): void {
    const { pages, queue } = this.#state;
    const [least, most] = this.#missing(nowUs);
    const within = (jobs: number): number => Math.min(jobs, queue.length);
    hold(wanted >= within(least) && wanted <= within(most), () =>
      `processor ${this.id} wanted ${wanted} entries, not ${within(least)} to ${within(most)}`);
    if (this.#rules.experiment.queue.slicing === 'exact') {
      hold(same(entries, queue.sort(before).slice(0, wanted)), () =>
        `processor ${this.id} extracted ${entries.map(shown).join()}, not the best`);
    }
    for (const entry of entries) {
      const position = queue.findIndex(({ key, local }) => key === entry.key && local === entry.local);
      hold(position >= 0, () => `processor ${this.id} extracted ${shown(entry)}, which was not in the queue`);
      queue.splice(position, 1);
      const page = pages[entry.local];
      if (page.state === 'queued' && page.key === entry.key) {
        if (this.#isGivenUp(page)) this.#drop(page);
        else page.state = this.#isFree(page) ? 'denied' : 'pending';
      } else this.counts.stale++;
      this.counts.extracted++;
    }
  }

  get target(): number {
    return this.#state.target;
  }

  /** The superstep has ended, with so much robot time in all and waiting for hosts. */
  ended(robotUs: number, stalledUs: number): void {
    const isGiven = this.#rules.experiment.pending !== undefined;
    if (!isGiven && this.count('queued') > 0 && stalledUs > robotUs / 20) this.#state.target *= 2;
  }

  /** After all extractions of a superstep. */
  filled(nowUs: number): void {
    hold(
      this.#state.queue.length === 0 || this.#missing(nowUs)[0] <= 0,
      () => `processor ${this.id} has too few pending jobs`,
    );
  }

  /**
   * How many pending jobs are missing, at least and at most: hosts whose rest is over may have been noticed as ready,
   * or not.
   */
  #missing(nowUs: number): [number, number] {
    const jobs = new Map<Host, number>();
    for (const { host } of this.#jobs()) jobs.set(host, (jobs.get(host) ?? 0) + 1);
    const active = (since: number): number => [...jobs].reduce((sum, [host, count]) =>
      sum + (host.rests && !host.isOpen && host.readyUs > since ? 0 : Math.min(count, this.#mostOfHost)), 0);
    const { target } = this.#state;
    return [target - active(nowUs), target - active(-Infinity)];
  }

  /** Jobs of a host that its delay lets begin in a superstep: the others do not count. */
  get #mostOfHost(): number {
    const { superstepMs } = this.#rules.experiment;
    const { politenessUs } = this.#rules;
    if (!this.#follows || superstepMs === 0 || politenessUs === 0) return Infinity;
    return 1 + Math.floor(Math.round(1000 * superstepMs) / politenessUs);
  }

  #jobs(): { local: number; host: Host }[] {
    return this.#state.pages.flatMap(({ state, page }, local) =>
      state === 'pending' ? [{ local, host: this.#host(page) }] : [],
    );
  }

  /** When the next host, or the address of a host that is ready, has rested; Infinity where none waits for a time. */
  nextReadyUs(nowUs: number): number {
    return this.#jobs().reduce((least, { host, local }) => {
      const addressUs = this.#addressReadyUs(this.#state.pages[local].page);
      if (host.isOpen) return least;
      return Math.min(least, host.readyUs > nowUs ? host.readyUs : Math.max(host.readyUs, addressUs));
    }, Infinity);
  }

  started(page: number, attempt: number, nowUs: number): void {
    const { pages } = this.#state;
    const ready = this.#jobs().filter(({ host, local }) =>
      !host.isOpen && host.readyUs <= nowUs && this.#addressReadyUs(pages[local].page) <= nowUs);
    const unknown = ready.find(({ local }) => pages[local].page === page && Number.isNaN(pages[local].key));
    const known = ready.map(({ local }) => ({ local, key: pages[local].key })).filter(({ key }) => !Number.isNaN(key));
    const best = unknown ?? known.sort(before).at(0);
    const due = best && pages[best.local].page;
    hold(best !== undefined && due === page, () =>
      `processor ${this.id} started page ${page} at ${nowUs} us; the best ready job was page ${due ?? 'none'}`);
    const { state, tries, probes } = pages[best.local];
    hold(state === 'pending' && tries + probes === attempt, () =>
      `page ${page} was started as try ${attempt}, after ${tries} and ${probes} failures of its host`);
    pages[best.local].state = 'inFlight';
    const host = this.#host(page);
    host.isOpen = true;
    host.rests = false;
    const address = this.#state.addressOf.get(this.#rules.graph.hosts.ofPage[page]);
    if (address !== undefined) this.#state.addresses.get(address)!.open++;
  }

  /** Whether rules that are known deny a page, which costs nothing. */
  #isFree({ page }: Page): boolean {
    const { graph, denies, experiment } = this.#rules;
    return experiment.deniedCost === 'none' && this.#readRules.has(graph.hosts.ofPage[page]) && denies(page);
  }

  /** A page was denied without a download: one of which that was due. */
  denied(outcome: Outcome, nowUs: number): void {
    const { page, kind, startedAtUs, finishedAtUs, bytes, links } = outcome;
    const denied = this.#state.pages.find((known) => known.page === page);
    hold(denied?.state === 'denied', () => `page ${page} is ${denied?.state ?? 'not known'}, and was denied`);
    hold(
      kind === 'robotsDenied' && startedAtUs === nowUs && finishedAtUs === nowUs && bytes + links.length === 0,
      () => `page ${page}, which rules deny, was ${kind} from ${startedAtUs} us to ${finishedAtUs} us, at ${nowUs} us`,
    );
    denied.state = 'inFlight';
    this.counts.denied++;
    this.observe(outcome);
  }

  /** A download has ended: its host is free, and rests. */
  finished(outcome: Outcome): void {
    const { page, kind, finishedAtUs, waitUs } = outcome;
    const { politenessUs, backoffUs, maxBackoffUs, graph, experiment } = this.#rules;
    hold(
      kind !== 'robotsDenied' || experiment.deniedCost === 'delay',
      () => `page ${page} took a turn of its host, whose rules deny it`,
    );
    if (kind === 'robotsFetched') this.#readRules.add(graph.hosts.ofPage[page]);
    const host = this.#host(page);
    hold(host.isOpen, () => `page ${page} ended, and was not under way`);
    host.isOpen = false;
    this.#told(outcome);
    if (kind === 'busy') {
      // Nobody was asked.
      this.#state.pages.find((known) => known.page === page)!.isReturned = true;
      host.readyUs = finishedAtUs + politenessUs;
      host.rests = false;
      return;
    }
    host.failures = isTransient(kind) ? host.failures + 1 : 0;
    const backedOffUs = host.failures === 0 ? 0 : Math.min(maxBackoffUs, backoffUs * 2 ** (host.failures - 1));
    const [leastUs, mostUs] = this.#failed(outcome);
    const restUs = Math.max(waitUs, leastUs, Math.min(backedOffUs, mostUs));
    host.readyUs = finishedAtUs + Math.max(politenessUs, restUs);
    host.rests = restUs > politenessUs;
  }

  /**
   * Whose failure an outcome is, and whether its host is given up.
   * @returns how long the host rests at least and at most.
   */
  #failed(outcome: Outcome): [number, number] {
    const { patienceUs, graph } = this.#rules;
    const { contacts, pages } = this.#state;
    const host = graph.hosts.ofPage[outcome.page];
    if (patienceUs === 0 || !contacted(contacts, host, outcome)) return [0, Infinity];
    const page = pages.find((known) => known.page === outcome.page)!;
    page.probes++;
    page.isReturned = true;
    const hosts = new Set(this.#jobs().filter((job) => !job.host.isOpen && job.host !== this.#host(outcome.page))
      .map((job) => job.host));
    const leftUs = patienceLeftUs(
      contacts, host, outcome, patienceUs, Math.max(0, hosts.size - failing(contacts)),
    );
    if (leftUs === undefined) {
      giveUp(contacts, host);
      for (const job of pages)
        if (this.#isGivenUp(job) && (job.state === 'pending')) this.#drop(job);
    }
    return [Math.min(leastRestUs(contacts, host, patienceUs), leftUs ?? 0), leftUs ?? Infinity];
  }

  #isGivenUp({ page }: Page): boolean {
    return this.#state.contacts.givenUp.has(this.#rules.graph.hosts.ofPage[page]);
  }

  /** A page fails without an outcome: its host was given up. */
  #drop(page: Page): void {
    page.state = 'failed';
    this.#state.root += page.coins;
    page.coins = 0;
    this.counts.dropped++;
  }

  /** A download that ended in the barrier is observed after it. */
  drain(outcome: Outcome): void {
    this.#state.drained.push(outcome);
  }

  observe({ page, kind, bytes }: Outcome): void {
    const { graph, ownerOf, tellsAgain, experiment } = this.#rules;
    const local = this.#state.pages.findIndex((known) => known.page === page);
    const known = this.#state.pages[local];
    hold(known.state === 'inFlight', () => `page ${page} is ${known.state}, and was observed`);
    this.counts.bytes += bytes;
    if (kind !== 'fetched') {
      this.counts.failures++;
      const { isReturned } = known;
      known.isReturned = false;
      if (isTransient(kind) && !isReturned) known.tries++;
      const mayRetry = isReturned || (isTransient(kind) && known.tries <= experiment.retries);
      if (!this.#isGivenUp(known) && (kind === 'robotsFetched' || mayRetry)) {
        this.counts.retried++;
        known.state = 'pending';
        if (this.#follows) this.#rekey(known, local);
        // Jobs that the rules deny wait no longer for their host.
        for (const { local: job } of this.#jobs())
          if (this.#isFree(this.#state.pages[job])) this.#state.pages[job].state = 'denied';
        return;
      }
      known.state = 'failed';
      this.#state.root += known.coins;
      known.coins = 0;
      return;
    }
    this.counts.pages++;
    known.state = 'fetched';
    const links = graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1]);
    const share = links.length === 0 ? 0 : Math.floor(known.coins / links.length);
    this.#state.root += known.coins - share * links.length;
    known.coins = 0;
    for (const link of links) {
      const owner = ownerOf(link);
      if (owner === this.id) {
        this.#state.pages[this.#know(link)].coins += share;
        continue;
      }
      this.counts.crossLinks++;
      if (!tellsAgain && this.#state.sent.has(link)) continue;
      this.#state.sent.add(link);
      this.#send(owner, link, share, page);
    }
  }

  /** Puts a pair into the last message to a processor, or into a new one where it has no room. */
  #send(to: number, link: number, share: number, page: number): void {
    const { exchange, exchangeBatch } = this.#rules.experiment;
    const from = exchange === 'page' ? page : -1;
    const messages = this.#state.outboxes.get(to) ?? [];
    let message = messages.at(-1);
    if (message?.from !== from || (exchange === 'batch' && message.pairs.size === exchangeBatch)) {
      messages.push(message = { from, pairs: new Map() });
    }
    message.pairs.set(link, (message.pairs.get(link) ?? 0) + share);
    this.#state.outboxes.set(to, messages);
  }

  /** Empties the outboxes. */
  send(): Map<number, Message[]> {
    const { outboxes } = this.#state;
    this.#state.outboxes = new Map();
    return outboxes;
  }

  /** Pages known, and what became of them. */
  get pages(): readonly Readonly<Page>[] {
    return this.#state.pages;
  }

  /** Outcomes of the last barrier, not yet observed. */
  get drained(): readonly Outcome[] {
    return this.#state.drained;
  }

  #know(page: number): number {
    const local = this.#state.pages.findIndex((known) => known.page === page);
    if (local >= 0) return local;
    const state = 'found';
    return this.#state.pages.push({
      page, state, key: 0, score: 0, tries: 0, probes: 0, isReturned: false, coins: 0,
    }) - 1;
  }

  #host(page: number): Host {
    const id = this.#rules.graph.hosts.ofPage[page];
    let host = this.#state.hosts.get(id);
    if (host === undefined)
      this.#state.hosts.set(id, (host = { readyUs: this.#notBeforeUs, failures: 0, isOpen: false, rests: false }));
    return host;
  }
}

/** Whether two lists hold the same entries, each as often. */
function same(a: readonly Entry[], b: readonly Entry[]): boolean {
  const [first, second] = [[...a].sort(before), [...b].sort(before)];
  return (
    first.length === second.length &&
    first.every(({ key, local }, i) => key === second[i].key && local === second[i].local)
  );
}
