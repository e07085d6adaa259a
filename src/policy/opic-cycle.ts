import { Coins, type CoinsState } from './coins.ts';
import { KnownLinks, type KnownLinksState } from './known-links.ts';
import type { Policy, PolicyContext } from './policy.ts';

/**
 * OPIC whose coins go on: a page is fetched once, greatest cash first as in `opic`, but for each page fetched another
 * one fetched before is visited from memory at the next barrier, in a cycle over them in order of fetching (Abiteboul,
 * Preda & Cobena, WWW 2003: the visit strategies are Greedy, Random and Cycle), and passes on what came to it since. A
 * visit from memory sees the links that lead to pages of the same processor, which share all but the remainder evenly;
 * a page without any gives to the root. O(1) a link, twice: once when fetched, once when visited. 16 bytes a page and 4
 * a link.
 */
export function opicCycle(context: PolicyContext): Policy {
  const saved = context.saved as Saved | undefined;
  const coins = new Coins(context, saved?.coins);
  const links = new KnownLinks(saved?.links);
  /** Visits from memory so far, and the page fetched that is next. */
  let visits = saved?.visits ?? 0;
  let next = saved?.next ?? 0;
  return {
    know: (local) => coins.know(local),
    key: (local) => coins.key(local),
    score: (local) => coins.of(local),
    amounts: coins.amounts(),
    fetched: (local, own) => links.add(local, own),
    failed: (local) => void coins.spend(local, 0),
    settle: (touch) => {
      for (; visits < links.pages; visits++) {
        const targets = links.targetsAt(next);
        const share = coins.spend(links.localAt(next), targets.length);
        for (const target of targets) {
          coins.add(target, share);
          touch(target);
        }
        next = (next + 1) % links.pages;
      }
      coins.settle();
    },
    stateBytes: () => coins.bytes + links.bytes,
    save: (): Saved => ({ coins: coins.save(), links: links.save(), visits, next }),
  };
}

interface Saved {
  readonly coins: CoinsState;
  readonly links: KnownLinksState;
  readonly visits: number;
  readonly next: number;
}
