import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { MemoryEngine, MemorySlots, type Meeting } from '../../../src/machines/cluster/index.ts';
import { crawlLive } from '../../../src/machines/crawl/index.ts';
import { fallingBehind } from '../../../src/machines/crawl/nodes/falling-behind.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../../crawl/loopback.ts';

// Goal: supersteps that are shorter than nodes need for one are named, for such a crawl does not end; nothing else is.

/**
 * A crawl whose nodes need so many milliseconds for each superstep, of 10 ms by the clock of the crawl: what is said of
 * it, and after how many supersteps.
 */
function said(needed: readonly number[]): (readonly [superstep: number, takesMs: number, behindMs: number])[] {
  const facts: (readonly [number, number, number])[] = [];
  let wireMs = 0;
  let superstep = 0;
  const sink = fallingBehind(10_000, () => 1000 * wireMs, (...of) => { facts.push([superstep, ...of]); });
  for (const ms of needed) {
    superstep++;
    // A superstep that begins in time waits for its end.
    wireMs = Math.max(wireMs, 10 * superstep) + ms;
    void sink.superstep!({ superstep, barrierUs: 10_000 * superstep, rows: [], unobserved: [], pagesFetched: 0 });
  }
  return facts;
}

const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

describe('a clock that falls behind', () => {
  test.each([11, 25, 400])('is named, once: supersteps of 10 ms that take %d ms', (ms) => {
    expect(said(times(2000, ms))).toEqual([[expect.any(Number), ms, expect.any(Number)]]);
    expect(said(times(120, ms))).toHaveLength(1);
  });

  test.each<[string, readonly number[]]>([
    ['supersteps that take less', times(2000, 9)],
    ['a few that take longer', [...times(50, 5), ...times(60, 25), ...times(200, 5)]],
    ['pauses of a node, which are made up for', [...times(50, 5), 3000, ...times(500, 5), 3000, ...times(900, 5)]],
  ])('is not: %s', (_, needed) => {
    expect(said(needed)).toEqual([]);
  });

  test('in a crawl on two nodes that need 10 ms and more for a superstep of 1 ms', async () => {
    const site = graphWeb(syntheticWeb(200, 3));
    const web = await loopback(site);
    const [engine, abort] = [new MemoryEngine(), new AbortController()];
    const slots = new MemorySlots(60_000, () => performance.now());
    const meeting: Meeting = {
      slots, hold: async () => Promise.resolve(), close: async () => Promise.resolve(),
      connect: () => {
        const streams = engine.connect();
        return {
          ...streams,
          append: async (entry, after) => {
            await setTimeout(5);
            return streams.append(entry, after);
          },
        };
      },
    };
    try {
      const experiment = { processors: 2, politenessMs: 0, superstepMs: 1, superstepLimit: 5 };
      const live = { ...web.live, robotsTxt: 'ignore' as const, warc: false };
      const facts: number[] = [];
      const onBehind = (superstepMs: number): void => {
        facts.push(superstepMs);
        abort.abort();
      };
      await Promise.allSettled([0, 1].map(async (node) => crawlLive(
        web.folder(), { experiment, live, seeds: urlsOf(site, site.seedPages) },
        { signal: abort.signal, node: { node, nodes: 2, meeting, onBehind } },
      )));
      expect(facts.length).toBeGreaterThan(0);
      // Timers may ring a millisecond early.
      expect(Math.min(...facts)).toBeGreaterThan(7);
    } finally {
      abort.abort();
      await web.close();
    }
  });
});
