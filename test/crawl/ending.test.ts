import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { crawlLive, resumeCrawl, type LiveResult } from '../../src/machines/crawl/index.ts';
import { runSession } from '../../src/machines/crawl/session/session.ts';
import { type LiveCrawlInput } from '../../src/core/settings/index.ts';
import { parseLiveCrawl } from '../../src/core/policy/index.ts';
import { liveSchema, openLmdbStore, type Note, type Visit } from '../../src/core/live/index.ts';
import { MemoryStore } from '../live/store/memory-store.ts';
import { readRunJson } from '../../src/core/measure/record/read/read-run.ts';
import { AssertionError, InputError, WorldError } from '../../src/base/index.ts';
import { sampled } from '../sweep.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from './loopback.ts';
import { linking, WrittenSite } from './written-site.ts';

// Goal: a crawl may be ended at any moment; what it then leaves is of one moment, and what it knows of its hosts
// outlives it. Method: crawls on loopback that are aborted, or come to their limit, with downloads open; the store and
// the server's own log judge.

const seconds = (web: Loopback): number =>
  web.log.reduce((latest, { endedAtUs }) => Math.max(latest, endedAtUs), 0) / 1e6;

/** Pages that the store has fetched. */
async function storedPages(folder: string): Promise<number[]> {
  const store = await openLmdbStore(join(folder, 'store'));
  try {
    return Array.from(store.visits()).filter(({ kind }) => kind === 'fetched').map(({ page }) => page);
  } finally {
    await store.close();
  }
}

/** Hosts of which the store knows that they are to be left alone. */
async function restingHosts(folder: string): Promise<string[]> {
  const store = await openLmdbStore(join(folder, 'store'));
  try {
    return Array.from(store.rests(), ({ host }) => host);
  } finally {
    await store.close();
  }
}

const pagesOf = ({ events }: LiveResult): number[] => [...events.order].sort((a, b) => a - b);

describe('a crawl that is aborted', () => {
  test.each(sampled([0, 1, 2, 3, 4, 5], 3))(
    'stores a graph and a record of the same pages, and goes on (moment %i)',
    async (moment) => {
      const site = graphWeb(syntheticWeb(300, 5), { latencyMs: 80, latencySigma: 0.5 }, 5);
      const web = await loopback(site);
      try {
        const [folder, abort] = [web.folder(), new AbortController()];
        const experiment: LiveCrawlInput = { processors: 8, robots: 4, politenessMs: 20, superstepMs: 400 };
        const live = { ...web.live, warc: false, robotsTxt: 'ignore' as const };
        let fetched = 0;
        const ended = await crawlLive(folder, { experiment, live, seeds: urlsOf(site, site.seedPages) }, {
          signal: abort.signal,
          onProgress: ({ pagesFetched }) => {
            fetched = pagesFetched;
            if (fetched >= 10 + 15 * moment) abort.abort();
          },
        });
        expect(ended.run.summary.ended).toBe('interrupted');
        const asked = web.log.length;
        const record = pagesOf(ended);
        expect(record).toEqual(await storedPages(folder));
        expect(record.length).toBeGreaterThanOrEqual(fetched);
        expect(ended.pagesBeyondRecord).toBe(0);
        expect(ended.graph.pages).toBeGreaterThan(record.length);

        const resumed = await resumeCrawl(folder, { maxPages: record.length + 20 });
        expect(pagesOf(resumed)).toEqual(await storedPages(folder));
        expect(resumed.run.summary).toMatchObject({ ended: 'page limit', pagesFetched: record.length + 20 });
        // A checkpoint was taken at the end: nothing was lived again, and nothing fetched twice.
        expect(web.log.length - asked).toBe(20);
      } finally {
        await web.close();
      }
    },
  );

  test('starts nothing more, and waits for nobody who makes it wait', async () => {
    // Pages of slow.test come after ten minutes, longer than a test may take, and a superstep may take for ever.
    const web = await loopback(new WrittenSite((url) => {
      if (url.endsWith('/robots.txt')) return undefined;
      if (url.startsWith('slow')) return { ...linking('/x'), beginsAfterUs: 600e6 };
      return linking('http://slow-1.test/', 'http://slow-2.test/', '/a', '/b', '/c');
    }));
    try {
      const [folder, abort] = [web.folder(), new AbortController()];
      const crawling = crawlLive(
        folder,
        {
          experiment: { superstepMs: 0, politenessMs: 600_000, processors: 2, robots: 4 },
          live: { ...web.live, warc: false },
          seeds: ['http://quick.test/'],
        },
        { signal: abort.signal, graceMs: 200 },
      );
      // The quick host rests for ten minutes; with its robots.txt, its page has not been asked for.
      while (web.log.length === 0) await setTimeout(10);
      abort.abort();
      const { run } = await crawling;
      expect(run.summary.ended).toBe('interrupted');
      expect(web.log).toHaveLength(1);
    } finally {
      await web.close();
    }
  });

  test('calls off what does not end in time: it is fetched again, and nothing of it is stored', async () => {
    let isSlow = true;
    const web = await loopback(new WrittenSite((url) => {
      if (url === 'slow.test/') return { ...linking('/x'), beginsAfterUs: isSlow ? 60e6 : 0 };
      return linking('http://slow.test/', 'http://fine.test/');
    }));
    try {
      const [folder, abort] = [web.folder(), new AbortController()];
      const live = { ...web.live, robotsTxt: 'ignore' as const };
      const ended = await crawlLive(
        folder,
        {
          experiment: { superstepMs: 200, politenessMs: 1, processors: 2, robots: 2 },
          live,
          seeds: ['http://first.test/'],
        },
        {
          signal: abort.signal,
          graceMs: 300,
          onProgress: ({ pagesFetched }) => {
            if (pagesFetched === 2) abort.abort();
          },
        },
      );
      expect(ended.run.summary).toMatchObject({ ended: 'interrupted', pagesFetched: 2 });
      expect(pagesOf(ended)).toEqual(await storedPages(folder));
      isSlow = false;
      const resumed = await resumeCrawl(folder);
      expect(resumed.run.summary).toMatchObject({ ended: 'frontier dry', pagesFetched: 4 });
      expect(pagesOf(resumed)).toEqual(await storedPages(folder));
      expect(web.log.filter(({ host, path }) => host === 'slow.test' && path === '/').map(({ end }) => end)).toEqual([
        'closed by client', 'sent',
      ]);
    } finally {
      await web.close();
    }
  });

  test('before it begins, has one page at most', async () => {
    const web = await loopback(new WrittenSite(() => linking('/x')));
    try {
      const { run } = await crawlLive(web.folder(), {
        experiment: { superstepMs: 0 }, live: { ...web.live, warc: false }, seeds: ['http://a.test/'],
      }, { signal: AbortSignal.abort() });
      expect(run.summary).toMatchObject({ ended: 'interrupted', pagesFetched: 0 });
      expect(web.log).toEqual([]);
    } finally {
      await web.close();
    }
  });
});

