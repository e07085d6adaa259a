import { assert } from '../../base/index.ts';
import type { Curve } from './data.ts';

/**
 * At most `limit` of the points 0 ... count-1, chosen so that the curve keeps its shape: the first, the last, and from
 * each of limit-2 equal intervals between them the point that spans the largest triangle with the previously chosen
 * point and the mean of the next interval (Steinarsson, "Downsampling Time Series for Visual Representation", 2013).
 *
 * Returns  points of the curve itself, in order, so a curve that never falls still does not.
 * Cost     O(count) time; x and y are read about twice per point.
 */
export function thin(count: number, limit: number, x: (i: number) => number, y: (i: number) => number): Curve {
  assert(limit >= 3, () => `limit ${limit} below 3`);
  const points = count <= limit ? Array.from({ length: count }, (_, i) => i) : largestTriangles(count, limit, x, y);
  return { x: points.map((i) => significant(x(i))), y: points.map((i) => significant(y(i))) };
}

function largestTriangles(count: number, limit: number, x: (i: number) => number, y: (i: number) => number): number[] {
  const stretches = limit - 2;
  // Interval s contains the points from(s) ... from(s+1)-1; interval `stretches` is only the last point.
  const from = (stretch: number) => stretch >= stretches
    ? count - 1 + (stretch - stretches)
    : 1 + Math.floor(stretch * (count - 2) / stretches);
  const points = [0];
  for (let stretch = 0; stretch < stretches; stretch++) {
    const previous = points[stretch];
    const xBefore = x(previous);
    const yBefore = y(previous);
    const next = mean(from(stretch + 1), from(stretch + 2), x, y);
    let best = from(stretch);
    let bestArea = -1;
    for (let i = from(stretch); i < from(stretch + 1); i++) {
      const area = Math.abs((xBefore - next.x) * (y(i) - yBefore) - (xBefore - x(i)) * (next.y - yBefore));
      if (area > bestArea) {
        bestArea = area;
        best = i;
      }
    }
    points.push(best);
  }
  points.push(count - 1);
  return points;
}

function mean(from: number, to: number, x: (i: number) => number, y: (i: number) => number): { x: number; y: number } {
  let xSum = 0;
  let ySum = 0;
  for (let i = from; i < to; i++) {
    xSum += x(i);
    ySum += y(i);
  }
  return { x: xSum / (to - from), y: ySum / (to - from) };
}

/** A number for drawing: integers exactly, others to six digits, so that the file stays small. */
export function significant(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(6));
}
