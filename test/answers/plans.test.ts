import { expect, test } from 'vitest';
import { syntheticWeb } from '../crawl/loopback.ts';
import { docsWeb } from '../docs-web.ts';
import { isFullSweep } from '../sweep.ts';
import { planBeside, planBesideText, wholeGrid } from './plans.ts';

// Goal: a plan costs at most 3 % more than the best of everything, for a tenth of the work.

test(`beside a search of everything, ${isFullSweep ? 'docs-web' : '2,500 pages'}`, async () => {
  const few = {
    ...wholeGrid, policy: wholeGrid.policy!.slice(0, 3), processors: [1, 2], robots: [8, 16],
    superstepLimit: [undefined, 100],
  };
  const graph = isFullSweep ? docsWeb : syntheticWeb(2500, 1);
  const both = await planBeside(graph, '50% of rank', isFullSweep ? wholeGrid : few, isFullSweep ? undefined : 1);
  expect(both.planned, planBesideText(both)).toBeLessThanOrEqual(1.03 * both.least);
  if (isFullSweep) expect(both.plannedPages, planBesideText(both)).toBeLessThanOrEqual(0.1 * both.allPages);
});
