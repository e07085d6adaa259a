import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWarc } from '../../../src/graphs/formats/index.ts';
import { linksOf, placeOf } from '../../formats/page-links.ts';
import { replayCommand, sampled, tries } from '../../sweep.ts';
import { answer, archivesOf, html, linking, loggedEnds, missing, octets, RawWeb, type Answers } from './raw-web.ts';

// Goal: where an answer leads (Location, Refresh), a crawl goes, by the octets that the host sent; when the host asks
// for a pause; and that it leads in a circle is said.

const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20261202);

let web: RawWeb;
beforeAll(async () => { web = await RawWeb.open(); });
afterAll(async () => { await web.close(); });

const moved = (to: string, ...more: readonly string[]): Buffer => answer(302, [`Location: ${to}`, ...more]);
const plain = (body: string): Buffer => answer(200, ['Content-Type: text/plain'], body);
const well = linking([]);

describe('the octets of a Location are those that are asked for', () => {
  const cases: readonly [name: string, location: string, asked: string][] = [
    ['raw UTF-8', octets('/café?q=ä'), '/caf%C3%A9?q=%C3%A4'],
    ['other octets', '/caf\xe9?q=\xe4\xff', '/caf%E9?q=%E4%FF'],
    ['both', `${octets('/é')}\xe9`, '/%C3%A9%E9'],
    ['what is encoded', '/caf%C3%A9%e9', '/caf%C3%A9%E9'],
    ['a mark of UTF-8', octets('/\ufeffx'), '/%EF%BB%BFx'],
    ['a blank of Latin-1', '/x\xa0', '/x%A0'],
    ['blanks', ' \t/x y\t ', '/x%20y'],
  ];
  test.each(cases)('%s', async (_, location, asked) => {
    web.serve(({ path }) => path === '/robots.txt' ? missing : path === '/' ? moved(location) : well);
    const { folder } = await web.crawl(['http://a.example/']);
    expect(web.pagesAsked).toEqual(['a.example/', `a.example${asked}`]);
    const imported = await readWarc(archivesOf(folder));
    expect(linksOf(imported, placeOf(imported))).toEqual([`a.example/ a.example${asked}`]);
  });

  test.each(cases)('%s, of a robots.txt', async (_, location, asked) => {
    web.serve(({ path }) => path === '/robots.txt' ? moved(location)
      : path === asked ? plain('user-agent: *\ndisallow: /private\n') : linking(['/private', '/public']));
    await web.crawl(['http://a.example/']);
    expect(web.asked.map(({ path }) => path)).toEqual(['/robots.txt', asked, '/', '/public']);
  });

  test('of a host', async () => {
    web.serve(({ host, path }) =>
      path === '/robots.txt' ? missing : host === 'a.example' ? moved(octets('http://bücher.example/é')) : well);
    await web.crawl(['http://a.example/']);
    expect(web.pagesAsked).toEqual(['a.example/', 'xn--bcher-kva.example/%C3%A9']);
  });

  test('whatever they are', async () => {
    const octet = fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCharCode(code));
    const wide = fc.constantFrom('é', 'п', '\u3000', '😀').map(octets);
    const letters = fc.oneof(octet, wide, fc.constantFrom('a', '/', '-'));
    const drawn = fc.array(letters, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    await fc.assert(fc.asyncProperty(drawn, async (location) => {
      web.serve(({ path }) => path === '/robots.txt' ? missing : path === '/' ? moved(`/x?${location}`) : well);
      await web.crawl(['http://a.example/']);
      const asked = web.pagesAsked[1].replace('a.example/x?', '');
      expect(Buffer.from(decodeOctets(asked), 'latin1')).toEqual(Buffer.from(location, 'latin1'));
    }), { seed, numRuns: tries(60) }).catch((error: unknown) => {
      throw new Error(replayCommand(seed, 'test/live/answers/redirects.test.ts'), { cause: error });
    });
  });

  const decodeOctets = (path: string): string =>
    path.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
});

describe('a Refresh', () => {
  /** What is asked for after a page with these lines. */
  async function after(lines: readonly string[], body: string, live: { types?: string[] } = {}): Promise<string[]> {
    web.serve(({ path }) => path === '/robots.txt' ? missing : path === '/d/' ? answer(200, lines, body) : well);
    // An archive without any page is no graph.
    const seeds = ['http://a.example/d/', 'http://a.example/well'];
    const { folder, result: { graph } } = await web.crawl(seeds, { live });
    const imported = await readWarc(archivesOf(folder));
    const ofCrawl = linksOf(graph, placeOf(graph));
    if (live.types === undefined) expect(linksOf(imported, placeOf(imported))).toEqual(ofCrawl);
    return web.pagesAsked.filter((url) => !seeds.includes(`http://${url}`));
  }

  test.each(sampled<[string, string[]]>([
    ['0; url=/x', ['a.example/x']], ['5;URL=\'x\'', ['a.example/d/x']], ['0;http://b.example/', ['b.example/']],
    [`0; url=/${octets('é')}\xe9`, ['a.example/%C3%A9%E9']], ['5', []], ['x; url=/x', []], ['0; url=mailto:x', []],
    ['0; url=', []],
  ], 3))('%j is a link, as in a meta', async (value, asked) => {
    expect(await after([html, `Refresh: ${value}`], '<base href="/other/">')).toEqual(asked);
    if (/[\x80-\xff]/.test(value)) return;
    expect(await after([html], `<meta http-equiv=refresh content="${value}">`)).toEqual(asked);
  });

  test('is followed before the links of the page, and not where these are not', async () => {
    const refresh = 'Refresh: 0; url=/x';
    expect(await after([html, refresh], '<a href="/y">')).toEqual(['a.example/x', 'a.example/y']);
    expect(await after([html, refresh, 'X-Robots-Tag: nofollow'], '<a href="/y">')).toEqual([]);
    expect(await after([html, refresh], '<meta name=robots content=nofollow><a href="/y">')).toEqual([]);
    expect(await after(['Content-Type: image/png', refresh], '')).toEqual([]);
    expect(await after(['Content-Type: text/plain', refresh], 'text', { types: ['text/*'] })).toEqual([]);
    expect(await after([refresh], '')).toEqual(['a.example/x']);
    expect(await after([refresh, 'X-Content-Type-Options: nosniff'], '<!doctype html>')).toEqual(['a.example/x']);
  });
});

