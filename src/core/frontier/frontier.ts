import { entryIndex, type PriorityQueue } from '../queue/index.ts';
import { assert, BitSet, grown, LargeMap, type PageIndex } from '../../base/index.ts';
import type { Policy } from '../policy/index.ts';
import { isTransient, type Outcome } from '../world/index.ts';
import { newCounts, type SuperstepCounts } from './counts.ts';
import { Outboxes, type Exchange } from './outboxes.ts';
import { sampleQueued } from './idle-sample.ts';
import { PageQueue } from './page-queue.ts';
import { PageStates } from './page-states.ts';
import { PendingJobs, type HostDelaysById, type PendingJobsOptions } from './hosts/pending-jobs.ts';
import type { HostPatience } from './hosts/outages.ts';
import { HostTroubles } from './hosts/troubles.ts';
import type { PendingTarget } from './pending-target.ts';
import type { FrontierState } from './saved.ts';

export interface FrontierOptions extends PendingJobsOptions, HostPatience {
  /** Number of its processor. */
  readonly id: number;
  /** Target number of pending jobs, which may grow at barriers. */
  readonly pendingTarget: PendingTarget;
  /** A queued page is reinserted when its score has grown or fallen by this factor and its key has changed with it. */
  readonly reinsert: number;
  /** Whether pending pages get other keys by the same rule, or keep those with which they left the queue. */
  readonly rekeysPending: boolean;
  /** Retries per page after transient failures. */
  readonly retries: number;
  readonly queue: PriorityQueue;
  readonly policy: Policy;
  readonly exchange: Exchange;
  /** Shared by all frontiers of a thread. */
  readonly pageIndex: PageIndex;
  /** The processor that a page belongs to. */
  readonly ownerOf: (page: number) => number;
  readonly hostOf: (page: number) => number;
  /**
   * Whether rules that are known deny a page: it waits for its outcome alone (`takeDenied`). Undefined where a denied
   * page takes its host's turn like any other.
   */
  readonly denies?: ((page: number) => boolean) | undefined;
}

const none: readonly never[] = [];

/**
 * The pages that one processor knows, from discovery to their last outcome: their states and keys, the queue, pending
 * jobs with the politeness of their hosts, retries, and the pairs for other processors. It never waits, has no clock,
 * and does not know robots. Time is an argument that never falls.
 *
 * In each superstep: `know` and `credit` for what was received, `insert`, `refill`; then `take` a job when a download
 * can be started, `release` its host when the download has ended, and `complete` it, at once or later, to process its
 * result.
 */
export class Frontier {
  readonly options: FrontierOptions;
  readonly states: PageStates;
  readonly pendingJobs: PendingJobs;
  readonly hostTroubles: HostTroubles;
  readonly outboxes: Outboxes;
  /** Counts of the current superstep. */
  readonly counts: SuperstepCounts = newCounts();
  readonly #pageQueue: PageQueue;
  readonly #everFetched = new BitSet();
  /** Whether rules deny a page, which then waits for its outcome alone. */
  readonly #setsAside: ((local: number) => boolean) | undefined;
  /** Failed tries of pages that have failed at least once and will be retried. */
  readonly #attempts = new LargeMap<number, number>();
  /** Pending pages that rules deny, in the order in which that turned out. */
  #denied: number[] = [];
  /** Links of the page being completed to pages of this processor, for the policy. */
  #ownLinks = new Uint32Array(0);

