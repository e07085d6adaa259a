import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { crawlLive, resumeCrawl, type LiveCrawlOptions } from '../../../src/machines/crawl/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { OutageWeb, type OutageKind } from './outage-web.ts';
import { sampled } from '../../sweep.ts';

// Goal: a passing condition of a host loses none of its pages, and a lasting one ends with the patience. The crawl's
// clock runs 300 times as fast as that of the machine, so a minute takes 200 ms.

const speed = 300;
const pagesPerHost = 12;
const hosts = ['a.test', 'b.test', 'c.test'];
const { folder } = temporaryFolder();
let folders = 0;

/**
 * Three hosts of a dozen linked pages each; the first is out for some seconds of the crawl, from its first question on.
 */
async function crawled(kind: OutageKind, seconds: number, hostPatienceMs: number) {
  const web = new OutageWeb({
    speed, hosts: new Map(hosts.map((host) => [host, pagesPerHost])),
    outages: [{ host: 'a.test', kind, fromSeconds: 0, seconds }],
  });
  await web.listen();
  const out = join(folder, String(folders++));
  const options: LiveCrawlOptions = { clockSpeed: speed, lookup: web.lookup };
  const result = await crawlLive(out, {
    experiment: { politenessMs: 1000, hostPatienceMs, processors: 2, robots: 2 },
    live: { contact: 'test@localhost', allowNetworks: ['127.0.0.0/8'], readerThreads: 0, warc: false },
    seeds: [web.urlOf('b.test')],
  }, options);
  return { web, out, options, result };
}

const pages = hosts.length * (pagesPerHost + 1);

describe('an outage of one host that ends within its patience', () => {
  test.each(sampled<[OutageKind, number]>([
    ['robots.txt by 503', 20], ['robots.txt by 503', 400], ['connections refused', 40], ['connections refused', 300],
    ['names unknown for now', 60], ['names hang', 60], ['answers cut', 60],
  ], 2))('%s for %i s: every page is fetched, none denied, and nothing is given up', async (outage, seconds) => {
    const { web, out, result } = await crawled(outage, seconds, 900_000);
    await web.close();
    expect(result.run.summary).toMatchObject({ pagesFetched: pages, pagesFailed: 0 });
    expect(result.run.summary.failuresByKind).not.toHaveProperty('robotsDenied');
    expect(Object.keys(result.run.summary.failuresByKind)).not.toEqual(['robotsFetched']);
    expect(existsSync(join(out, 'hosts-given-up.csv'))).toBe(false);
    // A probe per rest: at first every second, then ever more rarely.
    const probes = web.requests.filter(({ host, path }) => host === 'a.test' && path === '/robots.txt').length;
    expect(probes).toBeLessThan(15);
  });

  test('without patience, as before, its pages are lost', async () => {
    const { web, result } = await crawled('robots.txt by 503', 400, 0);
    await web.close();
    expect(result.run.summary.pagesFetched).toBeLessThan(pages);
  });
});

test('a host that stays out is given up when its patience is over, and --retry failed takes its pages up', async () => {
  const { web, out, options, result } = await crawled('connections refused', 1e9, 60_000);
  expect(result.run.summary).toMatchObject({ pagesFetched: pages - pagesPerHost - 1, pagesFailed: 1 });
  expect(result.hostsGivenUp).toMatchObject([{ name: new URL(web.urlOf('a.test')).host, reason: 'no connection' }]);
  const [gone] = result.hostsGivenUp!;
  expect(gone.givenUpUs - gone.firstFailureUs).toBeGreaterThanOrEqual(60e6);
  const rows = readFileSync(join(out, 'hosts-given-up.csv'), 'utf8');
  expect(rows).toMatch(/^name,processor,reason,.*\na\.test:\d+,\d,no connection,/);

  // Resumed as it is, there is nothing to do; its host is back, and its pages are asked for again only if that is said.
  const back = { ...options, lookup: () => Promise.resolve(['127.0.0.1']) };
  expect((await resumeCrawl(out, {}, back)).run.summary.pagesFetched).toBe(pages - pagesPerHost - 1);
  const retried = await resumeCrawl(out, {}, { ...back, retryFailed: true });
  await web.close();
  expect(retried.run.summary.pagesFetched).toBe(pages);
  expect(retried.hostsGivenUp).toBeUndefined();
  expect(existsSync(join(out, 'hosts-given-up.csv'))).toBe(false);
});
