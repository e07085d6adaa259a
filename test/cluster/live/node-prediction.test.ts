import { expect, test } from 'vitest';
import { redisIsHere, redisIsMissing } from '../redis-server.ts';
import { predictNodes } from './node-prediction.ts';

// Goal: a simulation says how long a crawl on several nodes takes. `npm run live -- predictions --nodes N` holds times
// against a limit; here the machine is too busy for that, which makes a crawl longer, and no shorter.

test.skipIf(!redisIsHere)(`a crawl on two nodes beside its simulation${redisIsMissing}`, async () => {
  const { pages, seconds, predictedPages, predictedSeconds } =
    await predictNodes({ nodes: 2, pages: 80, seed: 1, haste: 5 });
  expect(pages).toBeGreaterThan(40);
  expect(predictedPages).toBe(pages);
  expect(seconds).toBeGreaterThan(0.8 * predictedSeconds);
}, 300_000);
