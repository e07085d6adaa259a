import type { LiveWeb } from '../../../core/live/index.ts';
import type { FrontierState } from '../../../core/frontier/index.ts';
import { LargeMap } from '../../../base/index.ts';

type Slot = NonNullable<FrontierState['exact']>['pending']['slots'][number];

/**
 * A processor's state in which the noted rests of hosts that it owns have their deadlines by the calendar, which has
 * gone on since the crawl ended. One entry per host: what was noted counts.
 *
 * @param rests the remainder of each rest, microseconds, by host id.
 * @param nowUs when the crawl goes on, by its own clock.
 */
export function withRests(
  state: FrontierState, rests: ReturnType<LiveWeb['rests']>, isOwn: (host: number) => boolean, nowUs: number,
): FrontierState {
  if (state.exact === undefined) return state;
  const { pending } = state.exact;
  const slots = new LargeMap<number, Slot>(pending.slots.map((slot) => [slot.host, slot]));
  for (const [host, { restUs, failures }] of rests) {
    const slot = slots.get(host) ?? emptySlot(host);
    if (!isOwn(host) || slot.place === 'open') continue;
    // The checkpoint knows the end of a delay that was not noted.
    const readyAtUs = failures === undefined ? Math.max(slot.readyAtUs, nowUs + restUs) : nowUs + restUs;
    slots.set(host, {
      ...slot, readyAtUs, failures: failures ?? slot.failures, isResting: readyAtUs > nowUs,
      place: slot.entries.length > 0 ? 'waiting' : 'idle',
    });
  }
  return { ...state, exact: { ...state.exact, pending: { ...pending, slots: [...slots.values()] } } };
}

const emptySlot = (host: number): Slot =>
  ({ host, readyAtUs: 0, failures: 0, isResting: false, place: 'idle', entries: new Float64Array(0) });
