import type { Pairs, Transport } from '../bsp/index.ts';
import type { Change } from '../events/index.ts';
import { clear, type Frontier, type FrontierState, type SuperstepCounts } from '../frontier/index.ts';
import { assert } from '../../base/index.ts';
import type { Outcome, World } from '../world/index.ts';
import { endDenied } from './denials.ts';
import { Steering, type Steer } from './steering.ts';
import { afterWaits, type Wait } from './waits.ts';

export interface ProcessorOptions {
  readonly id: number;
  /** Slots for one download each (the paper's r), until they are changed. */
  readonly robots: number;
  /**
   * Maximum outcomes observed between two barriers, except those drained at a barrier (the paper's R_x), of a superstep
   * that begins with so many pages fetched.
   */
  readonly superstepLimit: (fetched: number) => number;
  readonly frontier: Frontier;
  readonly world: World;
  /** Called with each outcome, in the processor's order, when the World reports it. */
  readonly onOutcome?: ((processor: number, outcome: Outcome, willRetry: boolean) => void) | undefined;
  /** Called when a setting has been changed. */
  readonly onChange?: ((change: Omit<Change, 'superstep'>) => void) | undefined;
  /** Lets other work run; awaited at least every 4,096 outcomes. */
  readonly breathe: () => Promise<void>;
}

const OUTCOMES_PER_YIELD = 4096;
/** How long a pause lasts before it is checked, if nothing else ends it. */
const PAUSED_US = 1e6;

/** A processor's work in one superstep. */
interface Shift {
  endUs: number;
  /** Maximum number of downloads to start; Infinity for no limit. */
  share: number;
  observed: number;
  started: number;
}

/** A processor at a barrier, exactly: it can be cloned. */
export interface ProcessorState {
  readonly frontier: FrontierState;
  readonly open: number;
  readonly sequence: number;
  readonly drained: readonly Omit<Outcome, 'links'>[];
  readonly robots: number;
  readonly isPaused: boolean;
}

/**
 * One processor of the crawl: robots over a frontier and a World. The loop (`core/engine/loop.ts`) calls, in each
 * superstep, receiveMessages, run, sendMessages and, after the barrier, drain: the paper's main loop (Marin, Paredes &
 * Bonacic, WIDM 2008, section 2). Processors share nothing between barriers.
 */
export class Processor {
  readonly options: ProcessorOptions;
  readonly frontier: Frontier;
  /** Downloads open now. */
  open = 0;
  /** Outcomes of the last barrier, not yet observed. */
  drained: Outcome[] = [];
  /** Robot time of the current superstep, microseconds: the sum of its counts. */
  robotUs = 0;
  /** The last outcome reported by the World. */
  lastOutcome: Outcome | undefined;
  /** Called with its number when a change waits for it, which it applies even where it has nothing else to do. */
  onAsked: ((id: number) => void) | undefined;
  #steering: Steering;
  /** The time up to which robot time is accounted for. */
  #accountedUs: number;
  /** From run to drain. */
  #shift: Shift | undefined;
  #isStopped = false;
  #sequence = 0;

  constructor(options: ProcessorOptions) {
    this.options = options;
    this.frontier = options.frontier;
    this.#steering = new Steering(options.robots);
    this.#accountedUs = options.world.nowUs;
  }

  /** All that it needs to go on from this barrier as if it had never been left, its World apart. */
  saveExactly(): ProcessorState {
    return {
      frontier: this.frontier.saveExactly(this.options.world.nowUs), open: this.open, sequence: this.#sequence,
      drained: this.drained.map((outcome) => ({ ...outcome, links: undefined })),
      robots: this.#steering.robots, isPaused: this.#steering.isPaused,
    };
  }