describe('Retry-After', () => {
  const waitedMs = (from: string, to: string): number =>
    web.asked.find(({ path }) => path === to)!.atMs - web.asked.find(({ path }) => path === from)!.atMs;

  const movedFor = (seconds: number): Answers => ({ host, path }) => {
    if (path === '/robots.txt') return missing;
    if (host === 'b.example') return well;
    return path === '/' ? linking(['/moved', '/last']) : path === '/moved'
      ? moved('http://b.example/there', `Retry-After: ${seconds}`) : well;
  };

  test('of a redirect is a pause of its host', async () => {
    web.serve(movedFor(1));
    await web.crawl(['http://a.example/'], { experiment: { superstepMs: 50 } });
    expect(waitedMs('/moved', '/last')).toBeGreaterThan(990);
    expect(web.pagesAsked).toContain('a.example/last');
  });

  test('of a redirect is no pause of the host that it leads to', async () => {
    // Ten minutes, longer than a test may take: the crawl ends when it has asked where it was led to.
    const abort = new AbortController();
    web.serve((asked, times) => {
      if (asked.path === '/there') abort.abort();
      return movedFor(600)(asked, times);
    });
    await web.crawl(['http://a.example/'], { experiment: { superstepMs: 50 }, signal: abort.signal });
    expect(web.pagesAsked).toEqual(['a.example/', 'a.example/moved', 'b.example/there']);
  });

  test('of a robots.txt that is a redirect: its next hop waits, within the try or until the next', async () => {
    for (const [downloadTimeoutMs, asked] of sampled([[500, 1], [10_000, 1]] as const, 2)) {
      web.serve(({ path }) => path === '/robots.txt' ? moved('/rules', 'Retry-After: 1')
        : path === '/rules' ? plain('user-agent: *\ndisallow: /private\n') : linking(['/private', '/public']));
      await web.crawl(['http://a.example/'], { live: { downloadTimeoutMs }, experiment: { retries: 3 } });
      expect(waitedMs('/robots.txt', '/rules')).toBeGreaterThan(990);
      expect(web.asked.filter(({ path }) => path === '/robots.txt')).toHaveLength(asked);
      expect(web.pagesAsked).toEqual(['a.example/rules', 'a.example/', 'a.example/public']);
    }
  });
});

describe('redirect loops are named in the log', () => {
  const leadsTo: Readonly<Record<string, string>> = {
    '/self': '/self#x', '/a': '/b', '/b': '/a', '/1': '/2', '/2': '/3', '/3': '/4', '/4': '/2', '/out': '/page',
  };
  test('of any length, by the redirect that closes them; the pages stay pages', async () => {
    web.serve(({ path }) => path === '/robots.txt' ? missing : path === '/' ? linking(['/self', '/a', '/1', '/out'])
      : path in leadsTo ? moved(leadsTo[path]) : well);
    const { folder, result: { graph } } = await web.crawl(['http://a.example/']);
    const ends = loggedEnds(folder);
    expect(Object.fromEntries(Object.keys(leadsTo).map((path) => [path, ends[`a.example${path}`]]))).toEqual({
      '/self': 'fetched: redirect loop: to itself', '/a': 'fetched', '/b': 'fetched: redirect loop: of 2 pages',
      '/1': 'fetched', '/2': 'fetched', '/3': 'fetched', '/4': 'fetched: redirect loop: of 3 pages', '/out': 'fetched',
    });
    expect(linksOf(graph, placeOf(graph))).toContain('a.example/b a.example/a');
  });

  test('of a robots.txt, which is then none', async () => {
    web.serve(({ host, path }) => path === '/robots.txt'
      ? moved(host === 'a.example' ? 'http://b.example/robots.txt' : 'http://a.example/robots.txt')
      : well);
    const { folder } = await web.crawl(['http://a.example/']);
    expect(web.asked.map(({ host, path }) => host + path)).toEqual(
      ['a.example/robots.txt', 'b.example/robots.txt', 'a.example/'],
    );
    expect(loggedEnds(folder, 'robotsFetched')).toEqual({
      'a.example/': 'robotsFetched: robots.txt: status 302, redirect loop: back to http://a.example/robots.txt',
    });
  });
});

test('what a crawl had to leave out of a page is in the log', async () => {
  web.serve(({ path }) => path === '/robots.txt' ? missing : path === '/' ? moved('http://c.example/') : well);
  const { folder } = await web.crawl(['http://a.example/'], { live: { allowDomains: ['a.example'] } });
  expect(loggedEnds(folder)).toEqual({
    'a.example/': 'fetched: redirect not followed: out of scope by its domain: http://c.example/',
  });
});
