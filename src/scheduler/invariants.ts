import { assert } from '../base/index.ts';
import { pageStates } from '../frontier/index.ts';
import type { Processor } from './processor.ts';

/**
 * A recount of `known` pages is due once this many times the changes since the last one reach it: O(1) a change, so
 * that crawls of millions of pages can afford it, and at each barrier where a superstep changes more than a small share
 * of what is known.
 */
const recountsPerChange = 8;

/**
 * What must hold of processors at every barrier of every crawl, simulated or live. Recounts the state instead of
 * trusting counters, so that damage is found soon after it happens and not in the figures.
 */
export class Invariants {
  readonly #processors: readonly Processor[];
  #barrierUs: number;
  readonly #changes: Float64Array;
  /** As they were at the start, whatever becomes of the options. */
  readonly #superstepLimits: readonly number[];

  /** @param barrierUs where the clocks stand. */
  constructor(processors: readonly Processor[], barrierUs: number) {
    this.#barrierUs = barrierUs;
    this.#processors = processors;
    this.#changes = new Float64Array(processors.length);
    this.#superstepLimits = processors.map(({ options }) => options.superstepLimit);
  }

  /** Before a superstep: every clock stands at the last barrier. */
  checkClocks(): void {
    for (const { options: { id, world } } of this.#processors) {
      assert(
        world.nowUs === this.#barrierUs,
        () => `the clock of processor ${id} stands at ${world.nowUs} us, not at the barrier, ${this.#barrierUs} us`,
      );
    }
  }

  /** After a superstep and its barrier. */
  checkSuperstep(barrierUs: number): void {
    const lengthUs = barrierUs - this.#barrierUs;
    assert(lengthUs >= 0, () => `the barrier at ${barrierUs} us lies before the last, ${this.#barrierUs} us`);
    this.#barrierUs = barrierUs;
    this.checkClocks();
    this.#processors.forEach((processor, i) => { this.#checkProcessor(processor, i, lengthUs); });
  }

  #checkProcessor(processor: Processor, i: number, lengthUs: number): void {
    const { counts, frontier: { states, pendingJobs, entriesHeld, options: { queue } }, options } = processor;
    const { id, world, robots } = options;
    const observed = counts.pages + counts.failures - counts.drained;
    const limit = this.#superstepLimits[i];
    assert(observed <= limit, () => `processor ${id} observed ${observed} outcomes in a superstep of at most ${limit}`);
    assert(
      queue.size === entriesHeld,
      () =>
        `the queue of processor ${id} holds ${queue.size} entries; inserted less extracted are ${entriesHeld}`,
    );
    assert(
      world.politenessBreaches === 0,
      () => `processor ${id} did not keep a host's delay ${world.politenessBreaches} times`,
    );
    const robotUs = counts.busyUs + counts.stalledUs + counts.noJobUs + counts.barrierWaitUs;
    const expectedUs = processor.isSteered ? processor.robotUs : robots * lengthUs;
    assert(robotUs === expectedUs, () => `robots of processor ${id} account for ${robotUs} us of ${expectedUs}`);

    this.#changes[i] += counts.pages + counts.failures + counts.inserted + counts.extracted;
    if (recountsPerChange * this.#changes[i] < states.count) return;
    this.#changes[i] = 0;
    const recounted = states.recount();
    for (const state of pageStates) {
      assert(
        recounted[state] === states.countOf(state),
        () => `processor ${id} has ${recounted[state]} pages ${state}, and counted ${states.countOf(state)}`,
      );
    }
    assert(
      recounted.pending === pendingJobs.recount() && recounted.pending === pendingJobs.size,
      () => `processor ${id} has ${recounted.pending} pages pending and ${pendingJobs.recount()} jobs`,
    );
    const inFlight = processor.open + processor.drained.length;
    assert(
      recounted.inFlight === inFlight,
      () => `processor ${id} has ${recounted.inFlight} pages in flight and ${inFlight} downloads`,
    );
    assert(
      recounted.queued <= queue.size,
      () => `processor ${id} has ${recounted.queued} pages queued and ${queue.size} entries in the queue`,
    );
  }
}

/** What some processors hold of the cash of all. */
export interface CashHeld {
  readonly held: number;
  /** What all together hold at any time. */
  readonly total: number;
}

/** Cash of pages, roots and outboxes, recounted: O(known); undefined where the policy has none. */
export function cashOf(processors: readonly Processor[]): CashHeld | undefined {
  const total = processors[0].frontier.options.policy.amounts?.cash?.total;
  if (total === undefined) return undefined;
  let held = 0;
  for (const { frontier: { outboxes, options: { policy } } } of processors)
    held += outboxes.amount() + (policy.amounts?.cash?.held() ?? 0);
  return { held, total };
}

/**
 * Cash is conserved to the coin: pages, roots, outboxes and pairs under way hold what the run began with. Looks at all
 * processors of a crawl.
 */
export class CashInvariant {
  #changes = 0;

  /** Before a barrier is settled: whether it is time to recount. @param changes in the superstep. */
  isDue(changes: number, known: number): boolean {
    this.#changes += changes;
    if (recountsPerChange * this.#changes < known) return false;
    this.#changes = 0;
    return true;
  }

  /** After the barrier. @param underWay sum of the amounts sent and not yet received. */
  check(parts: readonly (CashHeld | undefined)[], underWay: number): void {
    let held = underWay;
    for (const part of parts) held += part?.held ?? 0;
    const total = parts[0]?.total ?? held;
    assert(held === total, () => `cash is not conserved: ${held} coins are held, ${total} were given out`);
  }
}
