import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openFiles, openGraph } from '../../src/graphs/catalogue/index.ts';
import { readCrawlOrder } from '../../src/graphs/formats/index.ts';
import { checkGraph } from '../../src/graphs/graph/index.ts';
import { tries } from '../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { linksOf, placeOf } from './page-links.ts';

// Goal: what Heritrix and Nutch leave behind is a graph, with a warning of what it lacks, and an order of pages.

const { file } = temporaryFolder();

const digest = 'sha1:YIUOKDGOLGI5JYHDTXRFFQ5FF4N2EJRV';

/** A line of crawl.log, with its fields and padding as Heritrix 3 writes them. */
function line(url: string, path = '-', via = '-', status = 200, begun = '20110623171208574+225', more = '-'): string {
  return `2011-06-23T17:12:08.802Z ${String(status).padStart(5)} ${'1299'.padStart(10)} ${url} ${path} ${via} ` +
    `text/html #014 ${begun} ${digest} - ${more}\n`;
}

const log =
  line('dns:a.example', 'P', 'http://a.example/', 1) +
  line('http://a.example/robots.txt', 'P', 'http://a.example/', 404) +
  line('http://a.example/', '-', '-', 200, '20110623171209000+500') +
  line('http://a.example/two?x#y', 'L', 'http://a.example/', 200, '20110623171208000+100', '3t') +
  line('https://b.example/', 'LL', 'http://a.example/two?x', 301) +
  line('https://b.example/gone', 'LLR', 'https://b.example/', -2, '-') +
  line('http://a.example/two?x', 'L', 'https://b.example/', 200, '20120101000000000+100');

describe("Heritrix's crawl log", () => {
  test.each([['plain', log], ['gzipped', gzipSync(log)]])('%s is the graph of its discoveries', async (_, bytes) => {
    const [notes, faults]: [string[], string[]] = [[], []];
    const graph = await openGraph(file('crawl.log', bytes), {
      onNote: (note) => notes.push(note), onFault: (fault) => faults.push(fault),
    });
    checkGraph(graph);
    expect(Array.from({ length: graph.pages }, (_unused, page) => placeOf(graph)(page)))
      .toEqual(['a.example/', 'a.example/two?x', 'b.example/', 'b.example/gone']);
    expect(linksOf(graph, placeOf(graph))).toEqual([
      'a.example/ a.example/two?x', 'a.example/two?x b.example/', 'b.example/ b.example/gone',
      'b.example/ a.example/two?x',
    ]);
    expect([...graph.bytes!]).toEqual([1299, 1299, 1299, 0]);
    expect([...graph.seeds!]).toEqual([0]);
    expect(faults[0]).toMatch(/^crawl: a crawl log has only the links by which pages were discovered/);
    expect(notes)
      .toEqual(['crawl: 2 lines of robots.txt and host addresses left out', 'crawl: 1 page was not fetched']);
  });

  test('is an order of the pages that were fetched, by the end of their download', async () => {
    expect(await readCrawlOrder(file('crawl.log', log))).toEqual({
      source: 'a Heritrix crawl log', ties: 0, leftOut: 4,
      pages: [
        { host: 'a.example', path: '/two?x', endMs: Date.UTC(2011, 5, 23, 17, 12, 8, 100) },
        { host: 'b.example', path: '/', endMs: Date.UTC(2011, 5, 23, 17, 12, 8, 799) },
        { host: 'a.example', path: '/', endMs: Date.UTC(2011, 5, 23, 17, 12, 9, 500) },
      ],
    });
    expect(await readCrawlOrder(file('edges.txt', '0 1\n'))).toBeUndefined();
  });

  test('of any tree has a link to each of its pages', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.nat(), { maxLength: 30 }), async (draws) => {
      const urlOf = (page: number): string => `http://h${page % 3}.example/${page}`;
      const parents = draws.map((draw, i) => draw % (i + 1));
      const text = line(urlOf(0)) + parents.map((parent, i) => line(urlOf(i + 1), 'L', urlOf(parent))).join('');
      const graph = await openGraph(file('tree.log', text));
      const number = (page: number): string => graph.paths!.at(page).slice(1);
      expect(linksOf(graph, number).sort()).toEqual(parents.map((parent, i) => `${parent} ${i + 1}`).sort());
    }), { numRuns: tries(30) });
  });

  test.each<[string, string, RegExp]>([
    ['a line cut', log.slice(0, -150), /crawl\.log: line 7: expected a line of Heritrix's crawl log/],
    ['no page', line('dns:a.example', 'P'), /crawl\.log: contains no page/],
    ['a time that is none', line('http://a.example/', '-', '-', 200, '20111323171208574+225'), /line 1: its time/],
    ['a huge line', `${log}${'x'.repeat(1 << 21)}`, /line 8 is longer than/],
  ])('is refused with %s', async (_, text, message) => {
    expect(await inputErrorOf(openGraph(file('crawl.log', text)))).toMatch(message);
  });

  test('that is damaged anyhow is read soundly or refused in one message', async () => {
    const refused = await refusedOfDamaged(log, 200, (bytes) => openGraph(file('damaged.log', bytes)));
    expect(refused).toBeGreaterThan(tries(20));
  });
});

