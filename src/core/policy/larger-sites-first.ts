import { keyLimit } from '../queue/entry.ts';
import { definePolicy } from './define-policy.ts';
import { HostPages } from './host-pages.ts';

/**
 * The oldest page of the host with the most pages that are known and not fetched (Castillo, Marin, Rodriguez &
 * Baeza-Yates, "Scheduling algorithms for Web crawling", LA-WEB 2004; Baeza-Yates et al., WWW 2005): so that no few
 * large hosts are left at the end, where politeness makes robots idle. Pages of a host leave in order of discovery, so
 * the score of a page is 1 + the number of the host's pages discovered after it: the number that will wait on the host
 * at its turn. So a block of pages equals as many single picks, and spreads over hosts. The score of a page grows; the
 * best score of a host falls as pages are fetched.
 *
 * A new page raises the score of every page before it on the host. It touches those whose score thereby passes a power
 * of `reinsert`: O(log of the host's pages) touches per page, O(the host's pages) with `reinsert` 1. 13 bytes per page.
 */
export const largerSitesFirst = definePolicy({
  name: 'larger-sites-first',
  title: 'from the host with the most waiting pages',
  source: 'Castillo, Marin, Rodriguez & Baeza-Yates, LA-WEB 2004',
  needs: ['hosts'],
  make({ reinsert, state }) {
    const pages = new HostPages(state);
    /** Slots of hosts that have grown since the last barrier, with their number of pages at that barrier. */
    const grownFrom = state.map();
    return {
      know: (local, _page, host) => {
        const slot = pages.know(local, host);
        if (!grownFrom.has(slot)) grownFrom.set(slot, pages.countOf(slot) - 1);
      },
      key: (local) => Math.min(pages.fromHereOn(local), keyLimit - 1),
      score: (local) => pages.fromHereOn(local),
      fetched: (local) => { pages.finish(local); },
      failed: (local) => { pages.finish(local); },
      settle: (touch) => {
        for (const [slot, from] of grownFrom) {
          const count = pages.countOf(slot);
          const most = count - pages.headOf(slot);
          let score = 1;
          for (let step = 1; step <= most; step = Math.max(step + 1, Math.ceil(step * reinsert))) {
            // A page has passed the step if its score was below it and no longer is.
            for (score = Math.max(score, step); score < step + count - from && score <= most; score++)
              touch(pages.pageAt(slot, count - score));
          }
        }
        grownFrom.clear();
      },
    };
  },
});
