import type { FrontierState } from '../../../src/frontier/index.ts';
import type { Download } from '../../../src/live/index.ts';
import { StartAnew, type Surroundings } from './supervised.ts';

/** All processors of a node, and the record of all nodes, between receiveMessages and run of a superstep. */
export interface Checkpoint {
  readonly superstep: number;
  readonly barrierUs: number;
  readonly processors: readonly FrontierState[];
  readonly record: readonly Recorded[];
}

/** An outcome, as all nodes hear of it. */
export type Recorded = readonly [
  processor: number, sequence: number, page: number, kind: string, startedAtUs: number, finishedAtUs: number,
];

/** The folder of a node, which outlives its processes; two of them may have it at once. */
export class Disk {
  /** The highest epoch that a process of the node has come to. */
  epoch = 0;
  /** No process has begun an epoch above it without having raised it. */
  claimedEpoch = 0;
  /** The last two, by superstep. */
  readonly checkpoints = new Map<number, Checkpoint>();
  readonly #outcomes = new Map<string, Download>();
  #lastMs = 0;

  outcome(page: number, attempt: number): Download | undefined {
    return this.#outcomes.get(`${page} ${attempt}`);
  }

  get fetched(): readonly number[] {
    const found = [...this.#outcomes].filter(([, { kind }]) => kind === 'fetched').map(([key]) => Number(key.split(' ')[0]));
    return found.sort((a, b) => a - b);
  }

  /**
   * Changes come in their order, and each is there as a whole, or not at all where the process ended before.
   * @param epoch of the process: once a later one is stored, nothing is written for it.
   * @throws StartAnew
   */
  async write({ machine, time, draws }: Surroundings, epoch: number, change: () => void): Promise<void> {
    this.#lastMs = Math.max(this.#lastMs, time.nowMs + draws.between('disk', 1));
    return new Promise((resolve, reject) => {
      time.after(this.#lastMs - time.nowMs, () => {
        if (!machine.isAlive) return;
        if (epoch < this.epoch) {
          machine.reach(() => { reject(new StartAnew(`the disk is of epoch ${this.epoch}`)); });
          return;
        }
        change();
        machine.reach(resolve);
      });
    });
  }

  store(page: number, attempt: number, outcome: Download): void {
    this.#outcomes.set(`${page} ${attempt}`, outcome);
  }

  /** Those of what was rolled back are of another crawl, and are forgotten. */
  keepCheckpoints(isKept: (superstep: number) => boolean): void {
    for (const superstep of this.checkpoints.keys()) if (!isKept(superstep)) this.checkpoints.delete(superstep);
  }
}
