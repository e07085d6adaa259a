import { expect, test } from 'vitest';
import { isFullSweep, sampled } from '../sweep.ts';
import { crawlDeadHosts, crawlOutages } from './outages.ts';

// Goal: whatever is out for ten minutes at most, and whenever, a crawl fetches each page once the hosts are back. Hosts
// that stay out cost it no more than their patience. `npm run live -- outages` tries fifty webs.

const seeds = sampled(Array.from({ length: 12 }, (_, i) => i + 1), 6);

test.each(seeds)('hosts that are out at times: web %d', async (seed) => {
  const { faults, outages } = await crawlOutages(seed);
  expect(faults, `npm run live -- outages --webs 1 --seed ${seed}: ${JSON.stringify(outages)}`).toEqual([]);
});

test.runIf(isFullSweep)('a fifth of the hosts dead', async () => {
  expect((await crawlDeadHosts(1)).faults, 'npm run live -- outages --webs 1').toEqual([]);
});
