import { keyOfScore } from '../../queue/index.ts';
import { assert, grown } from '../../std/index.ts';
import { pageGrowth } from '../page-index.ts';
import type { Policy, PolicyContext } from './policy.ts';

/**
 * Best first by a score that is given for every page beforehand. With true PageRank (policy `pagerank`) this is the omniscient order, which is
 * greedy under the frontier's constraint and not optimal: a reference, not a bound. With scores of a file (policy `scores`) it
 * is what those are worth to a crawl: ranks of an earlier crawl, or in-degrees.
 */
export function givenScores({ scores, saved }: PolicyContext): Policy {
  assert(scores !== undefined, 'this policy needs scores');
  let keys = saved === undefined ? new Uint32Array(64) : (saved as Uint32Array).slice();
  return {
    stateBytes: () => keys.byteLength,
    know: (local, page) => {
      keys = grown(keys, local + 1, pageGrowth);
      keys[local] = keyOfScore(scores[page]);
    },
    key: (local) => keys[local],
    save: () => keys.slice(),
  };
}
