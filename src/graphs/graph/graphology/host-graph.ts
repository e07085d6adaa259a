import { DirectedGraph } from 'graphology';
import type { HostGraph } from '../index.ts';

export interface HostAttributes {
  [attribute: string]: unknown;
  name: string;
  /** Pages of the host. */
  pages: number;
}

export interface HostLinkAttributes {
  [attribute: string]: unknown;
  /** Links from pages of the one host to pages of the other. */
  weight: number;
}

/**
 * The host graph as a graphology graph, for the algorithms of its ecosystem: nodes are host ids in ascending order,
 * edges are ordered by source. A few hundred bytes per node and edge: for up to about a million pairs.
 */
export function hostGraphology({
  hosts, starts, targets, weights, pages,
}: HostGraph): DirectedGraph<HostAttributes, HostLinkAttributes> {
  const result = new DirectedGraph<HostAttributes, HostLinkAttributes>();
  for (let host = 0; host < hosts.count; host++)
    result.addNode(host, { name: hosts.names.at(host), pages: pages[host] });
  for (let host = 0; host < hosts.count; host++) {
    for (let i = starts[host]; i < starts[host + 1]; i++)
      result.addDirectedEdge(host, targets[i], { weight: weights[i] });
  }
  return result;
}
