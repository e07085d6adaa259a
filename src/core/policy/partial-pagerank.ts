import { batchPagerank, keyOfRank, rankEveryPages } from './batch-pagerank.ts';
import { definePolicy } from './define-policy.ts';

/**
 * Batch-pagerank in which a page discovered since the last ranking has, until the next, the sum of the shares of
 * the pages that link to it, a page's share being its score divided by its links (Baeza-Yates, Castillo, Marin &
 * Rodriguez, WWW 2005). Shares go to other processors too, in units of the mean rank of the sender's pages. A seed page
 * has 1, the mean, before it is ranked. Costs: as batch-pagerank, plus O(1) per link and 8 bytes per page.
 */
export const partialPagerank = definePolicy({
  name: 'partial-pagerank',
  title: 'as batch-pagerank, but new pages get the shares of the pages that link to them',
  source: 'Baeza-Yates, Castillo, Marin & Rodriguez, WWW 2005',
  options: { rankEveryPages },
  needs: ['amounts', 'links'],
  make(context) {
    const batch = batchPagerank.make(context);
    const page = context.state.pages({ partial: Float64Array });
    // No rank is 0: teleport reaches every page.
    const score = (local: number): number => batch.score(local) || page.partial[local];
    return {
      ...batch,
      key: (local) => keyOfRank(score(local)),
      score,
      amounts: {
        seed: (local) => { page.partial[local] = 1; },
        credit: (local, amount) => { page.partial[local] += amount; },
        spread: (local, links) => (links === 0 ? 0 : score(local) / links),
      },
    };
  },
});
