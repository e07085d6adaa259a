import { afterEach, test, vi } from 'vitest';
import { BinaryHeap, SlicedQueue, slicings } from '../../../src/core/queue/index.ts';
import { SortedCbt } from '../twins/sorted-cbt.ts';
import { expectCountsOfTheEngine, type Key } from '../../conformance/engine-counts.ts';

// Goal: of slices too, a reported comparison is a comparison made, and the reverse. Keys also carry the index that is
// hashed.

vi.mock(import('../../../src/core/queue/entry.ts'), async (original) => ({
  ...(await original()),
  entryIndex: (entry) => (entry as unknown as Key).index,
}));

afterEach(() => void vi.unstubAllGlobals());

const makers = { 'binary-heap': () => new BinaryHeap(), cbt: () => new SortedCbt(4, { compareOnly: true }) };

test.each(Object.entries(makers).flatMap(([kind, make]) => slicings.map((slicing) => [kind, slicing, make] as const)))(
  '%s, %s: counts are those of the engine',
  (_, slicing, make) => expectCountsOfTheEngine(() => new SlicedQueue({ slices: 3, slicing, make })),
);
