import { keyOfScore } from '../queue/index.ts';
import { grown, pageGrowth } from '../base/index.ts';
import { totalCoins, type CoinsState } from './coins.ts';
import { opic } from './opic.ts';
import type { Policy, PolicyContext } from './policy.ts';

/**
 * Adaptive OPIC: the score of a page is not all the cash that came to it but what came within a window, by
 * interpolation (Abiteboul, Preda & Cobena, WWW 2003, their variant for a web that changes; the formula as Frontera and
 * the wiki of Nutch have it). Time is the clock G of OPIC, the cash moved so far; a page to which C comes at G, D after
 * cash last came to it, has of its history H
 *
 *   H (T - D) / T + C   while D < T, T the window,   C T / D   else.
 *
 * There a page is visited again and again, and a visit is what updates H. Here none is visited twice, and cash that
 * arrives does; so a page that links forget keeps the score it had. Each processor has a clock of its own, which counts
 * what its pages move: `opicWindow` is in units of all cash of the run, moved by all processors together if each moves
 * as much. What a root gives to all alike counts in no history. O(1) a link, 24 bytes a page.
 */
export function opicWindow(context: PolicyContext): Policy {
  const { options, processors, saved } = context;
  const before = saved as Saved | undefined;
  const base = opic({ ...context, saved: before?.coins });
  const window = (options.opicWindow * totalCoins) / processors;
  let clock = before?.clock ?? 0;
  let history = before === undefined ? new Float64Array(64) : before.history.slice();
  /** Clock at which cash came last. */
  let lastAt = before === undefined ? new Float64Array(64) : before.lastAt.slice();
  let known = before?.history.length ?? 0;

  const note = (local: number, came: number): void => {
    const since = clock - lastAt[local];
    history[local] = since < window ? (history[local] * (window - since)) / window + came : (came * window) / since;
    lastAt[local] = clock;
  };
  return {
    ...base,
    know: (local, page, host) => {
      base.know(local, page, host);
      history = grown(history, local + 1, pageGrowth);
      lastAt = grown(lastAt, local + 1, pageGrowth);
      lastAt[local] = clock;
      known = local + 1;
    },
    key: (local) => keyOfScore(history[local]),
    score: (local) => history[local],
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
        clock += base.score(local);
        return base.amounts.spread(local, links);
      },
    },
    stateBytes: () => (base.stateBytes?.() ?? 0) + history.byteLength + lastAt.byteLength,
    save: (): Saved => ({
      coins: base.save() as CoinsState, clock, history: history.slice(0, known), lastAt: lastAt.slice(0, known),
    }),
  };
}

interface Saved {
  readonly coins: CoinsState;
  readonly clock: number;
  /** By local index. */
  readonly history: Float64Array;
  readonly lastAt: Float64Array;
}
