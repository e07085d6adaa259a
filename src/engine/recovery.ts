import type { Observed, Sinks } from '../events/index.ts';

/** A crawl that goes back to the same checkpoint so often is given up: processors live too short for one to follow. */
const crashesInVain = 100;

export interface RecoveryOptions {
  /** When processors crash: the first moment of one after `sinceUs`, Infinity for none. */
  readonly crashes: { nextUs(processor: number, sinceUs: number): number };
  /** From a crash until all processors go on from the last checkpoint; a crash before that begins it anew. */
  readonly restartUs: number;
  /** Supersteps between checkpoints; 0 for one at the start alone. */
  readonly checkpointSupersteps: number;
}

interface CrashOf {
  readonly processor: number;
  readonly atUs: number;
}

/** All crashes from the beginning of a superstep that is lost until all processors go on. */
interface Outage {
  readonly crashes: readonly CrashOf[];
  readonly resumedUs: number;
}

/** What the loop knows of a superstep that a crash may have broken off. */
interface Broken {
  /** When each processor crashes next. */
  readonly crashUs: readonly number[];
  readonly arrivedUs: readonly number[];
  /** When the superstep began. */
  readonly sinceUs: number;
  readonly maxUs: number;
}

/** Crashes of processors, the checkpoints that are taken because of them, and the way back. */
export class Recovery {
  readonly #options: RecoveryOptions;
  #checkpoint: { readonly superstep: number; readonly observed: readonly Observed[]; crashes: number } | undefined;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  nextCrashUs(processor: number, sinceUs: number): number {
    return this.#options.crashes.nextUs(processor, sinceUs);
  }

  /** @param firstCrashUs when the first processor crashes; without any no checkpoint is taken. */
  isCheckpointDue(superstep: number, firstCrashUs: number): boolean {
    const { checkpointSupersteps: every } = this.#options;
    const last = this.#checkpoint?.superstep;
    return firstCrashUs < Infinity && (last === undefined || (every > 0 && superstep - last >= every));
  }

  /** @param observed by processor: what it had observed of the superstep by then. */
  checkpointTaken(superstep: number, observed: readonly Observed[]): void {
    this.#checkpoint = { superstep, observed, crashes: 0 };
  }

  /** Processors keep crashing before one more checkpoint can be taken. */
  get isGivenUp(): boolean {
    return (this.#checkpoint?.crashes ?? 0) >= crashesInVain;
  }

  /**
   * The crashes that broke the superstep off; undefined where all processors lived to pass its barrier. Those until all
   * that could arrive have are answered by one restart; each that comes later begins it anew, until nobody waits for it
   * any more: after too many of them, and after the time limit.
   */
  crashBefore(barrierUs: number, { crashUs, arrivedUs, sinceUs, maxUs }: Broken): Outage | undefined {
    const firstCrashUs = Math.min(...crashUs);
    if (this.#checkpoint === undefined || firstCrashUs > barrierUs) return undefined;
    const noticedUs = Math.max(firstCrashUs, ...arrivedUs);
    const most = crashesInVain - this.#checkpoint.crashes;
    const crashes: CrashOf[] = [];
    let resumedUs = noticedUs + this.#options.restartUs;
    for (const crash of this.#crashesSince(sinceUs, crashUs.length)) {
      const isGivenUp = crashes.length >= most || resumedUs >= maxUs;
      if (crash.atUs > resumedUs || (crash.atUs > noticedUs && isGivenUp)) break;
      crashes.push(crash);
      resumedUs = Math.max(noticedUs, crash.atUs) + this.#options.restartUs;
    }
    return { crashes, resumedUs };
  }

  /** Reports that all went back. */
  async rollBack(superstep: number, { crashes, resumedUs }: Outage, sinks: Sinks): Promise<void> {
    if (this.#checkpoint === undefined) return;
    for (const crash of crashes) sinks.crash({ superstep, ...crash, resumedUs });
    this.#checkpoint.crashes += crashes.length;
    await sinks.rolledBack({
      superstep: this.#checkpoint.superstep, kind: 'lost', observed: this.#checkpoint.observed,
    });
  }

  /** Crashes after `sinceUs`, in order of time; ties to the lowest processor. */
  * #crashesSince(sinceUs: number, processors: number): Generator<CrashOf> {
    const { crashes } = this.#options;
    const nextUs = Array.from({ length: processors }, (_, id) => crashes.nextUs(id, sinceUs));
    for (;;) {
      const atUs = Math.min(...nextUs);
      if (atUs === Infinity) return;
      const processor = nextUs.indexOf(atUs);
      yield { processor, atUs };
      nextUs[processor] = crashes.nextUs(processor, atUs);
    }
  }
}
