import type { Crash, Observed, Sinks } from '../events/index.ts';
import { Heap } from '../frontier/index.ts';

/** The crawl gives up after so many crashes since a checkpoint: processors crash before they can take the next one. */
const maxWastedCrashes = 100;

export interface RecoveryOptions {
  /** When a processor crashes next after `sinceUs`; Infinity for never. */
  readonly crashes: { nextUs(processor: number, sinceUs: number): number };
  /** Time from a crash until all processors resume from the last checkpoint; a crash before that restarts it. */
  readonly restartUs: number;
  /** Supersteps between checkpoints; 0 for only one at the start. */
  readonly checkpointSupersteps: number;
}

type CrashOf = Pick<Crash, 'processor' | 'atUs'>;

/** All crashes from the start of a lost superstep until all processors resume. */
type Outage = Pick<Crash, 'resumedUs'> & { readonly crashes: readonly CrashOf[] };

/** Crashes of processors, the checkpoints taken because of them, and the recovery. */
export class Recovery {
  readonly #options: RecoveryOptions;
  #checkpoint: { readonly superstep: number; readonly observed: readonly Observed[]; crashes: number } | undefined;

  /** When each processor crashes next; a heap of the processors, the next to crash first. */
  readonly #nextUs: number[] = [];
  readonly #order = new Heap<number>();

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Sets `nextCrashUs` and `firstCrashUs` to the first crashes after `sinceUs`. O(log P) per crash before it. */
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

  /** @param observed the outcomes of the superstep that each processor had observed. */
  checkpointTaken(superstep: number, observed: readonly Observed[]): void {
    this.#checkpoint = { superstep, observed, crashes: 0 };
  }

  /** Whether processors keep crashing before the next checkpoint can be taken. */
  get isGivenUp(): boolean {
    return (this.#checkpoint?.crashes ?? 0) >= maxWastedCrashes;
  }

  /**
   * The crashes that interrupted the superstep; undefined if all processors passed its barrier. Crashes until the last
   * processor arrived share one restart. Each later crash restarts it, until too many came or the time limit passed.
   */
  crashBefore(
    barrierUs: number, { arrivedUs, sinceUs, maxUs }: Readonly<Record<'arrivedUs' | 'sinceUs' | 'maxUs', number>>,
  ): Outage | undefined {
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
