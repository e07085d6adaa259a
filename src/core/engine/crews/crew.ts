import type { Pairs } from '../../bsp/index.ts';
import type { Observed } from '../../events/index.ts';
import { cashOf, Invariants, type CashHeld, type Asked, type Processor } from '../../scheduler/index.ts';
import type { FrontierState, HostGivenUp, SuperstepCounts } from '../../frontier/index.ts';
import { assert } from '../../../base/index.ts';
import type { ProcessorSnapshot } from '../control/control.ts';

/**
 * Some of a crawl's processors, with their Worlds and queues, on this thread or elsewhere. The loop calls it twice
 * per superstep: `begin`, then `settle`, or `revive` if a processor crashed. A superstep concerns only the processors
 * that it names: all others are at rest.
 */
export interface Crew {
  readonly ids: readonly number[];
  /** The states at the start, in the order of `ids`. */
  readonly standings: readonly Standing[];
  /** The processors that must change settings in this superstep, ascending: they do so even at rest. */
  asked(superstep: number): readonly number[];
  /** Messages are received, robots work, and messages are written. */
  begin(work: SuperstepWork): Promise<Arrival>;
  /** Called when the barrier is passed. */
  settle(settlement: Settlement): Promise<Settled>;
  /** The superstep is rolled back: all resume from the last checkpoint at `resumedUs`. */
  revive(resumedUs: number): Promise<Revived>;
}

/** The state of a processor between supersteps, as far as the loop needs it. */
export interface Standing {
  readonly hasWork: boolean;
  readonly isIdle: boolean;
  /** Whether the next superstep is like the last one, in which it did nothing, unless a message or a change comes. */
  readonly isAtRest: boolean;
  readonly fetched: number;
  /** Downloads whose outcomes are to come. */
  readonly inFlight: number;
}

export interface SuperstepWork {
  readonly superstep: number;
  /** The last barrier. */
  readonly sinceUs: number;
  /** A task for each processor that is not at rest, by ascending number. */
  readonly tasks: readonly Task[];
  /** Whether a checkpoint is taken after messages are received; then there is a task for each processor. */
  readonly isCheckpoint: boolean;
}

/** The task of a processor in a superstep. */
export interface Task {
  readonly id: number;
  /** Pairs that the last barrier delivered. */
  readonly received: readonly Pairs[];
  readonly endUs: number;
  /** Maximum number of downloads to start; Infinity for no limit. */
  readonly share: number;
}

/** Pairs of one superstep from one processor to another. */
export interface Letter {
  readonly from: number;
  readonly to: number;
  readonly pairs: Pairs;
}

export interface Arrival {
  /** When the last processor arrived. */
  readonly arrivedUs: number;
  readonly sent: readonly Letter[];
  /** The outcomes that each task had observed at the checkpoint; empty without a checkpoint. */
  readonly observed: readonly Observed[];
  /** Pages known to all processors, and changes of cash in the superstep, in total. */
  readonly known: number;
  readonly cashChanges: number;
}

export interface Settlement {
  readonly barrierUs: number;
  /** Processors at rest until this barrier, which brings them messages; ascending. */
  readonly roused: readonly number[];
  /** Whether cash is recounted. */
  readonly countsCash: boolean;
}

export interface Settled {
  /** The processors with a task and the roused ones, by ascending number. */
  readonly worked: readonly Worked[];
  readonly cash: CashHeld | undefined;
}

/** A processor at the end of a superstep. */
export interface Worked {
  readonly id: number;
  readonly counts: SuperstepCounts;
  /** Downloads that ended before the barrier and wait to be observed. */
  readonly unobserved: number;
  readonly standing: Standing;
}

export interface Revived {
  /** The wasted work of the processors with a task. */
  readonly inVain: readonly Pick<Worked, 'id' | 'counts'>[];
  /** The states of all processors, in the order of `ids`. */
  readonly standings: readonly Standing[];
}

/** The parts of a crew. */
export interface CrewParts {
  /** The processors at the start; others replace them after a crash. */
  readonly processors: Processor[];
  /** Makes the processors again from a checkpoint, with their clocks at `nowUs`; undefined if none can crash. */
  readonly revive?: ((saved: readonly FrontierState[], nowUs: number) => Processor[]) | undefined;
  /** Called when all messages of a superstep are received and insertions made: from this state pages are chosen. */
  readonly onReceived?: ((superstep: number) => void) | undefined;
  /** Changes of an earlier run in a superstep, to repeat at the same places. */
  readonly changesIn?: ((superstep: number) => readonly (Asked & { readonly processor: number })[]) | undefined;
}

