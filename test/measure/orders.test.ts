import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildGraph, hostsFromNames } from '../../src/graphs/graph/index.ts';
import { agreement, kendallTauB, type RunEvents } from '../../src/core/measure/index.ts';
import { measureHarvest } from '../../src/core/measure/quality/harvest.ts';
import { hotPageRecall } from '../../src/core/measure/quality/hot-pages.ts';
import { measureParallel } from '../../src/core/measure/parallel.ts';
import { subgraphRankTauB } from '../../src/core/measure/quality/subgraph-rank.ts';
import { measureTail } from '../../src/core/measure/quality/tail.ts';
import { pageRank } from '../../src/graphs/rank/index.ts';
import { smallRun } from './records.ts';

const falling = (values: Float64Array): Float64Array => values.slice().sort().reverse();

/**
 * Downloads of hosts: [host, started, finished], seconds. The page of each is its number, in the order in which they
 * finished.
 */
function visits(...of: [host: number, startedSeconds: number, finishedSeconds: number][]): {
  events: RunEvents;
  hosts: ReturnType<typeof hostsFromNames>;
} {
  of.sort(([, , a], [, , b]) => a - b);
  return {
    events: {
      ...smallRun(), failures: [], crashes: [], order: Uint32Array.from(of.keys()),
      processors: new Uint32Array(of.length),
      times: Float64Array.from(of.flatMap(([, started, finished]) => [1e6 * started, 1e6 * finished])),
    },
    hosts: hostsFromNames(of.map(([host]) => `h${host}`)),
  };
}

describe('hot pages', () => {
  // Twenty pages, page p being p + 1 parts important; the hottest 1 % is page 19, the hottest 10 % are 18 and 19.
  const ranks = Float64Array.from({ length: 20 }, (_, page) => page + 1);
  const recall = (order: number[], horizon = 20) =>
    hotPageRecall(Uint32Array.from(order), ranks, falling(ranks), horizon);

  test('by hand', () => {
    // 10 % of the crawl is two pages, 25 % five, 50 % ten.
    expect(recall([3, 19, 0, 1, 2, 4, 5, 6, 7, 18])).toEqual({
      '1%': { '10%': 1, '25%': 1, '50%': 1 }, '10%': { '10%': 0.5, '25%': 0.5, '50%': 1 },
    });
    expect(recall([3, 2, 19])['1%']).toEqual({ '10%': 0, '25%': null, '50%': null });
    expect(recall([19], 4)['1%']).toEqual({ '10%': 1, '25%': 1, '50%': null });
  });

  test('pages as important as the last hot one are hot', () => {
    const equal = new Float64Array(20).fill(0.05).map((rank, page) => rank * (1 + 1e-14 * page));
    expect(hotPageRecall(Uint32Array.of(7, 3), equal, falling(equal), 20)['1%']['10%']).toBe(2 / 20);
  });
});

describe('parallel crawlers', () => {
  const ranks = Float64Array.of(0.1, 0.4, 0.2, 0.25, 0.05);

  test('by hand: two of the best three fetched, one page downloaded twice', () => {
    const run = { ...smallRun(), order: Uint32Array.of(1, 4, 2), failures: [
      { position: 0, processor: 0, page: 2, kind: 'lost', startedUs: 0, finishedUs: 1 },
      { position: 1, processor: 0, page: 3, kind: 'timeout', startedUs: 0, finishedUs: 1 },
      { position: 2, processor: 0, page: 3, kind: 'timeout', startedUs: 2, finishedUs: 3 },
    ] };
    expect(measureParallel(run, ranks, falling(ranks))).toEqual({
      overlap: 1 / 3, coverage: 3 / 5, quality: 2 / 3, communication: 4 / 4,
    });
  });

  test('nothing fetched is no division by nothing', () => {
    expect(measureParallel({ ...smallRun(), order: new Uint32Array(0) }, ranks, falling(ranks)))
      .toEqual({ overlap: null, coverage: 0, quality: null, communication: null });
  });

  test('quality is 1 of the best pages, in any order, ties either way', () => {
    const tied = Float64Array.of(0.3, 0.2, 0.2, 0.2, 0.1);
    for (const order of [[0], [3, 0], [2, 0], [1, 0, 3]]) {
      expect(measureParallel({ ...smallRun(), order: Uint32Array.from(order) }, tied, falling(tied)).quality).toBe(1);
    }
    expect(measureParallel({ ...smallRun(), order: Uint32Array.of(4, 1) }, tied, falling(tied)).quality).toBe(0.5);
  });
});

