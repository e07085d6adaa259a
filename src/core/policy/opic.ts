import { Coins, opicRoot } from './coins.ts';
import { definePolicy } from './define-policy.ts';

/**
 * Greedy OPIC (Abiteboul, Preda & Cobena, "Adaptive on-line page importance computation", WWW 2003, section 4) for a
 * crawl that fetches each page once: the key is the page's cash. A fetched page's coins go to its links evenly, links
 * to itself and to fetched pages included (there they stay); the remainder, and the coins of pages without links or
 * that failed, go to the processor's root, which keeps them, or (`opicRoot` known) gives them to all known pages: see
 * coins.ts. O(1) per link and O(1) per superstep, 8 bytes per page.
 */
export const opic = definePolicy({
  name: 'opic',
  title: 'most cash; --opic-root known adds the virtual page',
  source: 'Abiteboul, Preda & Cobena, WWW 2003',
  options: { opicRoot },
  needs: ['amounts'],
  make(context) {
    const coins = new Coins(context);
    return {
      know: (local: number) => { coins.know(local); },
      key: (local: number) => coins.key(local),
      score: (local: number) => coins.of(local),
      amounts: coins.amounts(),
      failed: (local: number) => { coins.spend(local, 0); },
      settle: () => { coins.settle(); },
    };
  },
});
