import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { robotsTxt } from '../../../src/live/robots/robots-txt.ts';

// Goal: a host's word is understood as RFC 9309 has it, whatever the file looks like.

const page = (path: string): URL => new URL(`https://example.org${path}`);
const rules = (text: string | Uint8Array, agent = 'orbweaver') => robotsTxt(Buffer.from(text), agent);

describe('robots.txt', () => {
  test('the example of RFC 9309, section 5.1', () => {
    const text = 'User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n'
      + 'User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n'
      + 'User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n\nEOF\n';
    const asked = ['/', '/example/page.html', '/example/allowed.gif', '/a.gif', '/a.gif?b', '/publications/'];
    const allowed = (agent: string): string[] => asked.filter((path) => rules(text, agent).allows(page(path)));
    expect(allowed('other')).toEqual(['/', '/a.gif?b', '/publications/']);
    expect(allowed('FooBot')).toEqual(['/example/page.html', '/example/allowed.gif']);
    expect(allowed('bazbot')).toEqual(asked.filter((path) => path !== '/example/page.html'));
    expect(allowed('quxbot')).toEqual(asked);
  });

  test('the longest rule holds, an Allow at a tie', () => {
    const text = 'User-Agent: *\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\nDisallow: /tie\nAllow: /tie\nAllow: /t*\n';
    expect(rules(text).allows(page('/example/page/disallowed.gif'))).toBe(false);
    expect(rules(text).allows(page('/example/page/a'))).toBe(true);
    expect(rules(text).allows(page('/tie'))).toBe(true);
  });

  test('percent-encoding is one, but for reserved characters; `*` and `$` of a URL are its own', () => {
    const denies = (rule: string, path: string): boolean => !rules(`user-agent: *\ndisallow: ${rule}`).allows(page(path));
    expect(denies('/foo/bar/%62%61%7A', '/foo/bar/baz')).toBe(true);
    expect(denies('/foo/bar/baz', '/foo/bar/%62%61%7a')).toBe(true);
    expect(denies('/foo/bar/ツ', '/foo/bar/%e3%83%84')).toBe(true);
    expect(denies('/foo/bar/%E3%83%84', '/foo/bar/ツ')).toBe(true);
    expect(denies('/a%2fb', '/a%2Fb')).toBe(true);
    expect(denies('/a%2fb', '/a/b')).toBe(false);
    expect(denies('/a b', '/a%20b')).toBe(true);
    expect(denies('/path/file-with-a-%2A.html', '/path/file-with-a-*.html')).toBe(true);
    expect(denies('/path/file-with-a-%2A.html', '/path/file-with-a-b.html')).toBe(false);
    expect(denies('/path/foo-%24', '/path/foo-$')).toBe(true);
    expect(denies('/a$b', '/a$b')).toBe(true);
    expect(denies('/à', '/%C3%A0')).toBe(true); // its last octet is a no-break space, were it a character
  });

  test('the file itself may always be asked for', () => {
    const all = rules('user-agent: *\ndisallow: /');
    expect(all.allows(page('/robots.txt'))).toBe(true);
    expect(all.allows(page('/robots.txt2'))).toBe(false);
  });

  test('lines that are no rules do not end a run of User-agent lines', () => {
    const text = 'user-agent: a\nsitemap: https://example.org/s.xml\n<br>\nuser-agent: orbweaver\n\ndisallow: /x\n'
      + 'user-agent: b\ndisallow: /';
    expect(rules(text).allows(page('/x'))).toBe(false);
    expect(rules(text).allows(page('/y'))).toBe(true);
    expect(rules(text).sitemaps).toEqual(['https://example.org/s.xml']);
    expect(rules(text, 'c').allows(page('/x'))).toBe(true);
  });

  test('byte order marks, line ends, comments, two words', () => {
    for (const end of ['\n', '\r', '\r\n']) {
      const text = ['\ufeffUSER-AGENT : Orbweaver/2.1 # us', 'disallow /x', ' \t disallow:\t/y# all of it', 'Disallow'].join(end);
      expect(['/x', '/y', '/z'].map((path) => rules(text).allows(page(path)))).toEqual([false, false, true]);
    }
  });

  test('Crawl-delay: seconds, fractions too, at most a day, the longest', () => {
    const delayUs = (...values: string[]): number =>
      rules(`user-agent: *\n${values.map((value) => `crawl-delay: ${value}\n`).join('')}disallow: /x`).crawlDelayUs;
    expect(delayUs('10')).toBe(10_000_000);
    expect(delayUs('0.5')).toBe(500_000);
    expect(delayUs('2', '3', '1')).toBe(3_000_000);
    expect(delayUs('1e9', '-4', 'soon', '0x10', 'Infinity', '')).toBe(0);
    expect(delayUs('9'.repeat(400))).toBe(86_400e6);
    expect(rules('user-agent: other\ncrawl-delay: 9').crawlDelayUs).toBe(0);
    // It ends no run, and holds for those named so far.
    const shared = 'user-agent: orbweaver\ncrawl-delay: 9\nuser-agent: other\ndisallow: /';
    expect([rules(shared).crawlDelayUs, rules(shared, 'other').crawlDelayUs]).toEqual([9_000_000, 0]);
    expect(rules(shared).allows(page('/'))).toBe(false);
  });

  test('of more than 500 KiB the lines that end there are read', () => {
    const line = (path: string): string => `disallow: /${path}\n`;
    const filler = 'x'.repeat((500 << 10) - 'user-agent: *\n'.length - line('a').length - '#\n'.length - 'disallow: /b'.length);
    const text = `user-agent: *\n${line('a')}#${filler}\ndisallow: /bcd\n`;
    expect(['/a', '/b', '/bcd'].map((path) => rules(text).allows(page(path)))).toEqual([false, true, true]);
  });

  test('matches as the dullest matcher does', () => {
    const rule = fc.tuple(fc.boolean(), fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '$', '%61', '%2F', '%2f'), maxLength: 6 }));
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', '%61', '%2f', '$', '*', '?'), maxLength: 8 });
    fc.assert(fc.property(fc.array(rule, { maxLength: 4 }), path, (lines, rest) => {
      const text = `user-agent: *\n${lines.map(([allow, value]) => `${allow ? 'allow' : 'disallow'}: /${value}\n`).join('')}`;
      const url = page(`/${rest}`);
      expect(rules(text).allows(url)).toBe(dullAllows(lines.map(([allow, value]) => [allow, `/${value}`]), url.pathname + url.search));
    }), { numRuns: 2000 });
  });

  test('hostile files and patterns take no time to speak of', () => {
    const stars = `user-agent: *\ndisallow: /${'*a'.repeat(1000)}*b$`;
    expect(rules(stars).allows(page(`/${'a'.repeat(2000)}`))).toBe(true);
    for (const filler of [' ', '\t:', ':', '#', '\r', '\n', 'disallow /*\n']) {
      const text = 'user-agent: *\ndisallow: /x\n' + filler.repeat((600 << 10) / filler.length) + ' x';
      expect(rules(text).allows(page('/x'))).toBe(false);
    }
    const nearly = Array.from({ length: 250 }, (_, i) => `disallow: /*${'a'.repeat(990 - i)}b${'a'.repeat(990)}`);
    expect(rules(`user-agent: *\n${nearly.join('\n')}`).allows(page(`/${'a'.repeat(2000)}`))).toBe(true);
    const many = `user-agent: *\n${Array.from({ length: 20_000 }, (_, i) => `disallow: /*${i}*z$`).join('\n')}`;
    expect(rules(many).allows(page(`/${'y'.repeat(200)}`))).toBe(true);
  });

  test('any octets are read', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (octets) => {
      expect(typeof rules(octets).allows(page('/x'))).toBe('boolean');
    }));
  });
});

/** By the word of RFC 9309: every way to share the octets among the stars is tried. */
function dullAllows(lines: readonly (readonly [boolean, string])[], path: string): boolean {
  const octets = (text: string): string[] => (text.match(/%[0-9a-f]{2}|[^]/gi) ?? []).map((octet) => {
    if (octet === '%61') return 'a';
    return octet === '$' ? '%24' : octet === '*' ? '%2A' : octet.toUpperCase() === '%2F' ? '%2F' : octet;
  });
  const matches = (rule: string[], text: string[]): boolean => {
    if (rule.length === 0) return true;
    if (rule[0] === '%2A') return Array.from({ length: text.length + 1 }, (_, i) => i).some((i) => matches(rule.slice(1), text.slice(i)));
    if (rule[0] === '%24' && rule.length === 1) return text.length === 0;
    return rule[0] === text[0] && matches(rule.slice(1), text.slice(1));
  };
  let best = { length: -1, allow: true };
  for (const [allow, value] of lines) {
    if (!matches(octets(value), octets(path))) continue;
    // A dollar in the middle is an octet of a path, three characters encoded; stars and the last dollar are one.
    const inner = value.endsWith('$') ? value.slice(0, -1) : value;
    const length = octets(inner).join('').replaceAll('%2A', '*').length + (inner === value ? 0 : 1);
    if (length > best.length || (length === best.length && allow)) best = { length, allow };
  }
  return best.allow;
}

interface Case {
  readonly file: string;
  readonly robots: { readonly text?: string; readonly base64?: string };
  readonly agent: string;
  readonly url: string;
  readonly allowed: boolean;
  readonly google_specific: boolean;
}

const suite = fileURLToPath(new URL('../../../../shared/datasets/robots/google-spec-test.cases.json', import.meta.url));

/** Cases that the RFC, or a URL, decides otherwise than the suite, as `file agent url`, and why. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  'The robots.txt itself is implicitly allowed (section 2.2.2)': [
    'stress-327748 asdfbot http://m.example.com/robots.txt',
    'stress-369883 BarBot http://example.com/robots.txt',
    'stress-369883 AB http://example.com/robots.txt',
    'stress-860237 XYZ http://example.com/robots.txt',
  ],
  'Octets outside ASCII are percent-encoded before they are compared (section 2.2.2), as every URL has them': [
    'correctness-non-ascii-paths FooBot http://foo.bar/foo/bar/ツ',
    'correctness-non-ascii-paths FooBot http://foo.bar/foo/bar/ツ',
  ],
  'Encoded letters are decoded before they are compared (section 2.2.2)': ['correctness-non-ascii-paths FooBot http://foo.bar/foo/bar/baz'],
};

/** Cases of Google's own that are not followed, and why; the others are. */
const googleOtherwise: Readonly<Record<string, readonly string[]>> = {
  'An Allow of index.html is one of its folder: the RFC knows no index.html': [
    'correctness-index-page foobot http://foo.com/allowed-slash/',
  ],
  'No URL: nothing to ask': [
    'correctness-empty-string FooBot ', 'correctness-empty-string  ', 'correctness-empty-string  ', 'correctness-empty-string FooBot ',
  ],
};

describe('the cases of Google\'s specification tests (skipped where absent: they are no part of the project)', () => {
  const cases = existsSync(suite) ? JSON.parse(readFileSync(suite, 'utf8')) as Case[] : [];
  const nameOf = ({ file, agent, url }: Case): string => `${file.replace('.textproto', '')} ${agent} ${url}`;
  const answered = ({ robots, agent, url, allowed }: Case): boolean => {
    const body = robots.base64 === undefined ? Buffer.from(robots.text ?? '') : Buffer.from(robots.base64, 'base64');
    return URL.canParse(url) && robotsTxt(body, agent).allows(new URL(url)) === allowed;
  };
  const refused = (isGoogle: boolean): string[] =>
    cases.filter((one) => one.google_specific === isGoogle && !answered(one)).map(nameOf).sort();

  test.skipIf(cases.length === 0)('the 378 that are not Google\'s own, but for those that the RFC decides otherwise', () => {
    expect(cases.filter((one) => !one.google_specific)).toHaveLength(378);
    expect(refused(false)).toEqual(Object.values(otherwise).flat().sort());
  });

  test.skipIf(cases.length === 0)('the 22 that are', () => {
    expect(cases).toHaveLength(400);
    expect(refused(true)).toEqual(Object.values(googleOtherwise).flat().sort());
  });
});
