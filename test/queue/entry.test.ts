import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryIndex, entryKey, keyLimit, keyOfScore, packEntry } from '../../src/core/queue/index.ts';
import { assertProperty } from '../conformance/queue.ts';

const keys = [0, 1, 0x3f800000, 0x7fefffff];
const indices = [0, 1, 2 ** 31, 2 ** 32 - 1];
const anyKey = fc.oneof(fc.constantFrom(...keys), fc.nat(keyLimit - 1), fc.nat(3));
const anyIndex = fc.oneof(fc.constantFrom(...indices), fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.nat(3));

describe('a packed entry', () => {
  test.each(keys.flatMap((key) => indices.map((index) => [key, index])))(
    'gives back key %d and index %d',
    (key, index) => {
      const entry = packEntry(key, index);
      expect(entryKey(entry)).toBe(key);
      expect(entryIndex(entry)).toBe(index);
      expect(Number.isFinite(entry) && entry >= 0).toBe(true);
      // Queues keep entries in typed arrays: a round trip through one must not change a bit.
      expect(entryIndex(Float64Array.of(entry)[0])).toBe(index);
    },
  );

  test('is greater for a greater key, and of equal keys for the smaller index', () => {
    assertProperty(
      fc.property(anyKey, anyIndex, anyKey, anyIndex, (keyA, indexA, keyB, indexB) => {
        const before = keyA > keyB || (keyA === keyB && indexA < indexB);
        expect(packEntry(keyA, indexA) > packEntry(keyB, indexB)).toBe(before);
        expect(packEntry(keyA, indexA) === packEntry(keyB, indexB)).toBe(keyA === keyB && indexA === indexB);
      }),
      2000,
    );
  });
});

describe('keyOfScore', () => {
  test('has the bits of a float32', () => {
    expect([0, 2 ** -149, 1, 1.5, 2].map(keyOfScore)).toEqual([0, 1, 0x3f800000, 0x3fc00000, 0x40000000]);
  });

  test('grows with the score, and stays below the limit for coins', () => {
    const score = fc.oneof(
      fc.double({ min: 0, max: 2 ** 53, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }),
    );
    assertProperty(
      fc.property(score, score, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(keyOfScore(low)).toBeLessThanOrEqual(keyOfScore(high));
        expect(keyOfScore(low) < keyOfScore(high)).toBe(Math.fround(low) < Math.fround(high));
        expect(keyOfScore(high)).toBeLessThan(keyLimit);
      }),
      1000,
    );
  });
});
