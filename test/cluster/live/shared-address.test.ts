import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { MemoryEngine, MemorySlots, type Meeting } from '../../../src/machines/cluster/index.ts';
import { crawlLive, resumeCrawl, type LiveCrawlOptions, type LiveResult } from '../../../src/machines/crawl/index.ts';
import type { RunSink } from '../../../src/core/events/index.ts';
import type { LoggedRequest } from '../../../src/views/service/index.ts';
import { loopback } from '../../crawl/loopback.ts';
import { linking, WrittenSite } from '../../crawl/written-site.ts';

// Goal: hosts of one address that belong to several nodes are asked together about once per delay of the address, from
// the superstep after that in which the nodes have met there; all pages are fetched, and none fails for that.

const nodes = 2;
/** Hosts are spread over these by the hashes of their names. */
const processors = 4;
const addressDelayMs = 30;
const hosts = Array.from({ length: 36 }, (_, i) => `farm${i}.test`);
const pagesPerHost = 2;
const seeds = hosts.slice(0, 8).map((host) => `http://${host}/`);
const experiment = { processors, robots: 3, politenessMs: 0, superstepMs: 100, retries: 0 };

/** Each root links to a page of its host and to other roots, so that hosts are new to processors all the time. */
const farm = (): WrittenSite => new WrittenSite((url) => {
  if (url.endsWith('/robots.txt')) return undefined;
  const at = hosts.findIndex((host) => url === `${host}/`);
  const roots = hosts.slice(4 * at + 8, 4 * at + 12).map((host) => `http://${host}/`);
  return at < 0 ? linking() : linking('/page', ...roots);
});

function meetingOf(leaseMs: number): Meeting {
  const engine = new MemoryEngine();
  return {
    slots: new MemorySlots(leaseMs, () => performance.now()), connect: () => engine.connect(),
    hold: async () => Promise.resolve(), close: async () => Promise.resolve(),
  };
}

/** Starts of requests, microseconds, that were made after the first `ended` of the log had ended. */
function startsAfter(log: readonly LoggedRequest[], ended: number): number[] {
  const fromUs = Math.max(0, ...log.slice(0, ended).map(({ endedAtUs }) => endedAtUs));
  return log.map(({ startedAtUs }) => startedAtUs).filter((atUs) => atUs > fromUs).sort((a, b) => a - b);
}

/** The most requests by which a window has more than one per delay. */
function mostAbove(starts: readonly number[]): number {
  let most = 0;
  for (let i = 0; i < starts.length; i++) {
    for (let j = i; j < starts.length; j++)
      most = Math.max(most, j - i + 1 - (starts[j] - starts[i]) / (1000 * addressDelayMs));
  }
  return most;
}

function expectAllFetched(results: readonly LiveResult[]): void {
  const pages = results.reduce((sum, { events }) => sum + events.order.length, 0);
  expect(pages).toBe(hosts.length * pagesPerHost);
  for (const { run, events } of results) {
    expect(events.order.length).toBeGreaterThan(0);
    expect(run.summary.ended).toBe('frontier dry');
    expect(events.failures.filter(({ kind }) => kind !== 'busy' && kind !== 'robotsFetched')).toEqual([]);
  }
}

/** After the requests by which nodes came to know of each other, the address is asked once per delay. */
function expectOnePerDelay(log: Parameters<typeof startsAfter>[0], known: number): void {
  const starts = startsAfter(log, known);
  expect(starts.length).toBeGreaterThan(hosts.length * pagesPerHost / 2);
  expect(mostAbove(starts)).toBeLessThanOrEqual(processors);
}

