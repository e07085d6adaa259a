import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { networkSchema } from '../../../src/core/settings/index.ts';
import { StringTable, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { FolderSite, GraphSite, type Site } from '../../../src/views/service/index.ts';

/** What is served: folders of HTML, a host each, or else a graph that is dealt out to so many hosts. */
export interface BenchWeb {
  readonly graph: string;
  readonly hosts: number;
  readonly folders?: readonly string[] | undefined;
}

export interface BenchWebServed {
  readonly port: number;
  /** URLs that a crawl begins with. */
  readonly seeds: readonly string[];
}

/** Of the pages of each host, this share is denied in its robots.txt. */
const deniedShare = 0.02;

/**
 * A stored graph with its pages dealt out to so many hosts: a host has one request at a time, so that there must be
 * more hosts than connections. Their names have the port, so that clients need to be reported addresses alone.
 */
function dealt(graph: WebGraph, hosts: number, port: number): WebGraph {
  const names = StringTable.from(Array.from({ length: hosts }, (_, host) => `h${host}.bench.test:${port}`));
  return {
    ...graph,
    hosts: {
      count: hosts, ofPage: Uint32Array.from({ length: graph.pages }, (_, page) => page % hosts), names,
      synthetic: false,
    },
  };
}

/** All hosts are below `bench.test`. */
export async function benchSite(
  { graph, hosts, folders }: BenchWeb, port: number,
): Promise<{ readonly site: Site; readonly seeds: readonly string[] }> {
  if (folders !== undefined) {
    const site = await FolderSite.open(folders.map((folder, i) => ({ folder, host: `d${i}.bench.test` })));
    return { site, seeds: site.hosts.map((host) => `http://${host}/`) };
  }
  const network = networkSchema.parse({
    latencyMs: 0, latencySigma: 0, bandwidthBytesPerSecond: 0, processorBandwidthBytesPerSecond: 0, robotsTxtShare: 1,
    deniedShare,
  });
  const site = new GraphSite(dealt(await openGraph(graph), hosts, port), { network, seed: 1 });
  return { site, seeds: site.seedPages.map((page) => site.urls.urlOf(page)) };
}
