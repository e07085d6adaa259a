import { strongComponents } from '../../index.ts';
import { Partition } from '../partition.ts';
import type { GrowingRows } from '../rows.ts';

/** By one search in depth, O(n + m): `graphs/graph/structure/components.ts`. */
export function tarjanComponents(targets: GrowingRows): Partition {
  const { count, ofPage } = strongComponents(targets.compressed());
  const partition = new Partition(targets.pages);
  const first = new Uint32Array(count).fill(targets.pages);
  for (const [page, component] of ofPage.entries()) {
    if (first[component] === targets.pages) first[component] = page;
    else partition.merge(first[component], page);
  }
  return partition;
}
