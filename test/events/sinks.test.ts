import { describe, expect, test } from 'vitest';
import { crawlLive, resumeCrawl } from '../../src/machines/crawl/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import type { RunSink } from '../../src/core/events/index.ts';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import type { RunEvents } from '../../src/core/measure/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../crawl/loopback.ts';
import { isFullSweep } from '../sweep.ts';
import { HostCounter } from './host-counter.ts';
import { docsWeb as docs, docsWebPrepared, docsWebRanks as ranks } from '../docs-web.ts';

// Goal: whoever wants to know what happens in a run writes one object, and it is right on every kind of run, whatever
// happens to the run.


/** What the counter should have counted, from the record alone. */
function recounted({ hosts, outOffsets }: WebGraph, { order }: RunEvents): { pages: object; links: number } {
  const pages: Record<string, number> = {};
  let links = 0;
  for (const page of order) {
    const host = hosts.names.at(hosts.ofPage[page]);
    pages[host] = (pages[host] ?? 0) + 1;
    links += outOffsets[page + 1] - outOffsets[page];
  }
  return { pages, links };
}

const counted = ({ pages, links }: HostCounter) => ({ pages: Object.fromEntries(pages), links });

describe('a counter per host name', () => {
  test.each<[string, ExperimentInput]>([
    ['a simulation', isFullSweep ? {} : { maxPages: 4000 }],
    ['one that fails now and then', {
      network: { serverErrorShare: 0.1, timeoutShare: 0.1 }, retries: 1, ...(!isFullSweep && { maxPages: 4000 }),
    }],
    ['one with crashes', { processors: 3, maxSeconds: 400, network: { crashSeconds: 100, restartSeconds: 1 } }],
    ['one with crashes and a page limit', { maxPages: 900, network: { crashSeconds: 15 } }],
  ])('%s', async (_name, input) => {
    const counter = new HostCounter();
    const { events, run } = await simulate(docsWebPrepared, input, { ranks, sinks: [counter] });
    // At the end of a time limit there are downloads that ended before the barrier and that nobody observed.
    const beyond = counter.total - events.order.length;
    expect(beyond).toBeLessThanOrEqual(run.summary.pagesInFlight);
    if (beyond === 0) expect(counted(counter)).toEqual(recounted(docs, events));
    else expect(run.summary.ended).toBe('time limit');
    expect(counter.atBarriers).toHaveLength(run.summary.supersteps);
    expect(counter.end).toBe(run.summary.ended);
    if (input.network?.crashSeconds !== undefined) expect(events.crashes.length).toBeGreaterThan(0);
  });

  test('a live crawl, and what it becomes when it is resumed twice', async () => {
    const site = graphWeb(syntheticWeb(200, 7));
    const web = await loopback(site);
    try {
      const folder = web.folder();
      const experiment = { processors: 2, robots: 2, politenessMs: 0, superstepMs: 200, maxPages: 60 };
      const live = { ...web.live, warc: false };
      const first = new HostCounter();
      const begun = await crawlLive(folder, { experiment, live, seeds: urlsOf(site, site.seedPages) }, {
        sinks: [first],
      });
      expect(counted(first)).toEqual(recounted(begun.graph, begun.events));
      expect(first.total).toBe(60);
      for (const maxPages of [90, 120]) {
        const counter = new HostCounter();
        const { events, graph } = await resumeCrawl(folder, { maxPages }, { sinks: [counter] });
        expect(counter.total).toBe(maxPages);
        expect(counted(counter)).toEqual(recounted(graph, events));
        expect(counter.atBarriers.at(-1)).toBe(maxPages);
      }
    } finally {
      await web.close();
    }
  });
});

describe('a sink that throws ends the run with its error, and the others hear of the end', () => {
  const events: (keyof RunSink)[] = ['started', 'superstepBegins', 'outcome', 'superstep', 'ended'];
  test.each(events)('in %s', async (event) => {
    const ends: string[] = [];
    const broken = { [event]: () => { throw new Error(`broken in ${event}`); } };
    const listener: RunSink = { ended: (end) => { ends.push(end); } };
    const sinks = [listener, broken, listener];
    await expect(simulate(docsWebPrepared, { maxPages: 50 }, { ranks, sinks })).rejects.toThrow(`broken in ${event}`);
    const end = event === 'ended' ? 'page limit' : 'failed';
    expect(ends).toEqual([end, end]);
  });

  test('later, in a promise', async () => {
    const later: RunSink = { superstep: () => Promise.reject(new Error('later')) };
    await expect(simulate(docsWebPrepared, { maxPages: 50 }, { ranks, sinks: [later] })).rejects.toThrow('later');
  });
});

test('a sink that waits holds the run at its barriers, and changes nothing', async () => {
  let isWaiting = false;
  const slow: RunSink = {
    superstep: async () => {
      isWaiting = true;
      await new Promise((resolve) => { setTimeout(resolve, 1); });
      isWaiting = false;
    },
    outcome: () => { expect(isWaiting).toBe(false); },
  };
  const [plain, watched] = await Promise.all(
    [[], [slow]].map((sinks) => simulate(docsWebPrepared, { maxPages: 500 }, { ranks, sinks })),
  );
  expect(watched.run.replayHash).toBe(plain.run.replayHash);
});
