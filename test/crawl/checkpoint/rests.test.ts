import { expect, test } from 'vitest';
import { withRests } from '../../../src/machines/crawl/checkpoint/rests.ts';
import type { FrontierState } from '../../../src/core/frontier/index.ts';

// Goal: when a crawl goes on that ended by itself, the noted rests of hosts have their deadlines by the calendar.

type Slot = NonNullable<FrontierState['exact']>['pending']['slots'][number];
const slot = (host: number, readyAtUs: number, jobs: number, place: Slot['place']): Slot => ({
  host, readyAtUs, failures: 1, isResting: true, place, entries: new Float64Array(jobs),
});

test('of a noted rest counts what is left of it; of a delay that was not noted, the later end; an open host waits for its download', () => {
  const slots = [slot(1, 5100, 2, 'waiting'), slot(3, 9999, 1, 'waiting'), slot(5, 0, 1, 'open')];
  const rests: Parameters<typeof withRests>[1] = new Map([
    [1, { restUs: 70 }], [2, { restUs: 70 }], [3, { restUs: 40, failures: 0 }], [4, { restUs: 500, failures: 3 }],
    [5, { restUs: 500, failures: 3 }],
  ]) as never;
  const state = { exact: { pending: { nowUs: 0, slots } } } as unknown as FrontierState;
  const after = withRests(state, rests, (host) => host !== 2, 5000).exact!.pending.slots;
  expect([...after].sort((a, b) => a.host - b.host)).toEqual([
    { ...slot(1, 5100, 2, 'waiting'), failures: 1 },
    { ...slot(3, 5040, 1, 'waiting'), failures: 0 },
    { ...slot(4, 5500, 0, 'idle'), failures: 3 },
    slot(5, 0, 1, 'open'),
  ]);
});
