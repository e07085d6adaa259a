import { existsSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { invoke } from '../../../src/cli/invocation.ts';
import { ProgressLog, progressText, type CrawlMoment } from '../../../src/cli/text/crawl/progress-log.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../../crawl/loopback.ts';
import { parsedMetrics, summed } from '../../service/metrics/parsed.ts';
import { finished, newFolder, orbweaver, start } from '../command.ts';

// Goal: who runs a crawl without a terminal sees what it does: by a log of lines, by metrics, and by its exit code.

let folder: string;
let web: Loopback | undefined;
beforeEach(() => { folder = newFolder(); });
afterEach(async () => {
  await web?.close();
  web = undefined;
  rmSync(folder, { recursive: true });
});

const flags = (port: number): string[] => [
  '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8', '--resolve', `*=127.0.0.1:${port}`,
  '--politeness-ms', '10', '--superstep-ms', '100', '--retries', '0', '--reader-threads', '0',
];

/** A crawl that takes long enough to be looked at. */
async function slowCrawl(...more: string[]): Promise<string[]> {
  const site = graphWeb(syntheticWeb(200, 5), { latencyMs: 50 });
  web = await loopback(site);
  return ['crawl', ...urlsOf(site, site.seedPages), ...flags(web.port), '--out', 'crawl', ...more];
}

const events = (stderr: string): Record<string, unknown>[] =>
  stderr.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);

test('metrics are served until the crawl ends, also by SIGINT', async () => {
  const child = start(await slowCrawl('--log', 'json', '--metrics', '0'), folder);
  const end = finished(child);
  let stderr = '';
  child.stderr?.on('data', (text: string) => { stderr += text; });
  while (!stderr.includes('\n')) await sleep(20);
  const [{ event, url }] = events(stderr.slice(0, stderr.indexOf('\n')));
  expect(event).toBe('metrics');
  let fetched = 0;
  while (fetched < 5) {
    const families = parsedMetrics(await (await fetch(String(url))).text());
    fetched = summed(families, 'orbweaver_downloads_total', { outcome: 'fetched' });
    await sleep(20);
  }
  child.kill('SIGINT');
  const { code, ...texts } = await end;
  expect(code).toBe(130);
  const last = events(texts.stderr).at(-1);
  expect(last).toMatchObject({ event: 'ended', ended: 'interrupted', exitCode: 130 });
  expect(last?.['pagesFetched']).toBeGreaterThanOrEqual(5);
  await expect(fetch(String(url))).rejects.toThrow();
});

test('a port in use is one message, before anything is on disk', async () => {
  const other: Server = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const { code, stdout, stderr } = await orbweaver(await slowCrawl('--metrics', String(port)), folder);
  await new Promise((resolve) => other.close(resolve));
  expect({ code, stdout, stderr }).toEqual({
    code: 2, stdout: '', stderr: `--metrics: 127.0.0.1:${port}: is in use; name another port, or none\n`,
  });
  expect(existsSync(join(folder, 'crawl'))).toBe(false);
});

test('with --log json every line of standard error is JSON: why no page was stored, the end, and errors', async () => {
  const nobody = await orbweaver(
    ['crawl', 'http://nobody.test/', ...flags(9), '--host-patience', '0', '--out', 'crawl', '--log', 'json'], folder,
  );
  expect(nobody.code).toBe(4);
  const [nothing, ended] = events(nobody.stderr);
  expect(nothing).toMatchObject({ event: 'nothing' });
  expect(nothing['text']).toMatch(/^no page was stored: .*connection refused/);
  expect(ended).toMatchObject({ event: 'ended', pagesFetched: 0, exitCode: 4 });
  const refused = await orbweaver(['crawl', '--resume', 'none', '--log', 'json'], folder);
  expect(refused.code).toBe(2);
  expect(events(refused.stderr)).toMatchObject([{ event: 'error', exitCode: 2 }]);
});

test('a line per minute, with the pages per second since the last', async () => {
  let stderr = '';
  const moment: CrawlMoment = {
    superstep: 4, pagesFetched: 100, pagesKnown: 2500, pagesQueued: 7, jobsPending: 8, downloadsInFlight: 3,
    failures: 2, bytes: 12_345, seconds: 50, hostsOutOfReach: 0, isNetworkOut: false,
  };
  const moments = [undefined, moment, { ...moment, pagesFetched: 220, seconds: 110 }, { ...moment, pagesFetched: 220 }];
  let asked = 0;
  const output = { write: (text: string) => { stderr += text; } };
  for (const logsJson of [false, true]) {
    [asked, stderr] = [0, ''];
    await invoke({ words: [], stdout: output, stderr: output, exitCode: 0, logsJson }, async () => {
      const log = new ProgressLog(() => moments[asked++], 5);
      while (asked < moments.length) await sleep(5);
      log.close();
    });
    if (logsJson) {
      expect(events(stderr)).toMatchObject([
        { event: 'progress', ...moment, pagesPerSecond: 2 }, { event: 'progress', pagesPerSecond: 2 },
        { event: 'progress', pagesPerSecond: 0 },
      ]);
    } else {
      expect(stderr.split('\n')[0]).toBe(
        'superstep 5: 100 pages of 2,500 known, 2.0 per second, 3 open downloads, 2 failures, 50.00 s',
      );
      expect(progressText({ ...moment, hostsOutOfReach: 3 })).toMatch(/50\.00 s, waiting for 3 hosts out of reach$/);
      expect(progressText({ ...moment, hostsOutOfReach: 3, isNetworkOut: true }))
        .toMatch(/50\.00 s, most hosts are out of reach: waiting for the crawler's own network$/);
    }
  }
});
