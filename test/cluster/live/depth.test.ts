import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryEngine, MemorySlots, type Meeting } from '../../../src/machines/cluster/index.ts';
import { crawlLive, resumeCrawl, type LiveResult } from '../../../src/machines/crawl/index.ts';
import { RestartError } from '../../../src/base/index.ts';
import { processorByName } from '../../../src/core/engine/index.ts';
import { parseLiveCrawl } from '../../../src/core/policy/index.ts';
import {
  ballOf, drawnWeb, siteOf, withSeeds, type DrawnPage, type DrawnWeb, type Reach,
} from '../../live/urls/drawn-web.ts';
import { loopback } from '../../crawl/loopback.ts';
import { tries } from '../../sweep.ts';

// Goal: --max-depth is the least number of links from a seed on several nodes too, of which none has all links, also
// where nodes end and come back. Method: what the server was asked for, against a search of the drawn web. fast-check
// prints the seed and path of a failure; ORBWEAVER_SEED repeats it.

/** A node that comes back waits for one. */
const leaseMs = 1500;

interface Drawn {
  readonly web: DrawnWeb;
  readonly reach: Reach;
  readonly policy: 'opic' | 'depth-first' | 'random' | 'breadth-first';
  readonly nodes: number;
  readonly superstepMs: number;
  /** By node: after how many of its outcomes it is interrupted, session by session. */
  readonly stops: readonly (readonly number[])[];
}

const drawn = (maxStops: number): fc.Arbitrary<Drawn> => fc.record({
  web: drawnWeb(200_000),
  reach: fc.record({ maxDepth: fc.integer({ min: 0, max: 7 }), maxRedirects: fc.nat(3) }),
  policy: fc.constantFrom('opic', 'depth-first', 'random', 'breadth-first'),
  nodes: fc.integer({ min: 2, max: 3 }), superstepMs: fc.constantFrom(5, 15),
  stops: fc.array(
    fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: maxStops }), { minLength: 3, maxLength: 3 },
  ),
});

/** A host of each node: a node without a page of its own would have nothing to measure. */
function hostsOfNodes(nodes: number): string[] {
  const processorOf = processorByName(parseLiveCrawl({ processors: nodes }));
  return Array.from({ length: nodes }, (_, node) => {
    for (let i = 0; ; i++) if (processorOf(`alone${i}.test`) === node) return `http://alone${i}.test/`;
  });
}

async function expectBall({ web: drawnPages, reach, policy, nodes, superstepMs, stops }: Drawn): Promise<void> {
  const web = withSeeds(drawnPages, hostsOfNodes(nodes));
  const served = await loopback(siteOf(web));
  const engine = new MemoryEngine();
  const meeting: Meeting = {
    slots: new MemorySlots(leaseMs, () => performance.now()), connect: () => engine.connect(),
    hold: async () => Promise.resolve(), close: async () => Promise.resolve(),
  };
  const nodeToItsEnd = async (node: number): Promise<LiveResult> => {
    const folder = served.folder();
    for (let session = 0; ; session++) {
      const controller = new AbortController();
      let outcomes = 0;
      const after = stops[node].at(session);
      const sink = { outcome: () => { if (++outcomes === after) controller.abort(); } };
      const options = { node: { node, nodes, meeting }, sinks: [sink], signal: controller.signal };
      try {
        if (session > 0) return await resumeCrawl(folder, {}, options);
        return await crawlLive(folder, {
          experiment: { politenessMs: 0, processors: nodes, robots: 2, superstepMs, policy },
          live: { ...served.live, robotsTxt: 'ignore', warc: false, ...reach },
          seeds: web.seeds.map((page) => web.pages[page].url),
        }, options);
      } catch (error) {
        // A process that a busy machine stopped for longer than its lease is to be started again.
        if (!controller.signal.aborted && !(error instanceof RestartError)) throw error;
      }
    }
  };
  try {
    const results = await Promise.all(Array.from({ length: nodes }, async (_, node) => nodeToItsEnd(node)));
    for (const { run } of results) expect(run.summary.ended).toBe('frontier dry');
    const ball = ballOf(web, reach);
    const asked = new Set(served.log.map(({ host, path }) => `http://${host}${path}`));
    expect([...asked].sort()).toEqual([...ball.keys()].map((page) => web.pages[page].url).sort());
    expect(results.reduce((sum, { run }) => sum + run.summary.pagesFetched, 0)).toBe(ball.size);
  } finally {
    await served.close();
  }
}

describe('a complete crawl on several nodes has the pages within reach, and no others', () => {
  test('under policies that send a page once, and that send amounts', async () => {
    await fc.assert(fc.asyncProperty(drawn(0), expectBall), { numRuns: tries(40) });
  }, 600_000);

  test('also where nodes are interrupted and come back', async () => {
    await fc.assert(fc.asyncProperty(drawn(2), expectBall), { numRuns: tries(24) });
  }, 600_000);

  // A long path over all hosts is followed to the limit before a short one comes to its middle.
  const path = Array.from({ length: 10 }, (_, i): DrawnPage => ({
    url: `http://${'abcd'[i % 4]}.test/p${i}`, targets: i === 0 ? [1, 10] : i < 9 ? [i + 1] : [], isRedirect: false,
    delayUs: 0,
  }));
  const web = {
    pages: [...path, { url: 'http://slow.test/', targets: [4], isRedirect: false, delayUs: 800_000 }], seeds: [0],
  };
  test.each([
    { nodes: 2, stops: [[], []] }, { nodes: 3, stops: [[], [], []] }, { nodes: 3, stops: [[4], [4], [4]] },
    { nodes: 2, stops: [[5, 6], [5, 6]] },
  ])('a page that comes nearer on another node leads on, on $nodes nodes', async ({ nodes, stops }) => {
    for (const policy of ['opic', 'random'] as const)
      await expectBall({ web, reach: { maxDepth: 6, maxRedirects: 3 }, policy, nodes, superstepMs: 10, stops });
  }, 120_000);
});
