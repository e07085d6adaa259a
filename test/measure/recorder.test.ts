import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Recorder } from '../../src/measure/index.ts';
import { WorldError } from '../../src/base/index.ts';
import { outcomeKinds, type OutcomeKind } from '../../src/world/index.ts';

interface Event {
  processor: number;
  sequence: number;
  page: number;
  kind: OutcomeKind;
  startedAtUs: number;
  finishedAtUs: number;
}

/** Logs of up to four processors, with many equal times and some failures. */
const logs = fc.array(fc.array(fc.record({
  step: fc.nat(2), length: fc.nat(3), kind: fc.constantFrom<OutcomeKind>('fetched', 'fetched', ...outcomeKinds),
}), { maxLength: 30 }), { minLength: 1, maxLength: 4 });

test('merges the logs by (time, processor, sequence), as a sort would', () => {
  fc.assert(fc.property(logs, fc.infiniteStream(fc.nat(3)), (steps, turns) => {
    const events = steps.map((log, processor) => {
      let nowUs = 0;
      return log.map(({ step, length, kind }, sequence): Event => {
        nowUs += step;
        return {
          processor, sequence, kind, page: 1000 * processor + sequence, startedAtUs: nowUs - length,
          finishedAtUs: nowUs,
        };
      });
    });
    // Processors write in turns that say nothing about time.
    const recorder = new Recorder(steps.length);
    const left = events.map((log) => [...log]);
    while (left.some((log) => log.length > 0)) {
      const processor = turns.next().value % left.length;
      const event = left[processor].shift() ?? left.find((log) => log.length > 0)!.shift()!;
      recorder.outcome(event.processor, event);
    }

    const sorted = events
      .flat()
      .sort((a, b) => a.finishedAtUs - b.finishedAtUs || a.processor - b.processor || a.sequence - b.sequence);
    const pages = sorted.filter(({ kind }) => kind === 'fetched');
    const { order, processors, times, failures } = recorder.finish();
    expect([...order]).toEqual(pages.map(({ page }) => page));
    expect([...processors]).toEqual(pages.map(({ processor }) => processor));
    expect([...times]).toEqual(pages.flatMap(({ startedAtUs, finishedAtUs }) => [startedAtUs, finishedAtUs]));
    expect(failures).toEqual(
      sorted.flatMap(({ processor, page, kind, startedAtUs, finishedAtUs }, position) =>
        kind === 'fetched'
          ? []
          : [{ position, processor, page, kind, startedUs: startedAtUs, finishedUs: finishedAtUs }],
      ),
    );
  }), { seed: 1, numRuns: 300 });
});

test('refuses a log that is out of order', () => {
  const recorder = new Recorder(1);
  for (const finishedAtUs of [5, 4])
    recorder.outcome(0, { page: finishedAtUs, kind: 'fetched', startedAtUs: 0, finishedAtUs });
  expect(() => recorder.finish()).toThrow(/out of order/);
});

test('goes on with logs of another recorder, however short they are', () => {
  for (let before = 0; before < 40; before++) {
    const note = (recorder: Recorder, from: number, to: number): void => {
      for (let i = from; i < to; i++)
        recorder.outcome(0, { page: i, kind: 'fetched', startedAtUs: i, finishedAtUs: i + 1 });
    };
    const earlier = new Recorder(1);
    note(earlier, 0, before);
    const later = new Recorder(1);
    later.take(0, earlier.logOf(0));
    note(later, before, 100);
    const { order, times } = later.finish();
    expect([...order]).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect([...times]).toEqual(Array.from({ length: 200 }, (_, i) => Math.ceil(i / 2)));
  }
});

test('more failures of a processor than a record holds end the crawl, and say what to do', () => {
  const recorder = new Recorder(2, 3);
  const outcome = (processor: number, page: number, kind: OutcomeKind): void => {
    recorder.outcome(processor, { page, kind, startedAtUs: page, finishedAtUs: page });
  };
  for (let page = 0; page < 3; page++) for (const processor of [0, 1]) outcome(processor, page, 'timeout');
  outcome(0, 3, 'fetched');
  expect(() => { outcome(0, 4, 'timeout'); }).toThrow(WorldError);
  expect(() => { outcome(1, 4, 'refused'); }).toThrow('processor 1 has met 3 requests without a page');
  expect(() => { recorder.lose([3, 5]); }).toThrow('crawl with more processors');
});
