import { setTimeout as wait } from 'node:timers/promises';
import { RunControl } from '../../src/core/engine/index.ts';
import type { RunStarted, SuperstepEnd } from '../../src/core/events/index.ts';
import { Door, newCard, RunWatch } from '../../src/views/watch/index.ts';

/** Downloads that each processor has open. */
const OPEN = 4;

/**
 * The door of a run that a loop feeds: what the dashboard does with supersteps that no test could wait for.
 * In XDG_RUNTIME_DIR, so that a dashboard lists it.
 */
export class FedRun {
  readonly watch: RunWatch;
  readonly door: Door;
  readonly #processors: number;
  #superstep = 0;

  static async open(processors: number): Promise<FedRun> {
    const control = new RunControl();
    const card = newCard({
      kind: 'simulation', name: 'fed', command: 'orbweaver simulate fed', startedAt: new Date().toISOString(),
      folder: null,
    });
    const watch = new RunWatch({ card, control, now: () => performance.now() });
    const door = await Door.open(watch, { wait: (ms) => wait(ms, undefined, { ref: false }) });
    return new FedRun(processors, control, watch, door);
  }

  private constructor(processors: number, control: RunControl, watch: RunWatch, door: Door) {
    this.#processors = processors;
    this.watch = watch;
    this.door = door;
    const nothing = (): void => undefined;
    control.attach({ processors, pause: nothing, steer: nothing, stop: nothing, inspect: () => this.#snapshots() });
    watch.started({
      settings: { processors, robots: OPEN, policy: 'opic' }, firstSuperstep: 0, maxPages: Infinity,
      names: { hostOf: () => 0, hostName: () => 'fed.example', urlOf: (page: number) => `http://fed.example/${page}` },
    } as unknown as RunStarted);
  }

  get supersteps(): number {
    return this.#superstep;
  }

  /** Supersteps of a page per processor and second. */
  feed(supersteps: number): void {
    for (const end = this.#superstep + supersteps; this.#superstep < end; this.#superstep++) {
      const superstep = this.#superstep;
      const barrierUs = 1e6 * (superstep + 1);
      this.watch.superstepBegins(superstep);
      this.watch.superstep({
        superstep, barrierUs, pagesFetched: (superstep + 1) * this.#processors,
        rows: Array.from({ length: this.#processors }, (_, processor) => ({
          superstep, processor, barrierUs, pages: 1 + (superstep + processor) % 3, busyUs: 2e6 + (superstep % 7) * 1e5,
          stalledUs: 1e6, noJobUs: 0, barrierWaitUs: 1e6, pairsSent: 3, insertComparisons: 5, extractComparisons: 7,
        })),
      } as unknown as SuperstepEnd);
    }
  }

  /** Sends what is new to whoever has joined. */
  tick(): void {
    this.door.tick();
  }

  /** As a command that ends well. */
  async finish(): Promise<void> {
    this.watch.ended('page limit');
    this.watch.finish();
    await this.door.close();
  }

  get #nowUs(): number {
    return this.#superstep * 1e6;
  }

  get #pages(): number {
    return this.#superstep * this.#processors;
  }

  #snapshots(): ReturnType<Parameters<RunControl['attach']>[0]['inspect']> {
    const [nowUs, pages] = [this.#nowUs, this.#pages];
    return Array.from({ length: this.#processors }, (_, processor) => ({
      processor, nowUs, robots: OPEN,
      openDownloads: Array.from({ length: OPEN }, (_, robot) => (
        { page: pages + processor * OPEN + robot, startedAtUs: nowUs - 1e5 * (robot + 1) }
      )),
      pagesKnown: 9 * pages / this.#processors, pagesFetched: pages / this.#processors,
      pagesQueued: 5 * pages / this.#processors, pendingJobs: 8, hostsOutOfReach: 0, isNetworkOut: false,
      lastOutcome: { page: pages + processor, kind: 'fetched' as const, finishedAtUs: nowUs - 5e4 },
    }));
  }
}
