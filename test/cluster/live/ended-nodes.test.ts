import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { MemoryEngine, MemorySlots, type Meeting, type MemberClock } from '../../../src/machines/cluster/index.ts';
import { crawlLive, resumeCrawl, type LiveResult } from '../../../src/machines/crawl/index.ts';
import { openLmdbStore } from '../../../src/core/live/index.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../../crawl/loopback.ts';

// Goal: nodes on which a crawl has ended may be started again, one or all, and report it again without a request. A
// node that ended before it knew of the others finds in the log what they said before they left.

/** Longer than a busy machine may stop a process. */
const leaseMs = 600_000;
const nowMs = (): number => performance.now();
/** For a node that others are not to come to: the two leases that it gives them have passed at once. */
const impatient: MemberClock = {
  nowMs, sleep: async (ms) => (ms >= leaseMs ? Promise.resolve() : setTimeout(ms, undefined, { ref: false })),
};

/** A crawl on two nodes of this process that has ended, and what starts one of them again. */
async function ended(
  work: (crawl: {
    readonly folders: readonly string[]; readonly results: readonly LiveResult[]; readonly requests: () => number;
    readonly again: (node: number, clock?: MemberClock) => Promise<LiveResult>;
  }) => Promise<void>,
): Promise<void> {
  const site = graphWeb(syntheticWeb(60, 3));
  const web = await loopback(site);
  const engine = new MemoryEngine();
  const meeting: Meeting = {
    slots: new MemorySlots(leaseMs, nowMs), connect: () => engine.connect(),
    hold: async () => Promise.resolve(), close: async () => Promise.resolve(),
  };
  const optionsOf = (node: number, clock?: MemberClock) => ({ node: { node, nodes: 2, meeting, clock } });
  const folders = [web.folder(), web.folder()];
  const experiment = { processors: 2, robots: 2, politenessMs: 0 };
  const live = { ...web.live, robotsTxt: 'ignore' as const, warc: false };
  try {
    const results = await Promise.all(folders.map(async (folder, node) => crawlLive(
      folder, { experiment, live, seeds: urlsOf(site, site.seedPages) }, optionsOf(node),
    )));
    await work({
      folders, results, requests: () => web.log.length,
      again: async (node, clock) => resumeCrawl(folders[node], {}, optionsOf(node, clock)),
    });
  } finally {
    await web.close();
  }
}

const orderOf = ({ events }: LiveResult): number[] => [...events.order];

describe('a crawl that has ended on two nodes', () => {
  test('is reported again by both, and by one alone', async () => {
    await ended(async ({ results, requests, again }) => {
      const before = requests();
      expect(results.flatMap(orderOf).length).toBeGreaterThan(40);
      const both = await Promise.all([again(0), again(1)]);
      expect(both.map(orderOf)).toEqual(results.map(orderOf));
      expect(orderOf(await again(1, impatient))).toEqual(orderOf(results[1]));
      expect(requests()).toBe(before);
    });
  });

  test('is reported again by a node that was killed before it knew of the other, which has left', async () => {
    await ended(async ({ folders, results, again }) => {
      const store = await openLmdbStore(join(folders[0], 'store'));
      const mark = store.marked('ended')!;
      expect(mark).toContain('"everywhere"');
      await store.mark('ended', mark.replace('"everywhere"', '"here"'));
      await store.close();
      expect(orderOf(await again(0))).toEqual(orderOf(results[0]));
    });
  });

  test('goes on where the end of one of them was not stored, once both are there', async () => {
    await ended(async ({ folders, results, requests, again }) => {
      const before = requests();
      const store = await openLmdbStore(join(folders[0], 'store'));
      await store.goBackTo(store.checkpoints()[0]);
      await store.mark('ended', '');
      await store.close();
      const both = await Promise.all([again(0), again(1)]);
      expect(both.map(orderOf)).toEqual(results.map(orderOf));
      expect(requests()).toBe(before);
    });
  });
});
