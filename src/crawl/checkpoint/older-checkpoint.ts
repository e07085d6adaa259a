import { MemoryRecord, TotalOrder, type RunEvents } from '../../measure/index.ts';
import type { OutcomeKind } from '../../world/index.ts';

/** The outcomes of one processor, as version 0.1.0 stored them. */
export interface OutcomeLog {
  readonly pages: Uint32Array;
  /** Started and finished, two per outcome. */
  readonly times: Float64Array;
  /** Kinds of the outcomes that were no page, by position in this log. */
  readonly failures: ReadonlyMap<number, string>;
}

/** The same outcomes in their total order. */
export function eventsOfLogs(logs: readonly OutcomeLog[]): RunEvents {
  const record = new MemoryRecord();
  const order = new TotalOrder(logs.length, [record]);
  logs.forEach(({ pages, times, failures }, processor) => {
    pages.forEach((page, i) => {
      const kind = (failures.get(i) ?? 'fetched') as OutcomeKind;
      order.outcome(processor, { page, kind, startedAtUs: times[2 * i], finishedAtUs: times[2 * i + 1] });
    });
  });
  order.superstepBegins();
  return record.events();
}
