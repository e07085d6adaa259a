import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/core/engine/index.ts';
import { buildGraph, hostsFromNames } from '../../src/graphs/graph/index.ts';
import { isFullSweep, replayCommand } from '../sweep.ts';
import { drawnLimits, drawnLimitsText, isRight, limitsOf, type DrawnLimits } from './drawn-limits.ts';

const files = 'test/answers/drawn-limits.test.ts';
// The rules were made with seeds below 300.
const first = Number(process.env['ORBWEAVER_SEED'] ?? 2000);
const [count, most] = isFullSweep ? [200, 10] : [4, 1];

test(`what limits ${count} drawn crawls is what brings the most, in 95 % of them`, async () => {
  const cases: DrawnLimits[] = [];
  for (let seed = first; cases.length < count; seed++) {
    const drawn = await drawnLimits(seed);
    if (drawn !== undefined) cases.push(drawn);
  }
  const wrong = cases.filter((drawn) => !isRight(drawn));
  const silent = cases.filter(({ limits: { named } }) => named.length === 0);
  const text = wrong.map((drawn) => `${drawnLimitsText(drawn)}\n  ${replayCommand(drawn.seed, files)}`).join('\n');
  if (isFullSweep)
    process.stdout.write(`${count - wrong.length} of ${count}, nothing stands out in ${silent.length}\n${text}\n`);
  expect(wrong.length, text).toBeLessThanOrEqual(most);
  expect(silent.length).toBeLessThanOrEqual(Math.ceil(0.2 * count));
}, 600_000);

/** A page that links to the home pages of hosts, each of which links to its pages. */
function sites(hosts: number, pagesPerHost: number) {
  const host = (page: number): number => Math.floor((page - 1) / pagesPerHost);
  const pages = 1 + hosts * pagesPerHost;
  const targets = Uint32Array.from({ length: pages - 1 }, (_, i) => i + 1);
  return buildGraph({
    name: 'sites', pages, targets, seeds: Uint32Array.of(0),
    sources: targets.map((page) => ((page - 1) % pagesPerHost === 0 ? 0 : 1 + host(page) * pagesPerHost)),
    hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => (page === 0 ? 'root' : `h${host(page)}`))),
  });
}

describe('what is named brings the most', () => {
  test.each(['frozen', 'follow'] as const)('where queued pages are clustered, keys %s', async (pendingKeys) => {
    const graph = sites(100, 8);
    const settings = {
      processors: 1, robots: 32, pending: 32, pendingKeys, policy: 'depth-first', statistics: 'off',
    } as const;
    const drawn = (await limitsOf({ seed: 0, graph, settings }, ['politeness', 'pendingJobs', 'robots']))!;
    expect(drawn.limits.named, drawnLimitsText(drawn)).toEqual(['pendingJobs']);
    expect(drawn.gains.pendingJobs).toBe(Math.max(...Object.values(drawn.gains)));
    const { events: { rows } } = await simulate(graph, settings);
    const stalled = rows.filter(({ queued, stalledUs }) => queued > 0 && stalledUs > 0);
    expect(stalled.length).toBeGreaterThan(10);
    expect(stalled.filter(({ sampledPages }) => sampledPages === 0)).toEqual([]);
  });

  test.each([1, 2, 4])('with R_x %i, without which little is gained: downloads go on', async (superstepLimit) => {
    const drawn = (await limitsOf({
      seed: 0, graph: sites(100, 8), settings: { processors: 4, robots: 32, superstepLimit, statistics: 'off' },
    }, ['politeness', 'superstepLimit']))!;
    expect(drawn.limits.named, drawnLimitsText(drawn)).toEqual(['politeness']);
    expect(drawn.gains.politeness).toBe(Math.max(...Object.values(drawn.gains)));
    expect(drawn.gains.superstepLimit).toBeLessThan(0.1);
  });
});
