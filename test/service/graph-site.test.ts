import { Agent } from 'node:http';
import { describe, expect, test } from 'vitest';
import { htmlLinks } from '../../src/base/web/html-links.ts';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { networkSchema } from '../../src/core/settings/index.ts';
import { buildGraph, StringTable, type WebGraph } from '../../src/graphs/graph/index.ts';
import { GraphSite } from '../../src/views/service/index.ts';
import { Network, type NetworkOptions } from '../../src/core/simulation/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { get, serving } from './asking.ts';

// Goal: what comes over the wire is the graph, to the byte, and the network, to the draw.

const calm: NetworkOptions = networkSchema.parse({
  latencyMs: 0, latencySigma: 0, bandwidthBytesPerSecond: 0, bandwidthSigma: 0,
});

interface Named {
  readonly host: string;
  readonly path: string;
}

/** A graph of such pages with random links, among them many self-links, and random sizes. */
function graphOf(pages: readonly Named[], more: Partial<Pick<WebGraph, 'seeds' | 'bytes'>> = {}, degree = 5): WebGraph {
  const draws = new DrawStream(3, 'served graph');
  const names = [...new Set(pages.map(({ host }) => host))];
  const length = pages.length * degree;
  return buildGraph({
    name: 'served',
    pages: pages.length,
    sources: Uint32Array.from({ length }, (_, i) => Math.floor(i / degree)),
    targets: Uint32Array.from({ length }, (_, i) =>
      i % degree === 0 ? Math.floor(i / degree) : draws.uint32(i) % pages.length,
    ),
    hosts: {
      count: names.length, ofPage: Uint32Array.from(pages, ({ host }) => names.indexOf(host)),
      names: StringTable.from(names), synthetic: false,
    },
    paths: StringTable.from(pages.map(({ path }) => path)),
    bytes: Uint32Array.from(pages, (_, page) => draws.uint32(page, 1) % 1000),
    ...more,
  });
}

const targetsOf = ({ outOffsets, outTargets }: WebGraph, page: number): number[] => [
  ...outTargets.subarray(outOffsets[page], outOffsets[page + 1]),
];

/**
 * Asks for every page by its URL, and holds links and size against the graph. Returns how many are longer than their
 * size.
 */
