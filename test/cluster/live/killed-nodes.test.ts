import { describe, expect, test } from 'vitest';
import { isFullSweep } from '../../sweep.ts';
import { redisIsHere, redisIsMissing } from '../redis-server.ts';
import { killedNodes, processors, type KilledNodes } from './killed-nodes.ts';

// Goal: the guarantee of a crawl on several nodes. `npm run live -- kills --nodes N` does this for long.

function expectGuarantee(
  { faults, undisturbed, final, unexplained, breaches, archive }: KilledNodes, pages: number,
): void {
  expect(faults).toEqual([]);
  expect(undisturbed.length).toBeGreaterThan(pages / 2);
  expect(final).toEqual(undisturbed);
  expect(unexplained).toEqual([]);
  expect(breaches).toEqual([]);
  expect(archive).toMatchObject({ faults: [], missing: [] });
}

/** What is asked for takes a while: leases run out, and processes start. */
const timeoutMs = isFullSweep ? 1_800_000 : 300_000;

describe.skipIf(!redisIsHere)(`a crawl on several nodes${redisIsMissing}`, () => {
  const [pages, kills] = isFullSweep ? [600, 20] : [120, 4];
  // A short crawl may end before more has happened to it; a long one meets all kinds.
  const leastEvents = isFullSweep
    ? ['kill', 'redis', 'kill', 'flush', 'kill', 'pause', 'kill', 'twice'] : ['kill', 'redis'];

  test('nodes and Redis that end, pause, forget and come twice: the pages of one machine', async () => {
    await killedNodes({ nodes: 3, pages, kills, seed: 1, isTimeless: false }, (killed) => {
      expect(killed.events.slice(0, leastEvents.length)).toEqual(leastEvents);
      expectGuarantee(killed, pages);
      expect(killed.maxInFlight).toBeLessThanOrEqual(3 * processors);
    });
  }, timeoutMs);

  test('where time plays no part: in the order of one machine', async () => {
    await killedNodes({ nodes: 2, pages, kills, seed: 2, isTimeless: true }, (killed) => {
      expect(killed.events.slice(0, leastEvents.length)).toEqual(leastEvents);
      expectGuarantee(killed, pages);
      expect(killed.isSameOrder).toBe(true);
    });
  }, timeoutMs);
});