  /**
   * @param saved a checkpoint to continue from; the queue must be empty, and the policy made from its part of the
   * checkpoint.
   * @param nowUs when it continues.
   */
  constructor(options: FrontierOptions, saved?: FrontierState, nowUs = 0) {
    this.options = options;
    this.states = new PageStates(options.pageIndex, saved?.frontier);
    this.#pageQueue = new PageQueue(options, this.states);
    const { denies } = options;
    this.#setsAside = denies && ((local) => {
      const isDenied = denies(this.states.pageAt(local));
      if (isDenied) this.#denied.push(local);
      return isDenied;
    });
    // Hosts may have been visited since the checkpoint: the whole delay of each starts now.
    const isExact = saved === undefined || saved.exact !== undefined;
    this.pendingJobs = new PendingJobs(options, isExact ? 0 : nowUs + options.politenessUs);
    this.outboxes = new Outboxes(options.exchange, saved?.outboxes);
    this.hostTroubles = new HostTroubles(options, this.pendingJobs, saved?.hostTroubles);
    if (saved === undefined) return;
    if (saved.exact === undefined) this.pendingJobs.restore(saved.pending);
    else this.pendingJobs.restoreExactly(saved.exact.pending);
    for (const [local, tries] of saved.attempts) this.#attempts.set(local, tries);
    for (const local of this.states.pagesIn('fetched')) this.#everFetched.add(local);
    if (saved.exact === undefined) this.#pageQueue.restore();
    else this.#pageQueue.restoreExactly(saved.exact.queue);
    this.#denied = [...saved.exact?.denied ?? []];
    if (saved.exact === undefined) this.slowHosts(saved.pending.hostDelays ?? [], nowUs);
  }

  /**
   * Everything needed to continue from here, as copies. Valid only between `insert` and `take`, when no outcome is
   * waiting to be completed: then no fetched page is fetched again, and no amount is lost. Open downloads are saved as
   * pending jobs.
   */
  save(nowUs: number): FrontierState {
    const open = [...this.states.pagesIn('inFlight'), ...this.#denied]
      .map((local) => ({ entry: this.#pageQueue.entryOf(local), host: this.hostOf(local) }));
    return {
      frontier: this.states.save(),
      pending: this.pendingJobs.save(open, nowUs),
      attempts: [...this.#attempts],
      hostTroubles: this.hostTroubles.save(),
      outboxes: this.outboxes.save(),
      pendingTarget: this.options.pendingTarget.jobs,
      policy: this.options.policy.save(),
    };
  }

  /**
   * The same exactly, at a barrier, outcomes that wait to be completed apart: it goes on as if it had never been left,
   * with the downloads that are open.
   */
  saveExactly(nowUs: number): FrontierState {
    return {
      ...this.save(nowUs),
      frontier: this.states.save(true),
      exact: {
        queue: this.#pageQueue.save(), pending: this.pendingJobs.saveExactly(),
        denied: [...this.#denied],
      },
    };
  }

  hostOf(local: number): number {
    return this.options.hostOf(this.states.pageAt(local));
  }

  /** Entries put into and taken out of the queue here. */
  get entriesHeld(): number {
    return this.#pageQueue.entriesHeld;
  }

  /** Bytes that it stores for pages, without the queue and open downloads; spare capacity included. */
  get stateBytes(): number {
    const parts = this.states.bytes + this.outboxes.bytes + this.#pageQueue.bytes + this.pendingJobs.bytes;
    return parts + this.#everFetched.bytes + this.#ownLinks.byteLength + this.options.policy.stateBytes();
  }

  /** Whether nothing is to be inserted, queued, pending or sent. */
  get isEmpty(): boolean {
    return !this.hasWork && this.options.queue.size === 0 && this.outboxes.isEmpty;
  }

  /** Whether something could be started in the next superstep without receiving a message. */
  get hasWork(): boolean {
    const { states } = this;
    return states.countOf('found') + states.countOf('queued') + this.pendingJobs.size + this.#denied.length > 0;
  }

  /** Pending pages that rules deny: they are no jobs. */
  get deniedCount(): number {
    return this.#denied.length;
  }

  /** Makes a seed page known. */
  seed(page: number): void {
    const count = this.states.count;
    const local = this.know(page);
    assert(local === count, () => `seed page ${page} is given twice`);
    this.options.policy.amounts?.seed?.(local);
  }

  /** Makes a page known, if it is not. Returns its local index. */
  know(page: number): number {
    const count = this.states.count;
    const local = this.states.know(page);
    if (local === count) this.options.policy.know(local, page, this.options.hostOf(page));
    return local;
  }

  /** Makes pages known that another page names besides its links; sends the pages of other processors. */
  announce(pages: Uint32Array): void {
    const { id, ownerOf } = this.options;
    for (const page of pages) {
      const owner = ownerOf(page);
      if (owner === id) this.know(page);
      else this.outboxes.add(owner, page, 0);
    }
  }

  /** Passes an amount on to a known page. */
  credit(local: number, amount: number): void {
    const { amounts } = this.options.policy;
    if (amounts === undefined) return;
    amounts.credit(local, amount);
    this.#pageQueue.touch(local);
  }

  /**
   * Queues the pages found since the last call, but for those that rules deny, and gives those that wait another key
   * if their score and key have changed enough.
   */
  insert(): void {
    this.options.policy.settle?.((local) => { this.#pageQueue.touch(local); });
    this.#pageQueue.insert(
      this.counts, (entry, local) => { this.pendingJobs.change(entry, this.hostOf(local)); }, this.#setsAside,
    );
  }

  /** Fills the pending jobs from the queue, until as many as their target can be started soon. */
  refill(nowUs: number): void {
    const { queue, pendingTarget: { jobs } } = this.options;
    this.pendingJobs.releaseHosts(nowUs);
    for (
      let room;
      (room = Math.min(jobs - this.pendingJobs.startable, queue.size)) > 0;
    ) {
      this.#pageQueue.extract(room, this.counts, (entry, local) => {
        const host = this.hostOf(local);
        if (this.pendingJobs.isBlocked(host)) this.#dropUnasked(local);
        else if (this.#setsAside?.(local) !== true) this.pendingJobs.add(entry, host);
      });
    }
  }

  /**
   * Some of the pages that rules deny, at most `most`, in the order in which that turned out. Each then goes to
   * `completeDenied`, or back to `admit` if no rule denies it any more.
   */
  takeDenied(most: number): readonly number[] {
    return this.#denied.length === 0 ? none : this.#denied.splice(0, most);
  }

  /** Processes the outcome of a page that was denied without a download: its host does not notice. */
  completeDenied(outcome: Outcome): void {
    this.states.move(this.states.find(outcome.page), 'inFlight');
    this.counts.denied++;
    this.complete(outcome);
  }

  /** A page that seemed to be denied becomes a pending job after all. */
  admit(local: number): void {
    const host = this.hostOf(local);
    if (this.pendingJobs.isBlocked(host)) this.#dropUnasked(local);
    else this.pendingJobs.add(this.#pageQueue.renewed(local), host);
  }

  /** Gives these hosts their delays, or blocks them; see `raiseDelay`, `block`. */
  slowHosts(hostDelays: HostDelaysById, nowUs: number): void {
    for (const [host, delayUs] of hostDelays) {
      if (delayUs === Infinity) this.block(host);
      else this.raiseDelay(host, delayUs, nowUs);
    }
  }

  /** A host is asked for a page no sooner than after so long; a shorter delay than before changes nothing. */
  raiseDelay(host: number, delayUs: number, nowUs: number): void {
    this.pendingJobs.raiseDelay(host, delayUs, nowUs);
  }

  /** Nothing is downloaded from a host any more: its pages have failed, those that are open when they end. */
  block(host: number): void {
    for (const entry of this.pendingJobs.block(host)) this.#dropUnasked(entryIndex(entry));
  }

  /** The page fails without an outcome. */
  #dropUnasked(local: number): void {
    this.counts.dropped++;
    this.#drop(local);
  }

  /** The page has failed for good. */
  #drop(local: number): void {
    this.#attempts.delete(local);
    this.hostTroubles.forget(local);
    this.states.move(local, 'failed');
    this.options.policy.failed?.(local);
  }

  /** Takes the best job that is ready; its host is busy until `release`. The local index of its page, -1 for none. */
  take(nowUs: number): number {
    const entry = this.pendingJobs.takeBest(nowUs);
    if (entry === undefined) return -1;
    const local = entryIndex(entry);
    this.states.move(local, 'inFlight');
    return local;
  }

  /** Failed starts of a page: its tries, and those that were failures of its host. */
  attemptsOf(local: number): number {
    return this.#triesOf(local) + this.hostTroubles.probesOf(local);
  }

  #triesOf(local: number): number {
    return this.#attempts.size === 0 ? 0 : this.#attempts.get(local) ?? 0;
  }

  /** When the next waiting job becomes ready; Infinity if none waits. */
  get nextReadyUs(): number {
    return this.pendingJobs.nextReadyUs;
  }

  /** A download has ended: its host rests from then on, or is given up. */
  release(outcome: Outcome): void {
    const entries = this.hostTroubles.release(
      this.options.hostOf(outcome.page), this.states.find(outcome.page), outcome,
    );
    for (const entry of entries) this.#dropUnasked(entryIndex(entry));
  }

  /** Whether a page that was not fetched will be retried. */
  willRetry({ page, kind }: Pick<Outcome, 'page' | 'kind'>): boolean {
    if (this.pendingJobs.isBlocked(this.options.hostOf(page))) return false;
    if (kind === 'robotsFetched') return true;
    const local = this.states.find(page);
    return this.hostTroubles.isReturned(local) || (isTransient(kind) && this.#triesOf(local) < this.options.retries);
  }

  /** Processes the outcome of a download. @param mayRetry whether a page that was not fetched is to be tried again. */
  complete(outcome: Outcome, mayRetry?: boolean): void {
    const local = this.states.find(outcome.page);
    assert(
      local >= 0 && this.states.is(local, 'inFlight') && !this.#everFetched.has(local),
      () => `page ${outcome.page} was fetched twice, or without being asked for`,
    );
    this.counts.bytes += outcome.bytes;
    if (outcome.kind === 'fetched') {
      if (this.#attempts.size > 0) this.#attempts.delete(local);
      this.hostTroubles.forget(local);
      this.states.move(local, 'fetched');
      this.#everFetched.add(local);
      this.counts.pages++;
      this.#follow(local, outcome.links);
      return;
    }
    this.counts.failures++;
    const willRetry = mayRetry ?? this.willRetry(outcome);
    const isReturned = this.hostTroubles.complete(local);
    if (!isReturned && isTransient(outcome.kind)) this.#attempts.set(local, this.#triesOf(local) + 1);
    if (willRetry) {
      this.#tryAgain(local);
      if (outcome.kind === 'robotsFetched') this.#setJobsAside(this.hostOf(local));
      return;
    }
    this.#drop(local);
  }

  /** Rules of a host have become known: its jobs that they deny, the best first, wait for their outcomes alone. */
  #setJobsAside(host: number): void {
    const { denies } = this.options;
    if (denies === undefined) return;
    const denied = this.pendingJobs.remove(host, (entry) => denies(this.states.pageAt(entryIndex(entry))));
    for (const entry of [...denied].sort((a, b) => b - a)) this.#denied.push(entryIndex(entry));
  }

  /** Processes the links of a fetched page, in order, and passes its amount on to them. */
  #follow(local: number, links: Uint32Array): void {
    const { id, policy, ownerOf } = this.options;
    const { amounts } = policy;
    const share = amounts?.spread(local, links.length) ?? 0;
    if (links.length > this.#ownLinks.length) this.#ownLinks = grown(this.#ownLinks, links.length);
    let count = 0;
    this.outboxes.nextPage();
    for (let i = 0; i < links.length; i++) {
      const owner = ownerOf(links[i]);
      if (owner === id) this.#ownLinks[count++] = this.know(links[i]);
      else if (amounts === undefined) this.outboxes.addOnce(owner, links[i]);
      else this.outboxes.add(owner, links[i], share);
    }
    this.counts.crossLinks += links.length - count;
    if (amounts !== undefined) {
      for (let i = 0; i < count; i++) amounts.credit(this.#ownLinks[i], share);
      this.#pageQueue.touchAll(this.#ownLinks, count);
    }
    policy.fetched?.(local, this.#ownLinks.subarray(0, count), links.length);
  }

  /** Returns the page to the pending jobs. */
  #tryAgain(local: number): void {
    this.counts.retried++;
    this.states.move(local, 'pending');
    this.pendingJobs.add(this.#pageQueue.renewed(local), this.hostOf(local));
  }

  /** Records the counts left when a superstep has ended, from which the next target of pending jobs follows. */
  countWhatIsLeft(): void {
    const { pendingTarget } = this.options;
    this.counts.queued = this.states.countOf('queued');
    this.counts.pending = this.states.countOf('pending');
    this.counts.pendingTarget = pendingTarget.jobs;
    this.#pageQueue.count(this.counts);
    if (this.counts.queued > 0 && this.counts.stalledUs > 0) sampleQueued(this);
    pendingTarget.follow(this.counts);
  }
}
