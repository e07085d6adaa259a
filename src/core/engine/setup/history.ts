import type { Sinks } from '../../events/index.ts';
import { bySuperstep, type RunEvents } from '../../measure/index.ts';
import type { OutcomeKind } from '../../world/index.ts';

const noLinks = new Uint32Array(0);

/** The bytes and links that a page brought when it was fetched, for sinks that read links. */
export type FetchedOf = (page: number) => { readonly bytes: number; readonly links: Uint32Array } | undefined;

/** Reports the events of a run before it goes on, superstep by superstep, as the run reported them. */
export async function reportHistory(sinks: Sinks, events: RunEvents, fetchedOf: FetchedOf): Promise<void> {
  const outcomes = new Outcomes(events, sinks, fetchedOf);
  const waiting = unobservedAtEnd(events);
  const supersteps = bySuperstep(events.rows);
  for (const [i, rows] of supersteps.entries()) {
    const { superstep, barrierUs } = rows[0];
    sinks.superstepBegins(superstep);
    for (const { superstep: at, ...change } of events.changes) if (at === superstep) sinks.changed(change);
    outcomes.reportUntil(barrierUs);
    // The next superstep observes what the barrier drained; after the last superstep, the one that comes.
    const drained = i + 1 === supersteps.length ? waiting
      : new Map(supersteps[i + 1].map((row) => [row.processor, row.drained]));
    const unobserved = rows.map(({ processor }) => drained.get(processor) ?? 0);
    await sinks.superstep({ superstep, barrierUs, rows, unobserved, pagesFetched: outcomes.fetched });
  }
  outcomes.reportUntil(Infinity);
}

/** The number of outcomes of each processor that no row counts. */
function unobservedAtEnd({ processors, failures, rows }: RunEvents): Map<number, number> {
  const counts = new Map<number, number>();
  const add = (processor: number, count: number): void => {
    counts.set(processor, (counts.get(processor) ?? 0) + count);
  };
  for (const row of rows) add(row.processor, -row.pages - row.failures);
  for (const processor of processors) add(processor, 1);
  for (const { processor } of failures) add(processor, 1);
  return counts;
}

/** Recorded outcomes on their way to the sinks. */
class Outcomes {
  fetched = 0;
  readonly #events: RunEvents;
  readonly #sinks: Sinks;
  readonly #fetchedOf: FetchedOf;
  #failed = 0;

  constructor(events: RunEvents, sinks: Sinks, fetchedOf: FetchedOf) {
    this.#events = events;
    this.#sinks = sinks;
    this.#fetchedOf = fetchedOf;
  }

  /** Outcomes that ended by then. */
  reportUntil(untilUs: number): void {
    const { order, processors, times, failures } = this.#events;
    for (;;) {
      const failure = failures.at(this.#failed);
      if (failure !== undefined && failure.position === this.fetched + this.#failed) {
        if (failure.finishedUs > untilUs) return;
        this.#failed++;
        this.#report(failure.processor, failure.page, failure.kind as OutcomeKind, failure);
      } else {
        const i = this.fetched;
        if (i >= order.length || times[2 * i + 1] > untilUs) return;
        this.fetched++;
        this.#report(processors[i], order[i], 'fetched', { startedUs: times[2 * i], finishedUs: times[2 * i + 1] });
      }
    }
  }

  #report(
    processor: number, page: number, kind: OutcomeKind,
    { startedUs, finishedUs }: { readonly startedUs: number; readonly finishedUs: number },
  ): void {
    const { readsLinks, outcome } = this.#sinks;
    const fetched = readsLinks && kind === 'fetched' ? this.#fetchedOf(page) : undefined;
    const { bytes, links } = fetched ?? { bytes: 0, links: noLinks };
    outcome?.(
      processor,
      { page, sequence: -1, kind, startedAtUs: startedUs, finishedAtUs: finishedUs, bytes, waitUs: 0, links },
      false,
    );
  }
}
