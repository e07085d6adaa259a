import { FetchedPart, rankOf, type OrderRanks, type RanksInput } from '../../../src/search/judge/index.ts';

/**
 * Ranks by the plain way: every query on every prefix of every order. The definition, which `orderRanks` must agree
 * with.
 */
export function plainOrderRanks(input: RanksInput): OrderRanks[] {
  const { corpus, ranking, queries, fetched, orders, prefixes } = input;
  return orders.map((order) => ({
    ranks: [...fetched.after(order, prefixes)].map((part) => {
      const view = new FetchedPart(corpus, part);
      return Uint32Array.from(queries.flatMap(({ words, targets }) => {
        const scored = ranking.rank(view, words);
        return targets.map((target) => rankOf(scored, target));
      }));
    }),
  }));
}