const datum = (status: string, time: string): string =>
  `Version: 7\nStatus: ${status}\nFetch time: ${time}\nModified time: Thu Jan 01 08:00:00 CST 1970\n` +
  'Retries since fetch: 0\nRetry interval: 86400 seconds (1 days)\nScore: 1.0\nSignature: null\n' +
  'Metadata: \n \t_pst_=success(1)\n';

const linkDb = 'http://b.example/\tInlinks:\n fromUrl: http://a.example/ anchor: B & C\n' +
  ' fromUrl: ftp://x/ anchor: \n\n' +
  'http://a.example/\tInlinks:\n fromUrl: http://b.example/ anchor: \n\n';

const crawlDb = `http://a.example/\t${datum('2 (db_fetched)', 'Thu Jun 05 17:00:05 CST 2014')}\n` +
  `http://b.example/\t${datum('2 (db_fetched)', 'Thu Jun 05 17:00:04 CST 2014')}\n` +
  `http://b.example/late\t${datum('2 (db_fetched)', 'Thu Jun 05 17:00:05 CST 2014')}\n` +
  `http://c.example/\t${datum('1 (db_unfetched)', 'Wed Jun 04 17:00:04 CST 2014')}\n` +
  `http://d.example/\t${datum('3 (db_gone)', 'Thu Jun 05 17:00:04 CST 2014')}\n`;

const segment = '\nRecno:: 0\nURL:: http://a.example/\n\nCrawlDatum::\n' +
  `${datum('1 (db_unfetched)', 'Wed Jun 04 16:00:00 CST 2014')}\nContent::\nVersion: -1\nurl: http://a.example/\n` +
  'Content:\n<html>\nRecno:: 9\nURL:: http://evil.example/\n  outlink: toUrl: http://evil.example/ anchor: \n' +
  `\nCrawlDatum::\n${datum('33 (fetch_success)', 'Wed Jun 04 17:00:05 CST 2014')}\n` +
  '\nParseData::\nVersion: 5\nStatus: success(1,0)\nTitle: A\nOutlinks: 2\n' +
  '  outlink: toUrl: http://b.example/ anchor: B\n  outlink: toUrl: http://a.example/x anchor: \nContent Metadata: \n' +
  '\nRecno:: 1\nURL:: http://b.example/\n\nCrawlDatum::\n' +
  `${datum('37 (fetch_gone)', 'Wed Jun 04 17:00:04 CST 2014')}\n`;

