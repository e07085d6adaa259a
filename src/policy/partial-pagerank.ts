import { grown, pageGrowth } from '../base/index.ts';
import { batchPagerank, keyOfRank } from './batch-pagerank.ts';
import type { Policy, PolicyContext } from './policy.ts';

/**
 * Batch-pagerank in which a page that became known since the last ranking has, until the next, the sum of the shares of
 * the pages that link to it, a page's share being its score divided by its links (Baeza-Yates, Castillo, Marin &
 * Rodriguez, WWW 2005). Shares go to other processors too, in units of the mean rank of the sender's pages. A seed page
 * has 1, that mean, before it is ranked. As batch-pagerank, and O(1) a link and 8 bytes a page.
 */
export function partialPagerank(context: PolicyContext): Policy {
  const saved = context.saved as Saved | undefined;
  const batch = batchPagerank({ ...context, saved: saved?.batch });
  let partial = saved?.partial.slice() ?? new Float64Array(64);
  let known = saved?.partial.length ?? 0;
  // No rank is 0: teleport reaches every page.
  const score = (local: number): number => batch.score(local) || partial[local];
  return {
    ...batch,
    know: (local, page, host) => {
      batch.know(local, page, host);
      partial = grown(partial, local + 1, pageGrowth);
      known = local + 1;
    },
    key: (local) => keyOfRank(score(local)),
    score,
    amounts: {
      seed: (local) => (partial[local] = 1),
      credit: (local, amount) => (partial[local] += amount),
      spread: (local, links) => (links === 0 ? 0 : score(local) / links),
    },
    stateBytes: () => (batch.stateBytes?.() ?? 0) + partial.byteLength,
    save: (): Saved => ({ batch: batch.save(), partial: partial.slice(0, known) }),
  };
}

interface Saved {
  readonly batch: unknown;
  readonly partial: Float64Array;
}
