import { expect, test } from 'vitest';
import { isFullSweep } from '../sweep.ts';
import { predict, predictionCases } from './predictions.ts';

// Goal: a crawl is predicted from another one of the same web. `npm run live -- predictions` does it with six webs, and
// holds times against limits; here the machine is too busy for that, and the crawls are too short.

const cases = predictionCases.filter(({ graph }) => isFullSweep || graph === 'copying');

test.concurrent.each(cases)('$graph, $network', { timeout: 300_000 }, async (one) => {
  const { common, tauB, fit, pages, predictedSeconds } = await predict(one, isFullSweep ? 300 : 100, 10);
  expect(pages).toBeGreaterThan(30);
  expect(common).toBeGreaterThan(0.6);
  expect(tauB).toBeGreaterThan(0.3);
  expect(predictedSeconds).toBeGreaterThan(0);
  // The 10 ms of the served network, as drawn for few hosts, and what the machine adds.
  expect(fit.network.latencyMs).toBeGreaterThan(7);
  expect(fit.counts.isSeparated).toBe(true);
  expect(fit.counts.notFound > 0).toBe(one.network === 'faults');
});