/** A crew on this thread. */
export class LocalCrew implements Crew {
  readonly ids: readonly number[];
  readonly standings: readonly Standing[];
  readonly #parts: CrewParts;
  /** Positions of processors, by number. */
  readonly #positions: number[] = [];
  readonly #asked = new Set<number>();
  /** Whether each processor, by position, was at rest: its clock may be behind. */
  readonly #rested: boolean[];
  #sinceUs: number;
  #atWork: readonly Processor[] = [];
  #known = 0;
  #invariants: Invariants;
  #checkpoint: readonly FrontierState[] | undefined;

  /** @param beginUs the initial time of the clocks. */
  constructor(parts: CrewParts, beginUs = 0) {
    const { processors } = parts;
    this.#parts = parts;
    this.#sinceUs = beginUs;
    this.#invariants = new Invariants(processors, beginUs);
    this.ids = processors.map(({ options }) => options.id);
    this.ids.forEach((id, position) => { this.#positions[id] = position; });
    // An exact checkpoint has clocks that are behind.
    this.#rested = processors.map(() => true);
    this.standings = this.#join();
  }

  asked(superstep: number): readonly number[] {
    for (const { processor, observed, ...change } of this.#parts.changesIn?.(superstep) ?? [])
      if (this.ids.includes(processor)) this.#at(processor).steer(change, observed);
    return this.#asked.size === 0 ? none : [...this.#asked].sort((a, b) => a - b);
  }

  async begin({ superstep, sinceUs, tasks, isCheckpoint }: SuperstepWork): Promise<Arrival> {
    const processors = tasks.map(({ id }) => this.#at(id));
    this.#atWork = processors;
    this.#sinceUs = sinceUs;
    await allOf(processors, (processor) => this.#rouse(processor));
    this.#invariants.checkClocks(processors);
    processors.forEach((processor, i) => {
      this.#known -= processor.frontier.states.count;
      processor.receiveMessages(tasks[i].received);
    });
    if (isCheckpoint) this.#checkpoint = processors.map(({ frontier, options }) => frontier.save(options.world.nowUs));
    const observed = isCheckpoint
      ? processors.map(({ counts: { pages, failures, retried } }) => ({ pages, failures, retried }))
      : [];
    this.#parts.onReceived?.(superstep);

    await allOf(processors, (processor, i) => processor.run(tasks[i].endUs, tasks[i].share));
    const letters: Letter[] = [];
    const transport = { send: (from: number, to: number, pairs: Pairs) => { letters.push({ from, to, pairs }); } };
    let arrivedUs = sinceUs;
    let cashChanges = 0;
    for (const processor of processors) {
      const { counts, frontier, options: { world } } = processor;
      processor.sendMessages(transport);
      arrivedUs = Math.max(arrivedUs, world.nowUs);
      this.#known += frontier.states.count;
      cashChanges += counts.pages + counts.failures + counts.inserted;
    }
    return { arrivedUs, sent: letters, observed, known: this.#known, cashChanges };
  }

  async settle({ barrierUs, roused, countsCash }: Settlement): Promise<Settled> {
    const late = roused.map((id) => this.#at(id));
    await allOf(late, (processor) => this.#rouse(processor));
    for (const processor of late) processor.receiveMessages(none);
    const processors = late.length === 0 ? this.#atWork
      : [...this.#atWork, ...late].sort((a, b) => a.options.id - b.options.id);
    await allOf(processors, (processor) => processor.drain(barrierUs));
    this.#invariants.checkSuperstep(processors, barrierUs);
    return {
      worked: processors.map((processor) => {
        const { counts, drained, isAsked, isAtRest, options: { id } } = processor;
        if (!isAsked) this.#asked.delete(id);
        this.#rested[this.#positions[id]] = isAtRest;
        return { id, counts, unobserved: drained.length, standing: standingOf(processor) };
      }),
      cash: countsCash ? cashOf(this.#parts.processors) : undefined,
    };
  }

  revive(resumedUs: number): Promise<Revived> {
    const { processors, revive } = this.#parts;
    assert(this.#checkpoint !== undefined && revive !== undefined, 'a crash comes after a checkpoint');
    const inVain = this.#atWork.map((processor) => (
      { id: processor.options.id, counts: processor.abandon(resumedUs) }
    ));
    const revived = revive(this.#checkpoint, resumedUs);
    // Changes made by a control stay in force.
    revived.forEach((processor, i) => { processor.takeSteeringOf(processors[i]); });
    processors.splice(0, processors.length, ...revived);
    this.#invariants = new Invariants(processors, resumedUs);
    this.#rested.fill(false);
    return Promise.resolve({ inVain, standings: this.#join() });
  }

  /** Listens to new processors for changes. None of them is at rest. */
  #join(): Standing[] {
    const { processors } = this.#parts;
    this.#known = 0;
    this.#asked.clear();
    return processors.map((processor) => {
      this.#known += processor.frontier.states.count;
      processor.onAsked = (id) => { this.#asked.add(id); };
      if (processor.isAsked) this.#asked.add(processor.options.id);
      return { ...standingOf(processor), isAtRest: false };
    });
  }

  #at(id: number): Processor {
    return this.#parts.processors[this.#positions[id]];
  }

  /** Sets the clock of a processor that was at rest to the last barrier. */
  #rouse(processor: Processor): Promise<void> | undefined {
    return this.#rested[this.#positions[processor.options.id]] ? processor.goOnAt(this.#sinceUs) : undefined;
  }
}

const none: readonly never[] = [];

/**
 * Starts all, and waits for those that return a promise; does not wait if none does. If one throws synchronously,
 * nobody waits for those started before it: their failures do not matter.
 */
function allOf(
  processors: readonly Processor[], work: (processor: Processor, i: number) => Promise<void> | undefined,
): Promise<unknown> | undefined {
  const promises: Promise<void>[] = [];
  try {
    processors.forEach((processor, i) => {
      const wait = work(processor, i);
      if (wait !== undefined) promises.push(wait);
    });
  } catch (error) {
    for (const promise of promises) promise.catch(() => undefined);
    throw error;
  }
  return promises.length === 0 ? undefined : Promise.all(promises);
}

/** Processors as they are now. */
export function snapshots(processors: readonly Processor[]): ProcessorSnapshot[] {
  return processors.map(({ robots, lastOutcome, options: { id, world }, frontier }) => {
    const { states, pendingJobs, hostTroubles } = frontier;
    return {
      processor: id, nowUs: world.nowUs, robots, openDownloads: world.openDownloads(), pagesKnown: states.count,
      pagesFetched: states.countOf('fetched'), pagesQueued: states.countOf('queued'), pendingJobs: pendingJobs.size,
      hostsOutOfReach: hostTroubles.count, isNetworkOut: hostTroubles.isNetworkOut(world.nowUs),
      lastOutcome: lastOutcome && {
        page: lastOutcome.page, kind: lastOutcome.kind, finishedAtUs: lastOutcome.finishedAtUs,
      },
    };
  });
}

/** The memory that the processors of a crew use for pages, and the hosts that they gave up. */
export interface StateMemory {
  readonly pagesKnown: number;
  readonly stateBytes: number;
  readonly hostsGivenUp: readonly (HostGivenUp & { readonly processor: number })[];
}

export function stateOf(processors: readonly Processor[]): StateMemory {
  return {
    hostsGivenUp: processors.flatMap(({ options: { id }, frontier }) =>
      frontier.hostTroubles.givenUp.map((host) => ({ processor: id, ...host }))),
    pagesKnown: processors.reduce((sum, { frontier }) => sum + frontier.states.count, 0),
    stateBytes: processors.reduce(
      (sum, { frontier }) => sum + frontier.stateBytes, processors[0].frontier.options.pageIndex.bytes,
    ),
  };
}

function standingOf({ hasWork, isIdle, isAtRest, frontier: { states }, options: { world } }: Processor): Standing {
  const inFlight = states.countOf('inFlight') - (world.cancelled ?? 0);
  return { hasWork, isIdle, isAtRest, fetched: states.countOf('fetched'), inFlight };
}