  /**
   * Takes up what `saveExactly` gave; the frontier is made from it, and the World is as it was then.
   * @param linksOf links of an outcome, which are not saved.
   */
  restoreExactly(
    { open, sequence, drained, robots, isPaused }: ProcessorState,
    linksOf: (outcome: Pick<Outcome, 'page' | 'kind'>) => Uint32Array,
  ): void {
    this.open = open;
    this.#sequence = sequence;
    this.drained = drained.map((outcome) => ({ ...outcome, links: linksOf(outcome) }));
    this.#steering.robots = robots;
    this.#steering.isPaused = isPaused;
    this.#steering.isSteered = robots !== this.options.robots || isPaused;
  }

  /** Counts of the current superstep. */
  get counts(): SuperstepCounts {
    return this.frontier.counts;
  }

  /** Current number of slots; more downloads may be open if it was reduced. */
  get robots(): number {
    return this.#steering.robots;
  }

  /** Whether a setting was changed while it was working. */
  get isSteered(): boolean {
    return this.#steering.isSteered;
  }

  /** Whether robots start nothing. */
  get isPaused(): boolean {
    return this.#steering.isPaused;
  }

  /** Whether a change waits to be applied. */
  get isAsked(): boolean {
    return this.#steering.isAsked;
  }

  /** Whether nothing is queued, pending, being downloaded or drained: only a message can bring work. */
  get isIdle(): boolean {
    return this.open === 0 && this.drained.length === 0 && this.frontier.isEmpty;
  }

  /** Whether a robot could start something in the next superstep without a message. */
  get hasWork(): boolean {
    return this.drained.length > 0 || this.frontier.hasWork;
  }

  /**
   * Whether the superstep that has ended found nothing to do and left nothing. The next one is the same, unless a
   * message or a change comes: until then it need not be called, and its clock stays behind (`goOnAt`).
   */
  get isAtRest(): boolean {
    const { pages, failures, inserted, extracted } = this.counts;
    return pages + failures + inserted + extracted === 0 && this.isIdle && !this.isAsked;
  }

  /** After a rest: sets its clock to the last barrier. Returns as `run`. */
  goOnAt(barrierUs: number): Promise<void> | undefined {
    const { world } = this.options;
    if (world.nowUs === barrierUs) return undefined;
    const answer = world.next(barrierUs);
    const hasPassed = (outcome: Outcome | undefined): void => {
      assert(outcome === undefined, 'nothing ends on a processor at rest');
      this.#accountedUs = barrierUs;
    };
    if (answer instanceof Promise) return answer.then(hasPassed);
    hasPassed(answer);
    return undefined;
  }

  receiveMessages(received: readonly Pairs[]): void {
    const { frontier } = this;
    clear(frontier.counts);
    this.robotUs = 0;
    this.counts.superstepLimit = this.options.superstepLimit(frontier.states.countOf('fetched'));
    for (const outcome of this.drained) this.#observe(outcome);
    this.counts.drained = this.drained.length;
    this.drained.length = 0;
    for (const { pages, amounts, first, size } of received) {
      for (let i = first; i < first + size; i++) {
        const local = frontier.know(pages[i]);
        frontier.credit(local, amounts[i]);
        if (frontier.states.is(local, 'fetched')) this.#announce(pages[i]);
      }
    }
    frontier.insert();
  }

