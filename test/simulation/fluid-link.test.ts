import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FluidLink } from '../../src/core/simulation/fluid-link.ts';
import { tries } from '../sweep.ts';

// Goal: downloads end when max-min fair sharing says, to the microsecond. The model has exact fractions, and looks for
// the fair rates by filling all glasses at once: it shares no step with the link.

/** n/d, d > 0. */
type Fraction = readonly [n: bigint, d: bigint];
const of = (n: number, d = 1): Fraction => [BigInt(n), BigInt(d)];
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));
const reduced = ([n, d]: Fraction): Fraction => {
  const g = gcd(n < 0n ? -n : n, d);
  return [n / g, d / g];
};
const plus = (a: Fraction, b: Fraction): Fraction => reduced([a[0] * b[1] + b[0] * a[1], a[1] * b[1]]);
const minus = (a: Fraction, b: Fraction): Fraction => plus(a, [-b[0], b[1]]);
const times = (a: Fraction, b: Fraction): Fraction => reduced([a[0] * b[0], a[1] * b[1]]);
const over = (a: Fraction, b: Fraction): Fraction => times(a, [b[1], b[0]]);
const less = (a: Fraction, b: Fraction): boolean => a[0] * b[1] < b[0] * a[1];
const least = (values: readonly Fraction[]): Fraction => values.reduce((a, b) => (less(b, a) ? b : a));
const ceil = ([n, d]: Fraction): number => Number(n >= 0n ? (n + d - 1n) / d : -(-n / d));

interface Download {
  readonly beginsAtUs: number;
  readonly bytes: number;
  /** Quarters of a byte a microsecond. */
  readonly most: number;
}

/** All rates rise together; a download stops rising at its most, and all stop when the link is full. */
function fairRates(mosts: readonly Fraction[], capacity: Fraction): Fraction[] {
  const rates = mosts.map(() => of(0));
  const rising = new Set(mosts.keys());
  let left = capacity;
  while (rising.size > 0 && left[0] > 0n) {
    const rise = least([over(left, of(rising.size)), ...[...rising].map((i) => minus(mosts[i], rates[i]))]);
    for (const i of rising) rates[i] = plus(rates[i], rise);
    left = minus(left, times(rise, of(rising.size)));
    for (const i of [...rising]) if (!less(rates[i], mosts[i])) rising.delete(i);
  }
  return rates;
}

/** Exact moment at which each download ends. */
function exactEnds(downloads: readonly Download[], capacity: Fraction): Fraction[] {
  const left = downloads.map(({ bytes }) => of(bytes));
  const ends: Fraction[] = [];
  let now = of(0);
  while (Object.keys(ends).length < downloads.length) {
    const alive = [...downloads.keys()].filter((i) => !(i in ends));
    const flowing = alive.filter((i) => !less(now, of(downloads[i].beginsAtUs)));
    const rates = fairRates(flowing.map((i) => of(downloads[i].most, 4)), capacity);
    const moments = [
      ...alive.filter((i) => !flowing.includes(i)).map((i) => of(downloads[i].beginsAtUs)),
      ...flowing.map((i, k) => plus(now, over(left[i], rates[k]))),
    ];
    const then = least(moments);
    flowing.forEach((i, k) => (left[i] = minus(left[i], times(rates[k], minus(then, now)))));
    for (const i of flowing) if (left[i][0] === 0n) ends[i] = then;
    now = then;
  }
  return ends;
}

/** The microsecond that the link reports for each download. */
function reported(downloads: readonly Download[], bytesPerUs: number): number[] {
  const link = new FluidLink<number>(bytesPerUs);
  downloads.forEach(({ beginsAtUs, bytes, most }, i) => link.add(i, beginsAtUs, bytes, most / 4));
  const ends: number[] = [];
  for (let lastUs = 0; link.nextUs < Infinity; ) {
    const atUs = link.nextUs;
    expect(atUs).toBeGreaterThanOrEqual(lastUs);
    lastUs = atUs;
    const ended = link.step();
    if (ended !== undefined) ends[ended] = atUs;
  }
  return ends;
}

const download = fc.record({
  beginsAtUs: fc.oneof(fc.nat(20), fc.nat(3000)),
  bytes: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5000 })),
  most: fc.integer({ min: 1, max: 24 }),
});

test('a fluid link ends downloads when exact max-min fair sharing does', () => {
  const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20081030);
  fc.assert(
    fc.property(
      fc.array(download, { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 1, max: 16 }),
      (downloads, quarters) => {
        const slack = of(1, 1000);
        expect(reported(downloads, quarters / 4)).toEqual(
          exactEnds(downloads, of(quarters, 4)).map((end) => ceil(minus(end, slack))),
        );
      },
    ),
    { seed, numRuns: tries(150) },
  );
});

test('no limit anywhere: downloads end as they begin', () => {
  const link = new FluidLink<string>(Infinity);
  link.add('b', 7, 100, Infinity);
  link.add('a', 5, 100, Infinity);
  link.add('slow', 5, 100, 10);
  expect([link.step(), link.step(), link.nextUs, link.step()]).toEqual([undefined, undefined, 5, 'a']);
  expect([link.step(), link.nextUs, link.step(), link.nextUs, link.step(), link.nextUs]).toEqual([
    undefined, 7, 'b', 15, 'slow', Infinity,
  ]);
});
