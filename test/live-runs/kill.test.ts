import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isFullSweep } from '../sweep.ts';
import { killedCrawl } from './killing.ts';

// Goal: a crawl may be killed at any moment. `npm run live -- kills --kills 200` does this for long.

const pages = isFullSweep ? 400 : 80;

describe.concurrent('a crawl that is killed, or asked to end, again and again', () => {
  test('ends with the pages of an undisturbed one, fetches nothing twice that was not under way at an end, and keeps every delay', async () => {
    await killedCrawl(
      { pages, kills: isFullSweep ? 8 : 2, seed: 1 },
      ({
        ends, undisturbed, final, unexplained, maxInFlight, robots, breaches, restsAcrossEnds, recordFaults,
        archive, folder,
      }) => {
        expect(new Set(ends).size).toBeGreaterThan(2);
        expect(restsAcrossEnds).toBeGreaterThan(0);
        expect(recordFaults).toEqual([]);
        expect(undisturbed.length).toBeGreaterThan(pages / 2);
        expect(final).toEqual(undisturbed);
        expect(unexplained).toEqual([]);
        expect(maxInFlight).toBeLessThanOrEqual(robots);
        expect(breaches).toEqual([]);
        expect(archive).toMatchObject({ faults: [], missing: [] });
        expect(archive.records).toBeGreaterThanOrEqual(2 * final.length);
        expect(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))).toMatchObject({
          summary: { ended: 'frontier dry', pagesFetched: final.length },
        });
      },
    );
  });

  test('within a scope, and without parameters that are dropped: the same pages, as near', async () => {
    await killedCrawl(
      { pages: 2 * pages, kills: isFullSweep ? 5 : 2, seed: 3, scope: true },
      ({ ends, undisturbed, final, pagesOfWeb, otherReach, beyondScope, unexplained, breaches, recordFaults }) => {
        expect(ends.slice(0, -1)).toContain('SIGKILL');
        expect(final).toEqual(undisturbed);
        expect(otherReach).toEqual([]);
        expect(final.filter((url) => url.includes('?'))).toEqual([]);
        expect(final.length).toBeLessThan(0.95 * pagesOfWeb);
        expect(beyondScope).toBeGreaterThan(pages / 10);
        expect({ unexplained, breaches, recordFaults }).toEqual({ unexplained: [], breaches: [], recordFaults: [] });
      },
    );
  });

  test('where the store forgets, that shows', async () => {
    const some = isFullSweep ? { pages, kills: 4, forgetsAt: 3 } : { pages, kills: 2, forgetsAt: 1 };
    await killedCrawl({ ...some, seed: 2 }, ({ unexplained }) => {
      expect(unexplained.length).toBeGreaterThan(0);
    });
  });
});
