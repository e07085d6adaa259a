import { describe, expect, test } from 'vitest';
import { createQueue, packEntry } from '../../../src/core/queue/index.ts';
import { expectedMissedFraction, missedFraction } from '../twins/missed-fraction.ts';
import { AssertionError, DrawStream } from '../../../src/base/index.ts';
import { isFullSweep, sampled } from '../../sweep.ts';

/** Mean missed fraction over `runs` queues of 2 R entries with random keys and indices, of which R leave. */
function meanMissed(slices: number, extracted: number, runs: number): number {
  const draws = new DrawStream(2008, `missed ${slices} ${extracted}`);
  const entries = new Float64Array(2 * extracted);
  let sum = 0;
  for (let run = 0; run < runs; run++) {
    for (let i = 0; i < entries.length; i++) {
      const id = run * entries.length + i;
      entries[i] = packEntry(draws.uint32(id) >>> 2, draws.uint32(id, 1));
    }
    const queue = createQueue({ kind: 'quickheap', block: 1, seed: run, slices, slicing: 'approximate' });
    queue.insertMany(entries, 0, entries.length);
    const batch = new Float64Array(extracted);
    queue.extractTop(extracted, batch);
    sum += missedFraction(batch, entries.slice().sort().subarray(extracted));
  }
  return sum / runs;
}

describe('the missed fraction of approximate slices', () => {
  const runs = isFullSweep ? 300 : 100;
  // The missed fraction of two slices is the modulus of a normal, whose deviation is 0.756 of its mean; of more slices
  // it is less. Four standard errors: one of 6,000 such experiments would fail by chance, and this one has a fixed
  // seed.
  const tolerance = (4 * 0.756) / Math.sqrt(runs);

  test.each(
    sampled(
      [
        [4, 2000], [2, 8000], [64, 8000], [8, 1000], [8, 8000],
      ],
      3,
    ),
  )('T = %d, R = %d: 0.399 sqrt((T-1)/R)', (slices, extracted) => {
    const expected = 0.399 * Math.sqrt((slices - 1) / extracted);
    expect(expectedMissedFraction(slices, extracted)).toBeCloseTo(expected, 4);
    expect(Math.abs(meanMissed(slices, extracted, runs) / expected - 1)).toBeLessThan(tolerance);
  });

  test('one slice misses nothing', () => {
    expect(expectedMissedFraction(1, 100)).toBe(0);
    expect(meanMissed(1, 100, 3)).toBe(0);
  });

  test('by hand', () => {
    expect(missedFraction(Float64Array.of(9, 3, 8, 2), Float64Array.of(7, 9, 8, 6))).toBe(0.5);
    expect(missedFraction(Float64Array.of(5, 5), Float64Array.of(5, 5))).toBe(0);
    for (const batch of [[], [1]]) {
      expect(() => missedFraction(Float64Array.from(batch), new Float64Array(batch.length * 2))).toThrow(
        AssertionError,
      );
    }
  });
});
