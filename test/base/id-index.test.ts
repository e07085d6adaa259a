import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdIndex } from '../../src/base/index.ts';
import { tries } from '../sweep.ts';

test('an id index numbers ids like a Map does, for runs of ids, far ids and repeats', () => {
  const ids = fc.oneof(
    fc.nat(50), fc.integer({ min: 2 ** 32 - 50, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  );
  fc.assert(fc.property(fc.array(ids, { maxLength: 2000 }), (pages) => {
    const index = new IdIndex();
    const model = new Map<number, number>();
    for (const page of pages) {
      expect(index.find(page)).toBe(model.get(page) ?? -1);
      if (!model.has(page)) model.set(page, model.size);
      expect(index.add(page)).toBe(model.get(page));
    }
    expect(index.count).toBe(model.size);
    for (const [page, number] of model) expect([index.find(page), index.idAt(number)]).toEqual([number, page]);
  }), { seed: 1, numRuns: tries(60) });
});
