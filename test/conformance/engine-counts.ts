import { expect, vi } from 'vitest';
import type { PriorityQueue } from '../../src/core/queue/index.ts';
import { DrawStream } from '../../src/base/index.ts';

let looks = 0;

/** Comparisons of two Keys that the engine made since the last call. */
export function comparisonsSeen(): number {
  const seen = looks / 2;
  looks = 0;
  return seen;
}

/**
 * A key that is an object: `a > b` calls valueOf of both, and so the engine itself counts. The index is for whoever
 * hashes it.
 */
export class Key {
  readonly index: number;
  readonly #value: number;
  constructor(value: number, index = 0) {
    this.#value = value;
    this.index = index;
  }
  valueOf(): number {
    looks++;
    return this.#value;
  }
}

/** What the queues use of Float64Array, holding anything. `subarray` copies: the queues only read from theirs. */
export class AnyArray extends Array<unknown> {
  set(source: ArrayLike<unknown>, offset = 0): void {
    for (let i = 0; i < source.length; i++) this[offset + i] = source[i];
  }
  subarray(from = 0, to = this.length): AnyArray {
    const part = new AnyArray();
    part.set(this.slice(from, to));
    return part;
  }
}

/**
 * Every reported comparison is a comparison made, and the reverse, call by call; for queues in TypeScript that look at
 * keys only by comparing them. 40 keys in and up to 50 out, 60 times. Float64Array is another until
 * `vi.unstubAllGlobals`.
 */
export function expectCountsOfTheEngine(make: () => PriorityQueue): void {
  vi.stubGlobal('Float64Array', AnyArray);
  const queue = make();
  const draws = new DrawStream(3, 'counts');
  const taken = { insert: 0, extract: 0 };
  comparisonsSeen();
  for (let round = 0; round < 60; round++) {
    const batch = new AnyArray();
    for (let i = 0; i < 40; i++)
      batch.push(new Key(draws.uint32(40 * round + i) % 500, draws.uint32(40 * round + i, 1)));
    queue.insertMany(batch as unknown as Float64Array, 0, 40);
    taken.insert += comparisonsSeen();
    queue.extractTop(draws.uint32(round, 2) % 50, new AnyArray(50) as unknown as Float64Array);
    taken.extract += comparisonsSeen();
    expect(queue.comparisons).toEqual(taken);
  }
  expect(taken.insert).toBeGreaterThan(100);
  expect(taken.extract).toBeGreaterThan(100);
}
