import type { Change, Sinks } from '../../events/index.ts';
import type { Asked, Processor } from '../../scheduler/index.ts';
import type { RunControl } from './control.ts';
import { snapshots } from '../crews/crew.ts';
import { breathe } from '../processors.ts';

/** Pauses, slows and stops a simulation, and repeats the changes of an earlier run. */
export class Steered {
  readonly #changes: readonly Change[];
  readonly #sinks: Sinks;
  readonly #signal: AbortSignal | undefined;
  #isStopped = false;
  #pace: (() => Promise<void>) | undefined;
  #paused: Promise<void> | undefined;
  #resume: () => void = () => undefined;

  /** @param signal ends the run, and any pause of it. */
  constructor(changes: readonly Change[], sinks: Sinks, signal?: AbortSignal) {
    this.#changes = changes;
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

  /** The changes that the earlier run made to the processors' work in a superstep. */
  readonly changesIn = (superstep: number): readonly (Change & Asked)[] => this.#changes.filter(
    (change): change is Change & Asked => change.superstep === superstep && change.setting !== 'stop',
  );

  /** Waits at a barrier as long as the pace demands, then breathes. */
  readonly atBarrier = async (): Promise<void> => {
    await this.#pace?.();
    await this.breathe();
  };

  /** Whether the run ends at this barrier; the record says so. */
  readonly isStopped = (superstep: number): boolean => {
    const stops = ({ setting, superstep: at }: Change): boolean => setting === 'stop' && at === superstep;
    if (!this.#isStopped && !this.#changes.some(stops)) return false;
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
