import { expect, test } from 'vitest';
import { BodyMemory } from '../../../src/core/live/fetch/body-memory.ts';

// Goal: downloads begin when there is room, and nobody waits for it for ever.

test('who waits begins when bodies are given back, gives up in time, or when the crawl ends; no timer is left', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const memory = new BodyMemory(100);
  expect(memory.room(1000)).toBeUndefined();
  memory.take(150);
  expect(await memory.room(10)).toBe(false);
  const patient = memory.room(60_000);
  memory.give(20);
  memory.give(60);
  expect(await patient).toBe(true);
  memory.take(60);
  const ended = memory.room(60_000);
  memory.close();
  expect(await ended).toBe(false);
  await new Promise((resolve) => { setImmediate(resolve); });
  expect(timers()).toBeLessThanOrEqual(before);
});
