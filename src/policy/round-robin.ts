import { keyLimit } from '../queue/index.ts';
import { grown, LargeMap, pageGrowth } from '../base/index.ts';
import type { Policy, PolicyContext } from './policy.ts';

/**
 * One page of each host in turn, a host's pages in order of discovery. When a page becomes known it gets a place in the
 * round after that of the host's page before it, or, where that is past, in the round of the page that was fetched last
 * (as fair queueing gives a packet its start time: Demers, Keshav & Shenker, SIGCOMM 1989); within a round the order of
 * discovery decides. Hosts that appear late thus take their turns from now on, and do not make up for what they missed.
 * O(1) an event, 4 bytes a page and a map entry a host.
 */
export function roundRobin({ saved }: PolicyContext): Policy {
  const before = saved as Saved | undefined;
  let rounds = before?.rounds.slice() ?? new Uint32Array(64);
  let known = before?.rounds.length ?? 0;
  /** Round of the page fetched last, or failed; never falls. */
  let current = before?.current ?? 0;
  const nextOfHost = new LargeMap(before?.nextOfHost);

  const advance = (local: number): void => {
    current = Math.max(current, rounds[local]);
  };
  return {
    know: (local, _page, host) => {
      const round = Math.max(current, nextOfHost.get(host) ?? 0);
      rounds = grown(rounds, local + 1, pageGrowth);
      rounds[local] = round;
      nextOfHost.set(host, round + 1);
      known = local + 1;
    },
    key: (local) => keyLimit - 1 - rounds[local],
    score: (local) => 1 / (1 + rounds[local]),
    fetched: advance,
    failed: advance,
    stateBytes: () => rounds.byteLength,
    save: (): Saved => ({ rounds: rounds.slice(0, known), current, nextOfHost: [...nextOfHost] }),
  };
}

interface Saved {
  /** By local index. */
  readonly rounds: Uint32Array;
  readonly current: number;
  /** (host, round that its next page gets at least). */
  readonly nextOfHost: readonly (readonly [number, number])[];
}
