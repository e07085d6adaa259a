import { describe, expect, test } from 'vitest';
import { DrawStream } from '../../src/base/index.ts';
import { exp, inverseNormal, log } from '../../src/base/random/draw.ts';

describe('keyed draws', () => {
  test('are a function of seed, stream, id and attempt alone', () => {
    const stream = new DrawStream(7, 'host latency');
    const forwards = Array.from({ length: 100 }, (_, id) => stream.uint32(id));
    const backwards = Array.from({ length: 100 }, (_, i) => new DrawStream(7, 'host latency').uint32(99 - i)).reverse();
    expect(forwards).toEqual(backwards);
  });

  test('differ when any part of the key differs', () => {
    const draws = new Set<number>();
    for (const seed of [0, 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1]) {
      for (const name of ['a', 'b', 'ab', 'ba']) {
        for (const id of [0, 1, 2 ** 31, 2 ** 32 - 1]) {
          for (const attempt of [0, 1, 2]) draws.add(new DrawStream(seed, name).uint32(id, attempt));
        }
      }
    }
    // 240 draws of 32 bits: a collision by chance has probability 7e-6.
    expect(draws.size).toBe(5 * 4 * 4 * 3);
  });

  test('are uniform: chi-squared over 64 cells, 2^16 draws, for consecutive ids and for attempts', () => {
    const stream = new DrawStream(1, 'uniformity');
    for (const draw of [(i: number) => stream.uniform(i), (i: number) => stream.uniform(5, i)]) {
      const cells = new Float64Array(64);
      const draws = 2 ** 16;
      for (let i = 0; i < draws; i++) cells[Math.floor(64 * draw(i))]++;
      const chi = cells.reduce((sum, count) => sum + (count - draws / 64) ** 2 / (draws / 64), 0);
      // 63 degrees of freedom: 99.99 % lie in (25, 118).
      expect(chi).toBeGreaterThan(25);
      expect(chi).toBeLessThan(118);
    }
  });

  test('log-normal has the median and sigma asked for', () => {
    const stream = new DrawStream(3, 'log-normal');
    const draws = Array.from({ length: 20_001 }, (_, id) => stream.logNormal(150, 0.5, id)).sort((a, b) => a - b);
    expect(draws[10_000]).toBeGreaterThan(147);
    expect(draws[10_000]).toBeLessThan(153);
    const logs = draws.map((value) => Math.log(value / 150));
    const sigma = Math.sqrt(logs.reduce((sum, value) => sum + value * value, 0) / logs.length);
    expect(sigma).toBeGreaterThan(0.49);
    expect(sigma).toBeLessThan(0.51);
    expect(stream.logNormal(150, 0, 1)).toBe(150);
  });
});

describe('own mathematics agrees with the engine', () => {
  test('exp and log over their range', () => {
    for (let x = -40; x <= 40; x += 0.37) {
      expect(exp(x) / Math.exp(x)).toBeCloseTo(1, 12);
      expect(log(Math.exp(x))).toBeCloseTo(x, 12);
    }
  });

  test('the inverse normal returns known quantiles, and is odd', () => {
    const known = [
      [0.5, 0], [0.8413447460685429, 1], [0.9772498680518208, 2], [0.9986501019683699, 3], [0.99999971334842, 5],
    ];
    for (const [p, z] of known) {
      expect(inverseNormal(p)).toBeCloseTo(z, 6);
      expect(inverseNormal(1 - p)).toBeCloseTo(-z, 6);
    }
  });
});
