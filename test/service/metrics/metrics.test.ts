import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crawlLive, resumeCrawl } from '../../../src/machines/crawl/index.ts';
import { RunControl } from '../../../src/core/engine/index.ts';
import type { SuperstepRow } from '../../../src/core/events/index.ts';
import { CrawlCounts, crawlMetrics, MetricsServer } from '../../../src/views/service/index.ts';
import { exposition, expositionType, histogram } from '../../../src/views/service/metrics/exposition.ts';
import { row } from '../../measure/records.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../../crawl/loopback.ts';
import { parsedMetrics, summed } from './parsed.ts';

// Goal: the metrics of a crawl are those of its record, in a form that Prometheus reads, and count this session alone.

const experiment = { processors: 2, robots: 3, superstepMs: 100, politenessMs: 1, retries: 1, backoffMs: 10, seed: 3 };

test('they are what the record says, and begin at 0 when the crawl is resumed', async () => {
  // So many that whatever pages come first, some fail.
  const site = graphWeb(syntheticWeb(120, 5), { serverErrorShare: 0.3, robotsTxtShare: 0.5, notFoundShare: 0.1 }, 3);
  const web = await loopback(site);
  try {
    const folder = web.folder();
    const sessions = [];
    for (const maxPages of [25, 50]) {
      const [counts, control] = [new CrawlCounts(), new RunControl()];
      const options = { sinks: [counts], control };
      const { run } = maxPages === 25
        ? await crawlLive(
          folder,
          { experiment: { ...experiment, maxPages }, live: web.live, seeds: urlsOf(site, site.seedPages) }, options,
        )
        : await resumeCrawl(folder, { maxPages }, options);
      sessions.push({ run, families: parsedMetrics(crawlMetrics(counts, control)) });
    }
    const [first, second] = sessions;
    for (const { families, run: { summary } } of sessions) {
      expect(summed(families, 'orbweaver_pages_fetched')).toBe(summary.pagesFetched);
      expect(summed(families, 'orbweaver_downloads_in_flight')).toBe(0);
      expect(summed(families, 'orbweaver_robots')).toBe(6);
      expect(summed(families, 'orbweaver_pages_known'))
        .toBeGreaterThanOrEqual(summary.pagesFetched + summed(families, 'orbweaver_pages_queued'));
      expect(summed(families, 'orbweaver_download_seconds', { le: '+Inf' }))
        .toBe(summed(families, 'orbweaver_downloads_total'));
    }
    const outcome = (kind: string): { outcome: string } => ({ outcome: kind });
    const { failuresByKind } = first.run.summary;
    for (const kind of ['notFound', 'serverError', 'robotsFetched']) {
      expect(summed(first.families, 'orbweaver_downloads_total', outcome(kind)), kind).toBe(failuresByKind[kind] ?? 0);
    }
    expect(failuresByKind['serverError']).toBeGreaterThan(0);
    expect(summed(first.families, 'orbweaver_retries_total')).toBeGreaterThan(0);
    const fetched = sessions.map(({ families }) => summed(families, 'orbweaver_downloads_total', outcome('fetched')));
    expect(fetched[0]).toBe(first.run.summary.pagesFetched);
    expect(fetched[1]).toBe(second.run.summary.pagesFetched - first.run.summary.pagesFetched);
    expect(summed(first.families, 'orbweaver_received_bytes_total')).toBeGreaterThan(1000);
    expect(summed(first.families, 'orbweaver_supersteps_total')).toBeGreaterThan(0);
    expect(summed(first.families, 'orbweaver_robot_seconds_total', { state: 'downloading' })).toBeGreaterThan(0);
  } finally {
    await web.close();
  }
});

