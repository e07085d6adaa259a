import type { Steer } from '../../scheduler/index.ts';
import type { OpenDownload, OutcomeKind } from '../../world/index.ts';
import { InputError } from '../../../base/index.ts';
import { maxHostDelayMs } from '../../settings/index.ts';

/** A processor at one moment. */
export interface ProcessorSnapshot {
  readonly processor: number;
  /** Its clock, microseconds since the run began. */
  readonly nowUs: number;
  /** Slots for downloads; more may be open if there were more slots before. */
  readonly robots: number;
  readonly openDownloads: readonly OpenDownload[];
  readonly pagesKnown: number;
  readonly pagesFetched: number;
  readonly pagesQueued: number;
  readonly pendingJobs: number;
  /** Hosts that fail now, and whether so many that the crawler's own network seems to be out. */
  readonly hostsOutOfReach: number;
  readonly isNetworkOut: boolean;
  readonly lastOutcome:
    { readonly page: number; readonly kind: OutcomeKind; readonly finishedAtUs: number } | undefined;
}

/** A run at one moment. */
export interface RunSnapshot {
  /** Whether the run waits to be resumed. */
  readonly isPaused: boolean;
  /** Copies of the processors' states, ordered by number. */
  readonly processors: readonly ProcessorSnapshot[];
}

/** The operations that a run offers to a control. */
export interface ControlledRun {
  readonly processors: number;
  /** Pauses or resumes the whole run. */
  pause(isPaused: boolean): void;
  steer(processor: number, change: Steer): void;
  /** Waits so at each barrier; only simulations can. */
  pace?(wait: (() => Promise<void>) | undefined): void;
  /** Ends the run at its next barrier. */
  stop(): void;
  inspect(): readonly ProcessorSnapshot[];
}

const MAX_ROBOTS = 65_536;

/**
 * Inspects and changes a run in progress. One object per run, passed with its options. Each change
 * is recorded with the superstep, the processor and the number of outcomes observed: a simulation with the same changes
 * has the same replay hash. The pause of a simulation is not recorded, since it stops its clock.
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
  /** Requests made before the run started. */
  readonly #early: ((run: ControlledRun) => void)[] = [];

  /** Whether it was paused and not resumed since. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /**
   * A simulation and its clock stop within 4,096 outcomes. A live crawl starts no more downloads, at once, and
   * waits for open ones; its clock runs on.
   */
  pause(): void {
    this.#setPaused(true);
  }

  /** Resumes after a pause; has no effect on a run that is not paused. */
  resume(): void {
    this.#setPaused(false);
  }

  /** Ends the run at its next barrier, with its results so far; a paused run continues to that barrier. */
  stop(): void {
    this.#setPaused(false);
    this.#do((run) => { run.stop(); });
  }

  /**
   * Changes the number of robots. If more downloads are open than that, they finish before others start.
   *
   * @param robots - 1 to 65,536.
   * @param processor - its number; by default all processors.
   * @throws InputError for other numbers.
   */
  setRobots(robots: number, processor?: number): void {
    if (!Number.isInteger(robots) || robots < 1 || robots > MAX_ROBOTS)
      throw new InputError(`robots: ${robots} is not an integer from 1 to ${MAX_ROBOTS}`, { field: 'robots' });
    this.#do((run) => {
      if (processor !== undefined && !(Number.isInteger(processor) && processor >= 0 && processor < run.processors))
        throw new InputError(`processor ${processor}: the run has processors 0 to ${run.processors - 1}`, {
          field: 'processor',
        });
      for (let id = 0; id < run.processors; id++) {
        if (processor === undefined || processor === id) run.steer(id, { setting: 'robots', value: robots });
      }
    });
  }

  /**
   * Raises the delay between two downloads from a host, which rests so long from now on. A shorter delay than it has
   * changes nothing: a run never becomes less polite.
   *
   * @param host - the id that the events of the run have for it.
   * @param delayMs - 0 to 86,400,000.
   * @throws InputError for other numbers.
   */
  raiseHostDelay(host: number, delayMs: number): void {
    if (!Number.isInteger(delayMs) || delayMs < 0 || delayMs > maxHostDelayMs)
      throw new InputError(`delayMs: ${delayMs} is not an integer from 0 to ${maxHostDelayMs}`, { field: 'delayMs' });
    this.#ofHost(host, { setting: 'hostDelayMs', value: delayMs, host });
  }

  /**
   * Downloads nothing more from a host: its pages have failed. Its open download ends.
   *
   * @param host - as of `raiseHostDelay`.
   * @throws InputError as `raiseHostDelay`.
   */
  blockHost(host: number): void {
    this.#ofHost(host, { setting: 'hostBlocked', value: 1, host });
  }

  /**
   * Makes a simulation wait at each barrier, for someone who looks on. Nothing is recorded.
   *
   * @param wait - resolves when the run may go on; undefined for full speed.
   * @throws InputError once a live crawl has started: the web sets its pace.
   */
  setPace(wait: (() => Promise<void>) | undefined): void {
    this.#do((run) => {
      if (run.pace === undefined) throw new InputError('a live crawl cannot be slowed: reduce its robots');
      run.pace(wait);
    });
  }

  /**
   * Inspects the run.
   *
   * @returns a copy of the current state of the run; undefined before it has started.
   */
  inspect(): RunSnapshot | undefined {
    return this.#run && { isPaused: this.#isPaused, processors: this.#run.inspect() };
  }

  /** Called once by the run that it controls, when its processors exist. @internal */
  attach(run: ControlledRun): void {
    this.#run = run;
    for (const change of this.#early.splice(0)) change(run);
  }

  /** On all processors: pages of a host may be on several. */
  #ofHost(host: number, change: Steer): void {
    if (!Number.isInteger(host) || host < 0) throw new InputError(`host ${host} is not an id`, { field: 'host' });
    this.#do((run) => {
      for (let id = 0; id < run.processors; id++) run.steer(id, change);
    });
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
