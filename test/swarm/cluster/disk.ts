import type { End } from '../../../src/machines/cluster/index.ts';
import type { FrontierState } from '../../../src/core/frontier/index.ts';
import type { Answered } from './crawled-web.ts';
import type { Machine } from './machines.ts';
import { StartAnew, type Surroundings } from './supervised.ts';

/** All processors of a node, and what it knows of the crawl, between receiveMessages and run of a superstep. */
export interface Checkpoint {
  readonly superstep: number;
  readonly barrierUs: number;
  readonly processors: readonly FrontierState[];
  /** Outcomes of its processors: processor, page, kind. */
  readonly record: readonly (readonly [processor: number, page: number, kind: string])[];
  /** Rows of all processors. */
  readonly rows: readonly string[];
}

/**
 * The folder of a node, which outlives its processes. One of them has it locked, as long as it lives and is not
 * stopped: a lock over a network is lost then, and a process that goes on can write nothing.
 */
export class Disk {
  /** The highest epoch that a process of the node has come to. */
  epoch = 0;
  /** The last two, by superstep. */
  readonly checkpoints = new Map<number, Checkpoint>();
  /** Ids of all nodes' folders. */
  peers: readonly string[] = [];
  /** Where the crawl has ended, as far as the node knows; what it has come to, and the outcomes of its processors. */
  ended: End = 'nowhere';
  result: string | undefined;
  record: Checkpoint['record'] = [];
  readonly #outcomes = new Map<string, Answered>();
  #lastMs = 0;
  #holder: Machine | undefined;

  /** @throws StartAnew if another process has it. */
  lock(machine: Machine): void {
    if (this.#holder?.isAlive === true && !this.#holder.isStopped) throw new StartAnew('the folder is locked');
    this.#holder = machine;
  }

  outcome(page: number, attempt: number): Answered | undefined {
    return this.#outcomes.get(`${page} ${attempt}`);
  }

  get fetched(): readonly number[] {
    return [...this.#outcomes].filter(([, { kind }]) => kind === 'fetched')
      .map(([key]) => Number(key.split(' ')[0])).sort((a, b) => a - b);
  }

  /**
   * Changes come in their order, and each is there as a whole, or not at all where the process ended before.
   * @throws StartAnew once another process has the lock.
   */
  async write({ machine, time, draws, meanDiskMs }: Surroundings, change: () => void): Promise<void> {
    this.#lastMs = Math.max(this.#lastMs, time.nowMs + draws.between('disk', meanDiskMs));
    return new Promise((resolve, reject) => {
      time.after(this.#lastMs - time.nowMs, () => {
        if (!machine.isAlive) return;
        if (this.#holder === machine) {
          change();
          machine.reach(resolve);
        } else machine.reach(() => { reject(new StartAnew('the lock of the folder was lost')); });
      });
    });
  }

  store(page: number, attempt: number, outcome: Answered): void {
    this.#outcomes.set(`${page} ${attempt}`, outcome);
  }

  /** The others are forgotten. */
  keepCheckpoints(isKept: (superstep: number) => boolean): void {
    for (const superstep of this.checkpoints.keys()) if (!isKept(superstep)) this.checkpoints.delete(superstep);
  }
}
