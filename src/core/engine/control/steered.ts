import type { Change, Sinks } from '../../events/index.ts';
import type { Asked, Processor } from '../../scheduler/index.ts';
import type { RunControl } from './control.ts';
import { snapshots } from '../crews/crew.ts';
import { breathe } from '../processors.ts';

/** Changes of an earlier run, to repeat at the same places. */
export class ChangePlan {
  readonly #changes: readonly Change[];

  constructor(changes: readonly Change[]) {
    this.#changes = changes;
  }

  /** Those of one superstep that concern a processor's work. */
  of(superstep: number): readonly (Change & Asked)[] {
    return this.#changes.filter(
      (change): change is Change & Asked => change.superstep === superstep && change.setting !== 'stop',
    );
  }

  /** Whether the run was stopped at this superstep's barrier. */
  stopsAfter(superstep: number): boolean {
    return this.#changes.some((change) => change.setting === 'stop' && change.superstep === superstep);
  }
}

/** Pausing, slowing and stopping of a simulation. */
export class Steered {
  readonly plan: ChangePlan;
  readonly #sinks: Sinks;
  readonly #signal: AbortSignal | undefined;
  #isStopped = false;
  #pace: (() => Promise<void>) | undefined;
  #paused: Promise<void> | undefined;
  #resume: () => void = () => undefined;

  /**
   * @param changes those of an earlier run.
   * @param signal whose abort ends the run: no pause lasts longer.
   */
  constructor(changes: readonly Change[], sinks: Sinks, signal?: AbortSignal) {
    this.plan = new ChangePlan(changes);
    this.#sinks = sinks;
    this.#signal = signal;
  }

  /** Lets `control` inspect and change these processors. */
  attach(control: RunControl | undefined, processors: readonly Processor[]): void {
    control?.attach({
      processors: processors.length,
      pause: (isPaused) => { this.#pause(isPaused); },
      steer: (processor, change) => { processors[processor].steer(change); },
      pace: (wait) => { this.#pace = wait; },
      stop: () => { this.#isStopped = true; },
      inspect: () => snapshots(processors),
    });
  }

  /** Lets other work run; waits while the run is paused. */
  readonly breathe = async (): Promise<void> => {
    await breathe();
    await this.#paused;
  };

  /** At a barrier: as `breathe`, and as slowly as the run is to go. */
  readonly atBarrier = async (): Promise<void> => {
    await this.#pace?.();
    await this.breathe();
  };

  /** Whether the run ends at this barrier; recorded if so. */
  readonly isStopped = (superstep: number): boolean => {
    if (!this.#isStopped && !this.plan.stopsAfter(superstep)) return false;
    this.#sinks.changed({ processor: 0, observed: 0, setting: 'stop', value: 1 });
    return true;
  };

  #pause(isPaused: boolean): void {
    if (!isPaused) {
      this.#resume();
      this.#paused = undefined;
    } else if (this.#signal?.aborted !== true) {
      this.#paused ??= new Promise((resolve) => { this.#resume = resolve; });
      this.#signal?.addEventListener('abort', this.#resume, { once: true });
    }
  }
}
