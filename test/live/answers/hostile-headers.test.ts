import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWarc } from '../../../src/graphs/formats/index.ts';
import type { WebGraph } from '../../../src/graphs/graph/index.ts';
import { placeOf } from '../../formats/page-links.ts';
import { replayCommand, tries } from '../../sweep.ts';
import { archivesOf, linking, missing, octets, RawWeb } from './raw-web.ts';

// Goal: whatever octets the headers of a page have, an import of the crawl's own archives gives the graph that the
// crawl stored: one rule reads both. Method: webs of drawn answers over raw sockets, crawled and imported.

const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20261201);

/** Pages of a web, besides its first. */
const PAGES = 20;

const pick = (...options: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...options);

/** Maybe one of these lines, rarely two. */
function lines(name: string, ...values: readonly string[]): fc.Arbitrary<readonly string[]> {
  const line = pick(...values).map((value) => `${name}: ${value}`);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) }, { weight: 4, arbitrary: line.map((only) => [only]) },
    { weight: 1, arbitrary: fc.tuple(line, line) },
  );
}

/** Where links and redirects lead, one character per octet. */
const places = fc.oneof(
  fc.integer({ min: 0, max: PAGES }).map((page) => `/p${page}`),
  fc.array(pick(
    '/', 'a', 'p1', '..', '.', '?', '?q=', '&', '#', '%', '%41', '%e9', '%C3%A9', '\xe9', '\xef', '\x93', '\xa0', ' ',
    '\t', '"', '<', '\'', '\\', '|', ';', '^', '{', ...['é', 'п', '\u3000', '\ufeff', '😀'].map(octets),
  ), { maxLength: 6 }).map((parts) => parts.join('')),
  pick(
    '', '#', 'http://b.example/', `http://${octets('bücher')}.example/x`, 'http://b\xfccher.example/', '//c.example',
    'http://b.example.', 'http:', 'http://[', 'mailto:x@a.example', 'HTTP://B.EXAMPLE:80/x/../y', 'ftp://b.example/',
    'http://u:p@b.example/', `${octets('ä')}\xe4`, '/robots.txt', `/${'x'.repeat(3000)}`,
  ),
);

const codings: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  plain: (body) => body,
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  raw: (body) => deflateRawSync(body),
  br: (body) => brotliCompressSync(body),
  'gzip gzip': (body) => gzipSync(gzipSync(body)),
  'br gzip': (body) => gzipSync(brotliCompressSync(body)),
  'cut gzip': (body) => gzipSync(body).subarray(0, -9),
  'cut br': (body) => brotliCompressSync(body).subarray(0, -2),
  'cut deflate': (body) => deflateSync(body).subarray(0, -5),
  'head of gzip': (body) => gzipSync(body).subarray(0, 11),
  'false sum': (body) => Buffer.concat([gzipSync(body).subarray(0, -8), Buffer.alloc(8)]),
  members: (body) => Buffer.concat([gzipSync(body), gzipSync('<a href=/member>')]),
  padded: (body) => Buffer.concat([gzipSync(body), Buffer.alloc(9)]),
  nothing: () => Buffer.alloc(0),
  binary: () => Buffer.from([0, 159, 146, 150, 13, 10, 60, 97]),
  text: () => Buffer.from('hello'),
};

const heads = pick(
  '', '<!doctype html>', '<meta charset=windows-1251>', '<meta charset=shift_jis>', '<html>', ' \n',
  '<meta name=robots content=nofollow>', '<meta http-equiv=refresh content="1; url=/refreshed">',
  '<base href="http://c.example/deep/?\xef">',
);
const bodies = fc.record({
  coding: fc.oneof({ weight: 2, arbitrary: fc.constant('plain') }, pick(...Object.keys(codings))),
  head: heads,
  links: fc.array(fc.tuple(places, pick('', ' rel=nofollow', ' rel="noopener"')), { maxLength: 4 }),
}).map(({ coding, head, links }) => {
  const linked = links.map(([href, rel]) => `<a href="${href.replaceAll('"', '&quot;')}"${rel}>x</a>`);
  return codings[coding](Buffer.from(head + linked.join(' '), 'latin1'));
});

