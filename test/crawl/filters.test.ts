import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { crawlLive, type LiveResult } from '../../src/machines/crawl/index.ts';
import type { LiveCrawlInput } from '../../src/core/settings/index.ts';
import type { LiveInput } from '../../src/core/live/index.ts';
import { sampled } from '../sweep.ts';
import { syntheticWeb, graphWeb, loopback, urlsOf } from './loopback.ts';
import { linking, WrittenSite, type Written } from './written-site.ts';

// Goal: what a crawl must leave alone is never requested, and limits are observed to the page. Method: the server's
// own log.

interface Asked {
  /** Hosts and paths of the pages asked for, sorted; robots.txt apart. */
  readonly pages: readonly string[];
  readonly hosts: ReadonlySet<string>;
  readonly result: LiveResult;
  readonly log: string;
}

async function crawled(
  web: Readonly<Record<string, Written>>,
  live: Partial<LiveInput>,
  { seeds = ['http://a.test/'], ...experiment }: LiveCrawlInput & { seeds?: string[] } = {},
): Promise<Asked> {
  const served = await loopback(new WrittenSite((url) => web[url]));
  try {
    const folder = served.folder();
    const result = await crawlLive(folder, {
      experiment: {
        politenessMs: 0, processors: 2, robots: 4, superstepMs: 100, policy: 'breadth-first', backoffMs: 1,
        ...experiment,
      },
      live: { ...served.live, warc: false, ...live },
      seeds,
    });
    const pages = served.log.filter(({ path }) => path !== '/robots.txt').map(({ host, path }) => host + path).sort();
    expect(new Set(pages).size, 'no page twice').toBe(pages.length);
    return {
      pages, hosts: new Set(served.log.map(({ host }) => host)), result,
      log: readFileSync(join(folder, 'crawl.log'), 'utf8'),
    };
  } finally {
    await served.close();
  }
}

const page = linking();
const text = (type: string, body: string): Written => ({ headers: ['Content-Type', type], body });

describe('what a URL alone is refused for is never asked for', () => {
  const web = {
    'a.test/': linking(
      '/docs/1',
      '/docs/2.pdf',
      '/private/1',
      '/private/docs/2',
      'http://www.a.test/',
      'http://bada.test/',
      'http://b.test/',
      'http://c.cl/',
      '/r/r/r/r/r/r',
      '/hop',
      `/${'x'.repeat(300)}`,
      'https://a.test/',
      'ftp://a.test/',
      '/docs/1#part',
      '/docs/1?',
    ),
    'a.test/docs/1': linking('/', 'http://www.a.test/docs/3'),
    'a.test/hop': { status: 302, headers: ['Location', 'http://b.test/from-hop'] },
    'www.a.test/': page,
    'www.a.test/docs/3': page,
    'b.test/': page,
    'c.cl/': page,
    'bada.test/': page,
  };

  test('domains', async () => {
    const { pages, hosts, log } = await crawled(web, {
      allowDomains: ['a.test', 'cl'], denyDomains: ['www.a.test'], denyPatterns: ['https:*'], maxUrlLength: 200,
    });
    expect(pages).toEqual([
      'a.test/', 'a.test/docs/1', 'a.test/docs/2.pdf', 'a.test/hop', 'a.test/private/1', 'a.test/private/docs/2',
      'c.cl/',
    ]);
    expect([...hosts].sort()).toEqual(['a.test', 'c.cl']);
    expect(log).toMatch(/a\.test\/hop .* redirect%20not%20followed:%20out%20of%20scope%20by%20its%20domain:/);
  });

  test('patterns, extensions, segments', async () => {
    const live = {
      allowPatterns: ['http://*a.test/*'],
      denyPatterns: ['*/private/*', '*/hop'],
      denyExtensions: ['html'],
      maxSegmentRepeats: 2,
      maxUrlLength: 200,
    };
    const { pages } = await crawled(web, live);
    expect(pages).toEqual([
      'a.test/', 'a.test/docs/1', 'a.test/docs/2.pdf', 'bada.test/', 'www.a.test/', 'www.a.test/docs/3',
    ]);
  });

  test('countries', async () => {
    const { pages } = await crawled(
      { 'x.cl/': linking('http://y.cl/', 'http://y.com/', 'http://127.0.0.1/', 'http://y.cl.com/') },
      { countries: ['cl'] },
      { seeds: ['http://x.cl/'] },
    );
    expect(pages).toEqual(['x.cl/', 'y.cl/']);
  });

  test('a seed that the filters refuse is refused before anything is asked for', async () => {
    await expect(crawled(web, { allowDomains: ['b.test'] })).rejects.toThrow('excluded by the filters');
  });
});

