import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  barsWithin, LANE, layoutOf, lengthText, MAX_BARS, moved, zoomed, type Span,
} from '../../src/views/dashboard/views/run/superstep/bars.ts';
import type {
  OpenedDownload, OpenedProcessor, OpenedSuperstep,
} from '../../src/views/service/dashboard/timeline/api.ts';

// Goal: each download has its place in the picture, and what is shown never leaves the superstep.

function processor(number: number | null, lanes: number, downloads: readonly OpenedDownload[]): OpenedProcessor {
  return { processor: number, arrivedUs: 90, stalledUs: 0, noJobUs: 0, lanes, downloads };
}

function download(lane: number, startedUs: number, finishedUs: number): OpenedDownload {
  return { name: 'a.example/', kind: 'fetched', startedUs, finishedUs, lane };
}

function superstep(...processors: readonly OpenedProcessor[]): OpenedSuperstep {
  return { superstep: 0, last: 0, beginUs: 0, barrierUs: 100, processors, count: 0, truncated: false };
}

test('lanes of processors are below one another, and each bar is on its lane', () => {
  const { rows, bars, height } = layoutOf(superstep(
    processor(0, 2, [download(0, 0, 10), download(1, 5, 20)]), processor(null, 1, [download(0, 0, 10)]),
  ));
  expect(rows.map(({ name }) => name)).toEqual(['Processor 0', 'All processors']);
  expect(bars.map(({ top }) => top)).toEqual([rows[0].top, rows[0].top + LANE, rows[1].top]);
  expect(rows[1].top).toBeGreaterThan(rows[0].top + 2 * LANE);
  expect(height).toBeGreaterThanOrEqual(rows[1].top + LANE);
});

test('only bars of the span are drawn, at most 2,000, and the others are counted', () => {
  const many = Array.from({ length: MAX_BARS + 7 }, (_, i) => download(0, i, i + 1));
  const layout = layoutOf(superstep(processor(0, 1, many)));
  expect(barsWithin(layout, { fromUs: 0, toUs: 1e9 })).toMatchObject({ count: MAX_BARS + 7 });
  expect(barsWithin(layout, { fromUs: 0, toUs: 1e9 }).shown).toHaveLength(MAX_BARS);
  expect(barsWithin(layout, { fromUs: 10.5, toUs: 12.5 }).shown.map(({ download: { startedUs } }) => startedUs))
    .toEqual([10, 11, 12]);
});

test('zooming and moving stay within the superstep, and the moment under the pointer stays where it is', () => {
  const whole = { fromUs: 100, toUs: 1100 };
  const share = fc.double({ min: -3, max: 3, noNaN: true });
  const at = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(fc.array(fc.tuple(fc.boolean(), share, at), { maxLength: 20 }), (steps) => {
    let span: Span = whole;
    for (const [isZoom, by, place] of steps) {
      const before = span;
      span = isZoom ? zoomed(span, whole, 2 ** by, place) : moved(span, whole, by);
      expect(span.fromUs).toBeGreaterThanOrEqual(whole.fromUs);
      expect(span.toUs).toBeLessThanOrEqual(whole.toUs + 1e-6);
      expect(span.toUs - span.fromUs).toBeGreaterThan(0.99);
      if (!isZoom) expect(span.toUs - span.fromUs).toBeCloseTo(before.toUs - before.fromUs, 6);
    }
  }));
  const { fromUs, toUs } = zoomed(whole, whole, 0.5, 0.25);
  expect(fromUs + 0.25 * (toUs - fromUs)).toBeCloseTo(350, 9);
  expect(toUs - fromUs).toBe(500);
});

test('lengths are in the unit that suits them', () => {
  expect([12, 3100, 1.25e6].map(lengthText)).toEqual(['12\u202fµs', '3.10\u202fms', '1.25\u202fs']);
});