  /**
   * Lets the robots work until R_x outcomes are observed, `endUs` is reached, or nothing is left to do.
   * @param share maximum number of downloads to start; Infinity for no limit.
   * @returns a promise only if the World returned one, or the loop yielded to other work: most supersteps cost no turn
   * of the event loop.
   */
  run(endUs: number, share: number): Promise<void> | undefined {
    this.frontier.refill(this.options.world.nowUs);
    const shift: Shift = (this.#shift = { endUs, share, observed: 0, started: 0 });
    if (this.#isStopped) this.stop();
    this.#isStopped = false;
    const wait = this.#work(shift, undefined);
    return wait && afterWaits(wait, (outcome) => this.#work(shift, outcome));
  }

  /** Starts nothing more in the current superstep, or the next one, and ends it as soon as the World can be woken. */
  stop(): void {
    if (this.#shift === undefined) this.#isStopped = true;
    else Object.assign(this.#shift, { endUs: -Infinity, share: 0 });
    this.options.world.wake?.();
  }

  /**
   * Changes a setting: at once if the World is waiting, otherwise at the next outcome or the start of the next
   * superstep.
   * @param observed when repeating a recorded change: outcomes of the superstep to observe before it.
   */
  steer(change: Steer, observed = 0): void {
    this.#steering.ask({ ...change, observed });
    this.onAsked?.(this.options.id);
    if (this.#shift !== undefined) this.options.world.wake?.();
  }

  /** Takes over the settings of the processor that it replaces, and the delays of hosts. */
  takeSteeringOf(predecessor: Processor): void {
    this.#steering = predecessor.#steering;
    this.frontier.slowHosts(predecessor.frontier.pendingJobs.hostDelays, this.options.world.nowUs);
  }

  /**
   * Continues from the World's answer (undefined for none yet) for as long as the World answers at once.
   * @returns what to wait for; undefined at the end of the work.
   */
  #work(shift: Shift, answered: Outcome | undefined): Wait | undefined {
    const { frontier, options: { world } } = this;
    const { superstepLimit } = frontier.counts;
    const { pendingJobs } = frontier;
    const steering = this.#steering;
    for (let outcome = answered; ; ) {
      const mayHaveStarted = shift.started < shift.share && pendingJobs.size > 0 && !steering.isPaused;
      this.#account(mayHaveStarted ? 'stalledUs' : 'noJobUs');
      if (shift.observed >= steering.nextAt) this.#change(shift.observed);
      let untilUs = world.nowUs;
      if (outcome !== undefined) {
        this.#close(outcome);
        this.#observe(outcome);
        shift.observed++;
        if (shift.observed >= superstepLimit) return undefined;
        if (shift.observed % OUTCOMES_PER_YIELD === 0) return this.options.breathe().then(() => this.#endedNow());
      }
      // First everything that ended at this instant is observed; with nothing in flight there is nothing more.
      if (outcome === undefined || this.open === 0) {
        const hasDenied = shift.share > 0 && this.#deny();
        if (hasDenied) return this.options.breathe().then(() => world.next(world.nowUs));
        const slots = steering.slots;
        while (this.open < slots && shift.started < shift.share) {
          const local = frontier.take(world.nowUs);
          if (local < 0) break;
          this.#start(local);
          shift.started++;
        }
        const hasJobs = shift.started < shift.share && pendingJobs.size > 0;
        if (world.nowUs >= shift.endUs || (this.open === 0 && !hasJobs)) return undefined;
        untilUs = Math.min(shift.endUs, hasJobs && this.open < slots ? pendingJobs.nextReadyUs : Infinity);
        // Paused with nothing open: there is nothing else to wait for.
        if (steering.isPaused && this.open === 0) untilUs = Math.min(untilUs, world.nowUs + PAUSED_US);
      }
      const answer = world.next(untilUs);
      if (answer instanceof Promise) return answer;
      outcome = answer;
    }
  }

  /** @returns whether more pages are denied than are ended in one go. */
  #deny(): boolean {
    const { frontier, options: { id, world, onOutcome } } = this;
    return endDenied(frontier, world, OUTCOMES_PER_YIELD, this.#sequence, (outcome) => {
      this.#sequence++;
      this.lastOutcome = outcome;
      onOutcome?.(id, outcome, false);
    });
  }

  /** The next outcome that ended at this instant. */
  #endedNow(): Outcome | undefined | Wait {
    const { world } = this.options;
    return this.open === 0 ? undefined : world.next(world.nowUs);
  }

  #change(observed: number): void {
    const { id, onChange } = this.options;
    for (const change of this.#steering.take(observed)) {
      if (change.setting === 'hostBlocked') this.frontier.block(change.host);
      else if (change.setting === 'hostDelayMs')
        this.frontier.raiseDelay(change.host, 1000 * change.value, this.options.world.nowUs);
      onChange?.({ ...change, processor: id, observed });
    }
  }

  /** Passes the outboxes to the transport. */
  sendMessages(transport: Pick<Transport, 'send'>): void {
    this.frontier.outboxes.send(this.options.id, transport);
  }

  /** Stores the outcomes until the barrier for the next superstep, and sets the clock to it. Returns as `run`. */
  drain(barrierUs: number): Promise<void> | undefined {
    this.#shift = undefined;
    const answer = this.options.world.next(barrierUs);
    const wait = answer instanceof Promise ? answer : this.#hold(barrierUs, answer);
    return wait && afterWaits(wait, (outcome) => this.#hold(barrierUs, outcome));
  }

  /** Continues from an answer of the World to `barrierUs`, as `#work` does. */
  #hold(barrierUs: number, answered: Outcome | undefined): Wait | undefined {
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
   * The superstep was wasted and the processor is discarded; its successor continues at `resumedUs`.
   * @returns the counts of the superstep: the pages it fetched will be fetched again.
   */
  abandon(resumedUs: number): SuperstepCounts {
    const us = resumedUs - this.options.world.nowUs;
    this.counts.waitUs += us;
    this.counts.barrierWaitUs += us * this.robots;
    this.#countWhatIsLeft();
    return this.counts;
  }

  #countWhatIsLeft(): void {
    this.frontier.countWhatIsLeft();
    this.counts.inFlight = this.open + this.drained.length;
  }

  /** Accounts for the time since its last call: busy for the open downloads, `idle` for the other robots. */
  #account(idle: 'stalledUs' | 'noJobUs' | 'barrierWaitUs'): void {
    const { counts, robots, options: { world: { nowUs } } } = this;
    const us = nowUs - this.#accountedUs;
    if (us === 0) return;
    this.#accountedUs = nowUs;
    this.robotUs += us * robots;
    const busy = Math.min(this.open, robots); // More downloads may be open, after robots were removed.
    counts.busyUs += us * busy;
    const idleUs = us * (robots - busy); // Separate names: V8 is slow to write to a varying name.
    if (idle === 'barrierWaitUs') {
      counts.barrierWaitUs += idleUs;
      counts.waitUs += us;
    } else if (idleUs === 0) counts.saturatedUs += Math.min(us, this.frontier.pendingJobs.readyUs(nowUs));
    else if (idle === 'noJobUs') counts.noJobUs += idleUs;
    else {
      counts.stalledUs += idleUs;
      if (this.frontier.pendingJobs.startable === 0) counts.restingUs += idleUs;
    }
  }

  #start(local: number): void {
    this.open++;
    const page = this.frontier.states.pageAt(local);
    this.options.world.start({ page, sequence: this.#sequence++, attempt: this.frontier.attemptsOf(local) });
  }

  /** Completes an outcome; what the World has reached through its page, besides its links, is announced. */
  #observe(outcome: Outcome): void {
    this.frontier.complete(outcome);
    this.#announce(outcome.page);
  }

  #announce(page: number): void {
    const pages = this.options.world.reachedThrough?.(page);
    if (pages !== undefined) this.frontier.announce(pages);
  }

  /** The download has ended: its robot and host are free. */
  #close(outcome: Outcome): void {
    this.open--;
    assert(this.open >= 0, () => `page ${outcome.page} ended a download that was not open`);
    this.lastOutcome = outcome;
    this.counts.transferUs += outcome.transferUs ?? 0;
    this.counts.throttledUs += outcome.throttledUs ?? 0;
    this.frontier.release(outcome);
    this.options.onOutcome?.(this.options.id, outcome, outcome.kind !== 'fetched' && this.frontier.willRetry(outcome));
  }
}

/** The last barrier, of all processors of a crawl between supersteps: clocks of those at rest are behind. */
export function barrierOf(processors: readonly Processor[]): number {
  return processors.reduce((latest, { options: { world } }) => Math.max(latest, world.nowUs), 0);
}
