import type { Pairs, Transport } from '../bsp/index.ts';
import { entryIndex, type PriorityQueue } from '../queue/index.ts';
import { assert, BitSet, grown, LargeMap, type PageIndex } from '../base/index.ts';
import type { Outcome, World } from '../world/index.ts';
import type { ProcessorState } from './checkpoint.ts';
import { newCounts, type SuperstepCounts } from './counts.ts';
import { Frontier } from './frontier.ts';
import { Outboxes, type Exchange } from './outboxes.ts';
import { PageQueue } from './page-queue.ts';
import { PendingJobs } from './pending-jobs.ts';
import type { Policy } from '../policy/index.ts';
import { mayPass, type HostDelays } from './retries.ts';

export interface ProcessorOptions extends HostDelays {
  readonly id: number;
  /** Slots for one download each (the paper's r). */
  readonly robots: number;
  /** Most outcomes observed between two barriers, those drained at a barrier apart (the paper's R_x). */
  readonly superstepLimit: number;
  /** Pending jobs to fill up to at each superstep. */
  readonly pending: number;
  /** A queued page is inserted again when its score has grown or fallen by this factor, and its key with it. */
  readonly reinsert: number;
  /** How often a page is tried again after trouble that may pass. */
  readonly retries: number;
  readonly world: World;
  readonly queue: PriorityQueue;
  readonly policy: Policy;
  readonly exchange: Exchange;
  /** One for all processors of a thread. */
  readonly pageIndex: PageIndex;
  /** The processor that a page belongs to. */
  readonly ownerOf: (page: number) => number;
  /** Told of each outcome, in the processor's order, when it is observed. */
  readonly onOutcome: (processor: number, outcome: Outcome) => void;
  /** Lets other work run; awaited at least every 4,096 outcomes. */
  readonly breathe: () => Promise<void>;
}

const outcomesABreath = 4096;

/** A processor's work in one superstep. */
interface Shift {
  endUs: number;
  /** Most downloads to start; Infinity for no limit. */
  share: number;
  observed: number;
  started: number;
}

type Wait = Promise<Outcome | undefined>;

/**
 * One processor of the crawl: its frontier, queue, pending jobs and robots. The loop (`engine/loop.ts`) calls, in each
 * superstep, receiveMessages, run, sendMessages and, after the barrier, drain: the paper's main loop (Marin, Paredes &
 * Bonacic, WIDM 2008, section 2). Between barriers processors share nothing.
 */
export class Processor {
  readonly options: ProcessorOptions;
  readonly frontier: Frontier;
  readonly pendingJobs: PendingJobs;
  readonly outboxes: Outboxes;
  readonly #pageQueue: PageQueue;
  /** Counts of the superstep under way. */
  counts: SuperstepCounts = newCounts();
  /** Downloads open now. */
  open = 0;
  /** Outcomes of the last barrier, not yet observed. */
  drained: Outcome[] = [];
  /** Until when the robots' time is accounted for. */
  #accountedUs: number;

  /** From run to drain. */
  #shift: Shift | undefined;
  #isStopped = false;
  #sequence = 0;
  readonly #everFetched = new BitSet();
  /** Failed tries of pages that failed at least once and are to be tried again. */
  readonly #attempts = new LargeMap<number, number>();
  /** Links of the page being observed to pages of this processor, for the policy. */
  #own = new Uint32Array(64);

  /** @param saved a checkpoint to go on from; the queue is empty, and the policy made from its part of it. */
  constructor(options: ProcessorOptions, saved?: ProcessorState) {
    this.options = options;
    this.frontier = new Frontier(options.pageIndex, saved?.frontier);
    this.#pageQueue = new PageQueue(options, this.frontier);
    // Hosts may have been visited since the checkpoint: each has its whole delay before it from now on.
    this.pendingJobs = new PendingJobs(options, saved === undefined ? 0 : options.world.nowUs + options.politenessUs);
    this.outboxes = new Outboxes(options.exchange, saved?.outboxes);
    this.#accountedUs = options.world.nowUs;
    if (saved !== undefined) this.#restore(saved);
  }

