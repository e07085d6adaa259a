import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openFiles, openGraph } from '../../src/graphs/catalogue/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { readCsv, readNodeLines } from '../../src/graphs/formats/index.ts';
import { orbweaver } from '../cli/command.ts';
import { tries } from '../sweep.ts';
import { linksOf } from './page-links.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

// Goal: what follows the first two fields of a line is looked at, and no text that holds no list of links becomes a
// graph in silence: the message names the format.

const { file, folder } = temporaryFolder();

const cdx = 'com,example)/ 20140103030321 http://example.com/ text/html 200 B2LTWWPU - - 1043 333 a.warc.gz\n';
const cdxj = 'com,example)/ 20140103030321 {"url": "http://example.com/", "mime": "text/html"}\n';

/** Format, a text of it, the message. */
const refused: readonly (readonly [string, string, RegExp])[] = [
  ['CDX with its header', ` CDX N b a m s k r M S V g\n${cdx}`, /is a CDX index/],
  ['CDX of nine fields', ' CDX N b a m s k r V g\ncom,a)/ 2014 http://a.com/ t/t 200 B - 3 a.gz\n', /is a CDX/],
  ['CDX without a header', cdx.repeat(3), /is a CDX index/],
  ['CDX of URLs that are not reversed', cdx.replace('com,example)/', 'example.com/'), /is a CDX index/],
  ['CDX of a DNS record', cdx.replace('http://example.com/', 'dns:example.com'), /is a CDX index/],
  ['CDXJ', cdxj.repeat(2), /is a CDXJ index/],
  ['CDXJ with its header', `!OpenWayback-CDXJ 1.0\n${cdxj}`, /is a CDXJ index/],
  ['CDXJ with metadata', `!meta {"a": 1}\n${cdxj}`, /is a CDXJ index/],
  ['a ZipNum index', 'com,a)/ 20140103030321\tcdx-00000.gz\t0\t188\t1\n', /is a ZipNum index/],
  ['NDJSON', '{"source": 1, "target": 2}\n{"source": 2, "target": 3}\n', /is NDJSON/],
  ['NDJSON of lists', '["http://a.org/", "http://b.org/"]\n["http://b.org/", "http://a.org/"]\n', /is NDJSON/],
  ['JSON', '{\n  "nodes": [{"id": 1}],\n  "links": []\n}\n', /is JSON/],
  ['JSON of a list', '[\n  {"id": 1}\n]\n', /is JSON/],
  ['DOT', 'digraph {\n  a -> b;\n}\n', /is a graph in DOT/],
  ['DOT with a name', 'strict graph "a b" {\n1 -- 2\n}\n', /is a graph in DOT/],
  ['DOT after comments', '// by a tool\n# line\n/* more\n lines */ digraph G\n{\na -> b\n}\n', /is a graph in DOT/],
  ['GDF', 'nodedef>name VARCHAR,label VARCHAR\ns1,a\ns2,b\nedgedef>node1 VARCHAR,node2 VARCHAR\ns1,s2\n', /is GDF/],
  ['UCINET DL', 'dl n=3 format=edgelist1\nlabels:\na,b,c\ndata:\n1 2\n2 3\n', /is UCINET DL/],
  ['UCINET DL in capitals', 'DL\nN = 3\nDATA:\n0 1 1\n1 0 0\n1 0 0\n', /is UCINET DL/],
  ['LGL with weights', '# a\nb 1.5\nc 2\n# b\nc 0.5\n', /is LGL/],
  ['LGL of numbers', '# 1\n2 0.5\n3 0.5\n# 2\n3 1.0\n', /is LGL/],
  ['LGL without weights', '# a\nb\nc\n# b\nc\n', /is LGL/],
  ['TGF', 'a A\nb B\n#\na b\n', /is TGF/],
  ['TGF of numbers', '1 1\n2 2\n#\n1 2\n2 1\n', /is TGF/],
  ['a sitemap', '<?xml version="1.0"?>\n<urlset xmlns="http://x"></urlset>', /is a sitemap/],
  ['a list of sitemaps', '<sm:sitemapindex xmlns:sm="x"></sm:sitemapindex>', /is a sitemap/],
  ['N-Triples', '<http://a.org/> <http://p.org/> <http://b.org/> .\n', /is RDF/],
  ['SQL', '-- MySQL dump 10.13\nINSERT INTO `pagelinks` VALUES (1,0,2);\n', /is SQL/],
  ['a table for Excel', 'sep=;\nsource;target\n1;2\n', /line 1: begins with sep=/],
  ['a quoted table for Excel', '"sep=,"\nsource,target\n1,2\n', /line 1: begins with sep=/],
  ['a multi-line adjacency list', '#x\n# GMT\n#\na 2\nb {}\nc {}\nb 1\nc {}\nc 0\n', /is a multi-line/],
  ['one of ids', '1 2\n2 {}\n3 {}\n2 0\n3 0\n', /is a multi-line adjacency list/],
  ['one with a page without links first', "0 0\n1 1\n2 {'weight': 3}\n2 0\n", /is a multi-line adjacency list/],
  ['robots.txt', 'User-agent: *\nDisallow: /\n', /keys and values/],
  ['settings', '# of a tool\nthreads = 4\ndelay=5\n', /keys and values/],
  ['headers', 'Host: a.org\nAccept: text/html\n', /keys and values/],
];