describe('harvest', () => {
  // Page 4 is out of reach.
  const scores = Float64Array.of(0, 4, 1, 3, 9);
  const harvest = (order: number[], of = scores) => measureHarvest({
    reachable: Uint8Array.of(1, 1, 1, 1, 0), order: Uint32Array.from(order), times: new Float64Array(2 * order.length),
  }, of);

  test('by hand', () => {
    expect(harvest([1, 0, 3, 2])).toMatchObject({
      reachableMean: 2, meanAfter: { '10%': 4, '25%': 4, '50%': 2, '100%': 2 },
    });
    expect(harvest([1, 3, 2, 0])).toMatchObject({ normalisedGain: 1 });
    expect(harvest([0])?.meanAfter).toEqual({ '10%': 0, '25%': 0, '50%': null, '100%': null });
  });

  test('scores that are all 0 leave nothing to harvest', () => {
    expect(harvest([1, 2], Float64Array.of(0, 0, 0, 0, 9))).toBeNull();
  });
});

describe('the tail', () => {
  test('by hand: from when as many hosts are left as processors', () => {
    // Host 0 ends at 3, host 1 at 6, host 2 at 14. With one processor the tail is from 6 on, with two from 3.
    const { events, hosts } = visits([0, 0, 3], [1, 0, 2], [1, 4, 6], [2, 1, 2], [2, 5, 8], [2, 10, 11], [2, 13, 14]);
    // Two seconds of the download then open, two more downloads of one second each, two delays of one second.
    expect(measureTail(events, hosts, 1, 1e6)).toEqual({
      startSeconds: 6, seconds: 8, downloads: 3, lowerBoundSeconds: 2 + 1 + 1 + 1 + 1,
    });
    expect(measureTail(events, hosts, 2, 1e6)).toMatchObject({ startSeconds: 3, seconds: 11, downloads: 4 });
    expect(measureTail(events, hosts, 3, 1e6)).toMatchObject({ startSeconds: 0, seconds: 14, downloads: 7 });
  });

  test('is never shorter than its bound, and is all of a crawl of one host', () => {
    const crawl = fc.array(fc.tuple(fc.nat(5), fc.nat(20), fc.nat(20)), { maxLength: 30 });
    fc.assert(fc.property(crawl, fc.integer({ min: 1, max: 4 }), fc.nat(5), (jobs, processors, delay) => {
      const freeAt = new Map<number, number>();
      const { events, hosts } = visits(...jobs.map(([host, wait, length]): [number, number, number] => {
        const started = (freeAt.get(host) ?? 0) + wait;
        freeAt.set(host, started + length + delay);
        return [host, started, started + length];
      }));
      const tail = measureTail(events, hosts, processors, 1e6 * delay);
      const end = Math.max(0, ...freeAt.values()) - (freeAt.size > 0 ? delay : 0);
      expect(tail.startSeconds + tail.seconds).toBe(end);
      expect(tail.lowerBoundSeconds).toBeLessThanOrEqual(tail.seconds);
      expect([...freeAt.values()].filter((free) => free - delay > tail.startSeconds).length).toBeLessThanOrEqual(
        processors,
      );
      if (freeAt.size <= processors) expect(tail.startSeconds).toBe(0);
    }), { seed: 1 });
  });
});

describe('the rank of the pages fetched', () => {
  test('is that of the graph once all of it is fetched, and anything before', () => {
    const arcs = [[0, 1], [1, 2], [2, 0], [2, 3], [3, 0], [4, 1], [4, 0], [5, 0]];
    const graph = buildGraph({
      name: 'six', pages: 6, sources: Uint32Array.from(arcs, ([from]) => from),
      targets: Uint32Array.from(arcs, ([, to]) => to),
    });
    const { ranks } = pageRank(graph);
    expect(subgraphRankTauB(graph, Uint32Array.of(3, 1, 0, 5, 2, 4), ranks)).toBeCloseTo(1, 12);
    // Alone, 4 and 5 link to nothing and nothing to them: they tie.
    expect(subgraphRankTauB(graph, Uint32Array.of(5, 4), ranks)).toBeNull();
    expect(subgraphRankTauB(graph, Uint32Array.of(2), ranks)).toBeNull();
    // 2 passes all its rank to 3 where 0 is missing: 3 before 2, as truly it is not.
    expect(subgraphRankTauB(graph, Uint32Array.of(2, 3), ranks)).toBe(-1);
  });

  test('tau-b alone is the tau-b of an agreement', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })), { minLength: 1 }),
        (pairs) => {
          const [one, other] = [0, 1].map((side) => Float64Array.from(pairs, (pair) => pair[side]));
          expect(kendallTauB(one, other)).toBe(agreement(one, other).tauB);
        },
      ),
      { seed: 1 },
    );
  });
});