test('a time limit is met with downloads open: record and store agree; less time than the crawl has taken is refused', async () => {
  const site = graphWeb(syntheticWeb(300, 6), { latencyMs: 100, latencySigma: 0.5 }, 6);
  const web = await loopback(site);
  try {
    const folder = web.folder();
    const ended = await crawlLive(folder, {
      experiment: { processors: 4, robots: 4, politenessMs: 10, superstepMs: 300, maxSeconds: 0.7 },
      live: { ...web.live, warc: false, robotsTxt: 'ignore' }, seeds: urlsOf(site, site.seedPages),
    });
    expect(ended.run.summary.ended).toBe('time limit');
    expect(pagesOf(ended)).toEqual(await storedPages(folder));
    const refusal = await resumeCrawl(folder, { maxSeconds: 0.3 }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InputError);
    expect((refusal as Error).message).toMatch(/^max seconds 0.3: the crawl has already taken [\d.]+ s/);
    const resumed = await resumeCrawl(folder, { maxSeconds: 1.5 });
    expect(pagesOf(resumed)).toEqual(await storedPages(folder));
    expect(resumed.run.summary.pagesFetched).toBeGreaterThan(ended.run.summary.pagesFetched);
  } finally {
    await web.close();
  }
});

describe('a crawl that has come to its end', () => {
  const aTree = (): WrittenSite => new WrittenSite((url) => {
    const depth = url.split('/').length;
    return depth > 4 ? linking() : linking(`${url.slice(url.indexOf('/'))}a/`, `${url.slice(url.indexOf('/'))}b/`);
  });
  const experiment: LiveCrawlInput = { superstepMs: 20, politenessMs: 1, processors: 2, robots: 2 };
  const supersteps = (folder: string): Promise<string> => readFile(join(folder, 'supersteps.csv'), 'utf8');

  test('is resumed to the same record, asks for nothing, and keeps the limits of its last session', async () => {
    const web = await loopback(aTree());
    try {
      const folder = web.folder();
      const live = { ...web.live, warc: false };
      const first = await crawlLive(
        folder, { experiment: { ...experiment, maxPages: 3 }, live, seeds: ['http://a.test/'] },
      );
      expect(first).toMatchObject({ hadEnded: false, run: { summary: { ended: 'page limit', pagesFetched: 3 } } });
      let [asked, rows] = [web.log.length, await supersteps(folder)];
      for (const limits of [{}, { maxPages: 3 }, {}]) {
        const again = await resumeCrawl(folder, limits);
        expect(again).toMatchObject({ hadEnded: true, run: { replayHash: first.run.replayHash } });
        expect([web.log.length, await supersteps(folder)]).toEqual([asked, rows]);
      }

      const second = await resumeCrawl(folder, { maxPages: 6 });
      expect(second).toMatchObject({ hadEnded: false, run: { summary: { ended: 'page limit', pagesFetched: 6 } } });
      [asked, rows] = [web.log.length, await supersteps(folder)];
      const again = await resumeCrawl(folder);
      expect(again).toMatchObject({ hadEnded: true, run: { replayHash: second.run.replayHash } });
      expect(again.run.experiment.maxPages).toBe(6);
      expect([web.log.length, await supersteps(folder)]).toEqual([asked, rows]);
    } finally {
      await web.close();
    }
  });

  test('needs a higher limit of the kind that ended it; a try of failed pages changes nothing where none failed', async () => {
    const web = await loopback(aTree());
    try {
      const live = { ...web.live, warc: false };
      const byPages = web.folder();
      const limited = { ...experiment, maxPages: 3 };
      const first = await crawlLive(byPages, { experiment: limited, live, seeds: ['http://a.test/'] });
      for (const again of [
        await resumeCrawl(byPages, { maxSeconds: 1e6 }), await resumeCrawl(byPages, { maxSeconds: 2e6 }),
        await resumeCrawl(byPages, {}, { retryFailed: true }),
      ]) expect(again).toMatchObject({ hadEnded: true, run: { replayHash: first.run.replayHash } });

      const byTime = web.folder();
      const slow = { ...experiment, politenessMs: 100, maxSeconds: 0.5 };
      const timed = await crawlLive(byTime, { experiment: slow, live, seeds: ['http://a.test/'] });
      expect(timed.run.summary.ended).toBe('time limit');
      for (const limits of [{ maxPages: 1000 }, { maxPages: 1001, maxSeconds: 0.5 }, { maxSeconds: 0.5 }]) {
        expect(await resumeCrawl(byTime, limits)).toMatchObject({
          hadEnded: true, run: { replayHash: timed.run.replayHash, summary: { ended: 'time limit' } },
        });
      }
    } finally {
      await web.close();
    }
  });

  test('asks anew for a robots.txt that could not be read when failed pages are tried again, and counts each page once', async () => {
    let isDown = true;
    const web = await loopback(new WrittenSite((url) => {
      if (url === 'b.test/robots.txt') return isDown ? { status: 503 } : { status: 404 };
      if (url.endsWith('/robots.txt')) return { status: 404 };
      return url === 'a.test/' ? linking('http://b.test/1', 'http://b.test/2', 'http://b.test/3') : linking();
    }));
    try {
      const folder = web.folder();
      const request = {
        experiment: { ...experiment, retries: 0, hostPatienceMs: 0, backoffMs: 1, maxBackoffMs: 2 },
        live: { ...web.live, warc: false },
        seeds: ['http://a.test/'],
      };
      const first = await crawlLive(folder, request);
      expect(first.run.summary).toMatchObject({ ended: 'frontier dry', pagesFetched: 1, pagesFailed: 3 });
      const still = await resumeCrawl(folder, {}, { retryFailed: true });
      expect(still).toMatchObject({ hadEnded: false, run: { summary: { pagesFetched: 1, pagesFailed: 3 } } });
      isDown = false;
      const retried = await resumeCrawl(folder, {}, { retryFailed: true });
      expect(retried.run.summary).toMatchObject({ ended: 'frontier dry', pagesFetched: 4, pagesFailed: 0 });
    } finally {
      await web.close();
    }
  });

  test('because its frontier is dry is not continued by a higher limit, but by another try of what failed', async () => {
    let isDown = true;
    const web = await loopback(new WrittenSite((url) => {
      if (url === 'a.test/late/') return isDown ? { resetAfterUs: 0 } : linking('/after/');
      return url === 'a.test/' ? linking('/late/') : linking();
    }));
    try {
      const folder = web.folder();
      const live = { ...web.live, warc: false, robotsTxt: 'ignore' as const };
      const once = { ...experiment, retries: 0 };
      const first = await crawlLive(folder, { experiment: once, live, seeds: ['http://a.test/'] });
      expect(first.run.summary).toMatchObject({ ended: 'frontier dry', pagesFetched: 1 });
      const asked = web.log.length;
      expect(await resumeCrawl(folder, { maxPages: 50 })).toMatchObject({
        hadEnded: true, run: { replayHash: first.run.replayHash, summary: { ended: 'frontier dry' } },
      });
      expect(web.log).toHaveLength(asked);

      isDown = false;
      const retried = await resumeCrawl(folder, {}, { retryFailed: true });
      expect(retried).toMatchObject({ hadEnded: false, run: { summary: { ended: 'frontier dry', pagesFetched: 3 } } });
      expect(await resumeCrawl(folder)).toMatchObject({ hadEnded: true, run: { replayHash: retried.run.replayHash } });
    } finally {
      await web.close();
    }
  });
});

