import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SuperstepRow } from '../../src/core/events/index.ts';
import {
  MemoryRecord, ReplayHash, replayHash, TotalOrder, type Failure, type RunEvents, type Settled,
} from '../../src/core/measure/index.ts';
import { outcomeKinds, type OutcomeKind } from '../../src/core/world/index.ts';
import { tries } from '../sweep.ts';
import { smallRun } from './records.ts';

// Goal: whatever the supersteps, and in whatever turns processors report, the record is what a sort of all outcomes
// gives, less what the scheduler never observed; and what a crash undid is in it as lost.

interface Event {
  readonly processor: number;
  readonly sequence: number;
  readonly page: number;
  readonly kind: OutcomeKind;
  readonly startedAtUs: number;
  readonly finishedAtUs: number;
}

/** Logs of up to four processors, with many equal times and some failures. */
const logs = fc.array(fc.array(fc.record({
  step: fc.nat(2), length: fc.nat(3), kind: fc.constantFrom<OutcomeKind>('fetched', 'fetched', ...outcomeKinds),
}), { maxLength: 30 }), { minLength: 1, maxLength: 4 }).map((steps) => steps.map((log, processor) => {
  let nowUs = 0;
  return log.map(({ step, length, kind }, sequence): Event => {
    nowUs += step;
    return {
      processor, sequence, kind, page: 1000 * processor + sequence, startedAtUs: nowUs - length, finishedAtUs: nowUs,
    };
  });
}));

/** The dullest model: a sort. */
function sorted(events: readonly Event[], lost: (event: Event) => boolean = () => false) {
  const inOrder = [...events].sort(
    (a, b) => a.finishedAtUs - b.finishedAtUs || a.processor - b.processor || a.sequence - b.sequence,
  );
  const isPage = (event: Event): boolean => event.kind === 'fetched' && !lost(event);
  const pages = inOrder.filter(isPage);
  const failures = inOrder.flatMap((event, position): Failure[] => {
    const { processor, page, startedAtUs: startedUs, finishedAtUs: finishedUs } = event;
    const kind = event.kind === 'fetched' ? 'lost' : event.kind;
    return isPage(event) ? [] : [{ position, processor, page, kind, startedUs, finishedUs }];
  });
  return {
    order: pages.map(({ page }) => page), processors: pages.map(({ processor }) => processor),
    times: pages.flatMap(({ startedAtUs, finishedAtUs }) => [startedAtUs, finishedAtUs]), failures,
  };
}

const shown = ({ order, processors, times, failures }: RunEvents) =>
  ({ order: [...order], processors: [...processors], times: [...times], failures });

const [plain] = smallRun().rows;
const row = (counts: Partial<SuperstepRow>): SuperstepRow => ({ ...plain, ...counts });

/** Reports the outcomes that end in (sinceUs, untilUs], processors in turns that say nothing about time. */
function report(sink: TotalOrder, events: readonly Event[][], sinceUs: number, untilUs: number, turn: () => number) {
  const left = events.map((log) =>
    log.filter(({ finishedAtUs }) => finishedAtUs > sinceUs && finishedAtUs <= untilUs));
  while (left.some((log) => log.length > 0)) {
    const log = left[turn() % left.length];
    const event = log.shift() ?? left.find((other) => other.length > 0)!.shift()!;
    sink.outcome(event.processor, event);
  }
}

const turns = fc.infiniteStream(fc.nat(3)).map((stream) => () => Number(stream.next().value));

test('is a sort, however the run is cut into supersteps', () => {
  fc.assert(fc.property(logs, fc.uniqueArray(fc.nat(59)), turns, (events, cuts, turn) => {
    const record = new MemoryRecord();
    const hash = new ReplayHash();
    const sink = new TotalOrder([record, hash]);
    sink.started({ mayRollBack: false });
    const barriers = [...cuts.sort((a, b) => a - b), 60];
    barriers.forEach((barrierUs, superstep) => {
      sink.superstepBegins();
      report(sink, events, superstep === 0 ? -1 : barriers[superstep - 1], barrierUs, turn);
      const rows = events.map((_, processor) => row({ superstep, processor, barrierUs, pairsSent: processor }));
      sink.superstep({ barrierUs: Infinity, rows, unobserved: events.map(() => 0) });
    });
    void sink.ended('frontier dry');
    expect(shown(record.events())).toEqual(sorted(events.flat()));
    expect(record.events().rows).toHaveLength(barriers.length * events.length);
    expect(hash.digest()).toBe(replayHash(record.events()));
  }), { seed: 1, numRuns: tries(300) });
});

const rowsOf = (superstep: number, processors: number): SuperstepRow[] =>
  Array.from({ length: processors }, (_, processor) => row({ superstep, processor }));