  /**
   * Everything that a processor of the same options needs to go on from here, as copies. Good between receiveMessages
   * and run only, when no outcome waits to be observed and no message to be received: then no page that was fetched is
   * fetched again, and no amount is lost.
   */
  save(): ProcessorState {
    assert(this.drained.length === 0, 'a processor is saved when everything drained is observed');
    const { policy, world } = this.options;
    const open = this.frontier
      .pagesIn('inFlight')
      .map((local) => ({ entry: this.#pageQueue.entryOf(local), host: this.#hostOf(local) }));
    return {
      frontier: this.frontier.save(),
      pending: this.pendingJobs.save(open, world.nowUs),
      attempts: [...this.#attempts],
      outboxes: this.outboxes.save(),
      policy: policy.save(),
    };
  }

  #restore({ pending, attempts }: ProcessorState): void {
    this.pendingJobs.restore(pending);
    for (const [local, tries] of attempts) this.#attempts.set(local, tries);
    for (const local of this.frontier.pagesIn('fetched')) this.#everFetched.add(local);
    this.#pageQueue.restore();
  }

  #hostOf(local: number): number {
    return this.options.world.hostOf(this.frontier.pageAt(local));
  }

  /** Entries put into and taken out of the queue by this processor. */
  get entriesHeld(): number {
    return this.#pageQueue.entriesHeld;
  }

  /** Bytes of what it alone keeps of pages besides the queue and the downloads under way, spare room included. */
  get stateBytes(): number {
    const parts = this.frontier.bytes + this.outboxes.bytes + this.#pageQueue.bytes + this.#everFetched.bytes;
    return parts + this.#own.byteLength + this.options.policy.stateBytes();
  }

  /** Nothing queued, pending, being downloaded or drained: only a message can bring work. */
  get isIdle(): boolean {
    return this.open === 0 && this.options.queue.size === 0 && !this.hasWork;
  }

  /** Something that a robot could be given in the next superstep without a message. */
  get hasWork(): boolean {
    const waiting = this.frontier.countOf('found') + this.frontier.countOf('queued');
    return waiting > 0 || this.pendingJobs.size > 0 || this.drained.length > 0;
  }

  /** Makes a seed page known. */
  seed(page: number): void {
    const before = this.frontier.count;
    const local = this.#know(page);
    assert(local === before, () => `seed page ${page} is given twice`);
    this.options.policy.amounts?.seed?.(local);
  }

  receiveMessages(received: readonly Pairs[]): void {
    this.counts = newCounts();
    for (const outcome of this.drained) this.#observe(outcome);
    this.counts.drained = this.drained.length;
    this.drained = [];
    for (const { pages, amounts, size } of received) {
      for (let i = 0; i < size; i++) this.#mention(this.#know(pages[i]), amounts[i]);
    }
    this.options.policy.settle?.((local) => { this.#pageQueue.touch(local); });
    this.#pageQueue.insert(this.counts);
  }

  /**
   * Lets the robots work until R_x outcomes are observed, `endUs` is reached, or nothing is left to do.
   * @param share most downloads to start; Infinity for no limit.
   * @returns a promise only where the World made one, or other work was let run: most supersteps cost no turn of the
   * event loop.
   */
  run(endUs: number, share: number): Promise<void> | undefined {
    this.#extract();
    const shift: Shift = (this.#shift = { endUs, share, observed: 0, started: 0 });
    if (this.#isStopped) this.stop();
    this.#isStopped = false;
    const wait = this.#work(shift, undefined);
    return wait && afterWaits(wait, (outcome) => this.#work(shift, outcome));
  }

  /**
   * Starts nothing more in the superstep under way, or else in the next one, and ends it as soon as the World can be
   * woken.
   */
  stop(): void {
    if (this.#shift === undefined) this.#isStopped = true;
    else Object.assign(this.#shift, { endUs: -Infinity, share: 0 });
    this.options.world.wake?.();
  }

  /**
   * Goes on from what the World answered, undefined for nothing yet, for as long as it answers at once.
   * @returns what to wait for; undefined at the end of the shift.
   */
  #work(shift: Shift, answered: Outcome | undefined): Wait | undefined {
    const { world, robots, superstepLimit } = this.options;
    for (let outcome = answered; ; ) {
      const mayHaveStarted = shift.started < shift.share && this.pendingJobs.size > 0;
      this.#account(mayHaveStarted ? 'stalledUs' : 'noJobUs');
      let untilUs = world.nowUs;
      if (outcome !== undefined) {
        this.#close(outcome);
        this.#observe(outcome);
        shift.observed++;
        if (shift.observed >= superstepLimit) return undefined;
        if (shift.observed % outcomesABreath === 0) return this.options.breathe().then(() => this.#endedNow());
      }
      // First all that ended at this instant is observed; with nothing in flight there is no more of it.
      if (outcome === undefined || this.open === 0) {
        while (this.open < robots && shift.started < shift.share) {
          const entry = this.pendingJobs.takeBest(world.nowUs);
          if (entry === undefined) break;
          this.#start(entryIndex(entry));
          shift.started++;
        }
        const mayStart = shift.started < shift.share && this.pendingJobs.size > 0;
        if (world.nowUs >= shift.endUs || (this.open === 0 && !mayStart)) return undefined;
        untilUs = Math.min(shift.endUs, mayStart && this.open < robots ? this.pendingJobs.nextReadyUs : Infinity);
      }
      const answer = world.next(untilUs);
      if (answer instanceof Promise) return answer;
      outcome = answer;
    }
  }

  /** What else ended at this instant. */
  #endedNow(): Outcome | undefined | Wait {
    const { world } = this.options;
    return this.open === 0 ? undefined : world.next(world.nowUs);
  }

  /** Hands the outboxes to the transport. */
  sendMessages(transport: Pick<Transport, 'send'>): void {
    this.outboxes.send(this.options.id, transport);
  }

  /**
   * After the barrier: keeps what finished until then for the next superstep, and sets the clock to it. Returns what
   * `run` does.
   */
  drain(barrierUs: number): Promise<void> | undefined {
    this.#shift = undefined;
    const answer = this.options.world.next(barrierUs);
    const wait = answer instanceof Promise ? answer : this.#keep(barrierUs, answer);
    return wait && afterWaits(wait, (outcome) => this.#keep(barrierUs, outcome));
  }

  /** Goes on from an answer of the World to `barrierUs`, as `#work` does. */
  #keep(barrierUs: number, answered: Outcome | undefined): Wait | undefined {
    for (let outcome = answered; ; ) {
      this.#account('barrierWaitUs');
      if (outcome === undefined) break;
      this.#close(outcome);
      this.drained.push(outcome);
      const answer = this.options.world.next(barrierUs);
      if (answer instanceof Promise) return answer;
      outcome = answer;
    }
    this.#countWhatIsLeft();
    return undefined;
  }

  /**
   * The superstep was in vain and the processor is given up; its successor goes on at `resumedUs`.
   * @returns what it did: the pages it fetched are to be fetched again.
   */
  abandon(resumedUs: number): SuperstepCounts {
    const { counts } = this;
    counts.barrierWaitUs += (resumedUs - this.options.world.nowUs) * this.options.robots;
    this.#countWhatIsLeft();
    return counts;
  }

  #countWhatIsLeft(): void {
    this.counts.queued = this.frontier.countOf('queued');
    this.counts.pending = this.pendingJobs.size;
    this.counts.inFlight = this.open + this.drained.length;
    this.#pageQueue.count(this.counts);
  }

  /** Accounts for the time since it did last: busy for the downloads open, `idle` for the other robots. */
  #account(idle: 'stalledUs' | 'noJobUs' | 'barrierWaitUs'): void {
    const { counts, options: { world, robots } } = this;
    const us = world.nowUs - this.#accountedUs;
    if (us === 0) return;
    this.#accountedUs = world.nowUs;
    counts.busyUs += us * this.open;
    const idleUs = us * (robots - this.open);
    // By name, not by `idle`: engines are slow to write where the name varies.
    if (idle === 'stalledUs') counts.stalledUs += idleUs;
    else if (idle === 'noJobUs') counts.noJobUs += idleUs;
    else counts.barrierWaitUs += idleUs;
  }

  #know(page: number): number {
    const before = this.frontier.count;
    const local = this.frontier.know(page);
    if (local === before) this.options.policy.know(local, page, this.options.world.hostOf(page));
    return local;
  }

  /** A pair names a known page of this processor and brings it an amount. */
  #mention(local: number, amount: number): void {
    const { amounts } = this.options.policy;
    if (amounts === undefined) return;
    amounts.credit(local, amount);
    this.#pageQueue.touch(local);
  }

  /** Fills the pending jobs up to their number from the queue. */
  #extract(): void {
    const { queue, pending } = this.options;
    this.pendingJobs.settle(this.options.world.nowUs);
    for (
      let wanted;
      (wanted = Math.min(pending - (this.pendingJobs.size - this.pendingJobs.resting), queue.size)) > 0;
    ) {
      this.#pageQueue.extract(wanted, this.counts, (entry, local) => {
        this.pendingJobs.add(entry, this.#hostOf(local));
      });
    }
  }

  #start(local: number): void {
    this.frontier.move(local, 'inFlight');
    this.open++;
    const attempt = this.#attempts.size === 0 ? 0 : this.#attempts.get(local) ?? 0;
    this.options.world.start({ page: this.frontier.pageAt(local), sequence: this.#sequence++, attempt });
  }

  /** The download has ended: its robot and host are free. */
  #close(outcome: Outcome): void {
    this.open--;
    this.pendingJobs.close(
      this.options.world.hostOf(outcome.page), outcome.finishedAtUs, outcome.waitUs, mayPass(outcome.kind),
    );
  }

  /** Learns what a download brought. */
  #observe(outcome: Outcome): void {
    const { id, policy, retries } = this.options;
    const local = this.frontier.find(outcome.page);
    assert(
      local >= 0 && this.frontier.is(local, 'inFlight') && !this.#everFetched.has(local),
      () => `page ${outcome.page} was fetched twice, or without being asked for`,
    );
    this.options.onOutcome(id, outcome);
    this.counts.bytes += outcome.bytes;
    if (outcome.kind !== 'fetched') {
      this.counts.failures++;
      const attempts = this.#attempts.get(local) ?? 0;
      const isTry = mayPass(outcome.kind);
      if (isTry) this.#attempts.set(local, attempts + 1);
      if (outcome.kind === 'robotsFetched' || (isTry && attempts < retries)) {
        this.#tryAgain(local);
      } else {
        this.#attempts.delete(local);
        this.frontier.move(local, 'failed');
        policy.failed?.(local);
      }
      return;
    }
    if (this.#attempts.size > 0) this.#attempts.delete(local);
    this.frontier.move(local, 'fetched');
    this.#everFetched.add(local);
    this.counts.pages++;
    this.#follow(local, outcome.links);
  }

  /** Learns the links of a fetched page, in their order, and passes its amount on to them. */
  #follow(local: number, links: Uint32Array): void {
    const { id, policy, ownerOf } = this.options;
    const { amounts } = policy;
    const share = amounts?.spread(local, links.length) ?? 0;
    if (links.length > this.#own.length) this.#own = grown(this.#own, links.length);
    let own = 0;
    this.outboxes.nextPage();
    for (let i = 0; i < links.length; i++) {
      const owner = ownerOf(links[i]);
      if (owner === id) this.#own[own++] = this.#know(links[i]);
      else if (amounts === undefined) this.outboxes.addOnce(owner, links[i]);
      else this.outboxes.add(owner, links[i], share);
    }
    this.counts.crossLinks += links.length - own;
    if (amounts !== undefined) {
      for (let i = 0; i < own; i++) amounts.credit(this.#own[i], share);
      this.#pageQueue.touchAll(this.#own, own);
    }
    policy.fetched?.(local, this.#own.subarray(0, own), links.length);
  }

  /** Back among the pending jobs, with the key that it had. */
  #tryAgain(local: number): void {
    this.counts.retried++;
    this.frontier.move(local, 'pending');
    this.pendingJobs.add(this.#pageQueue.entryOf(local), this.#hostOf(local));
  }
}

/** Takes `step` from answer to answer, as they come, until it waits for none. */
async function afterWaits(first: Wait, step: (outcome: Outcome | undefined) => Wait | undefined): Promise<void> {
  for (let wait: Wait | undefined = first; wait !== undefined; ) wait = step(await wait);
}