test('a graph just written that cannot be read is an internal error, not bad input', async () => {
  class DamagedStore extends MemoryStore {
    override *visits(): Iterable<Visit> {
      for (const visit of super.visits()) yield { ...visit, links: Uint32Array.of(1_000_000) };
    }
  }
  const web = await loopback(new WrittenSite(() => linking('/x')));
  try {
    const live = liveSchema.parse({ ...web.live, warc: false, robotsTxt: 'ignore' });
    const experiment = parseLiveCrawl({ superstepMs: 100, politenessMs: 1, maxPages: 1 });
    const stored = { experiment, live, seeds: ['http://a.test/'] };
    const folder = web.folder();
    await mkdir(folder);
    const error = await runSession(folder, new DamagedStore(stored), stored, {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AssertionError);
  } finally {
    await web.close();
  }
});

test('a crawl whose disk fails leaves no alarm of processors that were waiting', async () => {
  class FullStore extends MemoryStore {
    override async note(note: Note): Promise<void> {
      if (note.visit !== undefined && note.visit.page === 0) throw new WorldError('the disk is full');
      await super.note(note);
    }
  }
  const web = await loopback(
    new WrittenSite((url) => ({ ...linking('/x'), beginsAfterUs: url.startsWith('late') ? 300_000 : 0 })),
  );
  try {
    const live = liveSchema.parse({ ...web.live, warc: false, robotsTxt: 'ignore' });
    const experiment = parseLiveCrawl({ superstepMs: 0, politenessMs: 600_000, processors: 2 });
    // Two pages of each host: after the first its processor waits ten minutes for the second.
    const others = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => [`http://${name}.test/1`, `http://${name}.test/2`]);
    const stored = { experiment, live, seeds: ['http://late.test/', ...others] };
    const folder = web.folder();
    await mkdir(folder);
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    await expect(runSession(folder, new FullStore(stored), stored, {})).rejects.toThrow('the disk is full');
    const alarms = set.mock.results
      .filter((_, i) => Number(set.mock.calls[i][1]) > 500_000)
      .map(({ value }) => value as unknown);
    expect(alarms.length).toBeGreaterThan(0);
    for (const alarm of alarms) expect(cleared.mock.calls.some(([timer]) => timer === alarm)).toBe(true);
  } finally {
    vi.restoreAllMocks();
    await web.close();
  }
});

