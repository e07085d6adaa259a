import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalUrl } from '../../src/base/web/canonical-url.ts';
import { anyCharacter, anyUrl } from '../any-text.ts';
import { tries } from '../sweep.ts';

// Goal: one spelling a page, the WHATWG's but for what the policy says.

const spelling = (href: string, base?: string): string =>
  String(canonicalUrl(href, base === undefined ? undefined : new URL(base), 65_536));

describe('canonical URL', () => {
  test.each([
    ['fragment', 'http://a/b?c#d', 'http://a/b?c'],
    ['empty fragment', 'http://a/b#', 'http://a/b'],
    ['user name and password', 'http://u:p@a/b', 'http://a/b'],
    ['port of the scheme', 'https://a:443/', 'https://a/'],
    ['port of the other scheme', 'http://a:443/', 'http://a:443/'],
    ['empty query', 'http://a/b?', 'http://a/b'],
    ['empty query before a fragment', 'http://a/b?#c', 'http://a/b'],
    ['dot segments', 'http://a/./b/%2E%2e/c/..', 'http://a/'],
    ['tabs and line ends', ' h\tttp://a/\nb\r ', 'http://a/b'],
    ['name in Unicode', 'http://BÜCHER.de/', 'http://xn--bcher-kva.de/'],
    ['address in hexadecimal', 'http://0x7f.1/', 'http://127.0.0.1/'],
    ['final dot of a name', 'http://a.b.:81/', 'http://a.b:81/'],
    ['percent-encoded letters', 'http://a/%41%2d%5F?%7Eb%2e', 'http://a/A-_?~b.'],
    ['digits of what stays encoded', 'http://a/%2f?%3d', 'http://a/%2F?%3D'],
    ['a percent sign that encodes nothing', 'http://a/100%?%4%31', 'http://a/100%25?%2541'],
    ['a caret', 'http://a/^?^', 'http://a/%5E?^'],
    [
      'preserved: queries in their order, slashes, index.html',
      'http://www.a//b/index.html?z=1&a=2&=',
      'http://www.a//b/index.html?z=1&a=2&=',
    ],
  ])('%s', (_, href, expected) => {
    expect(spelling(href)).toBe(expected);
  });

  test('what is no page', () => {
    for (const href of ['http://', 'http://a b/', 'http://a../', 'http://./', '/x', 'http://[::1', 'http://a:99999/']) {
      expect(spelling(href)).toBe('invalid');
    }
    for (const href of ['mailto:a@b', 'javascript:alert(1)', 'data:,x', 'ftp://a/', 'file:///etc/passwd']) {
      expect(spelling(href)).toBe('notHttp');
    }
  });

  test('no spelling is longer than allowed', () => {
    const of = (href: string) => String(canonicalUrl(href, undefined, 20));
    expect(of('http://a/aaaaaaaaaaa')).toBe('http://a/aaaaaaaaaaa');
    for (const href of [
      'http://a/aaaaaaaaaaaa',
      'http://a/ääääää',
      'http://a/%%%%%%%%%',
      ' '.repeat(21),
      `http://a/#${'b'.repeat(20)}`,
    ]) {
      expect(of(href)).toBe('long');
    }
  });

  test('a spelling is its own spelling, and has no part that was to be dropped', () => {
    const unit = fc.constantFrom(...'%2Ee41./?#@:^aZ~ß\t\\ [|'.split(''));
    const part = fc.string({ unit, maxLength: 20 });
    const host = fc.constantFrom(
      'a', 'A.b.', 'u:p@c', 'bücher.de', '1.2', '[::1]', 'a.b:80', 'xn--bcher-kva.de.:443', '%41.de',
    );
    fc.assert(fc.property(fc.constantFrom('http', 'HTTPS'), host, part, (scheme, name, rest) => {
      const url = canonicalUrl(`${scheme}://${name}/${rest}`, undefined, 2048);
      if (typeof url === 'string') return;
      expect(spelling(url.href)).toBe(url.href);
      expect(url.href).toMatch(/^https?:\/\/[^/@#?]+\/[\x21-\x7e]*$/);
      expect(url.href).not.toMatch(
        /#|^[^?]*\?$|%(?![0-9A-F]{2})|%(2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/,
      );
    }), { numRuns: tries(3000) });
  });
});

test('any text is a URL or none, and no base lets more in', () => {
  const any = fc.string({ unit: anyCharacter });
  const text = fc.oneof(any, any.map((rest) => `//${rest}`), anyUrl);
  const bases = fc.constantFrom(undefined, 'https://user@a.b/c/d?e', 'http://[::1]:81/');
  fc.assert(fc.property(text, bases, fc.integer({ min: 8, max: 100 }), (href, base, most) => {
    const url = canonicalUrl(href, base === undefined ? undefined : new URL(base), most);
    if (typeof url === 'string') return;
    expect(url.href.length).toBeLessThanOrEqual(most);
    expect(url.href).toMatch(/^https?:\/\/[^/@]+\/[\x21-\x7e]*$/);
    expect(spelling(url.href)).toBe(url.href);
  }), { numRuns: tries(1000) });
});

const at = (name: string): string => fileURLToPath(new URL(`../../../../shared/datasets/url/${name}`, import.meta.url));
const isThere = existsSync(at('wpt-urltestdata.json'));

interface WptCase {
  readonly input: string;
  readonly base: string | null;
  readonly failure?: true;
  readonly protocol: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;
}

/** Where the spelling is another than the WHATWG's, and why: input and spelling. */
const otherwise: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'encoded letters, digits and -._~ are decoded, what stays encoded has capitals': [
    ['/a%2fc', 'http://example.org/a%2Fc'],
    ['/a/%2f/c', 'http://example.org/a/%2F/c'],
    ['http://example.com/foo/%2e./%2e%2e/.%2e/%2e.bar', 'http://example.com/..bar'],
    ['http://example.com/foo%41%7a', 'http://example.com/fooAz'],
    ['http://example.com/foo%00%51', 'http://example.com/foo%00Q'],
    ['http://example.com/%3A%3a%3C%3c', 'http://example.com/%3A%3A%3C%3C'],
    ['http://www/foo%2Ehtml', 'http://www/foo.html'],
  ],
  'a percent sign that encodes nothing is encoded': [
    ['http://example.com/foo/%2e%2', 'http://example.com/foo/.%252'],
    ['http://example.com/foo%', 'http://example.com/foo%25'],
    ['http://example.com/foo%2', 'http://example.com/foo%252'],
    ['http://example.com/foo%2zbar', 'http://example.com/foo%252zbar'],
    ['http://example.com/foo%2Â©zbar', 'http://example.com/foo%252%C3%82%C2%A9zbar'],
    ['http://example.org/test?%GH', 'http://example.org/test?%25GH'],
  ],
  'no name ends in an empty label': [
    ['http://./', 'invalid'],
    ['http://../', 'invalid'],
    ['http://foo.09..', 'invalid'],
  ],
};

/**
 * Names in punycode that means nothing: the standard lets them be since 2024; Node 20 does not, and nobody can have
 * one.
 */
const nodeRefuses = [
  'http://a.b.c.xn--pokxncvks',
  'http://10.0.0.xn--pokxncvks',
  'http://a.b.c.XN--pokxncvks',
  'http://a.b.c.Xn--pokxncvks',
  'http://10.0.0.XN--pokxncvks',
  'http://10.0.0.xN--pokxncvks',
  'https://xn--/',
  'file://xn--/p',
];

describe('test data of others (skipped where absent: they are no part of the project)', () => {
  test.skipIf(!isThere)('the 891 cases of the web platform tests', () => {
    const cases = casesOf<WptCase>('wpt-urltestdata.json');
    expect(cases).toHaveLength(891);
    const differing: (readonly [string, string])[] = [];
    for (const { input, base, failure, protocol, host, pathname, search } of cases) {
      // A base that is not a URL is ignored here: links are resolved at pages.
      if (base !== null && !URL.canParse(base)) {
        expect(failure).toBe(true);
        continue;
      }
      const isPage = /^https?:$/.test(protocol);
      const expected = failure ? 'invalid' : isPage ? `${protocol}//${host}${pathname}${search}` : 'notHttp';
      const found = spelling(input, base ?? undefined);
      if (found !== expected && !(found === 'invalid' && nodeRefuses.includes(input))) differing.push([input, found]);
    }
    expect(differing.sort()).toEqual(Object.values(otherwise).flat().sort());
  });

  test.skipIf(!isThere)('percent-encoding, as UTF-8: queries of pages in other encodings are encoded so too', () => {
    const cases = casesOf<{ input: string; output: Record<string, string> }>('percent-encoding.json');
    expect(cases).toHaveLength(7);
    for (const { input, output } of cases) expect(spelling(`http://a/?${input}`)).toBe(`http://a/?${output['utf-8']}`);
  });

  test.skipIf(!isThere)('crawler-commons\' normaliser, but for where its policy is another', () => {
    const differing = linesOf('weirdToNormalizedUrls.csv')
      .filter(([url, expected]) => spelling(url) !== expected)
      .map(([url]) => url);
    expect(differing.sort()).toEqual(Object.values(commonsOtherwise).flat().sort());
    for (const url of commonsOtherwise['only http and https']) expect(['notHttp', 'invalid']).toContain(spelling(url));
    for (const url of commonsOtherwise['no host, or no scheme: no page']) expect(spelling(url)).toBe('invalid');
  });

  test.skipIf(!isThere)('crawler-commons\' resolver, whose results are not normalised', () => {
    for (const [url, base, expected] of linesOf('url-resolve.csv')) {
      expect(spelling(url, base === '' ? undefined : base)).toBe(
        expected.startsWith('file:') ? 'notHttp' : spelling(expected),
      );
    }
    for (const [url] of linesOf('invalidUrls.csv')) expect(spelling(url)).toBe('invalid');
  });
});

const commonsOtherwise: Readonly<Record<string, readonly string[]>> = {
  'the WHATWG leaves these characters of a query as they are': [
    'http://x.com/?x[y]=1',
    ...['^', '`', '|'].map((character) => `http://www.example.com/a/c/../b/search?q=foobar${character}`),
  ],
  'doubled slashes distinguish pages': [
    'http://foo.com//aa/bb/foo.html',
    'http://foo.com/aa//bb/foo.html',
    'http://foo.com/aa/bb//foo.html',
    'http://foo.com//aa//bb//foo.html',
    'http://foo.com////aa////bb//foo.html',
    'http://foo.com////aa////bb////foo.html',
  ],
  'only http and https': [
    'file:///foo/bar.txt',
    'ftp:/',
    'ftp://foo.com/index.html',
    'file:/path/index.html',
    'file:/var/www/html/////./bar/index.html',
    'file:/var/www/html/foo/../bar/index.html',
  ],
  'no host, or no scheme: no page': ['http:////', 'http:///////', 'foo.com/index.html'],
  'the order of queries, and their empty values, distinguish pages': [
    'http://example.com/?b=1&a=1',
    'http://foo.com/foo.html?b=1&a=1',
    'http://foo.com/index?b=2&a=1',
    'http://foo.com/index?b=2&a=1#c',
    'http://foo.com/index?a=1&b=',
    'http://foo.com/index?b&a=1',
    'http://foo.com/index?b=&a=1',
    'http://foo.com/index?b=1&a=1&',
    'http://foo.com/index?&b=1&a=1',
    'http://foo.com/index?&=1&a=1',
    'http://foo.com/index?=1&b=1&a=1',
  ],
};

/** The cases among the comments. */
function casesOf<T extends object>(name: string): T[] {
  return (JSON.parse(readFileSync(at(name), 'utf8')) as (string | T)[]).filter((one) => typeof one === 'object');
}

/**
 * Fields of the lines that are no comments; a field with a comma or a quote stands between quotes, which are doubled in
 * it.
 */
function linesOf(name: string): string[][] {
  const lines = readFileSync(at(`crawler-commons/${name}`), 'utf8').split('\n').filter((line) => /^[^#\s]/.test(line));
  return lines.map((line) => [...line.matchAll(/(?:^|,) *("(?:[^"]|"")*"|[^,]*)/g)].map(([, field]) =>
    field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field.trim()));
}