describe('what a page says of its links', () => {
  test('nofollow of the page, of a link, by header; noindex does not stop', async () => {
    const { pages } = await crawled(
      {
        'a.test/': {
          body: '<a href="/nofollow">1</a><a href="/link" rel="ugc nofollow">2</a><a href="/header">3</a><a href="/noindex">4</a><a href="/others">5</a>',
        },
        'a.test/nofollow': { body: '<meta name="robots" content="noindex, NOFOLLOW"><a href="/hidden/1">1</a>' },
        'a.test/header': {
          ...linking('/hidden/2'), headers: ['Content-Type', 'text/html', 'X-Robots-Tag', 'nofollow'],
        },
        'a.test/noindex': { body: '<meta name="robots" content="noindex"><a href="/shown/1">1</a>' },
        'a.test/others': {
          ...linking('/shown/2'), headers: ['Content-Type', 'text/html', 'X-Robots-Tag', 'otherbot: nofollow'],
        },
      },
      {},
    );
    expect(pages).toEqual([
      'a.test/', 'a.test/header', 'a.test/nofollow', 'a.test/noindex', 'a.test/others', 'a.test/shown/1',
      'a.test/shown/2',
    ]);
  });

  test('robots.txt', async () => {
    const { pages, log } = await crawled({
      'a.test/': linking('/open', '/closed/1', '/closed/open'),
      'a.test/robots.txt': text('text/plain', 'user-agent: orbweaver\ndisallow: /closed\nallow: /closed/open\n'),
      'a.test/open': page, 'a.test/closed/open': page,
    }, {});
    expect(pages).toEqual(['a.test/', 'a.test/closed/open', 'a.test/open']);
    expect(log).toMatch(/robotsDenied .*a\.test\/closed\/1 .*denied%20by%20robots\.txt/);
    const ignored = await crawled(
      { 'a.test/': linking('/closed/1'), 'a.test/robots.txt': text('text/plain', 'user-agent: *\ndisallow: /') },
      { robotsTxt: 'ignore' },
    );
    expect(ignored.pages).toEqual(['a.test/', 'a.test/closed/1']);
    expect(ignored.log).not.toContain('robots.txt');
  });
});

describe('what an answer is refused for', () => {
  const web = {
    'a.test/': linking('/plain', '/image', '/untyped', '/xhtml'),
    'a.test/plain': text('text/plain', '<a href="/from-plain">link</a>'),
    'a.test/image': text('image/png', 'png'),
    'a.test/untyped': { headers: [], body: '<!doctype html><a href="/from-untyped">link</a>' },
    'a.test/xhtml': text(
      'application/xhtml+xml; charset=utf-8',
      '<a xmlns="http://www.w3.org/1999/xhtml" href="/from-xhtml"/>',
    ),
  };

  test('types', async () => {
    const { pages, result } = await crawled(web, {});
    expect(pages).toEqual([
      'a.test/', 'a.test/from-untyped', 'a.test/from-xhtml', 'a.test/image', 'a.test/plain', 'a.test/untyped',
      'a.test/xhtml',
    ]);
    expect(result.events.failures.filter(({ kind }) => kind === 'rejected')).toHaveLength(2);
  });

  test('types asked for, a whole family of them', async () => {
    const { result, log } = await crawled(web, { types: ['text/*'] });
    const rejected = result.events.failures.filter(({ kind }) => kind === 'rejected');
    expect(rejected).toHaveLength(2);
    expect(log).toMatch(/fetched .*a\.test\/plain /);
    expect(log).toMatch(/rejected .*a\.test\/image .*type%20not%20taken/);
    expect(log).toMatch(/rejected .*a\.test\/xhtml .*type%20not%20taken/);
  });

  test('content seen: links of the second copy are not followed', async () => {
    const copies = { 'a.test/': linking('/1', '/2'), 'a.test/1': linking('next'), 'a.test/2': linking('next') };
    const seen = await crawled(copies, { contentSeen: true, readerThreads: 1 }, { processors: 1, robots: 1 });
    expect(seen.log.match(/body%20seen%20before/g)).toHaveLength(1);
    // The same words elsewhere lead elsewhere: that is what is given up.
    const deep = {
      'a.test/': linking('/1/', '/2/'), 'a.test/1/': linking('next'), 'a.test/2/': linking('next'),
      'a.test/1/next': page, 'a.test/2/next': linking('/'),
    };
    expect((await crawled(deep, { contentSeen: true }, { processors: 1, robots: 1 })).pages).toEqual([
      'a.test/', 'a.test/1/', 'a.test/1/next', 'a.test/2/',
    ]);
    expect((await crawled(deep, {}, { processors: 1, robots: 1 })).pages).toHaveLength(5);
  });
});

