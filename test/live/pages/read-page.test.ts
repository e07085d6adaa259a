import { createHash } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { PageReader, readPage } from '../../../src/core/live/pages/read-page.ts';
import { canonicalUrl } from '../../../src/base/web/index.ts';
import { UrlFilter } from '../../../src/core/live/urls/url-filter.ts';
import { tries } from '../../sweep.ts';
import { html, settingsOf } from './pages.ts';

// Goal: what a page brings, rule by rule, and against a dull model on pages of any kind.

const settings = settingsOf();
const linksOf = (text: string, headers: readonly string[] = []): readonly string[] =>
  readPage(html(text, headers), settings).links;

describe('content codings', () => {
  const text = Buffer.from('<a href=x>'.repeat(50));
  const gzip = gzipSync(text);
  test.each<[string, Uint8Array]>([
    ['gzip', gzip], ['X-GZip', gzip], ['"gzip"', gzip],
    ['deflate', deflateSync(text)], ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)], ['gzip, br', brotliCompressSync(gzip)], ['identity', text], [' , ', text],
    ['gzip', Buffer.concat([gzip, gzipSync('<a href=y>')])],
    ['deflate,identity , br,gzip', gzipSync(brotliCompressSync(deflateSync(text)))],
  ])('%s is taken off', (coding, body) => {
    expect(readPage(html(body, ['content-encoding', coding]), settings)).toMatchObject({
      fault: undefined,
      links: expect.arrayContaining(['http://a.org/d/x']) as unknown,
    });
  });

  test('headers that come twice are one list', () => {
    expect(
      readPage(html(brotliCompressSync(gzip), ['Content-Encoding', 'gzip', 'content-encoding', 'br']), settings).links,
    ).toEqual(['http://a.org/d/x']);
  });

  test.each<[string, string, Uint8Array]>([
    ['gzip', 'content coding damaged', gzip.map((byte, i) => (i === gzip.length - 6 ? byte ^ 1 : byte))],
    ['gzip', 'content coding damaged', gzip.map((byte, i) => (i === 12 ? byte ^ 255 : byte))],
    ['br', 'content coding damaged', Buffer.from('no markup')],
    ['deflate', 'content coding damaged', Buffer.from('no markup')],
    [Array(6).fill('gzip').join(), 'too many content codings', gzip],
  ])('%s: %s', (coding, fault, body) => {
    expect(readPage(html(body, ['Content-Encoding', coding]), settings)).toEqual(
      { fault, links: [], leftOut: {}, canonical: undefined, noindex: false, isCut: false, digest: '' });
  });

  test.each<[string, Uint8Array]>([
    ['none', text], ['utf-8', text], ['zstd', text], ['"gzip"', text], ['chunked', text], ['constructor', text],
    ['gzip, x-new', gzip], ['x-new, gzip', gzip], ['gzip', text], ['gzip, gzip', gzip], ['br, gzip', gzip],
    ['br', text], ['deflate', text], ['deflate', Buffer.from('<a href=x>')], ['br', Buffer.from('\n <a href=x>')],
  ])('%s, which is unknown, or which the body does not have, is none', (coding, body) => {
    expect(readPage(html(body, ['Content-Encoding', coding]), settings)).toMatchObject({
      fault: undefined, isCut: false, links: ['http://a.org/d/x'],
    });
  });

  const long = Buffer.from(Array.from({ length: 3000 }, (_, i) => `<a href="/${i}">${i * i}</a>\n`).join(''));
  test.each<[string, Buffer]>([
    ['gzip', gzipSync(long)], ['deflate', deflateSync(long)], ['deflate', deflateRawSync(long)],
    ['br', brotliCompressSync(long)], ['gzip, gzip', gzipSync(gzipSync(long))],
    ['br, gzip', gzipSync(brotliCompressSync(long))],
    ['gzip', Buffer.concat([gzipSync(long), gzipSync('<a href=/last>')])],
  ])('%s that ends early gives what it has, marked as cut', (coding, body) => {
    const read = (bytes: Uint8Array) => readPage(html(bytes, ['Content-Encoding', coding]), settings);
    const all = read(body).links;
    expect([read(body).isCut, all.length]).toEqual([false, coding === 'gzip' && all.length > 3000 ? 3001 : 3000]);
    let before = 0;
    for (const share of [0, 0.3, 0.6, 0.9, 0.99]) {
      const { fault, isCut, links } = read(body.subarray(0, Math.max(12, Math.floor(share * body.length))));
      expect([fault, isCut]).toEqual([undefined, true]);
      // The last may be torn.
      expect(links.slice(0, -1)).toEqual(all.slice(0, Math.max(0, links.length - 1)));
      expect(links.length).toBeGreaterThanOrEqual(before);
      before = links.length;
    }
    expect(before).toBeGreaterThan(2000);
    expect(read(body.subarray(0, -1)).isCut).toBe(true);
  });

  test('an empty body is empty in any coding', () => {
    expect(readPage(html('', ['Content-Encoding', 'gzip']), settings)).toMatchObject({ fault: undefined, links: [] });
  });

  test('limits hold to the byte', () => {
    const of = (bytes: number, some: Parameters<typeof settingsOf>[0]) =>
      readPage(html(gzipSync(Buffer.alloc(bytes, 97)), ['Content-Encoding', 'gzip']), settingsOf(some)).fault;
    expect([of(1000, { decodedLimitBytes: 1000 }), of(1001, { decodedLimitBytes: 1000 })]).toEqual([
      undefined, 'decoded body too long',
    ]);
    expect([of(1 << 20, { maxDecodedRatio: 2 }), of((1 << 20) + 1, { maxDecodedRatio: 2 })]).toEqual([
      undefined, 'decoded body too long',
    ]);
    expect(of(1 << 21, { maxDecodedRatio: 5000 })).toBeUndefined();
    expect(readPage(html('x'.repeat(11)), settingsOf({ decodedLimitBytes: 10 })).fault).toBe('decoded body too long');
  });
});

