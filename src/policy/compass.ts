import { keyLimit } from '../queue/index.ts';
import { grown, pageGrowth } from '../base/index.ts';
import { HostPages, type HostPagesState } from './host-pages.ts';
import type { Policy, PolicyContext } from './policy.ts';

/**
 * Round robin with reset, as Compass crawled (Fishman et al., "Compass - Final Report", section 3.2): hosts stand in
 * order of discovery; a position goes through them and takes up to `hostUrls` pages of each (300 there), a host's pages
 * in order of discovery. When it has gone through `resetHosts` hosts (5,000 there) it goes back to the first; then
 * after twice as many, thrice, ..., so that hosts found early, which are held to be better, have more turns. Past the
 * last host it goes back as well, which the report does not tell.
 *
 * Pages are taken ahead, at barriers, until as many wait as the processor fills its pending jobs up to. Pages not yet
 * taken have key 0: should the processor want more, it has them in order of discovery. O(1) a page and O(1) a host
 * passed over, which has nothing new. 16 bytes a page.
 */
export function compass({ pending, options: { hostUrls, resetHosts }, saved }: PolicyContext): Policy {
  const before = saved as Saved | undefined;
  const pages = new HostPages(before?.pages);
  /** By local index: the number of the turn in which the page was taken, from 1 on; 0 for none yet. */
  let turns = before?.turns.slice() ?? new Uint32Array(64);
  /** By slot: pages of the host's list that were taken. */
  const takenOfHost = [...(before?.takenOfHost ?? [])];
  const state = { ...(before?.state ?? { known: 0, turn: 0, position: 0, rounds: 1, taken: 0, waiting: 0 }) };

  const takeTurn = (touch: (local: number) => void): void => {
    const slot = state.position++;
    const end = Math.min(pages.countOf(slot), takenOfHost[slot] + hostUrls);
    if (takenOfHost[slot] < end) state.turn++;
    for (; takenOfHost[slot] < end; takenOfHost[slot]++, state.taken++) {
      const local = pages.pageAt(slot, takenOfHost[slot]);
      turns[local] = state.turn;
      if (!pages.isDone(local)) state.waiting++;
      touch(local);
    }
    if (state.position === resetHosts * state.rounds) {
      state.position = 0;
      state.rounds++;
    } else if (state.position >= pages.hosts) {
      state.position = 0;
    }
  };
  const finish = (local: number): void => {
    pages.finish(local);
    if (turns[local] > 0) state.waiting--;
  };
  return {
    know: (local, _page, host) => {
      if (pages.know(local, host) === takenOfHost.length) takenOfHost.push(0);
      turns = grown(turns, local + 1, pageGrowth);
      state.known = local + 1;
    },
    key: (local) => (turns[local] === 0 ? 0 : keyLimit - turns[local]),
    score: (local) => (turns[local] === 0 ? 0 : 1 / turns[local]),
    fetched: finish,
    failed: finish,
    settle: (touch) => {
      while (state.waiting < pending && state.taken < state.known) takeTurn(touch);
    },
    stateBytes: () => pages.bytes + turns.byteLength,
    save: (): Saved => ({
      pages: pages.save(), turns: turns.slice(0, state.known), takenOfHost: [...takenOfHost], state: { ...state },
    }),
  };
}

interface Saved {
  readonly pages: HostPagesState;
  readonly turns: Uint32Array;
  readonly takenOfHost: readonly number[];
  readonly state: {
    known: number;
    turn: number;
    /** Slot of the host whose turn is next. */
    position: number;
    /** 1 and how often the position was reset. */
    rounds: number;
    /** Pages that had their turn, and those of them that are not done. */
    taken: number;
    waiting: number;
  };
}