test('what the scheduler has not observed when the run ends is no part of it, and else it is', () => {
  fc.assert(fc.property(logs, fc.nat(60), turns, (events, barrierUs, turn) => {
    const ended = events.map((log) => log.filter(({ finishedAtUs }) => finishedAtUs <= barrierUs));
    const unobserved = ended.map((log) => Math.min(log.length, turn()));
    const run = (goesOn: boolean): { readonly events: RunEvents; readonly settled: readonly Settled[] } => {
      const record = new MemoryRecord();
      const settled: Settled[] = [];
      const sink = new TotalOrder([record, { settled: (one) => settled.push(structuredClone(one)) }]);
      report(sink, events, -1, barrierUs, turn);
      sink.superstep({ barrierUs: Infinity, rows: rowsOf(0, events.length), unobserved });
      if (goesOn) {
        sink.superstepBegins();
        report(sink, events, barrierUs, 60, turn);
        sink.superstep({
          barrierUs: Infinity, rows: rowsOf(1, events.length), unobserved: events.map(() => 0),
        });
      }
      void sink.ended('time limit');
      return { events: record.events(), settled };
    };
    const observed = ended.flatMap((log, i) => log.slice(0, log.length - unobserved[i]));
    expect(shown(run(false).events)).toEqual(sorted(observed));
    const whole = run(true);
    expect(shown(whole.events)).toEqual(sorted(events.flat()));
    // Whoever stops reading after the first superstep leaves out what it says.
    const [{ outcomes, unobserved: positions }] = whole.settled;
    const pages = [...outcomes.pages.subarray(0, outcomes.size)].filter((_, i) => !positions.includes(i));
    expect(pages.sort()).toEqual(observed.map(({ page }) => page).sort());
  }), { seed: 1, numRuns: tries(300) });
});

test('what ends at a barrier comes after what begins and ends there on a lower processor', () => {
  const record = new MemoryRecord();
  const sink = new TotalOrder([record]);
  const outcome = (page: number, startedAtUs: number): Parameters<TotalOrder['outcome']>[1] =>
    ({ page, kind: 'fetched', startedAtUs, finishedAtUs: 10 });
  sink.started({ mayRollBack: false });
  sink.superstepBegins();
  sink.outcome(1, outcome(7, 3));
  sink.superstep({ barrierUs: 10, rows: rowsOf(0, 2), unobserved: [0, 1] });
  sink.superstepBegins();
  expect([...record.events().order]).toEqual([]);
  sink.outcome(0, outcome(5, 10));
  sink.superstep({ barrierUs: 20, rows: rowsOf(1, 2), unobserved: [0, 0] });
  void sink.ended('frontier dry');
  expect([...record.events().order]).toEqual([5, 7]);
});

test('what was drained before a checkpoint is not lost in a crash after it', () => {
  const record = new MemoryRecord();
  const sink = new TotalOrder([record]);
  sink.started({ mayRollBack: true });
  sink.checkpoint();
  sink.outcome(0, { page: 7, kind: 'fetched', startedAtUs: 3, finishedAtUs: 10 });
  sink.superstep({ barrierUs: 10, rows: [row({ superstep: 0 })], unobserved: [1] });
  sink.checkpoint();
  sink.outcome(0, { page: 8, kind: 'fetched', startedAtUs: 12, finishedAtUs: 15 });
  sink.superstep({ barrierUs: 20, rows: [row({ superstep: 1 })], unobserved: [0] });
  sink.rolledBack({ superstep: 1, observed: [] });
  void sink.ended('time limit');
  expect([...record.events().order]).toEqual([7]);
  expect(record.events().failures.map(({ page, kind }) => [page, kind])).toEqual([[8, 'lost']]);
});

describe('where a crash may undo what happened', () => {
  test('nothing is handed on before a checkpoint, and what was fetched since the last is lost', () => {
    fc.assert(fc.property(logs, fc.nat(30), fc.integer({ min: 30, max: 60 }), (events, savedUs, crashedUs) => {
      const record = new MemoryRecord();
      const sink = new TotalOrder([record]);
      sink.started({ mayRollBack: true });
      const rowsOf = (superstep: number) => (
        events.map((_, processor) => row({ superstep, processor, pages: 7, failures: 2, retried: 1 }))
      );
      const unobserved = events.map(() => 0);
      sink.checkpoint();
      report(sink, events, -1, savedUs, () => 0);
      sink.superstep({ barrierUs: Infinity, rows: rowsOf(0), unobserved });
      sink.superstepBegins();
      expect(shown(record.events())).toEqual(sorted([]));
      sink.checkpoint();
      expect(shown(record.events())).toEqual(sorted(events.flat().filter((event) => event.finishedAtUs <= savedUs)));
      report(sink, events, savedUs, crashedUs, () => 0);
      sink.superstep({ barrierUs: Infinity, rows: rowsOf(1), unobserved });
      sink.superstep({ barrierUs: Infinity, rows: rowsOf(2), unobserved });
      sink.crash({ superstep: 2, processor: 0, atUs: crashedUs, resumedUs: crashedUs });
      sink.rolledBack({ superstep: 1, observed: events.map(() => ({ pages: 3, failures: 1, retried: 1 })) });
      report(sink, events, crashedUs, 60, () => 0);
      void sink.ended('frontier dry');
      const isLost = ({ finishedAtUs }: Event): boolean => finishedAtUs > savedUs && finishedAtUs <= crashedUs;
      expect(shown(record.events())).toEqual(sorted(events.flat(), isLost));
      expect(record.events().crashes).toHaveLength(1);
      // What was observed before the checkpoint stays; all other outcomes of these supersteps are failures tried again.
      const counts = record.events().rows.map(({ pages, failures, retried }) => [pages, failures, retried]);
      expect(counts).toEqual([
        ...events.map(() => [7, 2, 1]), ...events.map(() => [3, 6, 6]), ...events.map(() => [0, 9, 9]),
      ]);
    }), { seed: 1, numRuns: tries(200) });
  });
});

test('refuses outcomes of a processor that are out of order', () => {
  const sink = new TotalOrder([]);
  for (const finishedAtUs of [5, 4])
    sink.outcome(0, { page: finishedAtUs, kind: 'fetched', startedAtUs: 0, finishedAtUs });
  expect(() => { sink.superstepBegins(); }).toThrow(/out of order/);
});
