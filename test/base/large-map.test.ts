import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { LargeMap, LargeSet } from '../../src/base/index.ts';
import { tries } from '../sweep.ts';

// Goal: a LargeMap is a Map, but for its limit, which 2^24 entries reach in the engine's own.

test('is a Map, whatever is done to it', () => {
  const step = fc.record({
    what: fc.constantFrom('set', 'set', 'delete', 'clear' as const), key: fc.nat(40), value: fc.nat(9),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 8 }), (steps, most) => {
    const [map, large] = [new Map<number, number>(), new LargeMap<number, number>([], most)];
    for (const { what, key, value } of steps) {
      if (what === 'set') for (const one of [map, large]) one.set(key, value);
      else if (what === 'delete') expect(large.delete(key)).toBe(map.delete(key));
      else if (key < 3) for (const one of [map, large]) one.clear();
      expect(large.size).toBe(map.size);
      expect([large.get(key), large.has(key), large.has(key + 1)]).toEqual([
        map.get(key), map.has(key), map.has(key + 1),
      ]);
    }
    expect([...large].sort(([a], [b]) => a - b)).toEqual([...map].sort(([a], [b]) => a - b));
    expect([...large.keys()]).toEqual([...large].map(([key]) => key));
    expect([...large.values()]).toEqual([...large].map(([, value]) => value));
  }), { seed: 1, numRuns: tries(300) });
});

test('keeps the order of insertion', () => {
  const entries = Array.from({ length: 100 }, (_, i) => [(i * 37) % 101, i] as const);
  expect([...new LargeMap(entries, 7)]).toEqual([...new Map(entries)]);
});

test('no Map under it has more entries than it may have', () => {
  const watch = vi.spyOn(Map.prototype, 'set');
  try {
    const map = new LargeMap<string, number>([], 3);
    for (let i = 0; i < 10; i++) map.set(`an entry ${i}`, i);
    expect(map.size).toBe(10);
    const [maps, calls] = [watch.mock.contexts as Map<unknown, unknown>[], watch.mock.calls];
    const own = new Set(maps.filter((_, call) => String(calls[call][0]).startsWith('an entry ')));
    expect([...own].map(({ size }) => size)).toEqual([3, 3, 3, 1]);
  } finally {
    watch.mockRestore();
  }
});

test('a LargeSet is a Set', () => {
  const set = new LargeSet<number>(3);
  for (const element of [5, 1, 5, 2, 3, 4, 1]) set.add(element);
  expect([set.size, set.has(5), set.has(4), set.has(6)]).toEqual([5, true, true, false]);
});

// Their entries are pages or hosts, of which there may be more than a Map holds. To try each with 2^24 would take
// hours.
test.each<[file: string, others?: number]>([
  ['core/frontier/hosts/pending-jobs.ts'], ['core/scheduler/processor.ts'],
  ['core/policy/host-pages.ts'], ['core/policy/larger-sites-first.ts'],
  ['core/policy/round-robin.ts'], ['core/simulation/simulated-world.ts'], ['core/live/live-world.ts', 2],
  ['core/live/live-web.ts'], ['core/live/politeness/robots-fetches.ts', 2],
  ['machines/crawl/checkpoint/rests.ts'], ['graphs/graph/hosts.ts'], ['graphs/formats/tables/tables.ts', 2],
  ['graphs/formats/crawl-pages.ts'],
  ['graphs/formats/scores/url-scores.ts'], ['graphs/formats/url-lists/listed-pages.ts', 1],
  ['core/measure/record/verify-run.ts'],
  ['views/service/web/graph-site.ts'], ['views/service/web/page-urls.ts'],
])('%s has no Map or Set of pages or hosts', (file, others = 0) => {
  const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
  expect(text.match(/new (Map|Set)\b/g) ?? []).toHaveLength(others);
});
