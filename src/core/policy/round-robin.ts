import { keyLimit } from '../queue/entry.ts';
import { definePolicy } from './define-policy.ts';

/**
 * One page per host in turn, a host's pages in order of discovery. A page that becomes known gets a place in the
 * round after the host's previous page or, if that is past, in the round of the page fetched last
 * (as fair queueing gives a packet its start time: Demers, Keshav & Shenker, SIGCOMM 1989). Within a round the order of
 * discovery decides. So hosts that appear late take their turns from then on, and do not catch up on what they missed.
 * O(1) per event, 4 bytes per page and a map entry per host.
 */
export const roundRobin = definePolicy({
  name: 'round-robin',
  title: 'one page per host in turn',
  source: 'fair queueing: Demers, Keshav & Shenker 1989',
  needs: ['hosts'],
  make({ state }) {
    const page = state.pages({ rounds: Uint32Array });
    /** Round of the page that was fetched or failed last; never falls. */
    const at = state.numbers({ current: 0 });
    const nextOfHost = state.map();
    const advance = (local: number): void => { at.current = Math.max(at.current, page.rounds[local]); };
    return {
      know: (local, _page, host) => {
        const round = Math.max(at.current, nextOfHost.get(host) ?? 0);
        page.rounds[local] = round;
        nextOfHost.set(host, round + 1);
      },
      key: (local) => keyLimit - 1 - page.rounds[local],
      score: (local) => 1 / (1 + page.rounds[local]),
      fetched: advance,
      failed: advance,
    };
  },
});
