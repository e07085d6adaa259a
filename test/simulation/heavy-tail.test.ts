import { expect, test } from 'vitest';
import { greatTail, smallTail } from '../../src/core/simulation/heavy-tail.ts';
import { DrawStream } from '../../src/base/index.ts';

const grid = [0.01, 0.1, 0.5].flatMap((share) =>
  [1, 1.2, 3].flatMap((index) => [0, 0.5, 2].map((sigma) => ({ share, index, sigma }))),
);

test.each(grid)('%j: log-normal below the tail, Pareto in it, and no gap between', ({ share, index, sigma }) => {
  const at = (p: number): number => greatTail(p, 150, sigma, { share, index });
  const begin = at(1 - share);
  // Twice as far into the tail, 2^-index as many are left.
  for (const times of [1 + 1e-9, 2, 10, 1000])
    expect(at(1 - share * times ** -index) / begin / times).toBeCloseTo(1, 6);
  expect(at(0.5)).toBe(150);
  // One sigma above the median, where the body reaches so far.
  if (share < 0.15) expect(at(0.8413447460685429)).toBeCloseTo(150 * Math.exp(sigma), 3);
});

test('slow tails mirror great ones: what is small is as many times smaller', () => {
  for (const { share, index, sigma } of grid) {
    for (const p of [1e-9, 0.003, share, 0.3, 0.5, 0.9]) {
      const product = smallTail(p, 1, sigma, { share, index }) * greatTail(1 - p, 1, sigma, { share, index });
      expect(product).toBeCloseTo(1, 6);
    }
  }
});

test('a share of 0 is the log-normal of the draw stream, to the bit', () => {
  const draws = new DrawStream(3, 'host latency');
  for (let host = 0; host < 500; host++) {
    const expected = draws.logNormal(150, 0.5, host);
    expect(greatTail(draws.uniform(host), 150, 0.5, { share: 0, index: 1.2 })).toBe(expected);
    expect(smallTail(draws.uniform(host), 150, 0.5, { share: 0, index: 1.2 })).toBe(expected);
  }
});
