import { keyLimit } from '../queue/index.ts';
import { DrawStream } from '../base/index.ts';
import type { Policy, PolicyContext } from './policy.ts';

/**
 * A uniform draw on (processor, local index). Random over the pages known, not over the Web: the frontier opens by
 * links. O(1) an event, nothing kept.
 */
export function random({ processor, seed }: PolicyContext): Policy {
  const draws = new DrawStream(seed, 'policy random');
  return {
    know: () => undefined,
    key: (local) => Math.floor((draws.uint32(local, processor) / 2 ** 32) * keyLimit),
    score: (local) => draws.uint32(local, processor) / 2 ** 32,
    save: () => undefined,
  };
}
