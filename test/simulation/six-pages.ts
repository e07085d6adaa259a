import { networkSchema } from '../../src/core/settings/index.ts';
import { buildGraph, hostsFromNames } from '../../src/graphs/graph/index.ts';
import type { NetworkOptions } from '../../src/core/simulation/index.ts';

/** Nothing is drawn and nothing fails, unless a test says so. */
export const calm: NetworkOptions = networkSchema.parse({
  latencyMs: 100, latencySigma: 0, bandwidthBytesPerSecond: 1e6, bandwidthSigma: 0,
  processorBandwidthBytesPerSecond: 0, pageBytes: 1000, pageBytesSigma: 0,
});

/** Six pages on three hosts, in turns; page p links to all others. */
export const six = buildGraph({
  name: 'six',
  pages: 6,
  sources: Uint32Array.from({ length: 30 }, (_, i) => Math.floor(i / 5)),
  targets: Uint32Array.from({ length: 30 }, (_, i) => (Math.floor(i / 5) + 1 + (i % 5)) % 6),
  hosts: hostsFromNames(['a', 'b', 'c', 'a', 'b', 'c']),
  bytes: Uint32Array.of(1000, 2000, 3000, 4000, 5000, 0),
});

/** `pages` pages without links on `hosts` hosts, in turns. */
export function flat(pages: number, hosts: number): typeof six {
  return buildGraph({
    name: 'flat', pages, sources: new Uint32Array(0), targets: new Uint32Array(0),
    hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `h${page % hosts}.example`)),
  });
}
