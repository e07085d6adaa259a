import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crawlLive, resumeCrawl, type LiveResult } from '../../../src/machines/crawl/index.ts';
import { policyNames } from '../../../src/core/policy/index.ts';
import { tries } from '../../sweep.ts';
import { ballOf, drawnWeb, limited, siteOf, type DrawnWeb, type Reach } from './drawn-web.ts';
import { loopback } from '../../crawl/loopback.ts';
import { linking, WrittenSite } from '../../crawl/written-site.ts';

// Goal: --max-depth is the least number of links from a seed, and --scope that of links beyond it, whatever the
// order. Method: what the server was asked
// for, against a search of the drawn web. fast-check prints the seed and path of a failure; ORBWEAVER_SEED repeats it.

interface Drawn {
  readonly web: DrawnWeb;
  readonly reach: Reach;
  readonly policy: string;
  readonly processors: number;
  readonly robots: number;
  readonly superstepMs: number;
  /** Outcomes after which the crawl is asked to end, once per session. */
  readonly stops: readonly number[];
}

const byDepth = fc.record({
  web: drawnWeb(60_000), reach: fc.record({ maxDepth: fc.integer({ min: 0, max: 7 }), maxRedirects: fc.nat(3) }),
});
const byScope = limited(drawnWeb(60_000));
const drawn = (
  reached: typeof byDepth | typeof byScope, stops: fc.Arbitrary<readonly number[]>,
): fc.Arbitrary<Drawn> => fc.tuple(reached, fc.record({
  policy: fc.constantFrom(...policyNames), processors: fc.integer({ min: 1, max: 4 }),
  robots: fc.integer({ min: 1, max: 3 }), superstepMs: fc.constantFrom(5, 20, 100), stops,
})).map(([limits, others]) => ({ ...limits, ...others }));

/** Pages as the server has them. */
const asked = (log: readonly { readonly host: string; readonly path: string }[]): string[] =>
  log.filter(({ path }) => path !== '/robots.txt').map(({ host, path }) => `http://${host}${path}`).sort();

/** Depths of the pages in `crawl.log`, by URL. */
function loggedDepths(folder: string): Map<string, number> {
  const lines = readFileSync(join(folder, 'crawl.log'), 'latin1').trimEnd().split('\n').map((line) => line.split(/ +/));
  return new Map(lines.filter(([, , , outcome]) => outcome !== 'robotsFetched').map(
    ([, , , , depth, url]) => [url, Number(depth)],
  ));
}

async function expectBall({ web, reach, policy, processors, robots, superstepMs, stops }: Drawn): Promise<void> {
  const served = await loopback(siteOf(web));
  try {
    const folder = served.folder();
    const scores = new Map(web.pages.map(({ url }, page) => [url.slice('http://'.length), (page * 7) % 11]));
    const ending = (after: number | undefined) => {
      const controller = new AbortController();
      let outcomes = 0;
      const sink = { outcome: () => { if (++outcomes === after) controller.abort(); } };
      return { scores, sinks: [sink], signal: controller.signal };
    };
    let result: LiveResult = await crawlLive(folder, {
      experiment: {
        politenessMs: 0, processors, robots, superstepMs, policy,
        ...(policy === 'weighted' && { policyOptions: { weights: { opic: 0.7, 'depth-first': 0.3 } } }),
      },
      live: { ...served.live, warc: false, ...reach }, seeds: web.seeds.map((page) => web.pages[page].url),
    }, ending(stops.at(0)));
    for (const after of [...stops.slice(1), undefined]) {
      if (result.run.summary.ended === 'frontier dry') break;
      result = await resumeCrawl(folder, {}, ending(after));
    }
    expect(result.run.summary.ended).toBe('frontier dry');
    const ball = ballOf(web, reach);
    const urls = [...ball.keys()].map((page) => web.pages[page].url).sort();
    expect(asked(served.log)).toEqual(urls);
    // All known pages are within reach by the links of the graph: what depends on reach can be measured.
    expect(result.graph.pages).toBe(ball.size);
    const depths = loggedDepths(folder);
    for (const [page, depth] of ball) expect(depths.get(web.pages[page].url)).toBeGreaterThanOrEqual(depth);
  } finally {
    await served.close();
  }
}

describe.each([
  { by: 'depth', reached: byDepth }, { by: 'scope', reached: byScope },
])('a complete crawl has the pages within reach by $by, and no others', ({ reached }) => {
  test('under every policy, on any number of processors', async () => {
    await fc.assert(fc.asyncProperty(drawn(reached, fc.constant([])), expectBall), { numRuns: tries(80) });
  }, 300_000);

  test('also where it was interrupted and resumed', async () => {
    const stops = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 });
    await fc.assert(fc.asyncProperty(drawn(reached, stops), expectBall), { numRuns: tries(40) });
  }, 300_000);
});

describe('a page that is reached by fewer links later', () => {
  /** The seed leads to many pages, which all lead to `/c`, and last to `/b`; both lead to `/target`. */
  const fillers = Array.from({ length: 40 }, (_, i) => `/f${i}`);
  const site = new WrittenSite((url) => {
    const path = url.slice(url.indexOf('/'));
    if (path === '/') return linking(...fillers, '/b');
    if (path === '/b') return linking('/target');
    if (path === '/target') return linking('/child', '/b');
    if (path === '/child') return linking('/grandchild');
    if (path === '/c') return linking('/target', '/');
    return fillers.includes(path) ? linking('/c') : undefined;
  });

  test('leads on, and its links are in the graph in the order of the page', async () => {
    const served = await loopback(site);
    try {
      const folder = served.folder();
      const { graph, run } = await crawlLive(folder, {
        experiment: { politenessMs: 0, policy: 'opic', superstepLimit: 5, superstepMs: 100 },
        live: { ...served.live, warc: false, maxDepth: 3 }, seeds: ['http://a.test/'],
      });
      expect(run.summary.ended).toBe('frontier dry');
      expect(asked(served.log)).toContain('http://a.test/child');
      expect(asked(served.log)).not.toContain('http://a.test/grandchild');
      const page = (path: string): number => (
        Array.from({ length: graph.pages }, (_, id) => graph.paths!.at(id)).indexOf(path)
      );
      const { outOffsets, outTargets } = graph;
      expect([...outTargets.subarray(outOffsets[page('/target')], outOffsets[page('/target') + 1])])
        .toEqual([page('/child'), page('/b')]);
      // `/target` was fetched first by way of `/c`.
      expect(loggedDepths(folder).get('http://a.test/target')).toBe(3);
      expect(loggedDepths(folder).get('http://a.test/child')).toBe(3);
    } finally {
      await served.close();
    }
  });
});