describe.skipIf(process.platform !== 'linux')('hosts of one address on two nodes', () => {
  test('are asked together once per delay', async () => {
    const web = await loopback(farm());
    const meeting = meetingOf(600_000);
    let known = 0;
    const sink: RunSink = { superstep: ({ superstep }) => { if (superstep <= 2) known = web.log.length; } };
    try {
      const request = { experiment, live: { ...web.live, addressDelayMs, warc: false }, seeds };
      const results = await Promise.all(Array.from({ length: nodes }, async (_, node) =>
        crawlLive(web.folder(), request, { sinks: [sink], node: { node, nodes, meeting } })));
      expectAllFetched(results);
      expectOnePerDelay(web.log, known);
    } finally {
      await web.close();
    }
  }, 60_000);

  test('so too when another process, which knows of nobody, takes the place of a node', async () => {
    const web = await loopback(farm());
    const meeting = meetingOf(2000);
    const interrupt = new AbortController();
    let [began, known] = [Infinity, 0];
    const optionsOf = (node: number, signal?: AbortSignal): LiveCrawlOptions => ({
      ...(signal && { signal }),
      sinks: [{
        superstep: ({ superstep }) => {
          if (superstep === 3) interrupt.abort();
          if (superstep <= began + 2) known = web.log.length;
        },
      }],
      node: { node, nodes, meeting, onAgreed: (superstep) => { began = superstep; } },
    });
    try {
      const request = { experiment, live: { ...web.live, addressDelayMs, warc: false }, seeds };
      const folder = web.folder();
      const first = crawlLive(web.folder(), request, optionsOf(0));
      first.catch(() => undefined);
      await expect(crawlLive(folder, request, optionsOf(1, interrupt.signal)))
        .rejects.toThrow('node 1 was interrupted');
      began = Infinity;
      expectAllFetched(await Promise.all([first, resumeCrawl(folder, {}, optionsOf(1))]));
      expectOnePerDelay(web.log, known);
    } finally {
      await web.close();
    }
  }, 60_000);

  test('have one delay: nodes with another one are refused', async () => {
    const web = await loopback(farm());
    const meeting = meetingOf(600_000);
    try {
      const ends = await Promise.allSettled([5, 7].map(async (delayMs, node) => crawlLive(web.folder(), {
        experiment, live: { ...web.live, addressDelayMs: delayMs, warc: false }, seeds: [`http://${hosts[0]}/`],
      }, { node: { node, nodes, meeting } })));
      const message = /^node [01] has other settings: live\.addressDelayMs is [57] there and [57] here$/;
      const refused = { reason: { message: expect.stringMatching(message) as string } };
      for (const end of ends) expect(end).toMatchObject(refused);
      expect(web.log).toEqual([]);
    } finally {
      await web.close();
    }
  }, 60_000);
});

describe.each<[string, boolean]>([['one machine', false], ['a node', true]])('on %s', (_, isNode) => {
  const delayMs = 800;
  /** The earlier process may have asked until its lease ran out. */
  const leaseMs = isNode ? 500 : 0;

  test('a process leaves an address alone at first that an earlier one may have asked', async () => {
    const asked: number[] = [];
    let killed = () => undefined as unknown;
    // Nothing is stored of a request that was under way: no scheduler knows its address.
    const web = await loopback(new WrittenSite((url) => {
      asked.push(performance.now());
      if (asked.length > 1) return url.endsWith('.txt') ? undefined : linking();
      killed();
      return { beginsAfterUs: 60_000_000 };
    }));
    const meeting = meetingOf(leaseMs);
    const interrupt = new AbortController();
    killed = () => setTimeout(50).then(() => { interrupt.abort(); });
    const options: LiveCrawlOptions = { graceMs: 0, ...(isNode && { node: { node: 0, nodes: 1, meeting } }) };
    const folder = web.folder();
    const request = {
      experiment: { ...experiment, processors: 1 },
      live: { ...web.live, addressDelayMs: delayMs, warc: false }, seeds: ['http://farm0.test/'],
    };
    try {
      await crawlLive(folder, request, { ...options, signal: interrupt.signal }).catch((error: unknown) => {
        expect(error).toMatchObject({ message: expect.stringContaining('was interrupted') as string });
      });
      expect(asked).toHaveLength(1);
      const endedMs = performance.now();
      const { run } = await resumeCrawl(folder, {}, options);
      expect(run.summary.pagesFetched).toBe(1);
      expect(asked[1] - endedMs).toBeGreaterThan(leaseMs + delayMs - 100);
    } finally {
      await web.close();
    }
  }, 60_000);
});
