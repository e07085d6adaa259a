import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { policyNames } from '../../src/core/policy/index.ts';
import { isFullSweep, sampled } from '../sweep.ts';
import { OrderBench } from './orders.ts';

// Goal: the identical core goes live. Where nothing of time is left, a live crawl of a stored graph takes the pages
// that its simulation takes, one by one, under every policy. `npm run live -- orders --pages 20746` does it with all of
// docs-web.

const maxPages = isFullSweep ? 250 : 60;

let bench: OrderBench;
beforeAll(async () => { bench = await OrderBench.open(maxPages); });
afterAll(() => bench.close());

describe('a live crawl goes in the order of its simulation', () => {
  const cases = policyNames.flatMap((policy) => [1, 2].map((processors) => ({ policy, processors })));
  test.each(sampled(cases, 11))('$policy, P = $processors', async ({ policy, processors }) => {
    const { simulated, live } = await bench.compare(policy, processors);
    expect(live).toEqual(simulated);
    expect(live.flat()).toHaveLength(maxPages);
  });
});