test('a processor at rest has no rows: the time of its robots is counted all the same, whatever their number', () => {
  const counts = new CrawlCounts();
  const settings = { processors: 3, robots: 2 };
  counts.started({ settings, firstSuperstep: 1 } as unknown as Parameters<CrawlCounts['started']>[0]);
  const end = (superstep: number, barrierUs: number, ...rows: SuperstepRow[]): void => {
    counts.superstep({ superstep, barrierUs, rows, unobserved: rows.map(() => 0), pagesFetched: 0 });
  };
  end(0, 50);
  end(1, 100, row({ processor: 0, busyUs: 70, barrierWaitUs: 30 }));
  counts.changed({ superstep: 2, processor: 1, observed: 0, setting: 'robots', value: 10 });
  end(2, 120, row({ processor: 1, busyUs: 40, barrierWaitUs: 160 }));
  end(3, 130, row({ processor: 0, busyUs: 20 }));
  const barriers = counts.processors.map(({ robotUs: { barrier } }) => barrier);
  expect(barriers).toEqual([30 + 2 * 20, 2 * 50 + 160 + 10 * 10, 2 * 80]);
  expect(counts.processors.map(({ robotUs: { barrier } }) => barrier)).toEqual(barriers);
});

test('a server on loopback, which ends with its connections open', async () => {
  const text = exposition([{ name: 'one_total', type: 'counter', help: 'One.', samples: [{ value: 1 }] }]);
  const server = await MetricsServer.listen(0, () => text);
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  const answer = await fetch(server.url);
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, expositionType, text]);
  expect((await fetch(server.url.replace('metrics', ''))).status).toBe(404);
  expect((await fetch(server.url, { method: 'POST', body: 'x' })).status).toBe(405);
  const port = Number(new URL(server.url).port);
  await expect(MetricsServer.listen(port, () => '')).rejects.toThrow(`127.0.0.1:${port}: is in use`);
  await server.close();
  await expect(fetch(server.url)).rejects.toThrow();
});

test('only who names this machine gets them: a name bound to loopback is another site\'s', async () => {
  const server = await MetricsServer.listen(0, () => 'figures');
  const port = Number(new URL(server.url).port);
  const statusFor = (host: string): Promise<number> => new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/metrics', headers: { host } }, (response) => {
      response.resume().on('end', () => { resolve(response.statusCode ?? 0); });
    }).on('error', reject).end();
  });
  try {
    for (const host of [`127.0.0.1:${port}`, '127.0.0.1', `localhost:${port}`, 'LOCALHOST', '[::1]', 'localhost:9999'])
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    await fc.assert(fc.asyncProperty(fc.domain(), fc.nat(65_535), async (name, other) => {
      for (const host of [name, `${name}:${port}`, `${name}:${other}`, `127.0.0.1.${name}`, `localhost.${name}`])
        expect([host, await statusFor(host)]).toEqual([host, 403]);
    }), { numRuns: 50 });
    for (const host of ['127.0.0.1@evil.example', '127.0.0.1:x', '10.0.0.1', '[::2]', 'localhost,evil.example'])
      expect([host, await statusFor(host)]).toEqual([host, 403]);
  } finally {
    await server.close();
  }
});

test('the form: bounds are cumulative, texts are escaped', () => {
  const text = exposition([
    { name: 'a_seconds', type: 'histogram', help: 'A\nb\\.', samples: histogram([0.5, 1], [2, 0, 3], 9.5) },
    { name: 'c', type: 'gauge', help: 'C.', samples: [{ labels: { of: 'a"\\\n', at: 3 }, value: Infinity }] },
  ]);
  expect(text.split('\n')).toEqual([
    '# HELP a_seconds A\\nb\\\\.', '# TYPE a_seconds histogram', 'a_seconds_bucket{le="0.5"} 2',
    'a_seconds_bucket{le="1"} 2', 'a_seconds_bucket{le="+Inf"} 5', 'a_seconds_sum 9.5', 'a_seconds_count 5',
    '# HELP c C.', '# TYPE c gauge', 'c{of="a\\"\\\\\\n",at="3"} +Inf', '',
  ]);
  expect(parsedMetrics(text).get('c')?.samples[0].value).toBe(Infinity);
});

const promtool = spawnSync('promtool', ['--version']).status === 0;
test.skipIf(!promtool)('promtool has nothing to say', () => {
  const input = crawlMetrics(new CrawlCounts(), new RunControl());
  const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  expect({ status, text: stdout + stderr }).toEqual({ status: 0, text: '' });
});