describe('types', () => {
  const page = '<!DOCTYPE html><a href=x>';
  const of = (type: string | undefined, body: string, headers: readonly string[] = [], types?: string[]) => {
    const rawHeaders = [...(type === undefined ? [] : ['content-type', type]), ...headers];
    const { fault, links } = readPage(
      { url: 'http://a.org/', rawHeaders, body: Buffer.from(body) },
      settingsOf(types && { types }),
    );
    return fault ?? links.length;
  };
  test.each([
    ['text/html', page, 1], ['application/xhtml+xml', page, 1], ['TEXT/HTML;charset=x', page, 1],
    ['text/plain', page, 'type not taken'], ['application/octet-stream', page, 'type not taken'],
    ['image/png', '', 'type not taken'], [undefined, page, 1], ['', page, 1], ['*/*', page, 1], ['nonsense', page, 1],
    [undefined, 'text', 'type not taken'], [undefined, '', 'type not taken'],
  ])('%s', (type, body, expected) => {
    expect(of(type, body)).toBe(expected);
  });

  test('a host may forbid sniffing', () => {
    expect(of(undefined, page, ['X-Content-Type-Options', 'NoSniff'])).toBe('type not taken');
    expect(of('text/html', page, ['X-Content-Type-Options', 'nosniff'])).toBe(1);
  });

  test('other types are taken where they are asked for, and have no links', () => {
    expect([
      of('text/plain', page, [], ['text/*']), of('text/html', page, [], ['Text/*']),
      of('application/pdf', page, [], ['text/*']),
    ]).toEqual([0, 1, 'type not taken']);
    expect(of(undefined, page, [], ['text/plain'])).toBe('type not taken');
  });

  test('XHTML has empty scripts', () => {
    expect([of('application/xhtml+xml', '<script/><a href="x"/>'), of('text/html', '<script/><a href="x"/>')]).toEqual([
      1, 0,
    ]);
  });
});

