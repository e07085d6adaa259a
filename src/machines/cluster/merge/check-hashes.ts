import { join } from 'node:path';
import { InputError } from '../../../base/index.ts';
import { replayHash } from '../../../core/measure/index.ts';
import type { MergedPages } from './merged-pages.ts';
import type { NodeFolder } from './node-folder.ts';

/**
 * Checks that each record is the one whose replay hash its run.json has: one that was changed since, or is of another
 * crawl, would be merged into figures that nobody measured.
 *
 * Cost  O(outcomes). @throws InputError naming the folder.
 */
export function checkHashes(nodes: readonly NodeFolder[], pages: MergedPages): void {
  for (const { path, node, events, run } of nodes) {
    const ids = pages.idOf[node];
    const processors = Uint32Array.from(events.order, (page) => {
      if (page < ids.length) return pages.processorOf(ids[page]);
      throw new InputError(`${join(path, 'order.u32')}: names page ${page}, and its store has ${ids.length} pages`);
    });
    const strange = events.failures.find(({ page }) => page >= ids.length);
    if (strange !== undefined)
      throw new InputError(`${join(path, 'failures.csv')}: names page ${strange.page}, and its store has ${ids.length} pages`);
    const hash = replayHash({ ...events, processors, crashes: [], changes: [] });
    if (hash === run.replayHash) continue;
    throw new InputError(
      `${path}: its record has the replay hash ${hash}, and run.json says ${run.replayHash}: one of them was changed ` +
        'since, or is of another crawl',
    );
  }
}
