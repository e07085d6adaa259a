import type { Observed, Sinks } from '../events/index.ts';
import { Heap } from '../frontier/index.ts';

/** A crawl that rolls back to the same checkpoint this often is given up: processors crash before the next one. */
const maxWastedCrashes = 100;

export interface RecoveryOptions {
  /** When a processor crashes next after `sinceUs`; Infinity for never. */
  readonly crashes: { nextUs(processor: number, sinceUs: number): number };
  /** Time from a crash until all processors resume from the last checkpoint; a crash before that restarts it. */
  readonly restartUs: number;
  /** Supersteps between checkpoints; 0 for only one at the start. */
  readonly checkpointSupersteps: number;
}

interface CrashOf {
  readonly processor: number;
  readonly atUs: number;
}

/** All crashes from the start of a lost superstep until all processors resume. */
interface Outage {
  readonly crashes: readonly CrashOf[];
  readonly resumedUs: number;
}

/** What the loop knows about a superstep that a crash may have interrupted. */
interface Broken {
  /** When the last processor arrived. */
  readonly arrivedUs: number;
  /** When the superstep began. */
  readonly sinceUs: number;
  readonly maxUs: number;
}

/** Crashes of processors, the checkpoints taken because of them, and the recovery. */
export class Recovery {
  readonly #options: RecoveryOptions;
  #checkpoint: { readonly superstep: number; readonly observed: readonly Observed[]; crashes: number } | undefined;

  /** When each processor crashes next; the processors, ranked by it, the next to crash first. */
  readonly #nextUs: number[] = [];
  readonly #order = new Heap<number>();

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /**
   * Time has passed: `nextCrashUs` and `firstCrashUs` are those after `sinceUs`. O(log P) per crash that has passed.
   */
  passTo(sinceUs: number, processors: number): void {
    const add = (id: number): void => {
      this.#nextUs[id] = this.#options.crashes.nextUs(id, sinceUs);
      this.#order.add(id, -this.#nextUs[id]);
    };
    for (let id = this.#nextUs.length; id < processors; id++) add(id);
    while (this.firstCrashUs <= sinceUs) add(this.#order.take()!);
  }

  nextCrashUs(processor: number): number {
    return this.#nextUs[processor];
  }

  /** When the first of all processors crashes; Infinity if none does. */
  get firstCrashUs(): number {
    return -this.#order.firstRank;
  }

  /** If no processor crashes, no checkpoint is taken. */
  isCheckpointDue(superstep: number): boolean {
    const { checkpointSupersteps: every } = this.#options;
    const last = this.#checkpoint?.superstep;
    return this.firstCrashUs < Infinity && (last === undefined || (every > 0 && superstep - last >= every));
  }

  /** @param observed by processor: what it had observed of the superstep so far. */
  checkpointTaken(superstep: number, observed: readonly Observed[]): void {
    this.#checkpoint = { superstep, observed, crashes: 0 };
  }

  /** Whether processors keep crashing before the next checkpoint can be taken. */
  get isGivenUp(): boolean {
    return (this.#checkpoint?.crashes ?? 0) >= maxWastedCrashes;
  }

  /**
   * The crashes that interrupted the superstep; undefined if all processors passed its barrier. Crashes until all
   * surviving ones have arrived share one restart; each later crash restarts it, until it is given
   * up: after too many of them, or after the time limit.
   */
  crashBefore(barrierUs: number, { arrivedUs, sinceUs, maxUs }: Broken): Outage | undefined {
    const { firstCrashUs } = this;
    if (this.#checkpoint === undefined || firstCrashUs > barrierUs) return undefined;
    const noticedUs = Math.max(firstCrashUs, arrivedUs);
    const most = maxWastedCrashes - this.#checkpoint.crashes;
    const crashes: CrashOf[] = [];
    let resumedUs = noticedUs + this.#options.restartUs;
    for (const crash of this.#crashesSince(sinceUs)) {
      const isGivenUp = crashes.length >= most || resumedUs >= maxUs;
      if (crash.atUs > resumedUs || (crash.atUs > noticedUs && isGivenUp)) break;
      crashes.push(crash);
      resumedUs = Math.max(noticedUs, crash.atUs) + this.#options.restartUs;
    }
    return { crashes, resumedUs };
  }

  /** Reports the roll-back. */
  async rollBack(superstep: number, { crashes, resumedUs }: Outage, sinks: Sinks): Promise<void> {
    if (this.#checkpoint === undefined) return;
    for (const crash of crashes) sinks.crash({ superstep, ...crash, resumedUs });
    this.#checkpoint.crashes += crashes.length;
    await sinks.rolledBack({
      superstep: this.#checkpoint.superstep, kind: 'lost', observed: this.#checkpoint.observed,
    });
  }

  /** Crashes after `sinceUs`, in order of time; ties to the lowest processor. */
  * #crashesSince(sinceUs: number): Generator<CrashOf> {
    const { crashes } = this.#options;
    const nextUs = this.#nextUs.map((_, id) => crashes.nextUs(id, sinceUs));
    for (;;) {
      const atUs = Math.min(...nextUs);
      if (atUs === Infinity) return;
      const processor = nextUs.indexOf(atUs);
      yield { processor, atUs };
      nextUs[processor] = crashes.nextUs(processor, atUs);
    }
  }
}
