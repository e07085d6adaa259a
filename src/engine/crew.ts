import type { Pairs } from '../bsp/index.ts';
import type { Change, Observed } from '../events/index.ts';
import { cashOf, Invariants, type CashHeld, type Processor, type SteeredSetting } from '../scheduler/index.ts';
import type { FrontierState, SuperstepCounts } from '../frontier/index.ts';
import { assert } from '../base/index.ts';
import type { ProcessorSnapshot } from './control.ts';

/**
 * Some of a crawl's processors, with their Worlds and queues, on this thread or elsewhere. The loop calls it twice
 * per superstep: `begin`, then `settle`, or `revive` if a processor crashed. All lists are in the order of `ids`.
 */
export interface Crew {
  readonly ids: readonly number[];
  /** As of the last answer. */
  readonly standings: readonly Standing[];
  /** Messages are received, robots work, and messages are written. */
  begin(work: SuperstepWork): Promise<Arrival>;
  /** Called when the barrier is passed. */
  settle(settlement: Settlement): Promise<Settled>;
  /** The superstep is rolled back: all resume from the last checkpoint at `resumedUs`. Returns the wasted work. */
  revive(resumedUs: number): Promise<SuperstepCounts[]>;
}

/** What the loop needs to know of a processor between supersteps. */
export interface Standing {
  readonly hasWork: boolean;
  readonly isIdle: boolean;
  readonly fetched: number;
  readonly inFlight: number;
}

export interface SuperstepWork {
  readonly superstep: number;
  /** Pairs that the last barrier delivered. */
  readonly received: readonly (readonly Pairs[])[];
  readonly endUs: readonly number[];
  /** Maximum number of downloads to start; Infinity for no limit. */
  readonly shares: readonly number[];
  /** Whether a checkpoint is taken after messages are received. */
  readonly isCheckpoint: boolean;
}

/** Pairs of one superstep from one processor to another. */
export interface Letter {
  readonly from: number;
  readonly to: number;
  readonly pairs: Pairs;
}

export interface Arrival {
  readonly arrivedUs: readonly number[];
  readonly sent: readonly Letter[];
  /** What had been observed at the checkpoint; empty if none was taken. */
  readonly observed: readonly Observed[];
  /** Known pages, and changes of cash in the superstep, in total. */
  readonly known: number;
  readonly cashChanges: number;
}

export interface Settlement {
  readonly barrierUs: number;
  /** Whether cash is recounted. */
  readonly countsCash: boolean;
}

export interface Settled {
  readonly counts: readonly SuperstepCounts[];
  /** Downloads that ended before the barrier and wait to be observed. */
  readonly unobserved: readonly number[];
  readonly cash: CashHeld | undefined;
}

type PlannedChange = Pick<Change, 'processor' | 'value' | 'observed'> & { readonly setting: SteeredSetting };

/** The parts of a crew. */
export interface CrewParts {
  /** The processors at the start; others replace them after a crash. */
  readonly processors: Processor[];
  /** Makes the processors again from a checkpoint, with their clocks at `nowUs`; undefined if none can crash. */
  readonly revive?: ((saved: readonly FrontierState[], nowUs: number) => Processor[]) | undefined;
  /** Called when all messages of a superstep are received and insertions made: from this state pages are chosen. */
  readonly onReceived?: ((superstep: number) => void) | undefined;
  /** Changes of an earlier run, to repeat at the same places. */
  readonly plan?: { of(superstep: number): readonly PlannedChange[] } | undefined;
}

/** A crew on this thread. */
export class LocalCrew implements Crew {
  readonly ids: readonly number[];
  standings: readonly Standing[];
  readonly #parts: CrewParts;
  #invariants: Invariants;
  #checkpoint: readonly FrontierState[] | undefined;

  /** @param beginUs the initial time of the clocks. */
  constructor(parts: CrewParts, beginUs = 0) {
    this.#parts = parts;
    this.#invariants = new Invariants(parts.processors, beginUs);
    this.ids = parts.processors.map(({ options }) => options.id);
    this.standings = parts.processors.map(standingOf);
  }

