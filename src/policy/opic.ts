import { Coins, type CoinsState } from './coins.ts';
import type { Amounts, Cash, Policy, PolicyContext } from './policy.ts';

/**
 * Greedy OPIC (Abiteboul, Preda & Cobena, "Adaptive on-line page importance computation", WWW 2003, section 4) for a
 * crawl that fetches each page once: the key is the page's cash. A fetched page's coins go to its links evenly, links
 * to itself and to fetched pages included (there they stay); the remainder, and the coins of pages without links or
 * that failed, go to the processor's root, which keeps them, or (`opicRoot` known) gives them to all pages known: see
 * coins.ts. O(1) a link and O(1) a superstep, 8 bytes a page.
 */
export function opic(context: PolicyContext): Policy & { readonly amounts: Amounts & { readonly cash: Cash } } {
  const coins = new Coins(context, context.saved as CoinsState | undefined);
  return {
    know: (local) => coins.know(local),
    key: (local) => coins.key(local),
    score: (local) => coins.of(local),
    amounts: coins.amounts(),
    failed: (local) => void coins.spend(local, 0),
    settle: () => coins.settle(),
    stateBytes: () => coins.bytes,
    save: () => coins.save(),
  };
}
