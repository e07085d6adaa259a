import { keyLimit } from '../queue/entry.ts';
import { DrawStream } from '../../base/index.ts';
import { definePolicy } from './define-policy.ts';

/** A uniform draw on (processor, local index), over known pages, not over the Web. O(1) per event, no memory. */
export const random = definePolicy({
  name: 'random',
  title: 'a page at random',
  source: 'Cho, Garcia-Molina & Page, WWW 1998',
  needs: ['draws'],
  make({ processor, seed }) {
    const draws = new DrawStream(seed, 'policy random');
    return {
      key: (local) => Math.floor((draws.uint32(local, processor) / 2 ** 32) * keyLimit),
      score: (local) => draws.uint32(local, processor) / 2 ** 32,
    };
  },
});
