import { definePolicy } from './define-policy.ts';

/** Last known, first fetched, per processor: of a page's new links the last comes next. O(1) per event, no memory. */
export const depthFirst = definePolicy({
  name: 'depth-first',
  title: 'the page discovered last',
  make: () => ({
    key: (local: number) => local,
    score: (local: number) => 1 + local,
  }),
});