describe('a text that holds no links, or links in a form that is not read', () => {
  test.each(refused)('is refused by name: %s', async (_, text, message) => {
    const variants = [text, gzipSync(text), text.replaceAll('\n', '\r\n'), `\u{feff}${text}`, text.trimEnd()];
    for (const [i, content] of variants.entries()) {
      const path = file(`a-${i}.txt`, content);
      const error = await inputErrorOf(openGraph(path));
      expect(error).toMatch(message);
      expect(error.startsWith(`${path}: `), error).toBe(true);
      expect(error).toMatch(/;/); // What can be done instead.
      expect(await inputErrorOf(openFiles([file('good.txt', '0 1\n'), path]))).toMatch(message);
    }
  });

  test('is refused by name in UTF-16, with a byte order mark or without, but markup is read', async () => {
    const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
    for (const text of ['source,target\n1,2\n', '1 2\n2 3\n', 'Quelle\tZiel\n']) {
      const [plain, marked] = [Buffer.from(text, 'utf16le'), Buffer.from(`\u{feff}${text}`, 'utf16le')];
      for (const bytes of [plain, marked, swapped(plain), swapped(marked)]) {
        expect(await inputErrorOf(openGraph(file('wide.csv', bytes)))).toMatch(/wide\.csv: is a text in UTF-16.*iconv/);
      }
    }
    const gexf = '<?xml version="1.0" encoding="UTF-16"?><gexf><graph defaultedgetype="directed">' +
      '<nodes><node id="0"/><node id="1"/></nodes><edges><edge source="0" target="1"/></edges></graph></gexf>';
    expect((await openGraph(file('wide.gexf', Buffer.from(`\u{feff}${gexf}`, 'utf16le')))).arcs).toBe(1);
  });

  test('ends every command with exit 2 and one message', async () => {
    const path = file('index.cdxj', cdxj);
    for (const args of [['info', path], ['import', path, '--out', `${folder}/x.tsv`], ['simulate', path]]) {
      const { code, stderr } = await orbweaver(args, folder);
      expect([code, stderr.trim().split('\n').length], stderr).toEqual([2, 1]);
      expect(stderr).toMatch(/index\.cdxj: is a CDXJ index/);
    }
  });

  test('is refused by name where only the name of its file says so', async () => {
    expect(await inputErrorOf(openGraph(file('a.lgl', '# a\nb 1\nc 2\n')))).toMatch(/a\.lgl: is LGL/);
  });

  test.each<[string, string, string[]]>([
    ['an edge list with comments of a word', '# part1\n1 2\n3 4\n# part2\n4 1\n', ['0 1', '2 3', '3 0']],
    ['an edge list after its number of pages', '# 4\n4 2\n2 4\n', ['0 1', '1 0']],
    ['data in braces', "a b {'weight': 3}\nb c {}\n", ['0 1', '1 2']],
    ['names with weights', 'a b 3\nb c 0.5\n', ['0 1', '1 2']],
    ['names that look like keys', 'Talk:A\tTalk:B\nTalk:B\tTalk:A\n', ['0 1', '1 0']],
    ['a table with a referrer', 'source,target,referrer\nhttp://a/,http://b/,http://c/\n', ['0 1']],
    ['texts of links', 'http://a/ http://b/ more text\n', ['0 1']],
    ['nodes that are called as numbers are', 'a 1\n1 b\n', ['0 1', '1 2']],
  ])('is not seen where there are links: %s', async (_, text, links) => {
    expect(linksOf(await openGraph(file('links.txt', text)))).toEqual(links);
  });
});

