import { describe, expect, test } from 'vitest';
import { buildGraph, hostsFromNames } from '../../src/graph/index.ts';
import { Network, SimulatedWorld, type NetworkOptions } from '../../src/simulation/index.ts';
import { describeWorld } from '../conformance/world.ts';

const options: NetworkOptions = {
  latencyMs: 100, latencySigma: 0, bandwidthBytesPerSecond: 1e6, bandwidthSigma: 0,
  processorBandwidthBytesPerSecond: 0, pageBytes: 1000, pageBytesSigma: 0,
};

/** Six pages on three hosts, in turns; page p links to all others. */
const graph = buildGraph({
  name: 'six',
  pages: 6,
  sources: Uint32Array.from({ length: 30 }, (_, i) => Math.floor(i / 5)),
  targets: Uint32Array.from({ length: 30 }, (_, i) => (Math.floor(i / 5) + 1 + (i % 5)) % 6),
  hosts: hostsFromNames(['a', 'b', 'c', 'a', 'b', 'c']),
  bytes: Uint32Array.of(1000, 2000, 3000, 4000, 5000, 0),
});

describeWorld('SimulatedWorld', () => ({
  world: new SimulatedWorld(new Network(graph, { ...options, latencySigma: 0.5, bandwidthSigma: 0.7 }, 1), 1_000_000),
  pages: [0, 1, 2, 3, 4, 5],
  politenessUs: 1_000_000,
}));

describe('the simulated network', () => {
  test('a download takes the latency and its bytes at the rate of its host', () => {
    const network = new Network(graph, options, 1);
    expect(network.durationUs(1, 1)).toBe(100_000 + 2000);
    expect(network.durationUs(5, 1)).toBe(100_000);
  });

  test('the processor shares its bandwidth among the downloads open at the start, and the rate then stays', () => {
    const network = new Network(graph, { ...options, processorBandwidthBytesPerSecond: 1e6 }, 1);
    expect(network.durationUs(3, 1)).toBe(100_000 + 4000);
    expect(network.durationUs(3, 2)).toBe(100_000 + 8000);
    const world = new SimulatedWorld(network, 0);
    world.start({ page: 0, sequence: 0, attempt: 0 });
    world.start({ page: 1, sequence: 1, attempt: 0 });
    world.start({ page: 2, sequence: 2, attempt: 0 });
    const ends = [world.next(Infinity), world.next(Infinity), world.next(Infinity)].map((outcome) => outcome?.finishedAtUs);
    expect(ends).toEqual([100_000 + 1000, 100_000 + 2 * 2000, 100_000 + 3 * 3000]);
  });

  test('0 means no limit, and zero latency ends in the instant in which it began, by sequence', () => {
    const world = new SimulatedWorld(new Network(graph, { ...options, latencyMs: 0, bandwidthBytesPerSecond: 0 }, 1), 0);
    [2, 0, 1].forEach((page, sequence) => world.start({ page, sequence, attempt: 0 }));
    expect([world.next(0), world.next(0), world.next(0)].map((outcome) => outcome?.page)).toEqual([2, 0, 1]);
    expect(world.nowUs).toBe(0);
  });

  test('draws depend on seed and host alone; hosts differ', () => {
    const drawn = { ...options, latencySigma: 0.5, bandwidthSigma: 0.7 };
    const durations = (seed: number): number[] => [0, 1, 2].map((page) => new Network(graph, drawn, seed).durationUs(page, 1));
    expect(durations(1)).toEqual(durations(1));
    expect(durations(1)).not.toEqual(durations(2));
    expect(new Set(durations(1)).size).toBe(3);
  });

  test('page sizes are drawn where the graph knows none', () => {
    const unsized = new Network({ ...graph, bytes: undefined }, { ...options, pageBytes: 15_000, pageBytesSigma: 1 }, 1);
    const sizes = [0, 1, 2, 3, 4, 5].map((page) => unsized.bytesOf(page));
    expect(new Set(sizes).size).toBe(6);
    for (const size of sizes) expect(Number.isInteger(size)).toBe(true);
  });
});
