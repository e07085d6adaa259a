import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { crawlLive, resumeCrawl } from '../../src/machines/crawl/index.ts';
import { RunControl } from '../../src/core/engine/index.ts';
import type { Change } from '../../src/core/events/index.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from './loopback.ts';
import { linking, WrittenSite } from './written-site.ts';

// Goal: a live crawl does at once what it is asked to, also where no download ends, and its record says so.

test('paused it starts nothing more, with fewer robots less, and resumed it goes on to its end', async () => {
  const site = graphWeb(syntheticWeb(150, 11), { latencyMs: 60 });
  const web = await loopback(site);
  try {
    const [control, folder] = [new RunControl(), web.folder()];
    const changes: Change[] = [];
    const crawling = crawlLive(
      folder,
      {
        experiment: { processors: 2, robots: 4, politenessMs: 0, superstepMs: 300, maxPages: 120 },
        live: { ...web.live, warc: false, robotsTxt: 'ignore' }, seeds: urlsOf(site, site.seedPages),
      },
      { control, sinks: [{ changed: (change) => { changes.push(change); } }] },
    );
    while (web.log.length < 20) await setTimeout(5);
    control.pause();
    await setTimeout(400);
    const asked = web.log.length;
    expect(control.inspect()?.processors.flatMap(({ openDownloads }) => openDownloads)).toEqual([]);
    await setTimeout(700);
    expect(web.log.length).toBe(asked);
    control.setRobots(1);
    control.resume();
    const most: number[] = [];
    while (web.log.length < 60) {
      most.push(...control.inspect()!.processors.map(({ openDownloads }) => openDownloads.length));
      await setTimeout(5);
    }
    expect(Math.max(...most)).toBe(1);
    control.setRobots(8);
    const { run } = await crawling;
    expect(run.summary).toMatchObject({ ended: 'page limit', pagesFetched: 120 });
    expect(run.changes).toEqual(changes);
    expect(changes.map(({ setting, value }) => `${setting} ${value}`)).toEqual([
      'paused 1', 'paused 1', 'robots 1', 'paused 0', 'robots 1', 'paused 0', 'robots 8', 'robots 8',
    ]);
  } finally {
    await web.close();
  }
});

test('stopped while it waits for hosts that rest, it ends at once, and can be resumed', async () => {
  const web = await loopback(new WrittenSite((url) =>
    (url.endsWith('/robots.txt') ? undefined : linking('/a', '/b', '/c'))));
  try {
    const [control, folder] = [new RunControl(), web.folder()];
    const crawling = crawlLive(
      folder,
      {
        experiment: { processors: 2, politenessMs: 600_000, superstepMs: 0 },
        live: { ...web.live, warc: false, robotsTxt: 'ignore' }, seeds: ['http://quick.test/'],
      },
      { control },
    );
    while (web.log.length === 0 || control.inspect()?.processors.every(({ pagesFetched }) => pagesFetched === 0))
      await setTimeout(10);
    // Whoever waited for the hosts would wait for ten minutes, longer than a test may take.
    control.stop();
    const { run } = await crawling;
    expect(run.summary).toMatchObject({ ended: 'interrupted', pagesFetched: 1 });
    expect(run.changes?.map(({ setting }) => setting)).toEqual(['stop']);
    const resumed = await resumeCrawl(folder, {}, { signal: AbortSignal.abort() });
    expect(resumed.run.summary.pagesFetched).toBe(1);
  } finally {
    await web.close();
  }
});
