import { keyLimit } from '../queue/index.ts';
import { definePolicy } from './define-policy.ts';

/** First known, first fetched, on each processor. O(1) an event, nothing remembered. */
export const breadthFirst = definePolicy({
  name: 'breadth-first',
  title: 'the page known first',
  make: () => ({
    key: (local: number) => keyLimit - 1 - local,
    score: (local: number) => 1 / (1 + local),
  }),
});
