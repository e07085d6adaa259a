import { describe, expect, test } from 'vitest';
import { MAX_QUESTION_STEPS, robotsTxt } from '../../../src/base/web/robots/robots-txt.ts';
import { isFullSweep } from '../../sweep.ts';
import { hostileHost, hostileRobotsCrawl } from './hostile-robots.ts';

// Goal: a robots.txt made to cost time costs its own host pages, and nobody else's. Method: what questions cost is
// counted, not timed; `npm run live -- hostile-robots` does this by the clock.

const hostileHosts = 5;
const goodHosts = 4;
const pages = isFullSweep ? 12 : 4;
const experiment = { processors: 2, robots: 6, politenessMs: 0, superstepMs: 200, pending: 1000 };
const options = { hostileHosts, goodHosts, pages, experiment };

describe('hosts with a hostile robots.txt', () => {
  test('lose the pages that take too long to match, each with its reason; good hosts lose none', async () => {
    const { goodPages, ends } = await hostileRobotsCrawl({ ...options, isHostile: true });
    expect(goodPages).toBe(goodHosts * (1 + pages));
    const hosts = Array.from({ length: hostileHosts }, (_, i) => hostileHost(i, pages));
    const verdicts = hosts.flatMap(({ text, paths }) => {
      const rules = robotsTxt(Buffer.from(text), 'orbweaver');
      return ['/', ...paths].map((path) => rules.judge(new URL(path, 'http://bad.test')));
    });
    expect(Math.max(...verdicts.map(({ steps }) => steps))).toBeLessThan(1.01 * MAX_QUESTION_STEPS);
    const tooDear = verdicts.filter(({ steps }) => steps > MAX_QUESTION_STEPS).length;
    expect(tooDear).toBeGreaterThan(pages / 2);
    expect(ends.get('robotsDenied: robots.txt takes too long to match')).toBe(tooDear);
    expect(ends.get('fetched: -')).toBe(verdicts.length - tooDear);
  });

  test('with plain ones, all is fetched', async () => {
    const { goodPages, ends } = await hostileRobotsCrawl({ ...options, isHostile: false });
    expect(goodPages).toBe(goodHosts * (1 + pages));
    expect(Object.fromEntries(ends)).toEqual({
      'robotsFetched: robots.txt: status 200': hostileHosts, 'fetched: -': hostileHosts * (1 + pages),
    });
  });
});
