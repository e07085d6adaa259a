import type { CrawlGraph, GraphNode } from '../../../../service/dashboard/graph/api.ts';
import type { Unarranged } from './arrange.ts';

/** Where nodes are in the picture, by their numbers. */
export type Places = ReadonlyMap<number, Place>;

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Iterations of the first layout of a graph, and of a layout after it has grown. */
const FIRST = 300;
const AGAIN = 60;
/** The angle between two seeds of a sunflower, in radians: it spreads any number of nodes evenly. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** A graph to be arranged: nodes that have a place begin there, others evenly over a disc. */
export function unarranged({ nodes, links }: Pick<CrawlGraph, 'nodes' | 'links'>, previous: Places): Unarranged {
  const places = nodes.flatMap(({ id }, i) => {
    const { x, y } = previous.get(id) ?? sunflower(i);
    return [x, y];
  });
  return {
    places: Float32Array.from(places), ends: Uint32Array.from(links.flatMap(({ from, to }) => [from, to])),
    iterations: previous.size === 0 ? FIRST : AGAIN,
  };
}

export function placesOf(nodes: readonly GraphNode[], arranged: Float32Array): Places {
  return new Map(nodes.map(({ id }, i) => [id, { x: arranged[2 * i], y: arranged[2 * i + 1] }]));
}

/** Whether a graph has to be arranged anew after another one: other nodes, or many more links. */
export function hasOutgrown(graph: CrawlGraph, previous: CrawlGraph | null, places: Places): boolean {
  return previous === null || graph.nodes.some(({ id }) => !places.has(id))
    || graph.links.length > 1.2 * previous.links.length;
}

function sunflower(at: number): Place {
  const [radius, angle] = [10 * Math.sqrt(at), at * GOLDEN_ANGLE];
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}
