import {
  bowTie, bowTieParts, computedOnce, hostGraph, strongComponents, weakComponents, type Components, type HostGraph,
} from '../../../../graphs/graph/index.ts';
import type { ComputedStructure, DegreeRange, GraphStructure, SizeRange } from './api.ts';
import type { CrawledPages } from './crawled.ts';
import type { Nodes } from './nodes.ts';

/** It takes about a second for so many, in which the server answers nothing else. */
export const maxStructureLinks = 10_000_000;

/** Components of a graph and degrees of its nodes, and what a run has fetched. Computed once per graph. */
export function structureOf(nodes: Nodes, crawled: CrawledPages): GraphStructure {
  const { graph: { graph } } = nodes;
  const { pages, arcs } = graph;
  const isSmall = arcs <= maxStructureLinks;
  return {
    nodesAre: nodes.nodesAre, pages, links: arcs, maxStructureLinks,
    computed: isSmall ? withFetched(computedStructure(nodes.graph), crawled) : null,
  };
}

interface Computed extends Omit<ComputedStructure, 'bowTie'> {
  readonly tie: ReturnType<typeof bowTie>;
}

const computedStructure = computedOnce('structure of the graph', (prepared): Computed => {
  const { graph } = prepared;
  const [strong, weak] = [strongComponents(graph), weakComponents(graph)];
  const figures = ({ count, sizes, largest }: Components): ComputedStructure['weak'] =>
    ({ count, largest: sizes[largest] ?? 0 });
  const [inDegrees, outDegrees] = degreesOf(hostGraph(prepared));
  return {
    tie: bowTie(graph, strong, weak), strong: figures(strong), weak: figures(weak),
    sizes: ranges(strong.sizes, weak.sizes).map(([least, most, first, other]): SizeRange =>
      ({ least, most, strong: first, weak: other })),
    degrees: ranges(inDegrees, outDegrees).map(([least, most, first, other]): DegreeRange =>
      ({ least, most, in: first, out: other })),
  };
});

function withFetched({ tie, ...computed }: Computed, { order }: CrawledPages): ComputedStructure {
  const fetched = new Uint32Array(bowTieParts.length);
  for (const page of order) fetched[tie.ofPage[page]]++;
  return {
    ...computed, bowTie: bowTieParts.map((part, i) => ({ part, pages: tie.pages[part], fetched: fetched[i] })),
  };
}

/** Other nodes that link to each node, and others that it links to. */
function degreesOf({ hosts: { count }, starts, targets }: HostGraph): readonly [Uint32Array, Uint32Array] {
  const [inDegrees, outDegrees] = [new Uint32Array(count), new Uint32Array(count)];
  for (let node = 0; node < count; node++) {
    for (let i = starts[node]; i < starts[node + 1]; i++) {
      if (targets[i] === node) continue;
      outDegrees[node]++;
      inDegrees[targets[i]]++;
    }
  }
  return [inDegrees, outDegrees];
}

/** Two lists of numbers counted in the ranges 0, 1, 2 to 3, 4 to 7, ...: least, most, and how many of each list. */
function ranges(first: Uint32Array, other: Uint32Array): [number, number, number, number][] {
  const rangeOf = (value: number): number => 32 - Math.clz32(value);
  const counted = (values: Uint32Array): Uint32Array => {
    const counts = new Uint32Array(33);
    for (const value of values) counts[rangeOf(value)]++;
    return counts;
  };
  const [ofOne, ofOther] = [counted(first), counted(other)];
  return Array.from(ofOne, (count, range): [number, number, number, number] =>
    [range === 0 ? 0 : 2 ** (range - 1), range === 0 ? 0 : 2 ** range - 1, count, ofOther[range]],
  ).filter(([, , a, b]) => a + b > 0);
}
