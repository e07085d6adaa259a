import { expect, test } from 'vitest';
import { crawlLive, resumeCrawl } from '../../src/machines/crawl/index.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../crawl/loopback.ts';
import { loggedOutcomesBefore, OutcomeLog } from '../../src/views/watch/index.ts';
import { opened, privateFolder, Watcher } from './opened.ts';
import { isFullSweep } from '../sweep.ts';

// Goal: a live crawl is watched and steered as a simulation is, and one that is resumed shows what came before.

test('a live crawl is paused, resumed and stopped by who has joined it; resumed, its curves go on', async () => {
  const site = graphWeb(syntheticWeb(150, 11), { latencyMs: 60 });
  const web = await loopback(site);
  const place = privateFolder();
  try {
    const folder = web.folder();
    const experiment = {
      processors: 2, robots: 2, politenessMs: 0, superstepMs: 100, maxPages: 140, statistics: 'exact',
    } as const;
    const first = await opened(place.folder);
    const watcher = await Watcher.join(first.run);
    const { joined } = watcher;
    const crawling = crawlLive(
      folder,
      { experiment, live: { ...web.live, warc: false, robotsTxt: 'ignore' }, seeds: urlsOf(site, site.seedPages) },
      {
        control: first.control, sinks: [first.watch, new OutcomeLog(folder)],
        onStatistics: (row) => { first.watch.statistics(row); },
      },
    );
    await watcher.until(() => watcher.state?.processors.some(({ open }) => open.length > 0) === true);
    expect(watcher.state!.processors.flatMap(({ open }) => open)[0].name).toMatch(/^http:/);
    await watcher.until(() => watcher.state!.pagesFetched > 10 && watcher.state!.statistics !== null);
    await joined.ask({ do: 'pause' });
    await watcher.until(() => watcher.state!.phase === 'paused'
      && watcher.state!.processors.every(({ openCount }) => openCount === 0));
    const { pagesFetched } = watcher.state!;
    await joined.ask({ do: 'robots', robots: 1, processor: 1 });
    await watcher.until(() => watcher.feed.at(-1)!.text === 'robots: 1');
    await joined.ask({ do: 'resume' });
    await watcher.until(() => watcher.state!.pagesFetched > pagesFetched + 5);
    expect(watcher.state!.processors.map(({ robots }) => robots)).toEqual([2, 1]);
    await joined.ask({ do: 'stop' });
    const { run } = await crawling;
    await first.finish();
    await watcher.until(() => watcher.isClosed);
    expect(run.summary.ended).toBe('interrupted');
    expect(watcher.state).toMatchObject({ phase: 'finished', pagesFetched: run.summary.pagesFetched });
    expect(watcher.state!.bytes).toBeGreaterThanOrEqual(run.summary.bytes);
    expect(watcher.curves!.rank).toEqual([]);
    expect(watcher.feed.map(({ text }) => text.split(/[(,]/)[0])).toEqual([
      'started: policy opic', 'paused', 'robots: 1', 'resumed', 'stop asked for: the run ends at its next barrier',
      'ended ',
    ]);

    const second = await opened(place.folder);
    const later = await Watcher.join(second.run);
    const maxPages = run.summary.pagesFetched + 10;
    const sinks = [second.watch, new OutcomeLog(folder)];
    const more = await resumeCrawl(folder, { maxPages }, { control: second.control, sinks });
    await second.finish();
    await later.until(() => later.isClosed);
    expect(more.run.summary.pagesFetched).toBe(maxPages);
    expect(later.state!.pagesFetched).toBe(maxPages);
    expect(later.curves!.superstep[0]).toBe(0);
    expect(later.curves!.superstep).toHaveLength(more.run.summary.supersteps);
    expect(later.feed.map(({ text }) => text.split(' ')[0])).toEqual(['continued', 'ended']);
    expect(later.state!.bytes).toBeGreaterThanOrEqual(more.run.summary.bytes);
    // The log of both sessions has each page once, by its URL, in the order of time.
    const logged = [...loggedOutcomesBefore(folder)].filter(({ kind }) => kind === 'fetched');
    expect(new Set(logged.map(({ url }) => url)).size).toBe(maxPages);
    expect(logged).toHaveLength(maxPages);
    for (const { url, bytes, processor } of logged)
      expect([url.slice(0, 5), bytes > 0, processor < 2]).toEqual(['http:', true, true]);
    expect(logged[0].finishedUs).toBeGreaterThan(logged.at(-1)!.finishedUs);
  } finally {
    place.remove();
    await web.close();
  }
});

test.runIf(isFullSweep)('a host that is slowed or blocked by name stays so when the crawl is resumed', async () => {
  const graph = syntheticWeb(400, 7);
  // Slow enough that most pages are left when it is steered.
  const site = graphWeb(graph, { latencyMs: 40 });
  const web = await loopback(site);
  const place = privateFolder();
  try {
    const folder = web.folder();
    const experiment = { processors: 2, robots: 4, politenessMs: 0, superstepMs: 100, statistics: 'off' } as const;
    const live = { ...web.live, warc: false, robotsTxt: 'ignore' } as const;
    const first = await opened(place.folder);
    const watcher = await Watcher.join(first.run);
    const { joined } = watcher;
    const crawling = crawlLive(folder, { experiment, live, seeds: urlsOf(site, site.seedPages) }, {
      control: first.control, sinks: [first.watch],
    });
    await watcher.until(() => (watcher.state?.pagesFetched ?? 0) > 40);
    // The two with most pages left.
    const left = new Map<string, number>();
    for (const url of urlsOf(site, Array(graph.pages).keys())) {
      const { host } = new URL(url);
      left.set(host, (left.get(host) ?? 0) + 1);
    }
    for (const { host } of web.log) left.set(host, left.get(host)! - 1);
    const [slow, blocked] = [...left].sort(([, a], [, b]) => b - a).map(([host]) => host);
    await joined.ask({ do: 'host', host: slow, delayMs: 40 });
    await joined.ask({ do: 'host', host: blocked, delayMs: null });
    // When nothing is open any more, every processor has taken both.
    await joined.ask({ do: 'pause' });
    await watcher.until(() => watcher.state!.phase === 'paused'
      && watcher.state!.processors.every(({ openCount }) => openCount === 0));
    expect(watcher.feed.map(({ text }) => text)).toContain(`${blocked}: blocked`);
    const since = web.log.length;
    await joined.ask({ do: 'resume' });
    await joined.ask({ do: 'stop' });
    const { run } = await crawling;
    await first.finish();
    expect(run.changes?.map(({ setting }) => setting)).toEqual(expect.arrayContaining(['hostDelayMs', 'hostBlocked']));

    const more = await resumeCrawl(folder, {}, {});
    expect(more.run.summary.ended).toBe('frontier dry');
    const later = web.log.slice(since);
    expect(later.filter(({ host }) => host === blocked)).toEqual([]);
    const starts = later.filter(({ host }) => host === slow);
    expect(starts.length).toBeGreaterThan(2);
    const rests = starts.slice(1).map(({ startedAtUs }, i) => startedAtUs - starts[i].endedAtUs);
    expect(Math.min(...rests)).toBeGreaterThanOrEqual(38_000);
  } finally {
    place.remove();
    await web.close();
  }
});