test('a crawl too large for a checkpoint ends, and its record is there', async () => {
  const site = graphWeb(syntheticWeb(300, 6), {}, 6);
  const web = await loopback(site);
  try {
    const folder = web.folder();
    const crawling = crawlLive(
      folder,
      {
        experiment: { politenessMs: 0, superstepMs: 100 }, live: { ...web.live, warc: false, robotsTxt: 'ignore' },
        seeds: urlsOf(site, site.seedPages),
      },
      { maxCheckpointBytes: 10_000 },
    );
    await expect(crawling).rejects.toThrow(WorldError);
    const run = await readRunJson(folder);
    expect(run.summary.pagesFetched).toBe((await storedPages(folder)).length);
    expect(run.summary.pagesFetched).toBeGreaterThan(20);
  } finally {
    await web.close();
  }
});

describe('what hosts ask for outlives the crawl', () => {
  /** Hosts that ask for a pause, fail, or do so only for their robots.txt; all is well the second time. */
  const waitsUs = { 'pause.test': 2e6, 'sick.test': 1.5e6, 'shy.test': 2e6, 'hub.test': 2e6 };
  const site = (): WrittenSite => new WrittenSite((url, times) => {
    if (times === 0) {
      if (url === 'pause.test/' || url === 'shy.test/robots.txt' || url === 'hub.test/robots.txt')
        return { status: 429, headers: ['Retry-After', '2'] };
      if (url === 'sick.test/') return { status: 503 };
    }
    if (url === 'led.test/robots.txt') return { status: 302, headers: ['Location', 'http://hub.test/robots.txt'] };
    return url.endsWith('/robots.txt') ? undefined : linking('/1');
  });

  test('Retry-After of pages and of robots.txt, its redirects included, and back-off hold when it goes on', async () => {
    const web = await loopback(site());
    try {
      const [folder, abort] = [web.folder(), new AbortController()];
      const troubled = ['pause.test/', 'sick.test/', 'shy.test/robots.txt', 'hub.test/robots.txt'];
      const seen = (): boolean => troubled.every((url) => web.log.some(({ host, path }) => host + path === url));
      const crawling = crawlLive(
        folder,
        {
          experiment: { superstepMs: 50, politenessMs: 5, backoffMs: 1500, processors: 2, robots: 4 },
          live: { ...web.live, warc: false },
          seeds: ['pause', 'sick', 'shy', 'led'].map((name) => `http://${name}.test/`),
        },
        { signal: abort.signal },
      );
      while (!seen()) await setTimeout(5);
      await setTimeout(30);
      abort.abort();
      await crawling;
      expect(await restingHosts(folder)).toEqual(expect.arrayContaining(Object.keys(waitsUs)));
      const endedAtS = seconds(web);
      const { run } = await resumeCrawl(folder);
      expect(run.summary).toMatchObject({ ended: 'frontier dry', pagesFetched: 8 });
      for (const [host, waitUs] of Object.entries(waitsUs)) {
        const asked = web.log.filter((request) => request.host === host).sort((a, b) => a.startedAtUs - b.startedAtUs);
        const first = asked.findIndex(({ status }) => status === 429 || status === 503);
        expect(first, host).toBeGreaterThanOrEqual(0);
        if (host === 'hub.test' && asked.length === 1) continue;
        expect(asked[first + 1].startedAtUs - asked[first].endedAtUs, host).toBeGreaterThanOrEqual(waitUs);
      }
      expect(seconds(web)).toBeGreaterThan(endedAtS);
    } finally {
      await web.close();
    }
  });

  test('the time between two sessions counts: nobody is made to wait anew', async () => {
    const web = await loopback(new WrittenSite((url, times) => {
      if (url.endsWith('/robots.txt')) return undefined;
      return times === 0 ? { status: 429, headers: ['Retry-After', '600'] } : linking();
    }));
    try {
      const [folder, abort] = [web.folder(), new AbortController()];
      const crawling = crawlLive(
        folder,
        {
          experiment: { superstepMs: 50, politenessMs: 5 }, live: { ...web.live, warc: false },
          seeds: ['http://pause.test/'],
        },
        { signal: abort.signal },
      );
      while (!web.log.some(({ status }) => status === 429)) await setTimeout(5);
      await setTimeout(30);
      abort.abort();
      await crawling;
      expect(await restingHosts(folder)).toEqual(['pause.test']);
      // Ten minutes pass, longer than a test may take.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
      expect((await resumeCrawl(folder)).run.summary).toMatchObject({ ended: 'frontier dry', pagesFetched: 1 });
    } finally {
      vi.useRealTimers();
      await web.close();
    }
  });
});