  async begin({ superstep, received, endUs, shares, isCheckpoint }: SuperstepWork): Promise<Arrival> {
    const { processors } = this.#parts;
    this.#invariants.checkClocks();
    processors.forEach((processor, i) => { processor.receiveMessages(received[i]); });
    for (const { processor, setting, value, observed } of this.#parts.plan?.of(superstep) ?? [])
      processors.find(({ options }) => options.id === processor)?.steer(setting, value, observed);
    if (isCheckpoint) this.#checkpoint = processors.map(({ frontier, options }) => frontier.save(options.world.nowUs));
    const observed = isCheckpoint
      ? processors.map(({ counts: { pages, failures, retried } }) => ({ pages, failures, retried }))
      : [];
    this.#parts.onReceived?.(superstep);

    await allOf(processors, (processor, i) => processor.run(endUs[i], shares[i]));
    const sent: Letter[] = [];
    const transport = { send: (from: number, to: number, pairs: Pairs) => { sent.push({ from, to, pairs }); } };
    let known = 0;
    let cashChanges = 0;
    for (const processor of processors) {
      const { counts, frontier } = processor;
      processor.sendMessages(transport);
      known += frontier.states.count;
      cashChanges += counts.pages + counts.failures + counts.inserted;
    }
    return { arrivedUs: processors.map(({ options }) => options.world.nowUs), sent, observed, known, cashChanges };
  }

  async settle({ barrierUs, countsCash }: Settlement): Promise<Settled> {
    const { processors } = this.#parts;
    await allOf(processors, (processor) => processor.drain(barrierUs));
    this.#invariants.checkSuperstep(barrierUs);
    this.standings = processors.map(standingOf);
    return {
      counts: processors.map(({ counts }) => counts),
      unobserved: processors.map(({ drained }) => drained.length),
      cash: countsCash ? cashOf(processors) : undefined,
    };
  }

  revive(resumedUs: number): Promise<SuperstepCounts[]> {
    const { processors, revive } = this.#parts;
    assert(this.#checkpoint !== undefined && revive !== undefined, 'a crash comes after a checkpoint');
    const counts = processors.map((processor) => processor.abandon(resumedUs));
    const revived = revive(this.#checkpoint, resumedUs);
    // Changes made by a control stay in force.
    revived.forEach((processor, i) => { processor.takeSteeringOf(processors[i]); });
    processors.splice(0, processors.length, ...revived);
    this.#invariants = new Invariants(processors, resumedUs);
    this.standings = processors.map(standingOf);
    return Promise.resolve(counts);
  }
}

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
  return processors.map(({ robots, lastOutcome, options: { id, world }, frontier: { states, pendingJobs } }) => ({
    processor: id, nowUs: world.nowUs, robots, openDownloads: world.openDownloads(), pagesKnown: states.count,
    pagesFetched: states.countOf('fetched'), pagesQueued: states.countOf('queued'), pendingJobs: pendingJobs.size,
    lastOutcome: lastOutcome && {
      page: lastOutcome.page, kind: lastOutcome.kind, finishedAtUs: lastOutcome.finishedAtUs,
    },
  }));
}

/** What the processors of a crew store about pages. */
export interface StateMemory {
  readonly pagesKnown: number;
  readonly stateBytes: number;
}

export function stateOf(processors: readonly Processor[]): StateMemory {
  return {
    pagesKnown: processors.reduce((sum, { frontier }) => sum + frontier.states.count, 0),
    stateBytes: processors.reduce(
      (sum, { frontier }) => sum + frontier.stateBytes, processors[0].frontier.options.pageIndex.bytes,
    ),
  };
}

function standingOf({ hasWork, isIdle, frontier: { states } }: Processor): Standing {
  return { hasWork, isIdle, fetched: states.countOf('fetched'), inFlight: states.countOf('inFlight') };
}
