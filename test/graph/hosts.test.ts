import { describe, expect, test } from 'vitest';
import { buildGraph, defaultSeeds, hostsFromNames, StringTable, syntheticHosts } from '../../src/graphs/graph/index.ts';
import { partsOf } from './random-graphs.ts';

test('hostsFromNames numbers hosts by first mention', () => {
  const hosts = hostsFromNames(['b', 'a', 'b', 'c']);
  expect([...hosts.ofPage]).toEqual([0, 1, 0, 2]);
  expect([0, 1, 2].map((host) => hosts.names.at(host))).toEqual(['b', 'a', 'c']);
  expect(hosts.synthetic).toBe(false);
});

describe('syntheticHosts', () => {
  test.each([0, 1, 7, 100, 12_345])('covers %i pages with contiguous blocks, alike each time', (pages) => {
    const hosts = syntheticHosts(pages);
    expect(hosts.synthetic).toBe(true);
    expect(hosts.names.count).toBe(hosts.count);
    const steps = new Set(Array.from(hosts.ofPage, (host, page) => host - (page === 0 ? -1 : hosts.ofPage[page - 1])));
    expect([0, 1]).toEqual(expect.arrayContaining([...steps]));
    expect(hosts.ofPage.at(-1) ?? -1).toBe(hosts.count - 1);
    expect(syntheticHosts(pages).ofPage).toEqual(hosts.ofPage);
    if (pages > 0) expect(hosts.names.at(0)).toBe('h000000.synthetic.invalid');
  });

  test('gives other hosts with another seed', () => {
    expect(syntheticHosts(10_000, 1).ofPage).not.toEqual(syntheticHosts(10_000, 2).ofPage);
  });

  // Pareto of tail index 1 from 4 pages: P(size >= 4k) = 1/k, up to the cut at a twentieth.
  test('has the tail of a Pareto distribution', () => {
    const hosts = syntheticHosts(1_000_000);
    const sizes = new Array<number>(hosts.count).fill(0);
    for (const host of hosts.ofPage) sizes[host]++;
    const shareOfAtLeast = (size: number) => sizes.filter((s) => s >= size).length / sizes.length;
    expect(shareOfAtLeast(40)).toBeGreaterThan(0.08);
    expect(shareOfAtLeast(40)).toBeLessThan(0.13);
    expect(shareOfAtLeast(400)).toBeGreaterThan(0.006);
    expect(shareOfAtLeast(400)).toBeLessThan(0.015);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(50_000);
    expect(Math.max(...sizes)).toBeGreaterThan(5_000);
  });
});

describe('defaultSeeds', () => {
  const arcs: [number, number][] = [[1, 0], [1, 2], [2, 0], [2, 1]];
  const hosts = hostsFromNames(['a', 'b', 'a', 'c']);
  test('are those stored, first of all', () => {
    const graph = buildGraph({
      ...partsOf(4, arcs), hosts, paths: StringTable.from(['/', '/', '/', '/']), seeds: Uint32Array.of(2, 0),
    });
    expect(defaultSeeds(graph)).toEqual({ seeds: Uint32Array.of(2, 0), origin: 'stored' });
  });
  test('are else the roots of the hosts, the slash before the index', () => {
    const graph = buildGraph({
      ...partsOf(4, arcs), hosts, paths: StringTable.from(['/index.html', '/index.html', '/', '/x']),
    });
    expect(defaultSeeds(graph)).toEqual({ seeds: Uint32Array.of(1, 2), origin: 'host roots' });
  });
  test('are else the page of largest out-degree, the lowest on ties', () => {
    expect(defaultSeeds(buildGraph(partsOf(4, arcs)))).toEqual({
      seeds: Uint32Array.of(1), origin: 'largest out-degree',
    });
    const rootless = buildGraph({ ...partsOf(4, arcs), hosts, paths: StringTable.from(['/w', '/x', '/y', '/z']) });
    expect(defaultSeeds(rootless).origin).toBe('largest out-degree');
    expect(defaultSeeds(buildGraph(partsOf(0, []))).seeds.length).toBe(0);
  });
});
