import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { linkKeysName, linksName } from '../../../../src/views/service/frontier/index.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { FetchedWeb } from './fetched-web.ts';

// Goal: Apache StormCrawler on Storm's LocalCluster crawls docs-web through the frontier, its ParseFilter tells the
// frontier all links, and the order is the planned one where nothing is fetched ahead. It needs a JDK and the jars of
// StormCrawler 3.4, its module urlfrontier and Storm 2.8, in one folder, and prints the orders' agreement:
// STORMCRAWLER=FOLDER [ORBWEAVER_PAGES=N] npx vitest run test/service/frontier/fetchers/stormcrawler.test.ts

const jars = process.env['STORMCRAWLER'];
const isAtHand = jars !== undefined && existsSync(jars);
const pages = Number(process.env['ORBWEAVER_PAGES'] ?? 150);
const { folder } = temporaryFolder();
const filter = fileURLToPath(new URL('../../../../src/views/service/frontier/fetchers/LinksFilter.java', import.meta.url));
const crawl = fileURLToPath(new URL('./Crawl.java', import.meta.url));
const title = isAtHand ? '' : ': skipped, STORMCRAWLER names no folder of jars';

const common = {
  'http.agent.name': 'orbweaver-test', 'http.agent.email': 'test@localhost', 'detect.mimetype': false,
  'parsefilters.config.file': 'parsefilters.json', 'metadata.persist': [linksName, linkKeysName],
  'metadata.track.path': false, 'metadata.track.depth': false, 'track.anchors': false,
  'urlfrontier.crawlid': 'DEFAULT', 'urlfrontier.delay.requestable': 600, 'fetchInterval.default': -1,
  'fetcher.server.delay': 0, 'spout.min.delay.queries': 0, 'spout.max.delay.queries': -1,
  'topology.workers': 1, 'topology.acker.executors': 1, 'topology.message.timeout.secs': 300,
};
/** One page at a time: the next is chosen when all that the last one led to is stored. */
const oneByOne = {
  'topology.max.spout.pending': 1, 'urlfrontier.max.buckets': 1, 'urlfrontier.max.urls.per.bucket': 1,
  'fetcher.threads.number': 1,
};
/** Ten URLs of each of ten hosts at a time, ten threads: StormCrawler's own settings. */
const ahead = { 'urlfrontier.max.buckets': 10, 'urlfrontier.max.urls.per.bucket': 10, 'fetcher.threads.number': 10 };

/** The folder with the compiled filter and topology. */
function compiled(): string {
  const classes = join(folder, 'classes');
  mkdirSync(classes, { recursive: true });
  const args = ['-Xlint:all,-try', '-Werror', '-proc:none', '-cp', join(jars!, '*'), '-d', classes, filter, crawl];
  const { status, stderr } = spawnSync('javac', args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const filters = [{ class: 'orbweaver.LinksFilter', name: 'links' }];
  writeFileSync(
    join(classes, 'parsefilters.json'), JSON.stringify({ 'org.apache.stormcrawler.parse.ParseFilters': filters }),
  );
  return classes;
}

/** A crawl of so many pages by these settings. */
async function crawled(web: FetchedWeb, settings: object): Promise<void> {
  const config = join(folder, 'crawl.yaml');
  writeFileSync(config, stringify({ config: { ...common, ...settings } }));
  const classPath = [compiled(), join(jars!, '*')].join(delimiter);
  const java = spawn('java', ['-Xmx1g', '-cp', classPath, 'Crawl', web.address, String(web.port), config], {
    cwd: folder, stdio: ['pipe', 'pipe', 'pipe'],
  });
  try {
    await web.fetched(pages, java);
  } finally {
    java.kill('SIGKILL');
    await once(java, 'close');
  }
}

test.skipIf(!isAtHand)(`StormCrawler, page by page, goes in the planned order${title}`, async () => {
  const web = await FetchedWeb.open(folder);
  onTestFinished(() => web.close());
  await crawled(web, oneByOne);
  const { divergence, words } = await web.compare(pages);
  process.stdout.write(`StormCrawler, one page at a time: ${words}\n`);
  expect(divergence).toBe(null);
  expect(web.requests - web.realised(Infinity).length).toBe(0);
  expect(web.linked).toBeGreaterThanOrEqual(pages - 1);
}, 3_600_000);

test.skipIf(!isAtHand)(`StormCrawler, many pages at a time, fetches none twice${title}`, async () => {
  const web = await FetchedWeb.open(folder);
  onTestFinished(() => web.close());
  await crawled(web, ahead);
  const { words } = await web.compare(pages);
  process.stdout.write(`StormCrawler, ten hosts and ten threads: ${words}\n`);
  expect(web.requests - web.realised(Infinity).length).toBe(0);
}, 3_600_000);
