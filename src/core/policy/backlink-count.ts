import { keyLimit } from '../queue/entry.ts';
import { definePolicy } from './define-policy.ts';

/**
 * Most linked first: the score of a page is the number of pages fetched that link to it, on whatever processor (Cho,
 * Garcia-Molina & Page, "Efficient crawling through URL ordering", WWW 1998, ordering metric IB'(p)). A page's links to
 * itself count too, once it no longer matters. O(1) per link, 4 bytes per page.
 */
export const backlinkCount = definePolicy({
  name: 'backlink-count',
  title: 'most links from fetched pages',
  source: "Cho, Garcia-Molina & Page, WWW 1998, IB'(p)",
  needs: ['amounts'],
  make({ state }) {
    const page = state.pages({ links: Uint32Array });
    return {
      key: (local) => Math.min(page.links[local], keyLimit - 1),
      score: (local) => page.links[local],
      amounts: {
        credit: (local, amount) => (page.links[local] += amount),
        spread: () => 1,
      },
    };
  },
});
