import { keyLimit } from '../queue/index.ts';
import type { Policy } from './policy.ts';

/** First known, first fetched, on each processor. O(1) an event, nothing kept. */
export function breadthFirst(): Policy {
  return {
    know: () => undefined,
    key: (local) => keyLimit - 1 - local,
    score: (local) => 1 / (1 + local),
    save: () => undefined,
  };
}
