import { assert, DrawStream } from '../../../base/index.ts';
import { sequenceOfArcs, type ArcSequence } from './sequence.ts';

const SEED = 1;

/**
 * Roads between crossings on a grid: planar and connected, each road an arc both ways. A spanning tree drawn by chance,
 * and more roads of the grid until there are enough. Synthetic: it has the counts of a road graph and nothing else.
 *
 * @param pages - crossings.
 * @param arcs - an even number, of at least 2 (pages - 1).
 */
export function roadSequence(name: string, pages: number, arcs: number): ArcSequence {
  const streets = spanningTreeAndMore(gridInDrawnOrder(pages), pages, arcs / 2);
  // The file of a map lists roads in the order of crossings.
  streets.sort(([a, b], [c, d]) => a - c || b - d);
  return sequenceOfArcs({
    name, pages, isSynthetic: true,
    arcs: streets.flatMap(([from, other]) => [[from, other], [other, from]] as const),
    description: 'synthetic roads on a grid with the counts of SPAWC\'s road graph, drawn by us',
  });
}

type Road = readonly [one: number, other: number];

function gridInDrawnOrder(crossings: number): Road[] {
  const width = Math.ceil(Math.sqrt(crossings));
  const roads: Road[] = [];
  for (let crossing = 0; crossing < crossings; crossing++) {
    if ((crossing + 1) % width > 0 && crossing + 1 < crossings) roads.push([crossing, crossing + 1]);
    if (crossing + width < crossings) roads.push([crossing, crossing + width]);
  }
  const draws = new DrawStream(SEED, 'roads');
  const keys = new Map(roads.map((road, i) => [road, draws.uniform(i)]));
  return roads.sort((a, b) => keys.get(a)! - keys.get(b)!);
}

/** The roads that join parts not yet joined, and then as many others as are missing. */
function spanningTreeAndMore(roads: readonly Road[], crossings: number, count: number): Road[] {
  const parent = Uint32Array.from({ length: crossings }, (_, crossing) => crossing);
  const rootOf = (crossing: number): number => {
    while (parent[crossing] !== crossing) crossing = parent[crossing] = parent[parent[crossing]];
    return crossing;
  };
  const others: Road[] = [];
  const tree = roads.filter((road) => {
    const [root, other] = road.map(rootOf);
    parent[root] = other;
    if (root === other) others.push(road);
    return root !== other;
  });
  const missing = count - tree.length;
  assert(missing >= 0 && missing <= others.length, () => `${count} roads between ${crossings} crossings`);
  return [...tree, ...others.slice(0, missing)];
}