const types = lines(
  'content-type', 'text/html; charset=windows-1251', 'text/html; charset="koi8-r"', 'TEXT/HTML;charset=\xfc', 'html',
  'text/html;charset=euc-kr', 'application/xhtml+xml', 'text/plain', 'image/png', '*/*', '',
  'text/html; charset=nobody', `text/html; x=${octets('é')}`,
);
const encodings = lines(
  'Content-Encoding', 'gzip', 'x-gzip', 'deflate', 'br', 'identity', 'none', 'utf-8', 'zstd', '"gzip"', 'gzip, gzip',
  'br, gzip', '', 'gzip, none', 'chunked', 'GZIP ', `gzip${octets('\u3000')}`, 'gzip\xa0', 'a,b,c,d,e,f', ',gzip,,',
);
const tags = lines(
  'X-Robots-Tag', 'none', 'nofollow', 'otherbot: nofollow', 'orbweaver: noindex, nofollow', octets('é: nofollow'),
);
const refreshes = fc.tuple(
  pick('0', '5', '0.5', 'x', ''), pick(';', ' ', ',', ''), pick('url=', 'URL = ', '\'', ''), places,
).map((parts) => [`Refresh: ${parts.join('')}`]);
const headers = fc.tuple(
  fc.oneof({ weight: 3, arbitrary: fc.constant(['Content-Type: text/html']) }, types), encodings, tags,
  lines('X-Content-Type-Options', 'nosniff', 'NoSniff ', 'sniff'), lines('Link', '</l>; rel=next', octets('</é>')),
  lines('Server', octets('é'), '\xe9', '  \t x \t ', '\xff\xfe'), fc.oneof(fc.constant([]), refreshes),
);

const location = (place: string): string => `Location: ${place}`;
const locations = fc.oneof(
  { weight: 5, arbitrary: places.map((place) => [location(place)]) },
  fc.tuple(places, places).map((both) => both.map(location)), fc.constant([]),
);
const statuses = fc.oneof(
  { weight: 4, arbitrary: fc.constant(200) }, { weight: 4, arbitrary: fc.constantFrom(301, 302, 307) },
  fc.constantFrom(201, 203, 206, 204, 300, 304, 399, 404, 410, 503),
);

/** A body's lines and octets on the wire. */
function framed(framing: string, body: Buffer): readonly [lines: readonly string[], octets: string] {
  const text = body.toString('latin1');
  if (framing === 'chunked' && text !== '')
    return [['Transfer-Encoding: chunked'], `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`];
  return [framing === 'end' ? [] : [`Content-Length: ${text.length}`], text];
}

/** Octets of an answer, one per character. Tabs and blanks are the only controls that undici reads in a value. */
const answers = fc.record({
  status: statuses, headers, location: locations, body: bodies, order: fc.nat(5),
  framing: pick('length', 'chunked', 'end'),
}).map(({ status, headers, location, body, order, framing }) => {
  const all = [...(status >= 300 && status < 400 ? location : []), ...headers.flat()];
  const [about, content] = framed(framing, status === 204 || status === 304 ? Buffer.alloc(0) : body);
  return [
    `HTTP/1.1 ${status} ${order === 0 ? '\xe9' : 'X'}`, ...all.slice(order), ...all.slice(0, order), ...about,
    'Connection: close', '', content,
  ].join('\r\n');
});

/** Links and size of each page, by URL without its scheme. */
function shapeOf(graph: WebGraph): Record<string, { links: string[]; bytes: number | undefined }> {
  const nameOf = placeOf(graph);
  return Object.fromEntries(Array.from({ length: graph.pages }, (_, page) => [nameOf(page), {
    links: Array.from(graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1]), nameOf).sort(),
    bytes: graph.bytes?.[page],
  }]));
}

let web: RawWeb;
beforeAll(async () => { web = await RawWeb.open(); });
afterAll(async () => { await web.close(); });

test('the archives of a crawl are imported as its graph, whatever its answers say', async () => {
  const webs = fc.array(answers, { minLength: 1, maxLength: PAGES });
  await fc.assert(fc.asyncProperty(webs, async (drawn) => {
    web.serve(({ host, path }) => {
      if (path === '/robots.txt') return missing;
      if (host === 'a.example' && path === '/') return linking(drawn.map((_, page) => `/p${page}`));
      // Pages of other hosts may lead to ever deeper ones.
      if (path.split('/').length > 6) return missing;
      const page = host === 'a.example' ? Number(/^\/p(\d+)$/.exec(path)?.[1] ?? NaN) : path.length % drawn.length;
      return page in drawn ? Buffer.from(drawn[page], 'latin1') : missing;
    });
    const { folder, result: { graph } } = await web.crawl(['http://a.example/'], {
      live: { maxRedirects: 100, maxSegmentRepeats: 100 },
    });
    expect(shapeOf(await readWarc(archivesOf(folder)))).toEqual(shapeOf(graph));
  }), { seed, numRuns: tries(80) }).catch((error: unknown) => {
    throw new Error(replayCommand(seed, 'test/live/answers/hostile-headers.test.ts'), { cause: error });
  });
}, 120_000);
