import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crawlLive, resumeCrawl, type LiveResult } from '../../../src/crawl/index.ts';
import type { LiveCrawlInput } from '../../../src/settings/index.ts';
import type { LoggedRequest } from '../../../src/service/index.ts';
import { loopback } from '../loopback.ts';
import { linking, WrittenSite } from '../written-site.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: in a live crawl, a page that known rules deny is not asked for, costs no delay, and is recorded once.

interface Crawled { readonly result: LiveResult; readonly log: readonly LoggedRequest[]; readonly lines: string[] }

async function crawled(
  robotsTxt: string, seeds: readonly string[], links: readonly string[], experiment: LiveCrawlInput = {},
): Promise<Crawled> {
  const web = await loopback(new WrittenSite((url) => {
    if (url.endsWith('/robots.txt')) return { headers: ['Content-Type', 'text/plain'], body: robotsTxt };
    return url.endsWith('.test/') ? linking(...links) : linking();
  }));
  try {
    const folder = web.folder();
    const result = await crawlLive(folder, {
      experiment: { processors: 2, politenessMs: 0, ...experiment }, live: { ...web.live, warc: false }, seeds,
    });
    expect(result.run.summary.ended).toBe('frontier dry');
    const log = [...web.log];
    const again = await resumeCrawl(folder);
    const outcomes = ({ events: { order, times, failures } }: LiveResult) => ({ order, times, failures });
    expect(outcomes(again), 'nothing is left to do').toEqual(outcomes(result));
    expect(web.log).toHaveLength(log.length);
    const lines = readFileSync(join(folder, 'crawl.log'), 'utf8').trimEnd().split('\n');
    return { result, log, lines };
  } finally {
    await web.close();
  }
}

const denying = 'user-agent: *\ncrawl-delay: 0.1\ndisallow: /no\n';
const deniedLinks = isFullSweep ? 40 : 12;
const links = [
  ...Array.from({ length: deniedLinks }, (_, i) => `/no${i}`), '/yes', 'http://b.test/yes', 'http://b.test/no',
];

test('links that are denied when they are found cost nothing; with deniedCost delay, a delay each', async () => {
  const seeds = ['http://a.test/', 'http://b.test/'];
  const free = await crawled(denying, seeds, links);
  const costly = await crawled(denying, seeds, links, { deniedCost: 'delay' });
  for (const { result: { run, events }, log, lines } of [free, costly]) {
    expect(log.map(({ host, path }) => host + path).sort()).toEqual([
      'a.test/', 'a.test/robots.txt', 'a.test/yes', 'b.test/', 'b.test/robots.txt', 'b.test/yes',
    ]);
    // Both pages have these links, each on its own host, and b.test/no is one page.
    expect(run.summary.failuresByKind).toEqual({ robotsDenied: 2 * deniedLinks + 1, robotsFetched: 2 });
    const denied = events.failures.filter(({ kind }) => kind === 'robotsDenied').map(({ page }) => page);
    expect(new Set(denied).size).toBe(2 * deniedLinks + 1);
    expect(lines.filter((line) => line.includes(' robotsDenied '))).toHaveLength(2 * deniedLinks + 1);
  }
  expect(free.result.events.rows.reduce((sum, row) => sum + row.denied, 0)).toBe(2 * deniedLinks + 1);
  expect(free.result.events.failures.every(({ kind, startedUs, finishedUs }) =>
    kind === 'robotsFetched' || startedUs === finishedUs)).toBe(true);
  expect(costly.result.events.rows.reduce((sum, row) => sum + row.denied, 0)).toBe(0);
  expect(costly.result.run.summary.virtualSeconds).toBeGreaterThan(0.1 * deniedLinks);
});

test('where all is denied, the fetch of robots.txt is all that it costs, whatever delay it asks for', async () => {
  // One such delay would take longer than a test may.
  const seeds = Array.from({ length: 12 }, (_, i) => `http://${'abc'[i % 3]}.test/no${i}`);
  const { result: { run }, log } = await crawled('user-agent: *\ncrawl-delay: 600\ndisallow: /\n', seeds, []);
  expect(run.summary).toMatchObject({ pagesFetched: 0, pagesFailed: 12 });
  expect(log.map(({ path }) => path)).toEqual(['/robots.txt', '/robots.txt', '/robots.txt']);
});
