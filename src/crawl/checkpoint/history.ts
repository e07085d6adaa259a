import type { Sinks, SuperstepRow } from '../../events/index.ts';
import type { CrawlStore } from '../../live/index.ts';
import type { RunEvents } from '../../measure/index.ts';
import type { OutcomeKind } from '../../world/index.ts';

const noLinks = new Uint32Array(0);

/**
 * Repeats the events from before a crawl was resumed, superstep by superstep, as reported then. Links come from
 * the store, if a sink reads them.
 */
export async function reportHistory(sinks: Sinks, events: RunEvents, store: CrawlStore): Promise<void> {
  const outcomes = new Outcomes(events, sinks, store);
  const { rows } = events;
  for (let first = 0; first < rows.length; ) {
    const { superstep, barrierUs } = rows[first];
    let next = first;
    while (next < rows.length && rows[next].superstep === superstep) next++;
    sinks.superstepBegins(superstep);
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
  readonly #store: CrawlStore;
  #failed = 0;

  constructor(events: RunEvents, sinks: Sinks, store: CrawlStore) {
    this.#events = events;
    this.#sinks = sinks;
    this.#store = store;
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
    const visit = readsLinks && kind === 'fetched' ? this.#store.visit(page) : undefined;
    const [bytes, links] = [visit?.bytes ?? 0, visit?.links ?? noLinks];
    outcome?.(
      processor,
      { page, sequence: -1, kind, startedAtUs: startedUs, finishedAtUs: finishedUs, bytes, waitUs: 0, links },
      false,
    );
  }
}
