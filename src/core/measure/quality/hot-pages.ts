/** Hot pages: these shares of the pages within reach, by true PageRank. */
const hotShares = { '1%': 0.01, '10%': 0.1 } as const;
/** When they are counted: after these shares of the horizon, rising. */
const crawledShares = { '10%': 0.1, '25%': 0.25, '50%': 0.5 } as const;

/**
 * Share of the hot pages fetched after K pages (Cho, Garcia-Molina & Page, "Efficient crawling through URL ordering",
 * WWW7, 1998: P_ST, hot being importance >= G): by share of the pages that are hot, then by K as a share of the
 * horizon; null where fewer were fetched, or none is within reach.
 */
export type HotPageRecall = Record<keyof typeof hotShares, Record<keyof typeof crawledShares, number | null>>;

/**
 * The least importance of the `count` most important pages. Ranks come out of iterations: pages within a billionth of
 * the last one are as important.
 * @param best ranks of the pages within reach, falling.
 */
export function importanceOf(best: Float64Array, count: number): number {
  return best[Math.min(count, best.length) - 1] * (1 - 1e-9);
}

/** @param best ranks of the pages within reach, falling. O(pages). */
export function hotPageRecall(
  order: Uint32Array, ranks: Float64Array, best: Float64Array, horizonPages: number,
): HotPageRecall {
  return mapped(hotShares, (hotShare) => {
    let hot = Math.ceil(hotShare * best.length);
    const least = importanceOf(best, hot);
    while (hot < best.length && best[hot] >= least) hot++;
    let [fetched, hits] = [0, 0];
    return mapped(crawledShares, (share) => {
      const pages = Math.ceil(share * horizonPages);
      if (pages === 0 || pages > order.length) return null;
      for (; fetched < pages; fetched++) if (ranks[order[fetched]] >= least) hits++;
      return hits / hot;
    });
  });
}

function mapped<K extends string, T>(shares: Readonly<Record<K, number>>, of: (share: number) => T): Record<K, T> {
  return Object.fromEntries(Object.entries<number>(shares).map(([name, share]) => [name, of(share)])) as Record<K, T>;
}
