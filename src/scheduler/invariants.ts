import type { Barrier, Transport } from '../bsp/index.ts';
import { assert } from '../std/index.ts';
import { pageStates } from './frontier.ts';
import type { Processor } from './processor.ts';

/**
 * A recount of `known` pages is due once this many times the changes since the last one reach it: O(1) a change, so that crawls
 * of millions of pages can afford it, and at each barrier where a superstep changes more than a small share of what is known.
 */
const recountsPerChange = 32;

/**
 * What must hold at every barrier of every crawl, simulated or live. Recounts the state instead of trusting counters, so that
 * damage is found soon after it happens and not in the figures.
 */
export class Invariants {
  readonly #processors: readonly Processor[];
  readonly #transport: Transport;
  #barrierUs: number;
  readonly #changes: Float64Array;
  #cashChanges = 0;
  /** As they were at the start, whatever becomes of the options. */
  readonly #superstepLimits: readonly number[];

  /** @param barrierUs where the clocks stand. */
  constructor(processors: readonly Processor[], transport: Transport, barrierUs = 0) {
    this.#barrierUs = barrierUs;
    this.#processors = processors;
    this.#transport = transport;
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
  checkSuperstep({ barrierUs }: Barrier): void {
    const lengthUs = barrierUs - this.#barrierUs;
    assert(lengthUs >= 0, () => `the barrier at ${barrierUs} us lies before the last, ${this.#barrierUs} us`);
    this.#barrierUs = barrierUs;
    this.checkClocks();
    for (const processor of this.#processors) this.#checkProcessor(processor, lengthUs);
    this.#checkCash();
  }

  #checkProcessor(processor: Processor, lengthUs: number): void {
    const { counts, frontier, options, pendingJobs } = processor;
    const { id, world, queue, robots } = options;
    const observed = counts.pages + counts.failures - counts.drained;
    const limit = this.#superstepLimits[id];
    assert(observed <= limit, () => `processor ${id} observed ${observed} outcomes in a superstep of at most ${limit}`);
    assert(
      queue.size === processor.entriesHeld,
      () => `the queue of processor ${id} holds ${queue.size} entries; inserted less extracted are ${processor.entriesHeld}`,
    );
    assert(
      world.politenessBreaches === 0,
      () => `processor ${id} did not keep a host's delay ${world.politenessBreaches} times`,
    );
    const robotUs = counts.busyUs + counts.stalledUs + counts.noJobUs + counts.barrierWaitUs;
    assert(robotUs === robots * lengthUs, () => `robots of processor ${id} account for ${robotUs} us of ${robots * lengthUs}`);

    this.#changes[id] += counts.pages + counts.failures + counts.inserted + counts.extracted;
    this.#cashChanges += counts.pages + counts.failures + counts.inserted;
    if (recountsPerChange * this.#changes[id] < frontier.count) return;
    this.#changes[id] = 0;
    const recounted = frontier.recount();
    for (const state of pageStates) {
      assert(
        recounted[state] === frontier.countOf(state),
        () => `processor ${id} has ${recounted[state]} pages ${state}, and counted ${frontier.countOf(state)}`,
      );
    }
    assert(
      recounted.pending === pendingJobs.recount() && recounted.pending === pendingJobs.size,
      () => `processor ${id} has ${recounted.pending} pages pending and ${pendingJobs.recount()} jobs`,
    );
    const inFlight = processor.open + processor.drained.length;
    assert(recounted.inFlight === inFlight, () => `processor ${id} has ${recounted.inFlight} pages in flight and ${inFlight} downloads`);
    assert(
      recounted.queued <= queue.size,
      () => `processor ${id} has ${recounted.queued} pages queued and ${queue.size} entries in the queue`,
    );
  }

  /** Cash is conserved to the coin: pages, roots, outboxes and pairs under way hold what the run began with. */
  #checkCash(): void {
    const total = this.#processors[0].options.policy.amounts?.cash?.total;
    if (total === undefined) return;
    const known = this.#processors.reduce((sum, { frontier }) => sum + frontier.count, 0);
    if (recountsPerChange * this.#cashChanges < known) return;
    this.#cashChanges = 0;
    let held = this.#transport.amountUnderWay();
    for (const processor of this.#processors) {
      held += processor.outboxes.amount() + (processor.options.policy.amounts?.cash?.held() ?? 0);
    }
    assert(held === total, () => `cash is not conserved: ${held} coins are held, ${total} were given out`);
  }
}
