import type { Outcome } from '../world/index.ts';
import type {
  Change, CheckpointTaken, Crash, RolledBack, RunEnd, RunSink, RunStarted, SuperstepEnd,
} from './run-sink.ts';

type OnOutcome = (processor: number, outcome: Outcome, willRetry: boolean) => void;

/** The sinks of a run as one: each event goes to those that handle it, in their order. */
export class Sinks {
  /** Undefined if no sink handles outcomes. */
  readonly outcome: OnOutcome | undefined;
  readonly #sinks: readonly RunSink[];
  readonly #view: (end: SuperstepEnd) => SuperstepEnd;
  #superstep = 0;
  #hasEnded = false;

  /** @param view supersteps as they are reported; as they are, unless given. */
  constructor(sinks: readonly RunSink[], view = (end: SuperstepEnd): SuperstepEnd => end) {
    this.#sinks = sinks;
    this.#view = view;
    this.outcome = outcomeOf(sinks.filter((sink) => sink.outcome !== undefined));
  }

  get readsLinks(): boolean {
    return this.#sinks.some(({ readsLinks }) => readsLinks === true);
  }

  /** Reports a run from its start to its end, whether it succeeds or fails. */
  async during(run: RunStarted, work: () => Promise<RunEnd>): Promise<RunEnd> {
    try {
      for (const sink of this.#sinks) sink.started?.(run);
      const end = await work();
      await this.#ended(end);
      return end;
    } catch (error) {
      // Every sink receives the end, and their own errors do not hide the first.
      await this.#ended('failed').catch(() => undefined);
      throw error;
    }
  }

  superstepBegins(superstep: number): void {
    this.#superstep = superstep;
    for (const sink of this.#sinks) sink.superstepBegins?.(superstep);
  }

  /** @returns a promise only if a sink returned one. */
  superstep(end: SuperstepEnd): Promise<unknown> | undefined {
    const view = this.#view(end);
    return this.#all((sink) => sink.superstep?.(view));
  }

  checkpoint(checkpoint: CheckpointTaken): Promise<unknown> | undefined {
    return this.#all((sink) => sink.checkpoint?.(checkpoint));
  }

  crash(crash: Crash): void {
    for (const sink of this.#sinks) sink.crash?.(crash);
  }

  rolledBack(back: RolledBack): Promise<unknown> | undefined {
    return this.#all((sink) => sink.rolledBack?.(back));
  }

  /** A setting was changed in the superstep that began last. */
  changed(change: Omit<Change, 'superstep'>): void {
    const whole = { superstep: this.#superstep, ...change };
    for (const sink of this.#sinks) sink.changed?.(whole);
  }

  /** @throws the first error of a sink, once all have received the end. */
  async #ended(end: RunEnd | 'failed'): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const ends = await Promise.allSettled(this.#sinks.map(async (sink) => sink.ended?.(end)));
    const failed = ends.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #all(hear: (sink: RunSink) => void | Promise<void>): Promise<unknown> | undefined {
    const waits: Promise<void>[] = [];
    for (const sink of this.#sinks) {
      const wait = hear(sink);
      if (wait !== undefined) waits.push(wait);
    }
    return waits.length === 0 ? undefined : Promise.all(waits);
  }
}

/** Most runs have one or two sinks: these are called without a loop. */
function outcomeOf(sinks: readonly RunSink[]): OnOutcome | undefined {
  const [first, second] = sinks;
  switch (sinks.length) {
    case 0:
      return undefined;
    case 1:
      return (processor, outcome, willRetry) => { first.outcome?.(processor, outcome, willRetry); };
    case 2:
      return (processor, outcome, willRetry) => {
        first.outcome?.(processor, outcome, willRetry);
        second.outcome?.(processor, outcome, willRetry);
      };
    default:
      return (processor, outcome, willRetry) => {
        for (const sink of sinks) sink.outcome?.(processor, outcome, willRetry);
      };
  }
}
