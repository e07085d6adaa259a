import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liveSchema, type LiveInput } from '../../../src/core/live/settings.ts';
import { UrlFilter } from '../../../src/core/live/urls/url-filter.ts';
import { matchesWildcards } from '../../../src/base/web/robots/wildcards.ts';
import { InputError } from '../../../src/base/index.ts';
import { tries } from '../../sweep.ts';

// Goal: what is out is out for the reason reported, and a setting that could never hold is not taken.

const filter = (settings: Partial<LiveInput>): UrlFilter =>
  new UrlFilter(liveSchema.parse({ contact: 'mailto:a@example.org', ...settings }));
const refusal = (settings: Partial<LiveInput>, url: string): string | undefined =>
  filter(settings).refuses(new URL(url));

describe('URL filter', () => {
  test('takes all that nothing forbids', () => {
    for (const url of [
      'http://a/',
      'https://a.b:8080/c.html?d=e.png',
      'http://[::1]/',
      'http://1.2.3.4/a/b/c.d/e',
      'http://a/b.',
    ]) {
      expect(refusal({}, url)).toBeUndefined();
    }
  });

  test('schemes and lengths', () => {
    expect(refusal({}, 'ftp://a/')).toBe('scheme');
    expect(refusal({ maxUrlLength: 16 }, 'http://a/1234567')).toBeUndefined();
    expect(refusal({ maxUrlLength: 16 }, 'http://a/12345678')).toBe('length');
  });

  test('extensions: of the last segment alone, in any case; a list of one\'s own stands for the default', () => {
    for (const url of ['http://a/b.png', 'http://a/b.PNG?c', 'http://a/b.tar.gz', 'http://a/.css']) {
      expect(refusal({}, url)).toBe('extension');
    }
    for (const url of [
      'http://a/png',
      'http://a.png/',
      'http://a/b.png/c',
      'http://a/?b.png',
      'http://a/b.pngx',
      'http://a/b.pdf',
    ]) {
      expect(refusal({}, url)).toBeUndefined();
    }
    expect(refusal({ denyExtensions: ['PDF'] }, 'http://a/b.pdf')).toBe('extension');
    expect(refusal({ denyExtensions: ['PDF'] }, 'http://a/b.png')).toBeUndefined();
    expect(refusal({ denyExtensions: [] }, 'http://a/b')).toBeUndefined();
  });

  test('domains: by labels, subdomains included, in Unicode too, denied before allowed', () => {
    const settings = {
      allowDomains: ['Example.org', 'bücher.de', '10.0.0.1', '[::1]', 'cl'], denyDomains: ['private.example.org.'],
    };
    for (const host of [
      'example.org', 'a.example.org:8080', 'xn--bcher-kva.de', 'bücher.de', '10.0.0.1', '[::1]:81', 'x.cl',
    ]) {
      expect(refusal(settings, `http://${host}/`)).toBeUndefined();
    }
    for (const host of [
      'badexample.org', 'example.org.uk', 'org', 'private.example.org', 'x.private.example.org', '10.0.0.2', '[::2]',
    ]) {
      expect(refusal(settings, `http://${host}/`)).toBe('domain');
    }
  });

  test('patterns are over the whole URL', () => {
    const settings = {
      allowPatterns: ['https://a/*', '*://b/x?y=*'],
      denyPatterns: ['*/calendar/*', 'https://a/*.bak', '*logout*'],
    };
    for (const url of ['https://a/', 'https://a/x', 'http://b/x?y=1', 'https://a/calendar'])
      expect(refusal(settings, url)).toBeUndefined();
    for (const url of [
      'http://a/',
      'https://aa/',
      'http://b/xx?y=1',
      'https://a/calendar/1',
      'https://a/x.bak',
      'https://a/?logout',
    ]) {
      expect(refusal(settings, url)).toBe('pattern');
    }
  });

  test('countries', () => {
    const settings = { countries: ['cl', '.DE', 'рф'] };
    for (const host of ['a.cl', 'b.a.de', 'нэб.рф', 'a.xn--p1ai'])
      expect(refusal(settings, `http://${host}/`)).toBeUndefined();
    for (const host of ['a.com', 'cl.com', '1.2.3.4', '[::1]', 'localhost'])
      expect(refusal(settings, `http://${host}/`)).toBe('country');
  });

  test('repeated segments', () => {
    const url = (times: number, between = ''): string => `http://a/${`x${between}/`.repeat(times)}y`;
    expect(refusal({}, url(4))).toBeUndefined();
    expect(refusal({}, url(5))).toBe('repeated segments');
    expect(refusal({ maxSegmentRepeats: 1 }, 'http://a/b/c/b')).toBe('repeated segments');
    expect(refusal({}, 'http://a/1/x/2/x/3/x/4/x/5/x')).toBe('repeated segments');
    expect(refusal({}, `http://a${'/'.repeat(9)}b`)).toBe('repeated segments');
    expect(refusal({}, 'http://a/1/2/3/4/5/6/7/8/9?x/x/x/x/x/x')).toBeUndefined();
  });

  test.each([
    ['allowDomains', 'https://example.org/', 'is not a domain'],
    ['allowDomains', 'example.org:80', 'is not a domain'],
    ['denyDomains', '*.example.org', 'is not a domain'],
    ['denyDomains', 'a b', 'is not a domain'],
    ['denyDomains', 'u@example.org', 'is not a domain'],
    ['denyDomains', '..', 'is not a domain'],
    ['denyDomains', '.example.org', 'is not a domain'],
    ['denyDomains', 'a\u001b[31m', 'is not a domain'],
    ['denyDomains', '[::1', 'is not a domain'],
    ['denyDomains', '[::1]:80', 'is not a domain'],
    ['countries', 'com', 'not a country'],
    ['countries', 'GB', 'not a country'],
    ['countries', 'co.uk', 'not a country'],
    ['countries', '../', 'not a country'],
    ['denyPatterns', 'https://Example.org/*', 'the host is spelled https://example.org/'],
    ['denyPatterns', 'https://example.org', 'the URL is spelled https://example.org/'],
    ['denyPatterns', 'example.org/*', 'begin with *'],
    ['denyPatterns', 'ftp://*', 'begin with *'],
    ['denyPatterns', '*/a b*', 'percent-encoded'],
    ['denyPatterns', '*/ä*', 'percent-encoded'],
    ['denyPatterns', '*#top', 'without their fragments'],
    ['denyPatterns', '*/%7e*', '%7e is spelled ~'],
    ['denyPatterns', '*/%2f*', '%2f is spelled %2F'],
    ['denyPatterns', '*/%e*', '%e is spelled %E'],
    ['denyPatterns', '*100%', 'spelled %25'],
    ['allowPatterns', `*${'a'.repeat(978)}*${'b'.repeat(23)}`, 'at most 1000 characters'],
  ])('%s: %j can match no URL', (name, value, said) => {
    let message = '';
    try {
      filter({ [name]: [value], maxUrlLength: 1000 });
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      message = (error as InputError).message;
    }
    expect(message).toContain(said);
    expect(message).toMatch(new RegExp(`^${name}: [\\x20-\\x7e]+$`));
  });

  test('patterns that can match are taken', () => {
    const taken = [
      '*',
      '**',
      'http*',
      'https://*.example.org/*',
      'https://a/%E3*',
      '*/%*',
      '*%2*',
      'https://a/x?y=*',
      'https://a/b',
      'h*',
    ];
    expect(() => filter({ allowPatterns: taken })).not.toThrow();
  });

  test('no settings make a stack trace', () => {
    const unit = fc.constantFrom(...'a.*/:%2f[]@ß -\0'.split(''), 'http://');
    const names = fc.constantFrom('allowDomains', 'denyDomains', 'countries', 'allowPatterns', 'denyPatterns');
    fc.assert(fc.property(names, fc.string({ unit, minLength: 1, maxLength: 12 }), (name, value) => {
      try {
        filter({ [name]: [value] }).refuses(new URL('http://a.b/c'));
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }));
  });
});

describe('wildcards', () => {
  test('match as a regular expression does', () => {
    const unit = fc.constantFrom('a', 'b', '*');
    fc.assert(fc.property(fc.string({ unit, maxLength: 8 }), fc.string({ unit, maxLength: 10 }), (pattern, text) => {
      expect(matchesWildcards(pattern, text)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text));
    }), { numRuns: tries(3000) });
  });

  test('of a thousand stars end soon', () => {
    expect(matchesWildcards(`${'*a'.repeat(1000)}b`, 'a'.repeat(2000))).toBe(false);
    expect(matchesWildcards(`${'*aaaaaaaaab'.repeat(100)}*`, 'a'.repeat(2000))).toBe(false);
  });
});
