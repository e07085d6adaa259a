import { networkSchema } from '../../../src/settings/index.ts';
import { StringTable, type WebGraph } from '../../../src/graph/index.ts';
import { GraphSite } from '../../../src/service/index.ts';

/** Of the pages of each host, this share is denied in its robots.txt. */
const deniedShare = 0.02;

/**
 * A stored graph with its pages dealt out to so many hosts: a host has one request at a time, so that there must be
 * more hosts than connections. Their names have the port, so that clients need to be reported addresses alone.
 */
export function dealt(graph: WebGraph, hosts: number, port: number): WebGraph {
  const names = StringTable.from(Array.from({ length: hosts }, (_, host) => `h${host}.bench.test:${port}`));
  return {
    ...graph,
    hosts: {
      count: hosts, ofPage: Uint32Array.from({ length: graph.pages }, (_, page) => page % hosts), names,
      synthetic: false,
    },
  };
}

export function benchSite(graph: WebGraph): GraphSite {
  const network = networkSchema.parse({
    latencyMs: 0, latencySigma: 0, bandwidthBytesPerSecond: 0, processorBandwidthBytesPerSecond: 0, robotsTxtShare: 1,
    deniedShare,
  });
  return new GraphSite(graph, { network, seed: 1 });
}
