import { describe, expect, test, vi } from 'vitest';
import { crawlLive } from '../../../src/crawl/index.ts';
import type { ExperimentInput, LiveCrawlInput } from '../../../src/settings/index.ts';
import { Gate } from '../../../src/live/politeness/gate.ts';
import type { LiveInput } from '../../../src/live/index.ts';
import { WebServer, type LoggedRequest, type Site } from '../../../src/service/index.ts';
import { politenessOf, type Breach } from '../../service/politeness.ts';
import { isFullSweep, sampled } from '../../sweep.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../loopback.ts';
import { linking, WrittenSite, type Written } from '../written-site.ts';

// Goal: no host, and where asked for no address, sees two requests at once, or one sooner than its delay after the last
// ended, whatever makes the crawler ask. Method: the server's own log judges crawls of webs that delay, fail, redirect
// and ask for pauses.

/** That a client gave up is known later to the server than to the client. */
const slackUs = 50_000;

/** Of what never answers; far above what a busy machine takes, or a seed's robots.txt fails and little is crawled. */
const downloadTimeoutMs = 2000;

interface Case {
  readonly experiment: LiveCrawlInput;
  readonly live?: Partial<LiveInput>;
}

/** The server's log of a crawl to its end. */
async function logOf(site: Site, seeds: readonly string[], { experiment, live }: Case): Promise<LoggedRequest[]> {
  const web = await loopback(site);
  try {
    const { run } = await crawlLive(web.folder(), {
      experiment: { superstepMs: 100, backoffMs: 5, maxBackoffMs: 40, ...experiment },
      live: { ...web.live, warc: false, ...live }, seeds,
    });
    expect(run.summary.ended).toBe('frontier dry');
    return web.log;
  } finally {
    await web.close();
  }
}

const ofAddress = (log: readonly LoggedRequest[]): LoggedRequest[] =>
  log.map((request) => ({ ...request, host: 'the address' }));
const reported = (breaches: readonly Breach[]): string[] =>
  breaches
    .slice(0, 5)
    .map(
      ({ what, host, earlier, later }) =>
        `${what} ${host}: ${later.path} ${later.startedAtUs - earlier.endedAtUs} us after ${earlier.path}`,
    );

const quick = { latencyMs: 2, latencySigma: 0.5, robotsTxtShare: 0.5 };
const faulty = {
  ...quick, notFoundShare: 0.05, serverErrorShare: 0.1, refusedShare: 0.05, timeoutShare: 0.02, hangSeconds: 100,
  downShare: 0.1, downSeconds: 0.05, deniedShare: 0.1,
};
const generated: [string, NonNullable<ExperimentInput['network']>, Case & { pages: number; crawlDelayMs?: number }][] =
  [
    ['no delay at all', quick, { pages: 150, experiment: { politenessMs: 0, processors: 2, robots: 8 } }],
    [
      'no delay, faults', faulty,
      { pages: 150, experiment: { politenessMs: 0, processors: 3, robots: 8 }, live: { downloadTimeoutMs } },
    ],
    [
      '5 ms, faults',
      faulty,
      {
        pages: 120, experiment: { politenessMs: 5, processors: 3, robots: 4 },
        live: { downloadTimeoutMs, readerThreads: 1 },
      },
    ],
    ['30 ms', quick, { pages: 60, experiment: { politenessMs: 30, processors: 2, robots: 4 } }],
    [
      'Crawl-delay', { ...quick, robotsTxtShare: 1, crawlDelayShare: 1, crawlDelaySeconds: 0.02 },
      { pages: 60, crawlDelayMs: 20, experiment: { politenessMs: 5, processors: 2, robots: 4 } },
    ],
    [
      'an address for all hosts', quick,
      { pages: 60, experiment: { politenessMs: 0, processors: 2, robots: 4 }, live: { addressDelayMs: 4 } },
    ],
    [
      'an address for all hosts, faults',
      faulty,
      {
        pages: 60, experiment: { politenessMs: 5, processors: 2, robots: 4 },
        live: { addressDelayMs: 3, downloadTimeoutMs },
      },
    ],
  ];

const tried = sampled(generated, 2);

describe('generated webs', () => {
  test.concurrent.each(tried)('%s', async (_name, network, { pages: all, crawlDelayMs, ...options }) => {
    const pages = isFullSweep ? all : all / 2;
    const site = graphWeb(syntheticWeb(pages, 3), network, 3);
    const log = await logOf(site, urlsOf(site, site.seedPages), options);
    expect(log.length).toBeGreaterThan(pages / 2);
    const delayMs = Math.max(options.experiment.politenessMs ?? 0, crawlDelayMs ?? 0);
    expect(reported(politenessOf(log, 1000 * delayMs, slackUs))).toEqual([]);
    const { addressDelayMs } = options.live ?? {};
    if (addressDelayMs !== undefined)
      expect(reported(politenessOf(ofAddress(log), 1000 * addressDelayMs, slackUs))).toEqual([]);
    else expect(politenessOf(ofAddress(log), 0), 'hosts are asked at once').not.toEqual([]);
  });
});

