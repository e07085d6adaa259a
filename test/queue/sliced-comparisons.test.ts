import { afterEach, expect, test, vi } from 'vitest';
import { createQueue, queueKinds } from '../../src/queue/index.ts';
import { DrawStream } from '../../src/std/index.ts';

// Goal: of slices too, a reported comparison is a comparison made, and the reverse.
// Method: as in comparisons.test.ts, keys are objects and the engine counts; here they also carry the index that is hashed.

let looks = 0;

class Key {
  readonly index: number;
  readonly #value: number;
  constructor(value: number, index: number) {
    this.#value = value;
    this.index = index;
  }
  valueOf(): number {
    looks++;
    return this.#value;
  }
}

vi.mock(import('../../src/queue/entry.ts'), async (original) => ({
  ...(await original()),
  entryIndex: (entry) => (entry as unknown as Key).index,
}));

class AnyArray extends Array<unknown> {
  set(source: ArrayLike<unknown>, offset = 0): void {
    for (let i = 0; i < source.length; i++) this[offset + i] = source[i];
  }
  subarray(from: number, to?: number): unknown[] {
    return this.slice(from, to);
  }
}

afterEach(() => void vi.unstubAllGlobals());

test.each(queueKinds.flatMap((kind) => (['exact', 'approximate'] as const).map((slicing) => [kind, slicing] as const)))(
  '%s, %s: counts are those of the engine',
  (kind, slicing) => {
    vi.stubGlobal('Float64Array', AnyArray);
    const queue = createQueue({ kind, block: 12, seed: 3, slices: 3, slicing });
    const draws = new DrawStream(3, 'counts');
    const taken = { insert: 0, extract: 0 };
    looks = 0;
    for (let round = 0; round < 60; round++) {
      const batch = new AnyArray();
      for (let i = 0; i < 40; i++) batch.push(new Key(draws.uint32(40 * round + i) % 500, draws.uint32(40 * round + i, 1)));
      queue.insertMany(batch as unknown as Float64Array, 0, 40);
      taken.insert += looks / 2;
      looks = 0;
      queue.extractTop(round % 7 === 0 ? 2 : 33, new AnyArray(33) as unknown as Float64Array);
      taken.extract += looks / 2;
      looks = 0;
      expect(queue.comparisons).toEqual(taken);
    }
    expect(taken.insert).toBeGreaterThan(100);
    expect(taken.extract).toBeGreaterThan(100);
  },
);
