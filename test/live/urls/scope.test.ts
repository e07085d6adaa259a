import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { liveSchema, Scope, urlMaker } from '../../../src/core/live/index.ts';
import { tries } from '../../sweep.ts';
import { accepts } from './accepts.ts';

// Goal: entries of a scope accept what they say, and dropped parameters leave the rest of a URL as it was.
// Method: drawn URLs and entries, against the dullest model.

const settings = (some: object) => liveSchema.parse({ contact: 'mailto:a@example.org', ...some });

const url = fc.tuple(
  fc.constantFrom('http', 'https'), fc.constantFrom('a.test', 'b.a.test', 'xa.test', 'a.test:81', '[::1]', '10.0.0.1'),
  fc.string({ unit: fc.constantFrom('a', 'b', '/', '1'), maxLength: 6 }), fc.constantFrom('', '?a=b', '?b'),
).map(([scheme, host, path, query]) => `${scheme}://${host}/${path}${query}`);
const entry = fc.record({
  kind: fc.oneof(
    url.map((prefix) => ({ prefix })),
    fc.constantFrom('a.test', 'a.test:81', 'b.a.test', '[::1]').map((host) => ({ host })),
    fc.constantFrom('a.test', 'test', 'b.a.test', '10.0.0.1').map((domain) => ({ domain })),
    fc.constantFrom('^https?://[^/]+/a', 'b$', '(?:a|b)+1', '^http:', '[?]').map((regex) => ({ regex })),
  ),
  extraHops: fc.nat(3),
}).map(({ kind, extraHops }) => ({ ...kind, extraHops }));

test('a URL begins with the hops that the most generous entry which accepts it lacks', () => {
  fc.assert(fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), fc.array(url), (entries, urls) => {
    const scope = new Scope(settings({ scope: entries }));
    const max = Math.max(...entries.map(({ extraHops }) => extraHops));
    for (const one of urls) {
      const hops = entries.filter((each) => accepts(each, one)).map(({ extraHops }) => max - extraHops);
      expect(scope.hopsOf(one)).toBe(Math.min(Infinity, ...hops));
    }
  }), { numRuns: tries(2000) });
});

test('a URL is looked up once among ten thousand hosts, and once per length of ten thousand prefixes', () => {
  const scope = new Scope(settings({
    scope: Array.from({ length: 10_000 }, (_, i) => (
      i % 2 === 0 ? { host: `h${i}.test` } : { prefix: `http://p.test/${i}/` }
    )),
  }));
  const lookups = vi.spyOn(Map.prototype, 'get');
  const hops = scope.hopsOf('http://p.test/other/');
  const { length: count } = lookups.mock.calls;
  lookups.mockRestore();
  // The numbers of prefixes have one to four digits.
  expect([hops, count]).toEqual([Infinity, 1 + 4]);
});

test('expressions over which others try for ever have an answer', () => {
  const scope = new Scope(settings({ scope: [{ regex: '(a+)+$' }, { regex: '(x+x+)+y' }] }));
  for (const tail of ['a'.repeat(2000), 'x'.repeat(2000)])
    for (let i = 0; i < 20; i++) expect(scope.hopsOf(`http://other.test/${tail}!${i}`)).toBe(Infinity);
});

test.each([
  [{ prefix: 'ftp://a/' }, /^scope.0.prefix: .*is not the beginning/], [{ prefix: 'a.test' }, /is not the beginning/],
  [{ prefix: 'http://a/#x' }, /without fragments/], [{ host: 'a/b' }, /not the name of a host/],
  [{ host: 'a b' }, /not the name of a host/], [{ domain: 'http://a' }, /is not a domain/],
  [{ regex: '(' }, /is not a regular expression/], [{ regex: '(a)\\1' }, /is not a regular expression/],
  [{ regex: 'a(b|c){900}' }, /at most 512 are allowed/],
])('%j is refused', (one, message) => {
  expect(() => new Scope(settings({ scope: [one] }))).toThrow(message);
});

describe('dropped parameters', () => {
  const parameter = fc.tuple(
    fc.constantFrom('utm_a', 'utm_', 'id', 'fbclid', 'a%20b', 'UTM_a', '', '%75tm_x', 'x%5By%5D'),
    fc.constantFrom('', '=', '=1', '=a=b', '=%26'),
  ).map((parts) => parts.join(''));
  const names = fc.subarray(['utm_*', 'fbclid', 'a*b', '*clid', 'x[y]', '*']);

  test('are those whose names match, and the rest is byte for byte as it was', () => {
    fc.assert(fc.property(fc.array(parameter, { maxLength: 5 }), names, (parameters, dropQuery) => {
      const href = `http://a.test/p?${parameters.join('&')}`;
      const before = urlMaker(settings({}))(href) as URL;
      const after = urlMaker(settings({ dropQuery }))(href) as URL;
      const isDropped = (text: string): boolean => {
        const name = decodeURIComponent(text.split('=')[0]);
        return dropQuery.some((pattern) => {
          const parts = pattern.split('*').map((part) => part.replace(/[[\]]/g, '\\$&'));
          return new RegExp(`^${parts.join('.*')}$`).test(name);
        });
      };
      const left = before.search.slice(1).split('&').filter((text) => !isDropped(text)).join('&');
      expect(after.href).toBe(`http://a.test/p${left === '' ? '' : `?${left}`}`);
      expect((urlMaker(settings({ dropQuery }))(after.href) as URL).href).toBe(after.href);
    }), { numRuns: tries(2000) });
  });

  test('all of them, and none', () => {
    expect((urlMaker(settings({ dropQuery: ['all'] }))('http://a/?a&&b=1') as URL).href).toBe('http://a/');
    expect((urlMaker(settings({}))('http://a/?a&&b=1') as URL).href).toBe('http://a/?a&&b=1');
  });

  test.each(['', 'a b', 'a&b', 'a,b', '%61'])('%j is refused', (name) => {
    expect(() => urlMaker({ maxUrlLength: 100, dropQuery: [name] })).toThrow(/^dropQuery: .* is not the name/);
  });
});