test('a robots.txt that leads to a host at rest keeps no robot, and no process', async () => {
  const doors = ['a', 'b', 'c', 'd'].map((name) => `${name}.test`);
  const web = await loopback(new WrittenSite((url) => {
    if (url === 'hub.test/robots.txt') return { status: 429, headers: ['Retry-After', '86400'] };
    if (doors.some((door) => url === `${door}/robots.txt`))
      return { status: 302, headers: ['Location', 'http://hub.test/robots.txt'] };
    if (url.endsWith('/robots.txt')) return undefined;
    const [, number = '0'] = /good.test\/(\d*)$/.exec(url) ?? [];
    return linking(`/${Number(number) + 1}`);
  }));
  try {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    // It ends at its time limit; the rest lasts a day.
    const { run } = await crawlLive(
      web.folder(),
      {
        experiment: { superstepMs: 100, politenessMs: 10, processors: 1, robots: 4, maxSeconds: 1.5 },
        live: { ...web.live, warc: false },
        seeds: ['http://hub.test/', ...doors.map((door) => `http://${door}/`), 'http://good.test/'],
      },
      { graceMs: 1000 },
    );
    expect(run.summary.ended).toBe('time limit');
    expect(run.summary.pagesFetched).toBeGreaterThan(10);
    // Each found it at rest, and did not ask for it.
    expect(web.log.filter(({ host }) => host === 'hub.test')).toHaveLength(1);
    expect(timers()).toBeLessThanOrEqual(before);
  } finally {
    await web.close();
  }
});