describe('links', () => {
  test.each<[string, string[]]>([
    ['<a href=x><a href=y><a href="/d/x"><a href="x#z">', ['http://a.org/d/x', 'http://a.org/d/y']],
    ['<a href="">', ['http://a.org/d/p?q']],
    ['<a href="?r"><a href=p>', ['http://a.org/d/p?r', 'http://a.org/d/p']],
    ['<a href="#x"><a href=" #"><a href="&#9;#x">', []],
    ['<a href="/d/p?q#x">', ['http://a.org/d/p?q']],
    ['<a href=" \n\t x\ty&amp;z \r\n">', ['http://a.org/d/xy&z']],
    ['<a href="x\u0000y\u001by">', ['http://a.org/d/x%00y%1By']],
    [
      '<a href="javascript:alert(1)"><a href="data:text/html,x"><a href=mailto:a@b><a href="java&#10;script:x"><a href=ftp://a.org/>',
      [],
    ],
    ['<a href="http://[::1"><a href="http://a b/"><a href="//x:99999/">', []],
    ['<a href="HTTP://A.ORG:80/../%7ex">', ['http://a.org/~x']],
    ['<a href="http://user:password@b.org/">', ['http://b.org/']],
    [
      '<a href="http:y"><a href="http:?y"><a href="\\z"><a href="https:y">',
      ['http://a.org/d/y', 'http://a.org/d/p?y', 'http://a.org/z', 'https://y/'],
    ],
    ['<base href="/b/"><a href=x><base href="/c/"><a href="?y">', ['http://a.org/b/x', 'http://a.org/b/?y']],
    ['<a href=x><base href="http://b.org">', ['http://b.org/x']],
    ['<base href="data:x"><a href=x>', ['http://a.org/d/x']],
    ['<base href="http://["><a href=x>', ['http://a.org/d/x']],
    ['<base target=x><base href=e/><a href=x>', ['http://a.org/d/e/x']],
    [
      '<frame src=a><iframe src=b></iframe><area href=c><img src=d><link href=e><form action=f><meta http-equiv=refresh content="0;url=g">',
      ['a', 'b', 'c', 'g'].map((path) => `http://a.org/d/${path}`),
    ],
    [
      '<!-- <a href=a> --><script>"<a href=b>"</script><title><a href=c></title><a title="<a href=d>" href=e>',
      ['http://a.org/d/e'],
    ],
    ['<a href="ä">', ['http://a.org/d/%C3%A4']],
    ['<a href="//bücher.example/">', ['http://xn--bcher-kva.example/']],
    ['<a href=x', []],
  ])('of %j', (text, expected) => {
    expect(linksOf(text)).toEqual(expected);
  });

  test('what is left out is counted, each spelling once', () => {
    const text =
      '<a href=a><a href=mailto:b><a href=mailto:b><a href=mailto:c><a href="http://["><a href=x.png><a href=y rel="ugc nofollow">' +
      `<a href="/${'d'.repeat(2048)}"><a href=e><a href=a><a href=f>`;
    expect(readPage(html(text), settingsOf({ maxLinks: 2, denyDomains: ['no.org'] }))).toMatchObject({
      links: ['http://a.org/d/a', 'http://a.org/d/e'],
      leftOut: { notHttp: 2, invalid: 1, filtered: 1, nofollow: 1, long: 1, beyondLimit: 1 },
    });
  });

  test.each<[string, string[], boolean, number]>([
    ['<meta name=robots content="NOINDEX, nofollow">', [], true, 0], ['<meta name=Robots content=none>', [], true, 0],
    ['<meta name=OrbWeaver content=nofollow>', [], false, 0], ['<meta name=otherbot content=none>', [], false, 2],
    ['', ['X-Robots-Tag', 'noindex'], true, 2], ['', ['X-Robots-Tag', 'all', 'x-robots-tag', 'nofollow'], false, 0],
    ['', ['X-Robots-Tag', 'orbweaver: nofollow'], false, 0], ['', ['X-Robots-Tag', 'otherbot: none'], false, 2],
    ['', ['X-Robots-Tag', 'otherbot: noindex, nofollow, OrbWeaver: noindex'], true, 2],
  ])('%s %j', (head, headers, noindex, count) => {
    const read = readPage(html(`<a href=x><a href=y>${head}`, headers), settings);
    expect([read.noindex, read.links.length, read.leftOut.nofollow]).toEqual([
      noindex, count, count === 0 ? 2 : undefined,
    ]);
  });

  test.each([
    ['<link rel="x Canonical" href="/c#d">', 'http://a.org/c'],
    ['<base href="//b.org/"><link rel=canonical href=c>', 'http://b.org/c'],
    ['<link rel=canonical href="mailto:x">', undefined],
    ['<link rel=canonicals href=c>', undefined],
    ['', undefined],
  ])('canonical: %s', (text, canonical) => {
    expect(readPage(html(text), settings).canonical).toBe(canonical);
  });

  test('the digest is of the decoded body, where it is asked for', () => {
    const page = html(gzipSync('<p>'), ['Content-Encoding', 'gzip']);
    expect(readPage(page, settingsOf({ contentSeen: true })).digest).toBe(
      createHash('sha256').update('<p>').digest('hex'),
    );
    expect(readPage(page, settings).digest).toBe('');
  });

  test('a charset that lies costs letters, and no more', () => {
    const latin1 = Buffer.from('<a href="\xe4">', 'latin1');
    for (const charset of ['utf-8', 'utf-16', 'gb18030', 'iso-2022-jp', 'none', 'x'.repeat(9999)]) {
      expect(
        readPage(
          { url: 'http://a.org/', rawHeaders: ['content-type', `text/html; charset=${charset}`], body: latin1 },
          settings,
        ).fault,
      ).toBeUndefined();
    }
    expect(linksOf('<meta charset=utf-16><a href="ä">')).toEqual(['http://a.org/d/%C3%A4']);
  });
});

