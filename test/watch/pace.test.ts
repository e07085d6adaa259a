import { expect, test } from 'vitest';
import { Pace } from '../../src/views/watch/run/pace.ts';

// Goal: a slowed run has as many supersteps per second as asked for, and what changes meanwhile holds at once.

/** A clock that only sleeping moves. */
function slept(): { nowMs: number; isOver: boolean; pace: Pace; during?: () => void } {
  const world: ReturnType<typeof slept> = { nowMs: 1000, isOver: false, pace: undefined as never };
  world.pace = new Pace({
    now: () => world.nowMs, isOver: () => world.isOver,
    sleep: (ms) => {
      world.nowMs += ms;
      world.during?.();
      return Promise.resolve();
    },
  });
  return world;
}

test.each([0.1, 1, 2.5, 1000])('%d supersteps per second', async (rate) => {
  const world = slept();
  world.pace.rate = rate;
  await world.pace.wait();
  const beginMs = world.nowMs;
  for (let i = 0; i < 7; i++) {
    // The work of a superstep is part of its time.
    world.nowMs += 0.4;
    await world.pace.wait();
  }
  expect(world.nowMs - beginMs).toBeCloseTo(7000 / rate, 6);
});

test('at full speed nothing is waited for', async () => {
  const world = slept();
  for (let i = 0; i < 3; i++) await world.pace.wait();
  expect(world.nowMs).toBe(1000);
});

test.each<[string, (world: ReturnType<typeof slept>) => void]>([
  ['another pace', (world) => { world.pace.rate = null; }],
  ['the end of the run', (world) => { world.isOver = true; }],
])('%s ends a long wait', async (_name, change) => {
  const world = slept();
  world.pace.rate = 0.1;
  await world.pace.wait();
  world.during = () => { change(world); };
  await world.pace.wait();
  expect(world.nowMs).toBeLessThanOrEqual(1100);
});
