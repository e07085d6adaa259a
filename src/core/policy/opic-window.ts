import { keyOfScore } from '../queue/entry.ts';
import { opicRoot, totalCoins } from './coins.ts';
import { definePolicy } from './define-policy.ts';
import { opic } from './opic.ts';

/**
 * Adaptive OPIC: the score of a page is not all the cash that it got, but what it got within a window, by
 * interpolation (Abiteboul, Preda & Cobena, WWW 2003, their variant for a web that changes; the formula as Frontera and
 * the wiki of Nutch have it). Time is the clock G of OPIC, the cash moved so far; a page to which C comes at G, D after
 * cash last came to it, has of its history H
 *
 *   H (T - D) / T + C   while D < T, T the window,   C T / D   otherwise.
 *
 * In that paper each visit updates H. Here no page is visited twice, so arriving cash updates H, and a page that gets
 * no more cash keeps its score. Each processor's clock counts the cash that its pages move: `opicWindow` is in units of
 * all cash of the run, as if each processor moved the same. Cash that a root gives to all counts in no history. O(1)
 * per link, 24 bytes per page.
 */
export const opicWindow = definePolicy({
  name: 'opic-window',
  title: 'most cash within a window, by interpolation',
  source: 'Abiteboul, Preda & Cobena, WWW 2003, for a web that changes',
  options: {
    opicRoot,
    opicWindow: {
      type: 'number', exclusiveMinimum: 0, maximum: 1e6, default: 1,
      description: 'size of the window: how many times the processors together move all cash',
    },
  },
  needs: ['amounts'],
  make(context) {
    const { options, processors, state } = context;
    const base = opic.make(context);
    const window = (options.opicWindow * totalCoins) / processors;
    const at = state.numbers({ clock: 0 });
    /** Cash that came within the window, and the clock at which cash came last. */
    const page = state.pages({ history: Float64Array, lastAt: Float64Array });

    const note = (local: number, came: number): void => {
      const since = at.clock - page.lastAt[local];
      page.history[local] =
        since < window ? (page.history[local] * (window - since)) / window + came : (came * window) / since;
      page.lastAt[local] = at.clock;
    };
    return {
      ...base,
      know: (local) => {
        base.know(local);
        page.lastAt[local] = at.clock;
      },
      key: (local) => keyOfScore(page.history[local]),
      score: (local) => page.history[local],
      amounts: {
        ...base.amounts,
        seed: (local) => {
          base.amounts.seed?.(local);
          note(local, base.score(local));
        },
        credit: (local, amount) => {
          base.amounts.credit(local, amount);
          note(local, amount);
        },
        spread: (local, links) => {
          at.clock += base.score(local);
          return base.amounts.spread(local, links);
        },
      },
    };
  },
});
