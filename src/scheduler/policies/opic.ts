import { keyOfScore } from '../../queue/index.ts';
import { grown } from '../../std/index.ts';
import { pageGrowth } from '../page-index.ts';
import type { Policy, PolicyContext } from './policy.ts';

/** All coins of a run. Integers up to here are exact in a Number, and so is Math.floor(coins / links). */
export const totalCoins = 2 ** 52;

/**
 * Greedy OPIC (Abiteboul, Preda & Cobena, "Adaptive on-line page importance computation", WWW 2003, section 4) for a crawl
 * that fetches each page once: the key is the page's cash. A fetched page's coins go to its links evenly, links to itself and
 * to fetched pages included (there they stay); the remainder, and the coins of pages without links or that failed, go to the
 * processor's root, which keeps them. Integer coins make conservation exact whatever the order of messages.
 */
export function opic({ processor, seedPages, saved }: PolicyContext): Policy {
  const seedCoins = Math.floor(totalCoins / seedPages);
  const before = saved as Saved | undefined;
  let coins = before === undefined ? new Float64Array(64) : before.coins.slice();
  let known = before === undefined ? 0 : coins.length;
  let root = before?.root ?? (processor === 0 ? totalCoins - seedCoins * seedPages : 0);

  const take = (local: number): number => {
    const taken = coins[local];
    coins[local] = 0;
    return taken;
  };
  return {
    know: (local) => {
      coins = grown(coins, local + 1, pageGrowth);
      known = local + 1;
    },
    key: (local) => keyOfScore(coins[local]),
    score: (local) => coins[local],
    amounts: {
      seed: (local) => (coins[local] += seedCoins),
      credit: (local, amount) => (coins[local] += amount),
      spread: (local, links) => {
        const spent = take(local);
        const share = links === 0 ? 0 : Math.floor(spent / links);
        root += spent - share * links;
        return share;
      },
      cash: {
        total: totalCoins,
        held: () => {
          let sum = root;
          for (let local = 0; local < known; local++) sum += coins[local];
          return sum;
        },
      },
    },
    failed: (local) => (root += take(local)),
    stateBytes: () => coins.byteLength,
    save: (): Saved => ({ coins: coins.slice(0, known), root }),
  };
}

interface Saved {
  /** By local index. */
  readonly coins: Float64Array;
  readonly root: number;
}
