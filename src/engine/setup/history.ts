import type { Sinks, SuperstepRow } from '../../events/index.ts';
import type { RunEvents } from '../../measure/index.ts';
import type { OutcomeKind } from '../../world/index.ts';

const noLinks = new Uint32Array(0);

/** What a page brought when it was fetched, for sinks that read links. */
export type FetchedOf = (page: number) => { readonly bytes: number; readonly links: Uint32Array } | undefined;

/** Reports what happened before a run went on, superstep by superstep, as it was reported then. */
export async function reportHistory(sinks: Sinks, events: RunEvents, fetchedOf: FetchedOf): Promise<void> {
  const outcomes = new Outcomes(events, sinks, fetchedOf);
  const { rows } = events;
  for (let first = 0; first < rows.length; ) {
    const { superstep, barrierUs } = rows[first];
    let next = first;
    while (next < rows.length && rows[next].superstep === superstep) next++;
    sinks.superstepBegins(superstep);
    for (const { superstep: at, ...change } of events.changes) if (at === superstep) sinks.changed(change);
    outcomes.reportUntil(barrierUs);
    const ofSuperstep: readonly SuperstepRow[] = rows.slice(first, next);
    const unobserved = ofSuperstep.map(() => 0);
    await sinks.superstep({ superstep, barrierUs, rows: ofSuperstep, unobserved, pagesFetched: outcomes.fetched });
    first = next;
  }
  outcomes.reportUntil(Infinity);
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

  /** Those that ended until then. */
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