const pauseUs = 1e6;
const crawlDelayUs = 40_000;
const politenessUs = 5000;
const doorsteps = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.test`);

/**
 * Hosts whose robots.txt is that of hub.test, which asks for a delay; pages that are redirected to hub.test and to each
 * other; a host that asks for a pause instead of a page, and one instead of its robots.txt.
 */
function entangled(url: string, times: number): Written | undefined {
  const [host, path] = [url.slice(0, url.indexOf('/')), url.slice(url.indexOf('/'))];
  const pause = { status: 429, headers: ['Retry-After', String(pauseUs / 1e6)] };
  if (host === 'hub.test') {
    if (path === '/robots.txt')
      return {
        headers: ['Content-Type', 'text/plain'],
        body: `user-agent: *\ncrawl-delay: ${crawlDelayUs / 1e6}\n`,
        beginsAfterUs: 10_000,
      };
    return linking(
      '/1',
      '/2',
      '/3',
      '/4',
      '/5',
      '/6',
      ...doorsteps.map((name) => `http://${name}/`),
      'http://busy.test/',
      'http://shy.test/',
    );
  }
  if (doorsteps.includes(host)) {
    if (path === '/robots.txt') return { status: 302, headers: ['Location', 'http://hub.test/robots.txt'] };
    if (path === '/')
      return linking('/to-hub', `http://${doorsteps[(doorsteps.indexOf(host) + 1) % doorsteps.length]}/x`);
    return { status: 301, headers: ['Location', 'http://hub.test/from-afar'], beginsAfterUs: 3000 };
  }
  if (host === 'busy.test') return path === '/2' && times === 0 ? pause : linking('/1', '/2', '/3', '/4');
  return path === '/robots.txt' && times === 0 ? pause : linking('/1', '/2');
}

function entangledDelayUs(host: string, { status }: LoggedRequest): number {
  return status === 429 ? pauseUs : host === 'hub.test' ? crawlDelayUs : politenessUs;
}

describe('whatever makes the crawler ask', () => {
  const experiment = { politenessMs: politenessUs / 1000, processors: 3, robots: 8 };
  const crawlEntangled = (): Promise<LoggedRequest[]> => logOf(
    // The hub is asked first, and others are sent there while its delay is not known yet.
    new WrittenSite(entangled), ['hub.test', ...doorsteps].map((host) => `http://${host}/`), { experiment },
  );

  test('redirects of robots.txt and of pages, Crawl-delay and Retry-After', async () => {
    const log = await crawlEntangled();
    expect(reported(politenessOf(log, entangledDelayUs))).toEqual([]);
    const hops = log.filter(({ host, path }) => host === 'hub.test' && path === '/robots.txt');
    expect(hops).toHaveLength(1 + doorsteps.length);
    expect(
      log
        .filter(({ status }) => status === 429)
        .map(({ host, path }) => host + path)
        .sort(),
    ).toEqual(['busy.test/2', 'shy.test/robots.txt']);
    expect(new Set(log.map(({ host }) => host)).size).toBe(doorsteps.length + 3);
  });

  test('without the gate, that shows', async () => {
    const seeded = vi.spyOn(Gate.prototype, 'enter').mockImplementation(() => Promise.resolve(true));
    try {
      const found = new Set(
        politenessOf(await crawlEntangled(), entangledDelayUs).map(({ what, host }) => `${what} ${host}`),
      );
      expect(found).toContain('too soon hub.test');
    } finally {
      seeded.mockRestore();
    }
  });
});

test('who fails again and again is asked less and less often', async () => {
  const [backoffMs, maxBackoffMs, retries, downloadTimeoutMs] = [10, 60, isFullSweep ? 6 : 4, 500];
  const log = await logOf(
    new WrittenSite((url) => {
      if (url === 'well.test/') return linking('http://down.test/', 'http://silent.test/', 'http://sick.test/');
      if (url.endsWith('/robots.txt') || url.startsWith('well.test/')) return undefined;
      if (url === 'sick.test/') return { status: 503 };
      return { resetAfterUs: url === 'down.test/' ? 0 : 100_000_000 };
    }),
    ['http://well.test/'],
    {
      experiment: { politenessMs: 0, backoffMs, maxBackoffMs, retries, processors: 1, robots: 4, hostPatienceMs: 0 },
      live: { downloadTimeoutMs },
    },
  );
  for (const host of ['down.test', 'silent.test', 'sick.test']) {
    const asked = log
      .filter((request) => request.host === host && request.path === '/')
      .sort((a, b) => a.startedAtUs - b.startedAtUs);
    expect(asked, host).toHaveLength(1 + retries);
    asked.slice(1).forEach(({ startedAtUs }, i) => {
      // The server hears of an end when it can, which may be later than it was: a failure at once ends as it begins.
      const longestUs = host === 'silent.test' ? 1000 * downloadTimeoutMs : 0;
      const restUs = startedAtUs - Math.min(asked[i].endedAtUs, asked[i].startedAtUs + longestUs);
      expect(restUs, `${host}, after failure ${i + 1}`).toBeGreaterThanOrEqual(
        1000 * Math.min(maxBackoffMs, backoffMs * 2 ** i),
      );
    });
  }
});

