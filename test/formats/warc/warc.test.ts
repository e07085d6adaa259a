import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { graphChecksum, checkGraph, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { openFiles, openGraph } from '../../../src/graphs/catalogue/index.ts';
import { readWarc, type WarcOptions } from '../../../src/graphs/formats/index.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { gzipped, linking, record, response, wat } from './warc-archive.ts';

const { file, folder } = temporaryFolder();

/** Pages as `host/path`, and the links of each by these. */
function shape(graph: WebGraph): { pages: string[]; links: Record<string, string[]>; bytes: number[] } {
  const pages = Array.from(
    { length: graph.pages },
    (_, page) => graph.hosts.names.at(graph.hosts.ofPage[page]) + String(graph.paths?.at(page)),
  );
  const links: Record<string, string[]> = {};
  for (let page = 0; page < graph.pages; page++) {
    const targets = [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])];
    if (targets.length > 0) links[pages[page]] = targets.map((target) => pages[target]);
  }
  return { pages, links, bytes: [...(graph.bytes ?? [])] };
}

async function read(bytes: Uint8Array, options: WarcOptions = {}): Promise<{ graph: WebGraph; notes: string[] }> {
  const notes: string[] = [];
  const graph = await readWarc([file('crawl.warc', bytes)], {
    ...options, onNote: (note) => notes.push(note.replace(folder, '')),
  });
  checkGraph(graph);
  return { graph, notes };
}

/** Targets of a page that is alone in its archive. */
async function linksOf(body: string | Uint8Array, headers: Record<string, string> = {}, options: WarcOptions = {}) {
  const { graph, notes } = await read(response('http://a.org/dir/page', body, headers), options);
  return { links: shape(graph).links['a.org/dir/page'] ?? [], notes };
}

const small = [
  record('warcinfo', { 'Content-Type': 'application/warc-fields' }, 'software: none\r\n'),
  record('request', { 'WARC-Target-URI': 'http://a.org/' }, 'GET / HTTP/1.1\r\n\r\n'),
  response('http://a.org/', linking('/b', 'http://Other.NET:80/x?q=1#part', '/b')),
  record('revisit', { 'WARC-Target-URI': 'http://a.org/' }, ''),
  response('https://b.org:8443/', linking('http://a.org/b')),
  response('http://a.org/b', linking('https://user:secret@b.org:8443')),
];

