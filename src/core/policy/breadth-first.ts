import { keyLimit } from '../queue/entry.ts';
import { definePolicy } from './define-policy.ts';

/** First known, first fetched, on each processor. O(1) per event, no memory. */
export const breadthFirst = definePolicy({
  name: 'breadth-first',
  title: 'the page discovered first',
  make: () => ({
    key: (local: number) => keyLimit - 1 - local,
    score: (local: number) => 1 / (1 + local),
  }),
});