async function checkAll(graph: WebGraph, site: GraphSite): Promise<number> {
  const { server, log } = await serving(site);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const urls = Array.from({ length: graph.pages }, (_, page) => site.urls.urlOf(page));
  expect(new Set(urls).size).toBe(graph.pages);
  let longer = 0;
  for (let page = 0; page < graph.pages; page++) {
    const { status, headers, body } = await get(server, urls[page], { agent });
    expect({ status, type: headers['content-type'] }, urls[page]).toEqual({
      status: 200, type: 'text/html; charset=utf-8',
    });
    const { links, base, nofollow } = htmlLinks(body.toString());
    expect({ base, nofollow }).toEqual({ base: undefined, nofollow: 0 });
    expect(links, urls[page]).toEqual(targetsOf(graph, page).map((target) => urls[target]));
    // As a crawler reads them, they are what they are.
    expect(links.map((link) => new URL(link).href)).toEqual(links);
    const size = graph.bytes?.[page] ?? body.length;
    if (body.length > size) {
      longer++;
      expect(body.toString()).toMatch(/^(<a href="[^"]*">\d+<\/a>\n)+$/);
    } else expect(body.length).toBe(size);
    expect(headers['content-length']).toBe(String(body.length));
  }
  agent.destroy();
  expect(log.every(({ status, end, connection }) => status === 200 && end === 'sent' && connection === 0)).toBe(true);
  return longer;
}

describe('a graph on the wire', () => {
  test('has its links in stored order and its sizes to the byte', async () => {
    const graph = graphOf(
      Array.from({ length: 150 }, (_, page) => ({ host: `h${page % 7}.example`, path: `/${page}.html` })),
    );
    const site = new GraphSite(graph, { network: calm, seed: 1 });
    const longer = await checkAll(graph, site);
    expect(longer).toBeGreaterThan(10);
    expect(site.notes).toEqual([`${longer} pages are longer than their sizes, because their links need more bytes`]);
  });

  test('is served from its first byte to sizes of many pieces, links or none', async () => {
    const bytes = Uint32Array.from([
      ...Array.from({ length: 40 }, (_, i) => i), 65_536, ...Array.from({ length: 9 }, (_, i) => 65_554 + i), 131_100,
      1_000_003,
    ]);
    const graph = graphOf(Array.from(bytes, (_, page) => ({ host: 'a.example', path: `/${page}` })), { bytes }, 0);
    expect(await checkAll(graph, new GraphSite(graph, { network: calm, seed: 1 }))).toBe(0);
  });

  test('has a URL of its own for every page, whatever the names', async () => {
    const paths = [
      '/',
      '',
      '/a b',
      '/a%20b',
      '/ä',
      '/%C3%A4',
      '/~u',
      '/%7Eu',
      '/%7eu',
      '/x?q=1&r="2"',
      '/x?q=1&amp;r',
      '/a/../b',
      '/b',
      '/%2e%2e/b',
      '//x',
      '//x//',
      '/#frag',
      '/robots.txt',
      "/a'b?c'd",
      '/<b>',
      '/%zz',
      '/page-3',
      '/page-5',
      '/back\\slash',
      '/back/slash',
      '/a\tb',
      '/ab',
      '/?',
      '/*$',
      'noslash',
      '/noslash',
      '/a;b=c,d:e@f!(g)',
    ];
    const hosts = [
      'a.example', 'A.example', 'ho st', 'b.example:8080', 'b.example:80', 'b.example', '[::1]', 'a_b.example',
      'exämple.example', 'xn--', 'a@b', '1.2.3', '1.2.0.3', 'a/b', 'host-2.example', 'a..b',
    ];
    const graph = graphOf(hosts.flatMap((host) => paths.map((path) => ({ host, path }))));
    const site = new GraphSite(graph, { network: calm, seed: 1 });
    await checkAll(graph, site);
    const named = hosts.map((_, host) => site.urls.hostName(host));
    // Names that were taken or impossible, and pages that repeat another.
    expect(named).toEqual([
      'a.example', 'host-1.example', 'x-host-2.example', 'b.example:8080', 'b.example', 'host-5.example', '[::1]',
      'a_b.example', 'xn--exmple-cua.example', 'host-9.example', 'host-10.example', '1.2.0.3', 'host-12.example',
      'host-13.example', 'host-2.example', 'a..b',
    ]);
    expect(site.notes.slice(0, 2)).toEqual([
      '7 hosts with names that no URL can have, or that another host has: renamed to host-ID.example',
      expect.stringMatching(/^\d+ pages with the URL of an earlier page or of a robots\.txt: moved to \/page-ID$/) as string,
    ]);
    // Spellings that are equivalent lead to one page.
    expect(site.urls.pageAt(0, '/%7eu')).toBe(paths.indexOf('/~u'));
    expect(site.urls.pageAt(0, '/%c3%a4')).toBe(paths.indexOf('/ä'));
    expect(site.urls.pageAt(0, '/none')).toBeUndefined();
    expect(site.urls.pageAt(1, '/a b')).toBe(paths.length + 2);
  });

  test('without URLs has its drawn hosts and /page-ID', async () => {
    const graph = await openGraph('star');
    const site = new GraphSite(graph, { network: calm, seed: 1 });
    await checkAll(graph, site);
    expect(site.urls.urlOf(3)).toMatch(/^http:\/\/h\d{6}\.synthetic\.invalid\/page-3$/);
  });

  test('of whole hosts has each at its root', async () => {
    const { hosts, ...parts } = graphOf(['a.example', 'b.example', 'a.example'].map((host) => ({ host, path: '/' })));
    const graph = { ...parts, hosts, paths: undefined };
    const site = new GraphSite(graph, { network: calm, seed: 1 });
    await checkAll(graph, site);
    expect([0, 1, 2].map((page) => site.urls.urlOf(page))).toEqual([
      'http://a.example/',
      'http://b.example/',
      'http://a.example/page-2',
    ]);
  });

  test('knows no other paths and hosts', async () => {
    const { server } = await serving(
      new GraphSite(graphOf([{ host: 'a.example', path: '/x' }]), { network: calm, seed: 1 }),
    );
    for (const url of [
      'http://a.example/',
      'http://a.example/x/',
      'http://a.example/x?',
      'http://b.example/x',
      'http://a.example/robots.txt',
      'http://a.example/%00',
    ]) {
      expect((await get(server, url)).status, url).toBe(404);
    }
  });
});

describe('the network on the wire', () => {
  const graph = graphOf(
    Array.from({ length: 40 }, (_, page) => ({ host: `h${page % 4}.example`, path: `/${page}` })),
    { seeds: Uint32Array.of(0, 5) },
  );
  const statusOf: Record<string, number> = { fetched: 200, notFound: 404, serverError: 503, refused: 0, timeout: 0 };

  /** Status of three requests for each page; 0 where the connection ended without one. */
  async function statuses(network: NetworkOptions, seed: number): Promise<number[]> {
    const { server } = await serving(new GraphSite(graph, { network, seed }));
    const all: number[] = [];
    for (let page = 0; page < graph.pages; page++) {
      for (let i = 0; i < 3; i++)
        all.push(
          await get(server, `http://h${page % 4}.example/${page}`).then(
            ({ status }) => status, () => 0,
          ),
        );
    }
    return all;
  }

  test('is the simulated one, attempt by attempt, for each seed', async () => {
    const network = {
      ...calm, notFoundShare: 0.2, serverErrorShare: 0.2, refusedShare: 0.15, timeoutShare: 0.1, hangShare: 0.05,
      timeoutMs: 1, hangSeconds: 0.001,
    };
    const seen: number[][] = [];
    for (const seed of [1, 2]) {
      const simulated = new Network(graph, network, seed, [0, 5]);
      const expected: number[] = [];
      for (let page = 0; page < graph.pages; page++) {
        for (let i = 0, attempt = 0; i < 3; i++) {
          const { kind } = simulated.answer({ page, sequence: 0, attempt }, 0, {
            isResolved: true, knowsRobotsTxt: true, connectedUntilUs: Infinity,
          });
          expected.push(statusOf[kind]);
          if (kind !== 'fetched' && kind !== 'notFound') attempt++;
        }
      }
      seen.push(await statuses(network, seed));
      expect(seen.at(-1)).toEqual(expected);
      expect(new Set(expected)).toEqual(new Set([0, 200, 404, 503]));
    }
    expect(seen[0]).not.toEqual(seen[1]);
  });

  test('says what it is asked to say of errors', async () => {
    const { server } = await serving(
      new GraphSite(graph, {
        network: { ...calm, serverErrorShare: 1, retryAfterShare: 1, retryAfterSeconds: 2.5, errorBytes: 700 }, seed: 1,
      }),
    );
    const { status, headers, body } = await get(server, 'http://h1.example/1');
    expect({ status, after: headers['retry-after'], bytes: body.length }).toEqual({
      status: 503, after: '3', bytes: 700,
    });
    const missing = await serving(new GraphSite(graph, { network: { ...calm, notFoundShare: 1 }, seed: 1 }));
    expect((await get(missing.server, 'http://h2.example/2')).body.length).toBe(2400);
    expect((await get(missing.server, 'http://h0.example/0')).status).toBe(200);
  });

  test('refuses by a reset, and is silent until a while has passed', async () => {
    const refusing = await serving(new GraphSite(graph, { network: { ...calm, downShare: 1 }, seed: 1 }));
    for (const path of ['/1', '/robots.txt', '/none'])
      await expect(get(refusing.server, `http://h1.example${path}`), path).rejects.toMatchObject({
        code: 'ECONNRESET',
      });
    const silent = await serving(
      new GraphSite(graph, { network: { ...calm, timeoutShare: 1, timeoutMs: 20, hangSeconds: 0.08 }, seed: 1 }),
    );
    await expect(get(silent.server, 'http://h1.example/1')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(silent.log[0].endedAtUs - silent.log[0].startedAtUs).toBeGreaterThanOrEqual(79_000);
    expect(silent.log).toMatchObject([{ status: 0, end: 'destroyed', bytes: 0 }]);
  });

  test('is late, slow, and later on a new connection', async () => {
    const { server } = await serving(
      new GraphSite(graphOf([{ host: 'a.example', path: '/' }], { bytes: Uint32Array.of(6000) }), {
        network: { ...calm, latencyMs: 20, connectMs: 60, bandwidthBytesPerSecond: 1e5 }, seed: 1,
      }),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await get(server, 'http://a.example/', { agent });
    const second = await get(server, 'http://a.example/', { agent });
    agent.destroy();
    expect(first.headersAfterMs).toBeGreaterThanOrEqual(79);
    expect(second.headersAfterMs).toBeGreaterThanOrEqual(19);
    for (const { afterMs, headersAfterMs } of [first, second])
      expect(afterMs - headersAfterMs).toBeGreaterThanOrEqual(40);
  });

  test('draws the sizes that a graph does not have', async () => {
    const sizeless = { ...graph, bytes: undefined };
    const network = { ...calm, pageBytes: 5000, pageBytesSigma: 0.5 };
    const simulated = new Network(sizeless, network, 7);
    const { server } = await serving(new GraphSite(sizeless, { network, seed: 7 }));
    for (let page = 0; page < 20; page++)
      expect((await get(server, `http://h${page % 4}.example/${page}`)).body.length).toBe(simulated.bytesOf(page));
  });

  test('has its robots.txt: delays, denied pages and no others, padded', async () => {
    const network = {
      ...calm, robotsTxtShare: 0.7, crawlDelayShare: 0.5, crawlDelaySeconds: 1.5, deniedShare: 0.4, robotsTxtBytes: 777,
    };
    const seeds = Uint32Array.from({ length: 20 }, (_, page) => page);
    const starred = graphOf(
      Array.from({ length: 400 }, (_, page) => ({
        host: `h${page % 40}.example`,
        path: page < 40 ? '/' : `/${'*$'[page % 2]}${page}`,
      })),
      { seeds },
    );
    const simulated = new Network(starred, network, 4, [...seeds]);
    const site = new GraphSite(starred, { network, seed: 4 });
    const { server } = await serving(site);
    let denied = 0;
    for (let host = 0; host < 40; host++) {
      const { status, headers, body } = await get(server, `http://h${host}.example/robots.txt`);
      const ties = { isResolved: true, knowsRobotsTxt: false, connectedUntilUs: Infinity };
      const first = simulated.answer({ page: host, sequence: 0, attempt: 0 }, 0, ties);
      expect(status).toBe(first.kind === 'robotsFetched' ? 200 : 404);
      const lines = body.toString().split('\n');
      if (status === 404) continue;
      expect({ type: headers['content-type'], bytes: body.length }).toEqual({
        type: 'text/plain; charset=utf-8', bytes: 777,
      });
      expect(lines[0]).toBe('User-agent: *');
      expect(lines.includes('Crawl-delay: 1.5')).toBe(first.waitUs > 0);
      const rules = lines.filter((line) => line.startsWith('Disallow: '));
      const expected: string[] = [];
      for (let page = host; page < 400; page += 40) {
        const { kind } = simulated.answer({ page, sequence: 0, attempt: 0 }, 0, { ...ties, knowsRobotsTxt: true });
        if (kind === 'robotsDenied')
          expected.push(`Disallow: ${page < 40 ? '/' : `/${['%2A', '%24'][page % 2]}${page}`}$`);
        // Denied or not, who asks is answered.
        if (kind === 'robotsDenied') expect((await get(server, site.urls.urlOf(page))).status).toBe(200);
      }
      expect(rules).toEqual(expected);
      denied += rules.length;
    }
    expect(denied).toBeGreaterThan(20);
  });
});
