import { describe, expect, test } from 'vitest';
import { isFullSweep } from '../../sweep.ts';
import { redisIsHere, redisIsMissing } from '../redis-server.ts';
import { events, type Event } from './killed-nodes.ts';
import { manyKills, plannedCrawls, replayOf, type KilledCrawl, type ManyKillsOptions } from './many-kills.ts';

// Goal: the guarantee of a crawl on several nodes: nodes and Redis may end, pause, forget and come twice. `npm run live
// -- kills --nodes 2,3,4 --kills 200` does this for long.

const options: ManyKillsOptions = isFullSweep
  ? { nodeCounts: [2, 3, 4], kills: 20, pages: 300, seed: 1, maxKillsPerCrawl: 7 }
  : { nodeCounts: [3, 2], kills: 6, pages: 120, seed: 1, maxKillsPerCrawl: 3 };
/** What is asked for takes a while: leases run out, and processes start. */
const timeoutMs = isFullSweep ? 1_800_000 : 300_000;

describe.skipIf(!redisIsHere)(`a crawl on several nodes${redisIsMissing}`, () => {
  test(`${options.kills} things happen, on ${options.nodeCounts.join(', ')} nodes: all that is promised holds`, async () => {
    const crawls = await disturbed(options);
    const happened: Event[] = crawls.flatMap(({ killed }) => killed.events);
    expect(happened).toHaveLength(options.kills);
    expect(new Set(crawls.map(({ isTimeless }) => isTimeless)).size).toBe(2);
    expect(crawls.map(({ nodes }) => nodes)).toEqual(options.nodeCounts);
    if (isFullSweep) expect(new Set(happened)).toEqual(new Set(events));
  }, timeoutMs);

  // All nodes but one have no page.
  test('and so it does on a web of one host', async () => {
    const crawls = await disturbed({ ...options, hosts: 1, kills: options.nodeCounts.length, seed: 5 });
    expect(crawls).toHaveLength(options.nodeCounts.length);
  }, timeoutMs);
});

/** The crawls, after all has been found to hold. */
async function disturbed(some: ManyKillsOptions): Promise<KilledCrawl[]> {
  const crawls: KilledCrawl[] = [];
  await manyKills(some, (crawl) => {
    expect(crawl.faults, replayOf(crawl, some)).toEqual([]);
    crawls.push(crawl);
  });
  return crawls;
}

test('what is to happen is shared out to the last event', () => {
  const crawls = plannedCrawls({ nodeCounts: [2, 3, 4], kills: 200, pages: 1, seed: 7, maxKillsPerCrawl: 12 });
  expect(crawls.reduce((sum, { kills }) => sum + kills, 0)).toBe(200);
  expect(Math.max(...crawls.map(({ kills }) => kills))).toBeLessThanOrEqual(12);
  for (const nodes of [2, 3, 4]) {
    const own = crawls.filter((crawl) => crawl.nodes === nodes);
    expect(Math.abs(own.reduce((sum, { kills }) => sum + kills, 0) - 200 / 3)).toBeLessThan(1);
  }
  expect(crawls.map(({ seed }) => seed)).toEqual(crawls.map((_, i) => 7 + i));
});
