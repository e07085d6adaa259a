import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_QUESTION_STEPS, robotsTxt } from '../../../src/base/web/robots/robots-txt.ts';
import { isFullSweep, tries } from '../../sweep.ts';
import { answerable, hostileFiles, hostilePaths, longestPath } from './hostile-files.ts';

// Goal: a host's word is understood as RFC 9309 has it, whatever the file looks like.

const page = (path: string): URL => new URL(`https://example.org${path}`);
const rules = (text: string | Uint8Array, agent = 'orbweaver') => {
  const read = robotsTxt(Buffer.from(text), agent);
  return { ...read, allows: (url: URL) => read.judge(url).refusal === undefined };
};

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
    const text =
      'User-Agent: *\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\nDisallow: /tie\nAllow: /tie\nAllow: /t*\n';
    expect(rules(text).allows(page('/example/page/disallowed.gif'))).toBe(false);
    expect(rules(text).allows(page('/example/page/a'))).toBe(true);
    expect(rules(text).allows(page('/tie'))).toBe(true);
  });

  test('percent-encoding is one, but for reserved characters; `*` and `$` of a URL are its own', () => {
    const denies = (rule: string, path: string): boolean =>
      !rules(`user-agent: *\ndisallow: ${rule}`).allows(page(path));
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
      const text = [
        '\ufeffUSER-AGENT : Orbweaver/2.1 # us', 'disallow /x', ' \t disallow:\t/y# all of it', 'Disallow',
      ].join(end);
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
  });

  test('a Crawl-delay ends a run of User-agent lines, unlike lines that are unknown', () => {
    // As bitbucket.org has it, and others: who is asked for a delay alone is not denied what the next one is.
    const shared = 'user-agent: *\ncrawl-delay: 9\n\nuser-agent: orbweaver\nuser-agent: other\ndisallow: /\n';
    const read = ['nobody', 'orbweaver', 'other'].map((agent) => rules(shared, agent));
    expect(read.map((each) => each.crawlDelayUs)).toEqual([9_000_000, 0, 0]);
    expect(read.map((each) => each.allows(page('/')))).toEqual([true, false, false]);
    expect(rules(shared.replace('9', 'soon'), 'nobody').allows(page('/'))).toBe(true);
    const unknown = [
      'request-rate: 1/10', 'visit-time: 0600-0845', 'host: example.org', 'noindex: /x', 'crawl_delay: 9', 'x',
    ];
    for (const line of unknown) {
      expect(rules(shared.replace('crawl-delay: 9', line), 'nobody').allows(page('/')), line).toBe(false);
    }
    // It ends a run, and no group: rules and delays below it are of all who were named.
    const group =
      'user-agent: orbweaver\nuser-agent: other\ncrawl-delay: 9\ndisallow: /x\ncrawl-delay: 12\ndisallow: /y\n';
    for (const agent of ['orbweaver', 'other']) {
      expect(rules(group, agent).crawlDelayUs).toBe(12_000_000);
      expect(['/x', '/y', '/z'].map((path) => rules(group, agent).allows(page(path)))).toEqual([false, false, true]);
    }
  });

  test('a star may stand for the rest of an encoded octet', () => {
    const denied = (rule: string, ...paths: string[]): boolean[] =>
      paths.map((path) => !rules(`user-agent: *\ndisallow: ${rule}`).allows(page(path)));
    expect(denied('/url%2*x', '/url%2Fx', '/url%2fx', '/url%252x', '/url%25x')).toEqual([true, true, true, true]);
    expect(denied('/url%2*x', '/url%3Fx', '/url%2F', '/url2x')).toEqual([false, false, false]);
    expect(denied('/url%e*x', '/url%E3%83%84x', '/url%e3x', '/url%25ex', '/urlex')).toEqual([true, true, true, false]);
    expect(denied('/url%*x', '/url%2Fx', '/url%25x', '/url%x', '/urlx')).toEqual([true, true, true, false]);
    // A rule without `$` ends in a star that is not written.
    expect(denied('/a%2', '/a%2Fb', '/a%252', '/a%2', '/a%3F')).toEqual([true, true, true, false]);
    expect(denied('/a%', '/a%2Fb', '/a%', '/a%25', '/a')).toEqual([true, true, true, false]);
    expect(denied('/a%*b%2*c$', '/a%2Fb%2Fc', '/a%b%2zc')).toEqual([true, true]);
    expect(denied('/a%*b%2*c$', '/a%2Fb%2Fcd', '/a%2Fb%3Fc')).toEqual([false, false]);
    // Where the path ends, nothing is left for the rest.
    expect(denied('/a%2$', '/a%2', '/a%252', '/a%2F', '/a%')).toEqual([true, true, false, false]);
    expect(denied('/a%$', '/a%', '/a%25', '/a%2F')).toEqual([true, true, false]);
    expect(denied('/a%2*$', '/a%2F', '/a%2', '/a%', '/a%3F')).toEqual([true, true, true, false]);
    // Nor is a percent sign the beginning of an octet before anything else.
    expect(denied('/a%2x', '/a%2x', '/a%252x', '/a%2Fx')).toEqual([true, true, false]);
    expect(denied('/a%25*b', '/a%b', '/a%25xb', '/a%2Fb')).toEqual([true, true, false]);
  });

  test('of more than 500 KiB the lines that end there are read', () => {
    const line = (path: string): string => `disallow: /${path}\n`;
    const filler = 'x'.repeat(
      (500 << 10) - 'user-agent: *\n'.length - line('a').length - '#\n'.length - 'disallow: /b'.length,
    );
    const text = `user-agent: *\n${line('a')}#${filler}\ndisallow: /bcd\n`;
    expect(['/a', '/b', '/bcd'].map((path) => rules(text).allows(page(path)))).toEqual([false, true, true]);
  });

  test('matches as the dullest matcher does', () => {
    const letters = ['a', 'b', 'ab', 'aab', '/', '%61', '%2f', '%', '2', 'F', '$', '*', '|'];
    const units = fc.constantFrom(...letters, '**', '%2F', '%2', '%e');
    const rule = fc.tuple(fc.boolean(), fc.string({ unit: units, maxLength: 6 }));
    const path = fc.string({ unit: fc.constantFrom(...letters, '%2E', '%ef', '?'), maxLength: 8 });
    for (const [maxLength, numRuns] of [[4, 2000], [100, 300]]) {
      const file = fc.array(rule, { maxLength, size: 'max' });
      fc.assert(fc.property(file, fc.array(path, { maxLength: 5 }), (lines, rests) => {
        const text = lines.map(([allow, value]) => `${allow ? 'allow' : 'disallow'}: /${value}\n`).join('');
        const read = rules(`user-agent: *\n${text}`);
        for (const rest of rests) {
          const url = page(`/${rest}`);
          const dull = dullAllows(lines.map(([allow, value]) => [allow, `/${value}`]), url.pathname + url.search);
          expect(read.allows(url), `${url.href} of ${text}`).toBe(dull);
        }
      }), { numRuns: tries(numRuns) });
    }
  });

  test('hostile files are read', () => {
    for (const filler of [' ', '\t:', ':', '#', '\r', '\n', 'disallow /*\n']) {
      const text = 'user-agent: *\ndisallow: /x\n' + filler.repeat((600 << 10) / filler.length) + ' x';
      expect(rules(text).allows(page('/x'))).toBe(false);
    }
  });

  test('a question takes so many steps and no more, whatever is asked of whatever file', () => {
    const tooDear = new Set<string>();
    for (const [name, text] of Object.entries(hostileFiles())) {
      const read = rules(text);
      for (const path of [...hostilePaths, longestPath]) {
        const { steps, refusal } = read.judge(page(path));
        if (isFullSweep || path === longestPath)
          expect(read.judge(page(path)), 'the same again').toEqual({ steps, refusal });
        // The search that passes the bound is ended.
        expect(steps, `${name}: ${path.slice(0, 20)}`).toBeLessThan(MAX_QUESTION_STEPS + 3 * path.length);
        expect(refusal === 'robots.txt takes too long to match', name).toBe(steps > MAX_QUESTION_STEPS);
        if (steps > MAX_QUESTION_STEPS) tooDear.add(name);
      }
    }
    expect([...tooDear].sort()).toEqual([
      'as many stars as a long path has letters', 'many endings', 'one rule of stars',
      'words of three letters that are there', 'words that are there, before others',
    ]);
  });

  test('of large files that mean well, and of most that do not, a question takes a small part of that', () => {
    for (const [name, { text, asked }] of Object.entries(answerable())) {
      const read = rules(text);
      for (const [path, isAllowed, maxSteps] of asked) {
        const { steps, refusal } = read.judge(page(path));
        expect(refusal, `${name}: ${path.slice(0, 40)}`).toBe(isAllowed ? undefined : 'denied by robots.txt');
        expect(steps, `${name}: ${path.slice(0, 40)}`).toBeLessThan(maxSteps);
      }
    }
  });

  test('any octets are read', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (octets) => {
      expect(typeof rules(octets).allows(page('/x'))).toBe('boolean');
    }));
  });
});

