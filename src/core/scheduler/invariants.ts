import { assert } from '../../base/index.ts';
import { pageStates } from '../frontier/index.ts';
import type { Processor, ProcessorOptions } from './processor.ts';

/**
 * A recount is due once this many times the changes since the last one reach the number of known pages: O(1) per
 * change, so that crawls of millions of pages can afford it; at every barrier if each superstep changes more than a
 * small share of the known pages.
 */
const RECOUNTS_PER_CHANGE = 8;
/** What a recount of a processor costs besides its pages, in pages. */
const PROCESSOR_PAGES = 64;

/**
 * Invariants of processors at every barrier of every crawl, simulated or live. Recounts the state instead of trusting
 * counters, so that corruption is found soon after it happens and not in the figures.
 */
export class Invariants {
  #barrierUs: number;
  readonly #records = new Map<Processor, { changes: number; readonly limit: ProcessorOptions['superstepLimit'] }>();

  /** @param barrierUs the time on all clocks. */
  constructor(processors: readonly Processor[], barrierUs: number) {
    this.#barrierUs = barrierUs;
    // Limits as they were at the start, even if the options change.
    for (const processor of processors)
      this.#records.set(processor, { changes: 0, limit: processor.options.superstepLimit });
  }

  /** Before a superstep: the clocks of those that work in it are at the last barrier. */
  checkClocks(processors: readonly Processor[]): void {
    for (const { options: { id, world } } of processors) {
      assert(
        world.nowUs === this.#barrierUs,
        () => `the clock of processor ${id} is at ${world.nowUs} us, not at the barrier, ${this.#barrierUs} us`,
      );
    }
  }

  /** After a superstep and its barrier. @param processors all but those at rest. */
  checkSuperstep(processors: readonly Processor[], barrierUs: number): void {
    const lengthUs = barrierUs - this.#barrierUs;
    assert(lengthUs >= 0, () => `the barrier at ${barrierUs} us is before the last one, ${this.#barrierUs} us`);
    this.#barrierUs = barrierUs;
    this.checkClocks(processors);
    for (const processor of processors) this.#checkProcessor(processor, lengthUs);
  }

  #checkProcessor(processor: Processor, lengthUs: number): void {
    const record = this.#records.get(processor);
    assert(record !== undefined, 'a processor joined later');
    const { counts, frontier, options } = processor;
    const { states, pendingJobs, entriesHeld, deniedCount, options: { queue } } = frontier;
    const { id, world, robots } = options;
    const observed = counts.pages + counts.failures - counts.drained - counts.denied;
    const limit = record.limit(states.countOf('fetched') - counts.pages);
    assert(observed <= limit, () => `processor ${id} observed ${observed} outcomes in a superstep of at most ${limit}`);
    assert(
      queue.size === entriesHeld,
      () =>
        `the queue of processor ${id} holds ${queue.size} entries; inserted less extracted are ${entriesHeld}`,
    );
    assert(
      world.politenessBreaches === 0,
      () => `processor ${id} broke a host's delay ${world.politenessBreaches} times`,
    );
    const robotUs = counts.busyUs + counts.stalledUs + counts.noJobUs + counts.barrierWaitUs;
    const expectedUs = processor.isSteered ? processor.robotUs : robots * lengthUs;
    assert(robotUs === expectedUs, () => `robots of processor ${id} account for ${robotUs} us of ${expectedUs}`);

    record.changes += counts.pages + counts.failures + counts.inserted + counts.extracted;
    if (RECOUNTS_PER_CHANGE * record.changes < states.count + PROCESSOR_PAGES) return;
    record.changes = 0;
    const recounted = states.recount();
    for (const state of pageStates) {
      assert(
        recounted[state] === states.countOf(state),
        () => `processor ${id} has ${recounted[state]} pages ${state}, and counted ${states.countOf(state)}`,
      );
    }
    const jobs = pendingJobs.recount();
    assert(
      recounted.pending === jobs + deniedCount && jobs === pendingJobs.size,
      () => `processor ${id} has ${recounted.pending} pages pending and ${jobs} jobs, and ${deniedCount} pages are denied`,
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

/** The share of all cash that some processors hold. */
export interface CashHeld {
  readonly held: number;
  /** What all hold together, at any time. */
  readonly total: number;
}

/** Cash of pages, roots and outboxes, recounted: O(known); undefined if the policy has none. */
export function cashOf(processors: readonly Processor[]): CashHeld | undefined {
  const total = processors[0].frontier.options.policy.amounts?.cash?.total;
  if (total === undefined) return undefined;
  let sum = 0;
  for (const { frontier: { outboxes, options: { policy } } } of processors)
    sum += outboxes.amount() + (policy.amounts?.cash?.held() ?? 0);
  return { held: sum, total };
}

/** Cash is conserved to the coin over all pages, roots, outboxes and pairs in transit of a crawl. */
export class CashInvariant {
  #changes = 0;

  /** Before a barrier: whether it is time to recount. @param changes in the superstep. */
  isDue(changes: number, pages: number, processors: number): boolean {
    this.#changes += changes;
    if (RECOUNTS_PER_CHANGE * this.#changes < pages + PROCESSOR_PAGES * processors) return false;
    this.#changes = 0;
    return true;
  }

  /** After the barrier. @param underWay sum of the amounts sent and not yet received. */
  check(parts: readonly (CashHeld | undefined)[], underWay: number): void {
    let sum = underWay;
    for (const part of parts) sum += part?.held ?? 0;
    const total = parts[0]?.total ?? sum;
    assert(sum === total, () => `cash is not conserved: ${sum} coins are held, ${total} were given out`);
  }
}
