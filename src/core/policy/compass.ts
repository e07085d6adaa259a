import { keyLimit } from '../queue/entry.ts';
import { Columns } from '../../base/index.ts';
import { definePolicy } from './define-policy.ts';
import { HostPages } from './host-pages.ts';

/**
 * Round robin with reset, as Compass crawled (Fishman et al., "Compass - Final Report", section 3.2). Hosts are in
 * order of discovery; a position moves through them and takes up to `hostUrls` pages of each (300 there), also
 * in order of discovery. After `resetHosts` hosts (5,000 there) it returns to the first; then
 * after twice as many, three times, ..., so that early hosts, which are considered better, get more turns. After the
 * last host it returns too, which the report does not say.
 *
 * Pages are taken ahead, at barriers, until as many wait as the processor's target of pending jobs. Pages not yet
 * taken have key 0: if the processor wants more, it gets them in order of discovery. O(1) per page, and O(1) per host
 * skipped because it has nothing new. 17 bytes per page.
 */
export const compass = definePolicy({
  name: 'compass',
  title: 'up to 300 pages per host in turn, returning to the first host ever later',
  source: 'Fishman et al., Compass, Final Report, 3.2',
  options: {
    hostUrls: {
      type: 'integer', minimum: 1, maximum: 2 ** 31, default: 300,
      description: 'maximum number of pages taken from a host at once',
    },
    resetHosts: {
      type: 'integer', minimum: 1, maximum: 2 ** 31, default: 5000,
      description: 'hosts visited before the first return to the first host; then twice as many, three times, and so on',
    },
  },
  needs: ['hosts'],
  make({ pendingTarget, options: { hostUrls, resetHosts }, state }) {
    const pages = new HostPages(state);
    /** The number of the turn in which the page was taken, from 1; 0 if not taken yet. */
    const page = state.pages({ turns: Uint32Array });
    /** Number of pages taken from each host's list, by slot. */
    const hosts = state.keep(new Columns({ taken: Uint32Array }));
    /** The last turn; the slot of the next host; 1 + resets; pages that had their turn, and the unfinished ones. */
    const at = state.numbers({ turn: 0, position: 0, rounds: 1, taken: 0, waiting: 0 });

    const takeTurn = (touch: (local: number) => void): void => {
      const slot = at.position++;
      const { taken: counts } = hosts.arrays;
      const end = Math.min(pages.countOf(slot), counts[slot] + hostUrls);
      if (counts[slot] < end) at.turn++;
      for (; counts[slot] < end; counts[slot]++, at.taken++) {
        const local = pages.pageAt(slot, counts[slot]);
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
        const jobs = pendingTarget();
        while (at.waiting < jobs && at.taken < state.known) takeTurn(touch);
      },
    };
  },
});
