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
  const chosen = spanningTreeAndMore(gridInDrawnOrder(pages), pages, arcs / 2);
  // In the order of the crossings, as a file of a map has them.
  chosen.sort(([a, b], [c, d]) => a - c || b - d);
  return sequenceOfArcs({
    name, pages, isSynthetic: true,
    arcs: chosen.flatMap(([one, other]) => [[one, other], [other, one]] as const),
    description: 'synthetic roads on a grid with the counts of SPAWC\'s road graph, drawn by us',
  });
}

type Road = readonly [one: number, other: number];

function gridInDrawnOrder(crossings: number): Road[] {
  const width = Math.ceil(Math.sqrt(crossings));
  const roads: Road[] = [];
  for (let one = 0; one < crossings; one++) {
    if ((one + 1) % width > 0 && one + 1 < crossings) roads.push([one, one + 1]);
    if (one + width < crossings) roads.push([one, one + width]);
  }
  const draws = new DrawStream(SEED, 'roads');
  const keys = new Map(roads.map((road, i) => [road, draws.uniform(i)]));
  return roads.sort((a, b) => keys.get(a)! - keys.get(b)!);
}

/** Of the roads in their order: those that join parts not yet joined, and as many of the others as are missing. */
function spanningTreeAndMore(roads: readonly Road[], crossings: number, count: number): Road[] {
  const parent = Uint32Array.from({ length: crossings }, (_, one) => one);
  const rootOf = (one: number): number => {
    while (parent[one] !== one) one = parent[one] = parent[parent[one]];
    return one;
  };
  const others: Road[] = [];
  const tree = roads.filter((road) => {
    const [one, other] = road.map(rootOf);
    parent[one] = other;
    if (one === other) others.push(road);
    return one !== other;
  });
  const missing = count - tree.length;
  assert(missing >= 0 && missing <= others.length, () => `${count} roads between ${crossings} crossings`);
  return [...tree, ...others.slice(0, missing)];
}
