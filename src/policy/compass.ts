import { keyLimit } from '../queue/index.ts';
import { Columns } from '../base/index.ts';
import { definePolicy } from './define-policy.ts';
import { HostPages } from './host-pages.ts';

/**
 * Round robin with reset, as Compass crawled (Fishman et al., "Compass - Final Report", section 3.2): hosts stand in
 * order of discovery; a position goes through them and takes up to `hostUrls` pages of each (300 there), a host's pages
 * in order of discovery. When it has gone through `resetHosts` hosts (5,000 there) it goes back to the first; then
 * after twice as many, thrice, ..., so that hosts found early, which are held to be better, have more turns. Past the
 * last host it goes back as well, which the report does not tell.
 *
 * Pages are taken ahead, at barriers, until as many wait as the processor fills its pending jobs up to. Pages not yet
 * taken have key 0: should the processor want more, it has them in order of discovery. O(1) a page and O(1) a host
 * passed over, which has nothing new. 17 bytes a page.
 */
export const compass = definePolicy({
  name: 'compass',
  title: 'up to 300 of each host in turn, back to the first ever later',
  source: 'Fishman et al., Compass, Final Report, 3.2',
  options: {
    hostUrls: {
      type: 'integer', minimum: 1, maximum: 2 ** 31, default: 300, description: 'most pages taken from a host at once',
    },
    resetHosts: {
      type: 'integer', minimum: 1, maximum: 2 ** 31, default: 5000,
      description: 'hosts gone through before it begins again, then twice as many, thrice, and so on',
    },
  },
  needs: ['hosts'],
  make({ pending, options: { hostUrls, resetHosts }, state }) {
    const pages = new HostPages(state);
    /** The number of the turn in which the page was taken, from 1 on; 0 for none yet. */
    const page = state.pages({ turns: Uint32Array });
    /** By slot: pages of the host's list that were taken. */
    const hosts = state.keep(new Columns({ taken: Uint32Array }));
    /**
     * The last turn; the slot of the host whose turn is next; 1 and how often that was reset; pages that had their
     * turn, and those of them that are not done.
     */
    const at = state.numbers({ turn: 0, position: 0, rounds: 1, taken: 0, waiting: 0 });

    const takeTurn = (touch: (local: number) => void): void => {
      const slot = at.position++;
      const { taken } = hosts.arrays;
      const end = Math.min(pages.countOf(slot), taken[slot] + hostUrls);
      if (taken[slot] < end) at.turn++;
      for (; taken[slot] < end; taken[slot]++, at.taken++) {
        const local = pages.pageAt(slot, taken[slot]);
        page.turns[local] = at.turn;
        if (!pages.isDone(local)) at.waiting++;
        touch(local);
      }
      if (at.position === resetHosts * at.rounds) {
        at.position = 0;
        at.rounds++;
      } else if (at.position >= pages.hosts) {
        at.position = 0;
      }
    };
    const finish = (local: number): void => {
      pages.finish(local);
      if (page.turns[local] > 0) at.waiting--;
    };
    return {
      know: (local, _page, host) => {
        pages.know(local, host);
        hosts.resize(pages.hosts);
      },
      key: (local) => (page.turns[local] === 0 ? 0 : keyLimit - page.turns[local]),
      score: (local) => (page.turns[local] === 0 ? 0 : 1 / page.turns[local]),
      fetched: finish,
      failed: finish,
      settle: (touch) => {
        while (at.waiting < pending && at.taken < state.known) takeTurn(touch);
      },
    };
  },
});
