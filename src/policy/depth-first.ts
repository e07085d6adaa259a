import { definePolicy } from './define-policy.ts';

/**
 * Last known, first fetched, on each processor: of a page's new links the last comes next. O(1) an event, nothing
 * remembered.
 */
export const depthFirst = definePolicy({
  name: 'depth-first',
  title: 'the page known last',
  make: () => ({
    key: (local: number) => local,
    score: (local: number) => 1 + local,
  }),
});