test.each<[string, string]>([
  ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\n\r\n'],
  ['100 Continue, twice', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\n\n'],
  ['102 with a body type', 'HTTP/1.1 102 Processing\r\nContent-Type: text/plain\r\n\r\n'],
])('a final response counts after interim ones: %s', async (_, interim) => {
  const body = linking('/y', 'http://b.org/x');
  const block = (head: string): string => `${interim}HTTP/1.1 ${head}\r\nContent-Type: text/html\r\n\r\n${body}`;
  const at = { 'WARC-Target-URI': 'http://a.org/' };
  const page = shape((await read(record('response', at, block('200 OK')))).graph);
  expect([page.links, page.bytes[0]]).toEqual([{ 'a.org/': ['a.org/y', 'b.org/x'] }, body.length]);
  const moved = `${interim}HTTP/1.1 301 Moved\r\nLocation: /z\r\n\r\n`;
  expect(shape((await read(record('response', at, moved))).graph).links).toEqual({ 'a.org/': ['a.org/z'] });
  // Alone it is no page, and what follows is its body.
  expect(await inputErrorOf(read(record('response', at, `${interim}<a href="/x">x</a>`)))).toMatch(/no record is/);
});

describe('WARC archives', () => {
  test('give captured pages in the order of their records, then those only linked to', async () => {
    const { graph, notes } = await read(Buffer.concat(small));
    expect(shape(graph)).toEqual({
      pages: ['a.org/', 'b.org:8443/', 'a.org/b', 'other.net/x?q=1'],
      links: { 'a.org/': ['a.org/b', 'other.net/x?q=1'], 'b.org:8443/': ['a.org/b'], 'a.org/b': ['b.org:8443/'] },
      bytes: [
        linking('/b', 'http://Other.NET:80/x?q=1#part', '/b').length,
        linking('http://a.org/b').length,
        linking('https://user:secret@b.org:8443').length,
        0,
      ],
    });
    expect(graph.name).toBe('crawl');
    expect(graph.hosts.synthetic).toBe(false);
    expect(notes).toEqual([
      'crawl: records: 1 request, 3 response, 1 revisit, 1 warcinfo',
      'crawl: 3 pages fetched; 1 only linked to (size 0, no links known)',
      'crawl: 1 link was repeated and left out',
    ]);
    expect(shape((await read(Buffer.concat(small), { fetchedOnly: true })).graph).pages).toEqual([
      'a.org/', 'b.org:8443/', 'a.org/b',
    ]);
  });

  test('are the same however they are compressed, and where bytes are cut', async () => {
    const plain = Buffer.concat(small);
    const expected = graphChecksum((await read(plain)).graph);
    const blocks = Array.from({ length: Math.ceil(plain.length / 77) }, (_, i) =>
      gzipSync(plain.subarray(77 * i, 77 * i + 77)),
    );
    for (const bytes of [gzipped(small), gzipSync(plain), Buffer.concat(blocks)]) {
      const { graph, notes } = await read(bytes);
      expect(graphChecksum(graph)).toBe(expected);
      expect(notes).toHaveLength(3);
    }
    const padded = small.map((bytes) => Buffer.concat([bytes, Buffer.from('\r\n\n')]));
    expect(graphChecksum((await read(Buffer.concat(padded))).graph)).toBe(expected);
  });

  test('make one graph of several, and the first capture of a page counts', async () => {
    const first = file('1.warc', response('http://a.org/', linking('/first')));
    const second = file(
      '2.warc.gz',
      gzipped([response('http://a.org/', linking('/second')), response('http://a.org/more', 'text')]),
    );
    const notes: string[] = [];
    const graph = await openFiles([first, second], { onNote: (note) => notes.push(note) });
    expect(shape(graph!)).toMatchObject({
      pages: ['a.org/', 'a.org/more', 'a.org/first'], links: { 'a.org/': ['a.org/first'] },
    });
    expect(graph?.name).toBe('1 and 1 more');
    expect(notes).toContain('1 and 1 more: 1 response left out: the page was captured before');
    const archives = join(folder, 'archives');
    mkdirSync(archives);
    writeFileSync(join(archives, 'b.warc'), response('http://a.org/', linking('/first')));
    writeFileSync(join(archives, 'c.warc.gz'), gzipped([response('http://a.org/more', 'text')]));
    writeFileSync(join(archives, 'notes.txt'), 'mine');
    expect(graphChecksum(await openGraph(archives))).toBe(graphChecksum(graph!));
    expect(await openFiles([file('nothing.txt', 'nothing\n'), file('none.txt', 'none\n')])).toBeUndefined();
    expect(await inputErrorOf(openFiles([file('links.txt', '0 1\n'), first]))).toMatch(
      /links\.txt: is not in the format of/,
    );
    expect(await inputErrorOf(openFiles([first, file('links.txt', '0 1\n')]))).toMatch(
      /links\.txt: is not in the format of .*1\.warc \(WARC archive\)/,
    );
  });

  test('are known by their content', async () => {
    const bytes = response('http://a.org/', '');
    expect((await openGraph(file('unnamed', bytes))).pages).toBe(1);
    expect((await openGraph(file('unnamed-too', gzipSync(bytes)))).pages).toBe(1);
    expect(await inputErrorOf(openGraph(file('old.arc', 'filedesc://x.arc 0.0.0.0 20080430 text/plain 75\n')))).toMatch(
      /old\.arc: is an ARC file, the format before WARC/,
    );
  });

  test('redirects are pages with one link; other failures are none', async () => {
    const { graph, notes } = await read(Buffer.concat([
      response('http://a.org/', '', { Location: 'https://a.org/' }, 301),
      response('http://a.org/old', 'moved', { Location: 'new' }, 302),
      response('https://a.org/', linking('/gone')),
      response('http://a.org/gone', 'not found', {}, 404),
      response('http://a.org/same', '', {}, 304),
      response('<http://a.org/wget>', linking('/')),
      record('response', { 'WARC-Target-URI': 'dns:a.org', 'Content-Type': 'text/dns' }, '20080430 a.org 10.0.0.1'),
    ]));
    expect(shape(graph)).toMatchObject({
      pages: ['a.org/old', 'a.org/', 'a.org/wget', 'a.org/new', 'a.org/gone'],
      links: { 'a.org/old': ['a.org/new'], 'a.org/': ['a.org/gone'], 'a.org/wget': ['a.org/'] },
    });
    expect(notes.slice(2)).toEqual([
      'crawl: 2 responses left out: neither success nor redirect',
      'crawl: 1 redirect left out: to the page itself',
    ]);
  });

  test('a redirect to the very same URL is a page with that link, unless the page follows', async () => {
    const { graph, notes } = await read(Buffer.concat([
      response('http://a.org/cookie', '', { Location: '' }, 302), response('http://a.org/', linking('/cookie')),
      response('http://a.org/loop', '', { Location: '/loop#x' }, 302), response('http://a.org/cookie', linking('/')),
    ]));
    expect(shape(graph).links).toEqual(
      { 'a.org/': ['a.org/cookie'], 'a.org/cookie': ['a.org/'], 'a.org/loop': ['a.org/loop'] },
    );
    expect(notes).toContain('crawl: 1 redirect left out: to the page itself');
  });
});

describe('links of HTML', () => {
  test('are those of a, area, frame and iframe, resolved against the base', async () => {
    const { links } = await linksOf(`<base href="/base/"><base href="/second/">
      <a class=x href=one>1</a><A HREF='two?a=1&amp;b=2&copy=3'>2</A><area href="//c.org/three"><iframe src="four"></iframe>
      <frame src=five><img src="no.png"><link href="no.css"><script>'<a href="no">'</script><!-- <a href="no"> -->
      <form action="no"></form><a name="no">x</a><a href="six" href="no"><svg><a href="seven"/></svg><textarea><a href=no></textarea>`);
    expect(links).toEqual(
      ['one', 'two?a=1&b=2&copy=3', '', 'four', 'five', 'six', 'seven'].map((path) =>
        path === '' ? 'c.org/three' : `a.org/base/${path}`,
      ),
    );
  });

  test('leave out what no crawler would follow, and count it', async () => {
    const { links, notes } = await linksOf(`<a href="#top"><a href=" #x"><a href="mailto:me@a.org"><a href="javascript:void(0)">
      <a href="http://[bad"><a rel="noopener NoFollow" href="n"><a href="${'y'.repeat(3000)}"><a href="good">`);
    expect(links).toEqual(['a.org/dir/good']);
    expect(notes.slice(2)).toEqual([
      'crawl: 1 link left out: nofollow', 'crawl: 2 links left out: neither http nor https',
      'crawl: 1 link left out: not a URL', 'crawl: 1 link left out: longer than 2048 characters',
    ]);
    for (const [body, headers] of [
      ['<meta name=Robots content="noindex, NOFOLLOW"><a href=a><a href=b rel=nofollow>', {}],
      ['<a href=a><a href=b><meta name="robots" content="none">', {}],
      ['<a href=a><a href=b>', { 'X-Robots-Tag': 'nofollow' }],
    ] as const) {
      const page = await linksOf(body, headers);
      expect(page.links).toEqual([]);
      expect(page.notes[2]).toBe('crawl: 2 links left out: nofollow');
    }
    const many = await linksOf('<a href=a>'.repeat(50_003));
    expect(many.links).toEqual(['a.org/dir/a']);
    expect(many.notes).toContain('crawl: 3 links left out: more than 50000 on a page');
  });

  test('cost no more than the length of the page', async () => {
    // A million tags: a parser that searches the open elements at every end tag needs many minutes.
    const page = await linksOf(`${'<b>'.repeat(500_000)}${'</x>'.repeat(500_000)}<a href=end>`);
    expect(page.links).toEqual(['a.org/dir/end']);
  });

  test('are read in the encoding of the page', async () => {
    const utf8 = '/caf%C3%A9';
    for (const [body, headers] of [
      [Buffer.from('<a href="/café">', 'utf8'), {}],
      [Buffer.from('<a href="/café">', 'latin1'), {}],
      [Buffer.from('<a href="/café">', 'latin1'), { 'Content-Type': 'text/html; charset="ISO-8859-1"' }],
      [
        Buffer.from('<meta charset=iso-8859-1><a href="/café">', 'latin1'),
        { 'Content-Type': 'text/html; charset=unheard-of' },
      ],
      [Buffer.from('<meta charset=utf-16><a href="/café">', 'utf8'), {}],
      [Buffer.from('\ufeff<a href="/café">', 'utf16le'), {}],
      [Buffer.from('<html><a href="/café">', 'utf8'), { 'Content-Type': '' }],
    ] as const) {
      expect((await linksOf(body, headers)).links).toEqual([`a.org${utf8}`]);
    }
    expect((await linksOf('<a href="/x">', { 'Content-Type': 'text/plain' })).links).toEqual([]);
  });
});

describe('bodies', () => {
  const html = linking('/one', '/two');
  const two = ['a.org/one', 'a.org/two'];

  test('are decoded', async () => {
    const chunked = `5\r\n${html.slice(0, 5)}\r\n${(html.length - 5).toString(16)};name=x\r\n${html.slice(5)}\r\n0\r\n\r\n`;
    for (const [body, headers] of [
      [chunked, { 'Transfer-Encoding': 'chunked' }],
      [html, { 'Transfer-Encoding': 'chunked' }], // The framing was taken off, the header stayed.
      [gzipSync(html), { 'Content-Encoding': 'gzip' }],
      [gzipSync(gzipSync(html)), { 'Content-Encoding': 'gzip, x-gzip' }],
      [deflateSync(html), { 'Content-Encoding': 'deflate' }],
      [deflateRawSync(html), { 'Content-Encoding': 'deflate' }],
      [brotliCompressSync(html), { 'Content-Encoding': 'br' }],
      ...['gzip', 'deflate', 'br', 'unheard-of', 'identity'].map(
        (coding) => [html, { 'Content-Encoding': coding }] as const,
      ),
    ] as const) {
      expect(await linksOf(body, headers)).toMatchObject({ links: two });
    }
    const { graph } = await read(response('http://a.org/', chunked, { 'Transfer-Encoding': 'chunked' }));
    expect(graph.bytes?.[0]).toBe(html.length);
    // Cut in the middle of a stream: as far as it goes.
    const long = gzipSync(
      linking('/one', '/two') + Array.from({ length: 2000 }, (_, i) => `<i>${(i * 7919) % 1009}</i>`).join(''),
    );
    const cut = await linksOf(long.subarray(0, long.length / 2), { 'Content-Encoding': 'gzip' });
    expect(cut.links).toEqual(two);
    expect(cut.notes).toContain('crawl: 1 page read as far as its content coding goes, which ends early');
    expect((await linksOf(Buffer.from([3, 1, 4, 1, 5, 9]), { 'Content-Encoding': 'zstd' })).links).toEqual([]);
  });

  test('that cannot be decoded, or grow beyond the limit, leave a page without links and a note', async () => {
    for (const [body, coding] of [
      [gzipSync(html + ' '.repeat(3 << 20)), 'gzip'], [brotliCompressSync(Buffer.alloc(3 << 20)), 'br'],
      [Buffer.from([255, 255, 255, 255]), 'br'], [gzipSync(html).fill(255, 10), 'gzip'],
      [html, 'gzip, gzip, gzip, gzip, gzip, gzip'],
    ] as const) {
      const { links, notes } = await linksOf(body, { 'Content-Encoding': coding }, { recordLimitBytes: 1 << 20 });
      expect(links).toEqual([]);
      expect(notes[0]).toMatch(
        /crawl\.warc: record at byte 0: its body cannot be decoded from ".*" within 1048576 bytes; its links are unknown/,
      );
    }
  });

  test('longer than the limit are read up to it, and keep their size', async () => {
    const { graph, notes } = await read(
      response('http://a.org/', linking('/one') + ' '.repeat(2 << 20) + linking('/two')),
      { recordLimitBytes: 1 << 20 },
    );
    expect(shape(graph).pages).toEqual(['a.org/', 'a.org/one']);
    expect(graph.bytes?.[0]).toBe(linking('/one').length + (2 << 20) + linking('/two').length);
    expect(notes).toContain('crawl: 1 page read only up to the limit of 1048576 bytes');
  });
});

describe('WAT', () => {
  test('gives pages, links and sizes', async () => {
    const { graph, notes } = await read(
      gzipped([
        record(
          'metadata', { 'Content-Type': 'application/json' },
          JSON.stringify({ Envelope: { 'WARC-Header-Metadata': { 'WARC-Type': 'request' } } }),
        ),
        wat(
          'http://a.org/x/',
          [
            { path: 'A@/href', url: 'one', text: 'One' }, { path: 'IMG@/src', url: 'no.png' },
            { path: 'A@/href', url: 'n', rel: 'nofollow' }, { path: 'IFRAME@/src', url: '/two' },
            { path: 'STYLE/#text', href: 'no' }, [],
          ],
          { base: '/base/' },
        ),
        wat('http://a.org/robots', [{ path: 'A@/href', url: 'n' }], {
          metas: [{ name: 'ROBOTS', content: 'nofollow' }],
        }),
        wat('http://a.org/gone', [], { status: '404' }),
      ]),
    );
    expect(shape(graph)).toEqual({
      pages: ['a.org/x/', 'a.org/robots', 'a.org/base/one', 'a.org/two'], bytes: [1234, 1234, 0, 0],
      links: { 'a.org/x/': ['a.org/base/one', 'a.org/two'] },
    });
    expect(notes.slice(2)).toEqual([
      'crawl: 1 response left out: neither success nor redirect', 'crawl: 2 links left out: nofollow',
    ]);
  });

  test('that is not JSON is noted', async () => {
    const broken = record('metadata', { 'Content-Type': 'application/json' }, '{"Envelope":');
    const { notes } = await read(Buffer.concat([wat('http://a.org/', []), broken]));
    expect(notes[0]).toMatch(/record at byte \d+: its block is not JSON$/);
  });
});
