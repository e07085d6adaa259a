import { Coins, opicRoot } from './coins.ts';
import { definePolicy } from './define-policy.ts';
import { KnownLinks } from './known-links.ts';

/**
 * OPIC whose coins keep moving: a page is fetched once, most cash first as in `opic`, but for each page fetched another
 * one, fetched before, is visited from memory at the next barrier, in a cycle in order of fetching (Abiteboul,
 * Preda & Cobena, WWW 2003: the visit strategies are Greedy, Random and Cycle), and passes on the cash it got since. A
 * visit from memory sees the links to pages of the same processor, which share all but the remainder evenly;
 * a page without any gives to the root. O(1) per link, when fetched and when visited. 16 bytes per page and 4
 * per link.
 */
export const opicCycle = definePolicy({
  name: 'opic-cycle',
  title: 'as opic, but fetched pages pass cash on again, in a cycle',
  source: 'Abiteboul, Preda & Cobena, WWW 2003, strategy Cycle',
  options: { opicRoot },
  needs: ['amounts', 'links'],
  make(context) {
    const { state } = context;
    const coins = new Coins(context);
    const links = new KnownLinks(state);
    /** Visits from memory so far, and the fetched page that is next. */
    const cycle = state.numbers({ visits: 0, next: 0 });
    return {
      know: (local) => { coins.know(local); },
      key: (local) => coins.key(local),
      score: (local) => coins.of(local),
      amounts: coins.amounts(),
      fetched: (local, targets) => { links.add(local, targets); },
      failed: (local) => { coins.spend(local, 0); },
      settle: (touch) => {
        for (; cycle.visits < links.pages; cycle.visits++) {
          const targets = links.targetsAt(cycle.next);
          const share = coins.spend(links.localAt(cycle.next), targets.length);
          for (const target of targets) {
            coins.add(target, share);
            touch(target);
          }
          cycle.next = (cycle.next + 1) % links.pages;
        }
        coins.settle();
      },
    };
  },
});
