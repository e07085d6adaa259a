import { definePolicy } from './define-policy.ts';
import { givenOrder } from './given-order.ts';

/** Best first by true PageRank: greedy under the frontier's constraint, not optimal. A reference, not a bound. */
export const pagerank = definePolicy({
  name: 'pagerank',
  title: 'best by true PageRank',
  source: 'Boldi, Santini & Vigna 2005 (omniscient)',
  needs: ['ranks'],
  isOracle: true,
  make: ({ state, ranks }) => givenOrder(state, ranks),
});