describe('a line of links', () => {
  test.each<[string, string, RegExp]>([
    ['three URLs', 'http://a/ http://b/ http://c/\n', /odd\.txt: line 1: has a third URL, .*adjacency list/],
    ['three URLs later', 'http://a/ http://b/\nhttp://b/ http://a/ http://c/\n', /line 2: has a third URL/],
    ['three URLs in a table', 'http://a/,http://b/,http://c/\n', /line 1: has a third URL, .*--columns/],
    ['three URLs in a table later', 'http://a/\thttp://b/\t\nhttp://b/\thttp://a/\thttp://c/\n', /2: has a third URL/],
    ['data in place of a page', 'a b {}\nb {}\n', /line 2: has data in braces where its second page should be/],
    ['a sign in place of a page', 'a b 1\na -> 2\n', /line 2: has "->" where its second page should be/],
    ['a key', 'a b 1\nb: c 2\n', /line 2: begins with a key, "b:"/],
    ['names and numbers', 'alice 7\nbob 3\n', /line 1: has a name and a number, as every line: .* keys with values/],
    ['URLs and scores', 'http://a.org/ 0.5\nhttp://b.org/ 1e-3\n', /line 1: has a name and a number, as every line/],
  ])('is refused with %s', async (_, text, message) => {
    const read = /^\S+[,\t]/.test(text) ? readCsv : readNodeLines;
    expect(await inputErrorOf(openGraph(file('odd.txt', text)))).toMatch(message);
    expect(await inputErrorOf(read([file('odd.txt', text)]))).toMatch(message);
  });

  test('with three URLs is read where the user names its columns', async () => {
    const path = file('three.csv', 'http://a/,http://b/,http://c/\n');
    expect(linksOf(await openGraph(path, { columns: ['1', '3'] }))).toEqual(['0 1']);
  });

  test('is the measure of lists of pages that are drawn: an adjacency list of URLs is never links', async () => {
    const draws = new DrawStream(44, 'adjacency');
    for (let round = 0; round < tries(200); round++) {
      const pages = 3 + (draws.uint32(round) % 5);
      const lists = Array.from({ length: pages }, (_, page) => [
        page,
        ...Array.from(
          { length: draws.uint32(round, 10 * page + 1) % 5 }, (_, i) => draws.uint32(round, 10 * page + 2 + i) % pages,
        ),
      ]);
      if (lists.every(({ length }) => length === 2)) continue;
      const separator = ['\t', ' ', ',', ';'][round % 4];
      const text = lists.map((list) => `${list.map((page) => `http://h${page}.org/`).join(separator)}\n`).join('');
      expect(await inputErrorOf(openGraph(file('drawn.txt', text))), text).toMatch(/drawn\.txt: line/);
    }
  });
});
