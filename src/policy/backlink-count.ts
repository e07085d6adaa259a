import { keyLimit } from '../queue/index.ts';
import { grown, pageGrowth } from '../base/index.ts';
import type { Policy, PolicyContext } from './policy.ts';

/**
 * Most linked first: the score of a page is the number of pages fetched that link to it, on whatever processor (Cho,
 * Garcia-Molina & Page, "Efficient crawling through URL ordering", WWW 1998, ordering metric IB'(p)). A page's links to
 * itself count too, once it no longer matters. O(1) a link, 4 bytes a page.
 */
export function backlinkCount({ saved }: PolicyContext): Policy {
  let counts = saved === undefined ? new Uint32Array(64) : (saved as Uint32Array).slice();
  let known = saved === undefined ? 0 : counts.length;
  return {
    know: (local) => {
      counts = grown(counts, local + 1, pageGrowth);
      known = local + 1;
    },
    key: (local) => Math.min(counts[local], keyLimit - 1),
    score: (local) => counts[local],
    amounts: {
      credit: (local, amount) => (counts[local] += amount),
      spread: () => 1,
    },
    stateBytes: () => counts.byteLength,
    save: () => counts.slice(0, known),
  };
}
