import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CurveColumns } from '../../src/views/watch/index.ts';
import { Curves, type CurveMoment, type CurveSpan } from '../../src/views/watch/curves/curves.ts';

type CurvePoint = CurveMoment & CurveSpan;

// Goal: curves of any length are those of the dull model, which stores every superstep and thins in the end; and who
// takes them piece by piece has the same at every moment.

const most = 8;

const count = fc.nat({ max: 50 });
const pointsOf = fc.array(
  fc.record({
    seconds: count, pages: count, failures: count, bytes: count, rank: count, busyUs: count, idleUs: count,
    meanPages: count, morePages: count, pairs: count, comparisons: count,
  }).map(({ idleUs, morePages, ...one }) => (
    { ...one, superstep: 0, robotUs: one.busyUs + idleUs, mostPages: one.meanPages + morePages }
  )),
  { maxLength: 120 },
).map((points): CurvePoint[] => points.map((point, superstep) => ({ ...point, superstep })));

/** All points, in groups of the least power of two of which there are fewer than `most`. */
function model(points: readonly CurvePoint[], isOver: boolean): CurveColumns {
  let stride = 1;
  while (Math.floor(points.length / stride) >= most) stride *= 2;
  const groups: CurvePoint[][] = [];
  for (let i = 0; i < points.length; i += stride) groups.push(points.slice(i, i + stride));
  if (!isOver && (groups.at(-1)?.length ?? stride) < stride) groups.pop();
  const last = (name: keyof CurvePoint): number[] => groups.map((group) => group.at(-1)![name]);
  const sum = (name: keyof CurvePoint): number[] =>
    groups.map((group) => group.reduce((total, one) => total + one[name], 0));
  const share = (part: number[], whole: number[], otherwise: number): number[] =>
    part.map((value, i) => (whole[i] === 0 ? otherwise : value / whole[i]));
  return {
    superstep: last('superstep'), seconds: last('seconds'), pages: last('pages'), failures: last('failures'),
    bytes: last('bytes'), rank: last('rank'), busy: share(sum('busyUs'), sum('robotUs'), 0),
    balance: share(sum('meanPages'), sum('mostPages'), 1), pairs: sum('pairs'), comparisons: sum('comparisons'),
  };
}

test('curves are those of all supersteps, thinned, at every moment and in the end', () => {
  fc.assert(fc.property(pointsOf, (points) => {
    const curves = new Curves(true, most);
    for (const [i, point] of points.entries()) {
      curves.add(point, point);
      expect(curves.all()).toEqual(model(points.slice(0, i + 1), false));
    }
    curves.end();
    expect(curves.all()).toEqual(model(points, true));
    expect(curves.all().seconds.length).toBeLessThanOrEqual(most);
  }));
});

test('taken now and then, pieces make up the whole, and none comes twice', () => {
  fc.assert(fc.property(pointsOf, fc.array(fc.boolean(), { minLength: 120 }), (points, whims) => {
    const curves = new Curves(true, most);
    let taken: CurveColumns | undefined;
    const take = (): void => {
      const message = curves.take();
      if (message?.is === 'curves') taken = message.curves;
      else if (message !== undefined) {
        expect(message.curves.seconds.length).toBeGreaterThan(0);
        taken = Object.fromEntries(Object.entries(message.curves).map(([name, column]) => [
          name, [...taken![name as keyof CurveColumns], ...(column as readonly number[])],
        ])) as unknown as CurveColumns;
      }
      expect(taken).toEqual(curves.all());
    };
    for (const [i, point] of points.entries()) {
      curves.add(point, point);
      if (whims[i]) take();
    }
    curves.end();
    take();
    expect(curves.take()).toBeUndefined();
  }));
});

test('without ranks there is no column of them', () => {
  const curves = new Curves(false);
  curves.add(
    { superstep: 1, seconds: 1, pages: 1, failures: 1, bytes: 1, rank: 1 },
    { busyUs: 1, robotUs: 1, meanPages: 1, mostPages: 1, pairs: 1, comparisons: 1 },
  );
  expect(curves.all()).toMatchObject({ rank: [], pages: [1], busy: [1] });
});
