import { Partition } from '../partition.ts';
import type { GrowingRows } from '../rows.ts';

/**
 * The closure by paths through the pages 0, 1, ... in turn; pages that reach each other become one component.
 *
 * Source  Warshall, "A theorem on Boolean matrices", Journal of the ACM 9(1), 1962; SPAWC's naive algorithm for
 *         components.
 * Cost    O(n^3) time, n^2 bytes.
 */
export function naiveComponents(targets: GrowingRows): Partition {
  const { pages } = targets;
  const reached = new Uint8Array(pages * pages);
  for (let page = 0; page < pages; page++) for (const target of targets.of(page)) reached[page * pages + target] = 1;
  for (let via = 0; via < pages; via++) {
    for (let page = 0; page < pages; page++) {
      if (reached[page * pages + via] === 0) continue;
      for (let m = 0; m < pages; m++) reached[page * pages + m] |= reached[via * pages + m];
    }
  }
  const partition = new Partition(pages);
  for (let page = 0; page < pages; page++)
    for (let other = 0; other < page; other++)
      if (reached[page * pages + other] === 1 && reached[other * pages + page] === 1) partition.merge(page, other);
  return partition;
}
