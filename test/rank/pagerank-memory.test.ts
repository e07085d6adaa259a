import { expect, test } from 'vitest';
import { kernelLayout, kernelMemory, type KernelLayout } from '../../src/graphs/rank/pagerank/pagerank-memory.ts';
import { WorldError } from '../../src/base/index.ts';

// Goal: nothing in the kernel's memory lies over anything else, and what does not fit is reported before it is touched.

/** Where each part of a layout begins, and what it needs. */
function partsOf(layout: KernelLayout, arcs: number): [at: number, bytes: number][] {
  const { pages, threads, blocks, stride } = layout;
  const lists = 4 * arcs + 24 * pages;
  return [
    ...layout.sums.map((at): [number, number] => [at, 8 * 6 * (6 + 16)]),
    ...layout.shares.map((at): [number, number] => [at, 8 * (pages + 1)]),
    ...layout.chunks.map((at): [number, number] => [at, 4 * Math.min(arcs, 65536)]), [layout.degrees, 4 * pages],
    [layout.factors, 8 * pages], [layout.ranks, 8 * pages], [layout.preference, 8 * pages],
    [layout.differences, Math.max(6, threads) * stride], [layout.starts, 4 * blocks], [layout.codeStarts, 4 * blocks],
    [layout.danglingStarts, 4 * blocks], [layout.lists, lists],
    ...(layout.code === 0 ? [] : [[layout.code, lists] as [number, number]]),
  ];
}

test.each([
  [1, 0, 1], [255, 3, 2], [256, 70_000, 3], [1001, 9999, 7], [10_000_000, 100_000_000, 2], [30_000_000, 400_000_000, 1],
])('%i pages, %i arcs, %i threads: parts stand apart', (pages, arcs, threads) => {
  const layout = kernelLayout({ pages, arcs }, threads);
  const parts = partsOf(layout, arcs).filter(([, bytes]) => bytes > 0).sort(([a], [b]) => a - b);
  for (const [i, [at, bytes]] of parts.entries()) {
    expect(at % 64).toBe(0);
    expect(at + bytes).toBeLessThanOrEqual(parts[i + 1]?.[0] ?? layout.end);
  }
  expect(parts[0][0]).toBeGreaterThanOrEqual(65536);
  expect(layout.stride).toBeGreaterThanOrEqual(4 * pages);
});

test('1e7 pages and 1e8 arcs take less than 2 GiB of addresses; where coded lists would not fit, they are left out', () => {
  const large = kernelLayout({ pages: 1e7, arcs: 1e8 }, 1);
  expect(large.end).toBeLessThan(2 ** 31);
  expect(large.code).toBeGreaterThan(0);
  const larger = kernelLayout({ pages: 2e7, arcs: 5e8 }, 1);
  expect(larger.code).toBe(0);
  expect(larger.end).toBeLessThan(2 ** 32);
});

test('a graph beyond 4 GiB is refused', () => {
  const layout = kernelLayout({ pages: 1e8, arcs: 1e9 }, 1);
  expect(() => kernelMemory(layout, 'huge')).toThrow(WorldError);
  expect(() => kernelMemory(layout, 'huge')).toThrow(
    /PageRank: no memory for the \d+ MiB that the kernel needs for huge; it can have 4 GiB/,
  );
});
