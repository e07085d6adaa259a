import type { SteeredSetting } from '../scheduler/index.ts';
import type { OpenDownload, OutcomeKind } from '../world/index.ts';
import { InputError } from '../base/index.ts';

/** A processor at one moment. */
export interface ProcessorSnapshot {
  readonly processor: number;
  /** Its clock, microseconds since the run began. */
  readonly nowUs: number;
  /** Slots for downloads; more may be open where they were more. */
  readonly robots: number;
  readonly openDownloads: readonly OpenDownload[];
  readonly pagesKnown: number;
  readonly pagesFetched: number;
  readonly pagesQueued: number;
  readonly pendingJobs: number;
  readonly lastOutcome:
    { readonly page: number; readonly kind: OutcomeKind; readonly finishedAtUs: number } | undefined;
}

/** A run at one moment. */
export interface RunSnapshot {
  /** Whether the run waits to be resumed. */
  readonly isPaused: boolean;
  /** In their order. They are copies: they stay as they are while the run goes on. */
  readonly processors: readonly ProcessorSnapshot[];
}

/** What a run lets a control do. */
export interface ControlledRun {
  readonly processors: number;
  /** Pauses the whole run, or goes on. */
  pause(isPaused: boolean): void;
  steer(processor: number, setting: SteeredSetting, value: number): void;
  /** Ends the run at its next barrier. */
  stop(): void;
  inspect(): readonly ProcessorSnapshot[];
}

const ROBOTS_MOST = 65_536;

/**
 * Looks into a run and changes it while it goes on. One object per run, handed over with its options. What it changes
 * is recorded with the superstep, the processor and the outcomes observed by then: a simulation with the same changes
 * has the same replay hash. The pause of a simulation is not recorded, for it stops its clock.
 *
 * @example
 * ```ts
 * const control = new RunControl();
 * const run = simulate(graph, settings, { control });
 * control.setRobots(2);
 * console.log(control.inspect()?.processors[0]?.pendingJobs);
 * control.stop();
 * await run;
 * ```
 */
export class RunControl {
  #run: ControlledRun | undefined;
  #isPaused = false;
  /** What was asked for before the run began. */
  readonly #early: ((run: ControlledRun) => void)[] = [];

  /** Whether it was asked to pause, and not to resume since. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /**
   * A simulation waits, and its clock with it, within 4,096 outcomes. A live crawl starts nothing more, at once, and
   * waits for what is open; its clock goes on.
   */
  pause(): void {
    this.#setPaused(true);
  }

  /** Goes on after a pause; without one, nothing happens. */
  resume(): void {
    this.#setPaused(false);
  }

  /** Ends the run at its next barrier, with what it has; a run that is paused goes on to that barrier. */
  stop(): void {
    this.#setPaused(false);
    this.#do((run) => { run.stop(); });
  }

  /**
   * Changes the number of robots. Where there are fewer than downloads open, these end, and none is started.
   *
   * @param robots - 1 to 65,536.
   * @param processor - its number; all processors without it.
   * @throws InputError for other numbers.
   */
  setRobots(robots: number, processor?: number): void {
    if (!Number.isInteger(robots) || robots < 1 || robots > ROBOTS_MOST)
      throw new InputError(`robots: ${robots} is not an integer from 1 to ${ROBOTS_MOST}`, { field: 'robots' });
    this.#do((run) => {
      if (processor !== undefined && !(Number.isInteger(processor) && processor >= 0 && processor < run.processors))
        throw new InputError(`processor ${processor}: the run has processors 0 to ${run.processors - 1}`, {
          field: 'processor',
        });
      for (let id = 0; id < run.processors; id++) {
        if (processor === undefined || processor === id) run.steer(id, 'robots', robots);
      }
    });
  }

  /**
   * Looks into the run.
   *
   * @returns the run as it is now, as a copy; undefined before it has begun.
   */
  inspect(): RunSnapshot | undefined {
    return this.#run && { isPaused: this.#isPaused, processors: this.#run.inspect() };
  }

  /** Called by the run that it controls, once, when its processors are there. @internal */
  attach(run: ControlledRun): void {
    this.#run = run;
    for (const asked of this.#early.splice(0)) asked(run);
  }

  #setPaused(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    this.#do((run) => { run.pause(isPaused); });
  }

  #do(change: (run: ControlledRun) => void): void {
    if (this.#run === undefined) this.#early.push(change);
    else change(this.#run);
  }
}