/**
 * By the word of RFC 9309, each rule by itself; a percent sign before a star that encodes nothing is read both ways.
 */
function dullAllows(lines: readonly (readonly [boolean, string])[], path: string): boolean {
  const octets = (text: string): string[] => (text.match(/%[0-9a-f]{2}|[^]/gi) ?? []).map((octet) => {
    if (octet === '%61') return 'a';
    if (octet === '%2E') return '.';
    if (octet.length === 3) return octet.toUpperCase();
    return '%$*|'.includes(octet) ? `%${octet.charCodeAt(0).toString(16).toUpperCase()}` : octet;
  });
  let best = { length: -1, allow: true };
  for (const [allow, value] of lines) {
    const isWhole = value.endsWith('$');
    const inner = isWhole ? value.slice(0, -1) : value;
    // Stars that are written, and percent signs that may begin an octet, are distinguished from octets by control
    // characters.
    const half = isWhole ? /%([0-9a-f]?)(?=\*)/gi : /%([0-9a-f]?)(?=\*|$)/gi;
    const halves = inner.replace(half, (_, digit: string) => `\u0001${digit.toUpperCase()}`);
    for (const reading of [inner, halves]) {
      const compared = octets(reading.replaceAll('*', '\u0002')).join('').replaceAll('\u0001', '%');
      const pattern = compared.replace(/[^\w\u0002]/g, '\\$&').replaceAll('\u0002', '.*');
      if (!new RegExp(`^${pattern}${isWhole ? '$' : ''}`).test(octets(path).join(''))) continue;
      const length = compared.length + (isWhole ? 1 : 0);
      if (length > best.length || (length === best.length && allow)) best = { length, allow };
    }
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
  'Encoded letters are decoded before they are compared (section 2.2.2)': [
    'correctness-non-ascii-paths FooBot http://foo.bar/foo/bar/baz',
  ],
};

/** Cases of Google's own that are not followed, and why; the others are. */
const googleOtherwise: Readonly<Record<string, readonly string[]>> = {
  'An Allow of index.html is one of its folder: the RFC knows no index.html': [
    'correctness-index-page foobot http://foo.com/allowed-slash/',
  ],
  'No URL: nothing to ask': [
    'correctness-empty-string FooBot ', 'correctness-empty-string  ', 'correctness-empty-string  ',
    'correctness-empty-string FooBot ',
  ],
};

describe('the cases of Google\'s specification tests (skipped where absent: they are no part of the project)', () => {
  const cases = existsSync(suite) ? JSON.parse(readFileSync(suite, 'utf8')) as Case[] : [];
  const nameOf = ({ file, agent, url }: Case): string => `${file.replace('.textproto', '')} ${agent} ${url}`;
  const answered = ({ robots, agent, url, allowed }: Case): boolean => {
    const body = robots.base64 === undefined ? Buffer.from(robots.text ?? '') : Buffer.from(robots.base64, 'base64');
    return URL.canParse(url) && rules(body, agent).allows(new URL(url)) === allowed;
  };
  const refused = (isGoogle: boolean): string[] =>
    cases.filter((one) => one.google_specific === isGoogle && !answered(one)).map(nameOf).sort();

  test.skipIf(cases.length === 0)(
    "the 378 that are not Google's own, but for those that the RFC decides otherwise",
    () => {
      expect(cases.filter((one) => !one.google_specific)).toHaveLength(378);
      expect(refused(false)).toEqual(Object.values(otherwise).flat().sort());
    },
  );

  test.skipIf(cases.length === 0)('the 22 that are', () => {
    expect(cases).toHaveLength(400);
    expect(refused(true)).toEqual(Object.values(googleOtherwise).flat().sort());
  });
});
