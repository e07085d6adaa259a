import { keyLimit } from '../../queue/index.ts';
import type { Policy } from './policy.ts';

/** First known, first fetched, on each processor. */
export function breadthFirst(): Policy {
  return {
    know: () => undefined,
    key: (local) => keyLimit - 1 - local,
    save: () => undefined,
  };
}