describe("Nutch's dumps", () => {
  test.each<[string, string, string[], string[], RegExp]>([
    ['LinkDb', linkDb, ['b.example/', 'a.example/'], ['a.example/ b.example/', 'b.example/ a.example/'],
      /LinkDb lacks links within a host/],
    ['a segment', segment, ['a.example/', 'b.example/', 'a.example/x'],
      ['a.example/ b.example/', 'a.example/ a.example/x'], /segments lack links beyond db\.max\.outlinks\.per\.page/],
  ])('of %s are a graph', async (_, text, pages, links, warning) => {
    for (const bytes of [text, gzipSync(text)]) {
      const faults: string[] = [];
      const graph = await openGraph(file('part-r-00000', bytes), { onFault: (fault) => faults.push(fault) });
      checkGraph(graph);
      expect(Array.from({ length: graph.pages }, (_unused, page) => placeOf(graph)(page))).toEqual(pages);
      expect(linksOf(graph, placeOf(graph)).sort()).toEqual(links.sort());
      expect(graph.bytes).toBeUndefined();
      expect(faults).toEqual([expect.stringMatching(warning)]);
    }
  });

  test('of a segment and of the LinkDb are one graph', async () => {
    const graph = await openFiles([file('dump', segment), file('part-r-00000', linkDb)]);
    expect(graph && linksOf(graph, placeOf(graph)).sort())
      .toEqual(['a.example/ a.example/x', 'a.example/ b.example/', 'b.example/ a.example/']);
  });

  test('are orders of the pages that were fetched', async () => {
    const order = await readCrawlOrder(file('crawldb', crawlDb));
    expect(order?.pages.map(({ host, path }) => host + path)).toEqual(['b.example/', 'a.example/', 'b.example/late']);
    expect(order?.pages[0]).toMatchObject({ endMs: Date.UTC(2014, 5, 4, 17, 0, 4) });
    expect([order?.ties, order?.leftOut, order?.source]).toEqual([1, 1, "a dump of Nutch's CrawlDb"]);
    const fetched = await readCrawlOrder(file('dump', segment));
    expect(fetched?.pages.map(({ host, path }) => host + path)).toEqual(['a.example/']);
    expect([fetched?.leftOut, fetched?.source]).toEqual([1, 'a dump of a Nutch segment']);
  });

  test('compare times on both sides of the change to summer time', async () => {
    const zones = `http://a.example/\t${datum('2 (db_fetched)', 'Sun Oct 26 02:10:00 CET 2014')}\n` +
      `http://b.example/\t${datum('2 (db_fetched)', 'Sun Oct 26 02:50:00 CEST 2014')}\n`;
    expect((await readCrawlOrder(file('zones', zones)))?.pages.map(({ host }) => host))
      .toEqual(['b.example', 'a.example']);
  });

  test.each<[string, string, RegExp]>([
    ['no links', crawlDb, /is a dump of Nutch's CrawlDb, which has no links; .*compare RUN FILE/],
    ['another line', `${linkDb}what\n`, /dump: line 8: expected fromUrl: URL anchor: text, or the next URL: "what"/],
    ['a link cut', linkDb.slice(0, 50), /line 2: expected fromUrl/],
    ['no URL', 'Recno:: 0\nURI:: x\n', /line 2: expected URL:: and the URL of the record/],
    ['no time', segment.replace('Wed Jun 04 17:00:05', 'Wed Jux 04 17:00:05'), /line 29: expected a time/],
  ])('are refused with %s', async (_, text, message) => {
    expect(await inputErrorOf(openGraph(file('dump', text)))).toMatch(message);
  });

  test('of the LinkDb are no order', async () => {
    expect(await inputErrorOf(readCrawlOrder(file('dump', linkDb)))).toMatch(/LinkDb, which has no times/);
  });

  test('that are damaged anyhow are read soundly or refused in one message', async () => {
    for (const text of [linkDb, segment])
      expect(await refusedOfDamaged(text, 100, (bytes) => openGraph(file('damaged', bytes)))).toBeGreaterThan(0);
  });
});
