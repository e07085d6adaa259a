import { describe, expect, test } from 'vitest';
import { alternate } from '../../src/bench/index.ts';
import { openGraph } from '../../src/dataset/index.ts';
import { defaultSeeds, reach } from '../../src/graph/index.ts';
import { pagedQueueKinds } from '../../src/queue/index.ts';
import { benchPaged, holdModels, holdPaged } from './paged.ts';
import { benchSimulate, breadthFirst, opicCrawl } from './simulate.ts';

// Benchmarks run tiny here, so that they never rot; nothing is timed.

describe('benchmarks', () => {
  test('simulate: every side crawls the same pages', async () => {
    const graph = await openGraph('docs-web');
    const { seeds } = defaultSeeds(graph);
    const { count } = reach(graph, seeds);
    expect(breadthFirst(graph, seeds)).toBe(count);
    expect(opicCrawl(graph, seeds)).toBe(count);
    const { cases } = await benchSimulate(graph, 1);
    expect(cases.map(({ name }) => name)).toContain('bare OPIC crawl in exact order');
    for (const { ratio, versus } of cases.slice(1)) {
      expect(versus).toBe('whole simulation');
      expect(ratio?.median).toBeGreaterThan(0);
    }
  });

  test.each(pagedQueueKinds)('paged %s: all entries out in order, I/O near its least', (kind) => {
    const cacheBytes = 16 * 8192;
    const { io, entries } = benchPaged({ kind, entries: 100_000, cacheBytes, pageBytes: 8192 });
    // Six times the memory: most pages are written at least once, and read again.
    expect(io.bytesWritten).toBeGreaterThan(0.8 * (8 * entries - cacheBytes));
    expect(io.bytesRead).toBeGreaterThan(0.8 * (8 * entries - cacheBytes));
  });

  test.each(holdModels)('paged queues, hold model %s: the QuickHeap needs less I/O than the CBT', (model) => {
    const [cbt, quickheap] = (['cbt', 'quickheap'] as const).map((kind) => holdPaged(kind, model, 2 ** 16, 128, 0.1));
    expect(quickheap.readsARound).toBeGreaterThan(0);
    expect(quickheap.readsARound + quickheap.writesARound).toBeLessThan(0.9 * (cbt.readsARound + cbt.writesARound));
  });

  test('sides run in turn, after a round that is not counted', async () => {
    const calls: string[] = [];
    const side = (name: string) => ({ name, run: () => calls.push(name) });
    const { cases } = await alternate([side('a'), side('b')], 2);
    expect(calls).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(cases).toHaveLength(2);
  });
});