test.skipIf(process.platform !== 'linux')('each address has its own delay', async () => {
  const graph = syntheticWeb(60, 4);
  const site = graphWeb(graph, quick, 4);
  const logs: LoggedRequest[][] = [[], []];
  const servers = await Promise.all(
    logs.map((log, i) =>
      WebServer.listen(site, {
        address: `127.0.0.${2 + i}`,
        onRequest: (request) => {
          log.push(request);
        },
      }),
    ),
  );
  const web = await loopback(site);
  try {
    const resolve = Array.from({ length: graph.hosts.count }, (_, i) => ({
      host: site.urls.hostName(i),
      address: `127.0.0.${2 + (i % 2)}`,
      port: servers[i % 2].port,
    }));
    const { run } = await crawlLive(web.folder(), {
      experiment: { politenessMs: 0, superstepMs: 100, processors: 2, robots: 8 },
      live: { ...web.live, resolve, addressDelayMs: 5, warc: false }, seeds: urlsOf(site, site.seedPages),
    });
    expect(run.summary.pagesFetched).toBeGreaterThan(40);
    expect(web.log).toEqual([]);
    for (const log of logs) {
      expect(log.length).toBeGreaterThan(20);
      expect(reported(politenessOf(ofAddress(log), 5000))).toEqual([]);
    }
  } finally {
    await Promise.all([...servers, web].map((one) => one.close()));
  }
});

describe.skipIf(process.platform !== 'linux')('many hosts of one address', () => {
  const farm = Array.from({ length: 8 }, (_, i) => `farm${i}.test`);
  const own = Array.from({ length: 4 }, (_, i) => `own${i}.test`);
  const addressDelayMs = 100;

  test.each(sampled([3, 1], 2))('have turns, and hold up no other host: %d processors', async (processors) => {
    const links = [...farm, ...own].map((host) => `http://${host}/`);
    const site = new WrittenSite((url) =>
      url === 'seed.test/' ? linking(...links) : url.endsWith('.test/') ? linking() : undefined);
    const web = await loopback(site);
    const log: LoggedRequest[] = [];
    const servers = await Promise.all(['127.0.0.2', ...own.map((_, i) => `127.0.0.${3 + i}`)].map((address) =>
      WebServer.listen(site, { address, onRequest: (request) => { log.push(request); } })));
    try {
      const at = (host: string, i: number) => ({ host, address: `127.0.0.${2 + i}`, port: servers[i].port });
      const resolve = [
        at('seed.test', 0), ...farm.map((host) => at(host, 0)), ...own.map((host, i) => at(host, i + 1)),
      ];
      // Fewer robots than hosts at the address, and no retry that a wait could use up.
      const { run, events } = await crawlLive(web.folder(), {
        experiment: { politenessMs: 0, superstepMs: 100, processors, robots: 3, retries: 0 },
        live: { ...web.live, resolve, addressDelayMs, warc: false }, seeds: ['http://seed.test/'],
      });
      expect(run.summary).toMatchObject({ ended: 'frontier dry', pagesFetched: 1 + farm.length + own.length });
      expect(new Set(events.failures.map(({ kind }) => kind))).toEqual(new Set(['robotsFetched', 'busy']));
      const isFarm = ({ host }: LoggedRequest): boolean => !host.startsWith('own');
      const ofFarm = log.filter(isFarm);
      expect(ofFarm).toHaveLength(2 * (1 + farm.length));
      expect(reported(politenessOf(ofAddress(ofFarm), 1000 * addressDelayMs))).toEqual([]);
      const others = log.filter((request) => !isFarm(request));
      expect(others).toHaveLength(2 * own.length);
      // When the others have all they want, the hosts of the one address are still at their turns.
      const endUs = Math.max(...others.map(({ endedAtUs }) => endedAtUs));
      expect(ofFarm.filter(({ startedAtUs }) => startedAtUs > endUs).length).toBeGreaterThanOrEqual(4);
    } finally {
      await Promise.all([...servers, web].map((server) => server.close()));
    }
  });
});