describe('limits', () => {
  /** Each page leads to the next, on three hosts in turns; to a thousand others from the first. */
  const endless = new WrittenSite((url) => {
    const number = Number(/\d+$/.exec(url)?.[0] ?? 0);
    if (url.endsWith('/robots.txt')) return undefined;
    return linking(
      `http://h${(number + 1) % 3}.test/${number + 1}`,
      ...(number === 0 ? Array.from({ length: 300 }, (_, i) => `http://wide.test/x/${i}`) : []),
    );
  });
  const crawlEndless = async (
    live: Partial<LiveInput>, experiment: LiveCrawlInput,
  ): Promise<{ paths: string[]; result: LiveResult }> => {
    const served = await loopback(endless);
    try {
      const result = await crawlLive(served.folder(), {
        experiment: {
          politenessMs: 0, processors: 2, robots: 4, superstepMs: 50, policy: 'breadth-first', ...experiment,
        },
        live: { ...served.live, warc: false, ...live },
        seeds: ['http://h0.test/'],
      });
      return {
        paths: served.log.filter(({ path }) => path !== '/robots.txt').map(({ host, path }) => host + path), result,
      };
    } finally {
      await served.close();
    }
  };

  test('depth, by links alone', async () => {
    const { paths, result } = await crawlEndless({ maxDepth: 5, denyDomains: ['wide.test'] }, {});
    expect(paths.sort()).toEqual(['h0.test/', 'h0.test/3', 'h1.test/1', 'h1.test/4', 'h2.test/2', 'h2.test/5']);
    expect(result.graph.pages).toBe(6);
    const none = await crawlEndless({ maxDepth: 0 }, {});
    expect(none.paths).toEqual(['h0.test/']);
    const hops = await crawled(
      {
        'a.test/': { status: 301, headers: ['Location', '/1'] },
        'a.test/1': { status: 302, headers: ['Location', '/2'] }, 'a.test/2': linking('/3'), 'a.test/3': linking('/4'),
      },
      { maxDepth: 1 },
    );
    expect(hops.pages).toEqual(['a.test/', 'a.test/1', 'a.test/2', 'a.test/3']);
    expect(
      (
        await crawled(
          { 'a.test/': { status: 301, headers: ['Location', '/1'] }, 'a.test/1': page }, { maxRedirects: 0 },
        )
      ).pages,
    ).toEqual(['a.test/']);
  });

  test('pages of a host', async () => {
    const { paths } = await crawlEndless({ maxHostPages: 7 }, {});
    const counts = new Map<string, number>();
    for (const path of paths) counts.set(path.split('/')[0], (counts.get(path.split('/')[0]) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ 'h0.test': 7, 'h1.test': 7, 'h2.test': 7, 'wide.test': 7 });
  });

  test.each(sampled([1, 2, 5, 37, 100], 3))('%i pages, to the page', async (maxPages) => {
    for (const robots of [1, 8]) {
      const { result, paths } = await crawlEndless({}, { maxPages, robots });
      expect(result.run.summary).toMatchObject({ pagesFetched: maxPages, ended: 'page limit' });
      expect(paths).toHaveLength(maxPages);
    }
  });

  test('seconds', async () => {
    const { result } = await crawlEndless({}, { maxSeconds: 0.3, politenessMs: 20 });
    expect(result.run.summary.ended).toBe('time limit');
    expect(result.run.summary.virtualSeconds).toBeGreaterThanOrEqual(0.3);
  });
});

test('a generated web is crawled whole, or as far as its hosts are allowed', async () => {
  const graph = syntheticWeb(120, 7);
  const site = graphWeb(graph);
  const served = await loopback(site);
  try {
    const stayOut = site.urls.hostName(0);
    const seeds = urlsOf(site, site.seedPages).filter((url) => new URL(url).hostname !== stayOut);
    const { run } = await crawlLive(served.folder(), {
      experiment: { politenessMs: 0, superstepMs: 100 }, live: { ...served.live, warc: false, denyDomains: [stayOut] },
      seeds,
    });
    expect(run.summary.pagesFetched).toBeGreaterThan(10);
    expect(served.log.filter(({ host }) => host === stayOut)).toEqual([]);
  } finally {
    await served.close();
  }
});
