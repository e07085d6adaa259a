import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { trueRanks } from '../../../src/core/engine/index.ts';
import { prepare, urlOf } from '../../../src/graphs/graph/index.ts';
import { kendallTauB } from '../../../src/core/measure/index.ts';
import { newFolder, orbweaver, printedBy } from '../command.ts';
import { writeSmallWeb } from './small-web.ts';

// Goal: what another crawler left is an order beside the runs, judged as theirs is, and what does not match is counted.

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const at = (...names: string[]): string => join(folder, ...names);

writeSmallWeb(at('web'));
const web = await openGraph(at('web'));
const ranks = trueRanks(prepare(web));
const pages = 300;
/** The order of a run. */
function orderOf(name: string): number[] {
  const bytes = readFileSync(at(name, 'order.u32'));
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(4 * i));
}

const time = (second: number): Date => new Date(Date.UTC(2026, 0, 1) + 1000 * second);
const url = (page: number): string => `https://${urlOf(web, page)}`;

function heritrixLine(of: string, second: number, status = 200): string {
  const at17 = time(second).toISOString().replace(/[-:.TZ]/g, '');
  return `${time(second + 1).toISOString()}   ${status}       1299 ${of} - - text/html #014 ${at17}+225 sha1:X - -\n`;
}

beforeAll(async () => {
  const limit = ['--max-pages', String(pages)];
  for (const policy of ['breadth-first', 'opic'])
    await printedBy(['simulate', 'web', ...limit, '--policy', policy, '--out', policy], folder);
}, 60_000);

interface Document {
  readonly horizonPages: number;
  readonly orders: readonly {
    label: string; pages: number; quality: { pagerankArea: number; bound: number };
    log?: { pagesFetched: number; inGraph: number; ties: number; linesLeftOut: number };
  }[];
  readonly agreements: readonly { log: string; run: string; agreement: { common: number; tauB: number } }[];
}

async function compared(...names: string[]): Promise<Document> {
  return JSON.parse(await printedBy(['compare', ...names, '--json'], folder)) as Document;
}

describe('a log of another crawler', () => {
  test('that fetched what a run did, in its order, is judged as the run is', async () => {
    const order = orderOf('breadth-first');
    writeFileSync(at('crawl.log'), order.map((page, i) => heritrixLine(url(page), i)).reverse().join(''));
    const { orders: [run, log], agreements, horizonPages } = await compared('breadth-first', 'crawl.log');
    expect([horizonPages, log.pages, log.log?.inGraph]).toEqual([pages, pages, pages]);
    expect(log.quality).toEqual(run.quality);
    const { summary } = JSON.parse(readFileSync(at('breadth-first', 'run.json'), 'utf8')) as {
      summary: { quality: { pagerankArea: number } };
    };
    expect(log.quality.pagerankArea).toBeCloseTo(summary.quality.pagerankArea, 9);
    expect(agreements[0].agreement).toMatchObject({ common: pages, tauB: 1, firstOnly: 0, secondOnly: 0 });
  });

  test('counts what it has beyond the graph, and agrees as a dull count says', async () => {
    const order = orderOf('opic');
    const lines = order.slice(0, 200).map((page, i) => heritrixLine(url(page), (i * 73) % 200));
    const others = ['http://elsewhere.example/', `${url(order[0])}?x=1`].map((one) => heritrixLine(one, 500));
    const failed = heritrixLine(url(order[250]), 501, 404);
    writeFileSync(at('other.log.gz'), gzipSync([...lines, ...others, failed].join('')));
    const { orders, agreements, horizonPages } = await compared('breadth-first', 'opic', 'other.log.gz');
    const log = orders[2];
    expect(log.log).toEqual({
      source: 'a Heritrix crawl log', pagesFetched: 202, inGraph: 200, ties: 1, linesLeftOut: 1,
    });
    expect([log.pages, horizonPages]).toEqual([200, 200]);
    const logged = order.slice(0, 200).map((_, i) => (i * 73) % 200);
    const tau = kendallTauB(Float64Array.from(logged), Float64Array.from(logged, (_, i) => i));
    expect(agreements.find(({ run }) => run === 'opic')?.agreement.tauB).toBeCloseTo(tau ?? NaN, 12);
    // The area, as its definition says, over as many pages as the log has.
    const inOrder = order.slice(0, 200).map((page, i) => ({ page, at: logged[i] })).sort((a, b) => a.at - b.at);
    let [sum, area] = [0, 0];
    for (const { page } of inOrder) area += (sum += ranks[page]);
    const { bound, pagerankArea } = log.quality;
    const top = [...ranks].sort((a, b) => b - a).slice(0, 200);
    expect(pagerankArea).toBeLessThanOrEqual(bound);
    expect(pagerankArea).toBeGreaterThanOrEqual(area / 200 / top.reduce((all, rank) => all + rank, 0) - 1e-9);
  });

  test('of Nutch is an order too, and all is written to a folder', async () => {
    const order = orderOf('opic').slice(0, 50);
    writeFileSync(at('part-r-00000'), order.map((page, i) => {
      const [, month, day, clock] = /^\w+, (\d+) (\w+) \d+ (\S+)/.exec(time(86400 + i).toUTCString()) ?? [];
      return `${url(page)}\tVersion: 7\nStatus: 2 (db_fetched)\nFetch time: Fri ${day} ${month} ${clock} UTC 2026\n` +
        'Retry interval: 86400 seconds (1 days)\nScore: 1.0\n\n';
    }).sort().join(''));
    const text = await printedBy(['compare', 'opic', 'part-r-00000', '--out', 'compared'], folder);
    const said = text.replaceAll('\n', ' ');
    expect(said).toContain("part-r-00000 is a dump of Nutch's CrawlDb: 50 pages fetched, of which 50 (100.0 %) are");
    expect(said).toContain('No two pages have the same time.');
    const document = JSON.parse(readFileSync(at('compared', 'compare.json'), 'utf8')) as Document;
    expect(document.agreements[0].agreement).toMatchObject({ common: 50, tauB: 1 });
    expect(readFileSync(at('compared', 'report.html'), 'utf8')).toContain('PageRank gathered');
  });

  test.each<[string, string[], RegExp]>([
    ['no run', ['crawl.log'], /^crawl\.log: name a run too/],
    ['no page of the graph', ['opic', 'strange.log'], /^strange\.log: none of its 1 fetched pages is a page that the/],
    ['no fetched page', ['opic', 'failed.log'], /^failed\.log: contains no page that was fetched/],
    ['another kind of file', ['opic', 'edges.txt'], /^edges\.txt: is a file, and no log of another crawler/],
    ['links alone', ['opic', 'linkdb'], /^linkdb: is a dump of Nutch's LinkDb, which has no times/],
  ])('with %s is refused in one line', async (_, names, message) => {
    writeFileSync(at('strange.log'), heritrixLine('http://elsewhere.example/', 1));
    writeFileSync(at('failed.log'), heritrixLine('http://elsewhere.example/', 1, 503));
    writeFileSync(at('edges.txt'), '0 1\n');
    writeFileSync(at('linkdb'), 'http://a.example/\tInlinks:\n fromUrl: http://b.example/ anchor: \n');
    const { code, stderr } = await orbweaver(['compare', ...names], folder);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
