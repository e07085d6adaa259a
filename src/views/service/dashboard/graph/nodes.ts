import {
  computedOnce, hostsFromNames, prepare, type PreparedGraph, type StringTable, type WebGraph,
} from '../../../../graphs/graph/index.ts';
import type { CrawlGraph } from './api.ts';

/** With fewer hosts, a picture of them shows little. */
const MIN_HOSTS = 12;
/** The names of so many pages are compared in a second. */
const MAX_PAGES = 1_000_000;

/** The nodes of a picture. */
export interface Nodes {
  readonly nodesAre: CrawlGraph['nodesAre'];
  /** The graph, with the nodes in place of its hosts. */
  readonly graph: PreparedGraph;
  /** The host that each belongs to. */
  readonly hostOf: Uint32Array;
}

/** The hosts of a graph, or their directories if the hosts are few and the directories more. */
export const nodesOf = computedOnce('nodes of the picture', (prepared): Nodes => {
  const { graph } = prepared;
  const { pages, hosts, paths } = graph;
  const areFew = hosts.count < MIN_HOSTS && pages <= MAX_PAGES && !hosts.synthetic;
  const directories = areFew && paths !== undefined ? hostsFromNames(directoryNames(graph, paths)) : hosts;
  if (directories.count === hosts.count)
    return { nodesAre: 'hosts', graph: prepared, hostOf: Uint32Array.from({ length: hosts.count }, (_, i) => i) };
  const hostOf = new Uint32Array(directories.count);
  directories.ofPage.forEach((node, page) => (hostOf[node] = hosts.ofPage[page]));
  return { nodesAre: 'directories', graph: prepare({ ...graph, hosts: directories }), hostOf };
});

/** Host and first segment of each page: `a.example/docs/`; `a.example/` of pages that are in no directory. */
function directoryNames({ pages, hosts }: WebGraph, paths: StringTable): string[] {
  const hostNames = Array.from({ length: hosts.count }, (_, host) => hosts.names.at(host));
  return Array.from({ length: pages }, (_, page) => {
    const path = paths.at(page);
    return hostNames[hosts.ofPage[page]] + path.slice(0, path.indexOf('/', 1) + 1 || 1);
  });
}