describe('any page', () => {
  const some = settingsOf({ denyDomains: ['no.org'], denyPatterns: ['*deny*'], maxLinks: 20, maxUrlLength: 64 });
  const filter = new UrlFilter(some);

  /** Link by link, through htmlparser2's Parser, without a cache. */
  function dullLinks(text: string, url: string): string[] {
    const hrefs: string[] = [];
    let base: string | undefined;
    const parser = new Parser({
      onopentag(name, { href, rel }: Record<string, string | undefined>) {
        if (name === 'base') base ??= href;
        if (name === 'a' && href !== undefined && rel === undefined) hrefs.push(href);
      },
    });
    parser.end(text);
    const at =
      base !== undefined && URL.canParse(base, url) && new URL(base, url).protocol.startsWith('http')
        ? new URL(base, url)
        : new URL(url);
    const urls = hrefs
      .filter((href) => !/^[\0-\x20]*#/.test(href))
      .map((href) => canonicalUrl(href, at, some.maxUrlLength));
    return [
      ...new Set(
        urls.flatMap((each) => (typeof each === 'string' || filter.refuses(each) !== undefined ? [] : each.href)),
      ),
    ].slice(0, some.maxLinks);
  }

  const part = fc.constantFrom(
    'a',
    'b',
    'deny',
    '..',
    '.',
    '/',
    '//',
    '?',
    '#',
    '\\',
    ':',
    'http:',
    'https://',
    'no.org',
    'c.org',
    '%7e',
    '%',
    '&amp;',
    '&#47;',
    ' ',
    '\t',
    'é',
    '.png',
    '.html',
    '@',
    '~',
    'x'.repeat(40),
    '\0',
  );
  const href = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const element = fc.oneof(
    { weight: 8, arbitrary: href.map((each) => `<a href="${each}">`) },
    { weight: 1, arbitrary: href.map((each) => `<base href='${each}'>`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('<a rel=nofollow href=n>', '<!-- <a href=m> -->', '<title><a href=o></title>', '<'),
    },
  );
  const url = fc.constantFrom(
    'http://a.org/',
    'http://a.org/d/p?q',
    'http://a.org/d/',
    'https://a.org/d/r',
    'http://a.org/d//',
  );

  test('has the links of a dull model, whatever pages were read before', () => {
    const reader = new PageReader(some);
    let found = 0;
    fc.assert(fc.property(fc.array(element, { maxLength: 25, size: 'max' }), url, (elements, at) => {
      const text = elements.join('');
      const { links } = reader.read(html(text, ['content-type', 'x'], at));
      expect(links).toEqual(dullLinks(text, at));
      for (const link of links) expect(canonicalUrl(link, undefined, some.maxUrlLength)).toMatchObject({ href: link });
      found += links.length;
    }), { numRuns: tries(500) });
    expect(found).toBeGreaterThan(tries(1000));
  });

  test('whatever bytes and headers come, there is an outcome', () => {
    const name = fc.constantFrom('Content-Type', 'content-encoding', 'X-Robots-Tag', 'x-content-type-options');
    const value = fc.oneof(
      fc.constantFrom('gzip', 'br', 'deflate', 'text/html', 'text/html; charset=utf-16', 'none', ''), fc.string(),
    );
    const headers = fc.array(fc.tuple(name, value), { maxLength: 5 }).map((pairs) => pairs.flat());
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string().map((text) => Buffer.from(`<a href="${text}`)),
    );
    fc.assert(fc.property(headers, body, (rawHeaders, bytes) => {
      const { fault, links } = readPage({ url: 'http://a.org/', rawHeaders, body: bytes }, settings);
      if (fault !== undefined) expect(links).toEqual([]);
    }));
  });
});
