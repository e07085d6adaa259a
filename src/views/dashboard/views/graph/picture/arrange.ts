import layoutModule, { type ForceAtlas2Settings } from 'graphology-layout-forceatlas2';
import { DirectedGraph } from 'graphology';

interface Layout {
  (graph: DirectedGraph, how: { readonly iterations: number; readonly settings: ForceAtlas2Settings }): Readonly<
    Record<string, { readonly x: number; readonly y: number }>
  >;
  inferSettings(order: number): ForceAtlas2Settings;
}

/** A CommonJS module that exports the function itself, although its types name a default export. */
const forceAtlas2 = layoutModule as unknown as Layout;

/** What is to be arranged. */
export interface Unarranged {
  /** Positions to begin with: x and y of each node. */
  readonly places: Float32Array;
  /** Links as pairs of nodes; no pair is repeated. */
  readonly ends: Uint32Array;
  readonly iterations: number;
}

/** The pull of all links on a node, relative to the forces between nodes: nodes then fill a disc. */
const ATTRACTION = 0.5;

/**
 * Positions at which linked nodes are near one another, x and y of each: ForceAtlas2 (Jacomy et al., "ForceAtlas2, a
 * continuous graph layout algorithm", PLoS ONE 9(6), 2014). Equal input gives equal positions.
 */
export function arranged({ places, ends, iterations }: Unarranged): Float32Array {
  const count = places.length / 2;
  if (count < 2) return places;
  const graph = new DirectedGraph();
  for (let node = 0; node < count; node++) graph.addNode(node, { x: places[2 * node], y: places[2 * node + 1] });
  const weight = ATTRACTION * count / Math.max(1, ends.length / 2);
  for (let i = 0; i < ends.length; i += 2) graph.addDirectedEdge(ends[i], ends[i + 1], { weight });
  const settings = { ...forceAtlas2.inferSettings(count), gravity: 0.2 };
  const layout = forceAtlas2(graph, { iterations, settings });
  return Float32Array.from(places, (_, i) => layout[i >> 1][i % 2 === 0 ? 'x' : 'y']);
}
