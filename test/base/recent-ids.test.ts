import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentIds } from '../../src/base/index.ts';
import { tries } from '../sweep.ts';

const ids = fc.array(fc.oneof(fc.nat(12), fc.nat(2 ** 32 - 1)), { maxLength: 300 });

test('knows what two lists know, of which the older one is dropped when the newer one is full', () => {
  fc.assert(fc.property(fc.integer({ min: 2, max: 20 }), ids, (maxIds, added) => {
    const most = Math.floor(maxIds / 2);
    let recent = new RecentIds(maxIds);
    let [older, newer] = [[] as number[], [] as number[]];
    const distinct: number[] = [];
    for (const [i, id] of added.entries()) {
      const isNew = !older.includes(id) && !newer.includes(id);
      expect(recent.add(id)).toBe(isNew);
      if (!newer.includes(id)) newer.push(id);
      if (newer.length === most) [older, newer] = [newer, []];
      expect([...recent.ids()]).toEqual([...older, ...newer]);
      expect(recent.count).toBeLessThan(maxIds);
      if (distinct.includes(id)) distinct.splice(distinct.indexOf(id), 1);
      distinct.push(id);
      expect([...recent.ids()]).toEqual(expect.arrayContaining(distinct.slice(-most)));
      if (i % 7 !== 0) continue;
      // As a checkpoint restores it.
      const again = new RecentIds(maxIds);
      for (const known of recent.ids()) again.add(known);
      recent = again;
      expect([...recent.ids()]).toEqual([...older, ...newer]);
    }
  }), { numRuns: tries(200) });
});

test('without a limit it forgets nothing', () => {
  fc.assert(fc.property(ids, (added) => {
    const recent = new RecentIds(Infinity);
    const model = new Set<number>();
    for (const id of added) {
      expect(recent.add(id)).toBe(!model.has(id));
      model.add(id);
    }
    expect([...recent.ids()]).toEqual([...model]);
  }), { numRuns: tries(60) });
});
