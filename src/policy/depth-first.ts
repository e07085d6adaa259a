import type { Policy } from './policy.ts';

/**
 * Last known, first fetched, on each processor: of a page's new links the last comes next. O(1) an event, nothing kept.
 */
export function depthFirst(): Policy {
  return {
    know: () => undefined,
    key: (local) => local,
    score: (local) => 1 + local,
    save: () => undefined,
  };
}
