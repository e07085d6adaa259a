import { mkdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { LiveResult } from '../../../src/machines/crawl/index.ts';
import { runSession } from '../../../src/machines/crawl/session/session.ts';
import {
  liveSchema, type CrawlStore, type Note, type StoredCheckpoint,
} from '../../../src/core/live/index.ts';
import { MemoryStore } from '../../live/store/memory-store.ts';
import { parseLiveCrawl } from '../../../src/core/policy/index.ts';
import { DrawStream, WorldError } from '../../../src/base/index.ts';
import { sampled } from '../../sweep.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../loopback.ts';

// Goal: a crawl that is killed again and again fetches in the order of one that is not, where time plays no part.
// Method: the store takes so many notes and no more, as if the process had ended there; the crawl goes on from what it
// has. Checkpoints are lost or stored as drawn, so that much is replayed.

const killed = 'killed';

/** A store that ends its process after so many notes. */
function mortal(store: CrawlStore, notes: number, losesCheckpoints: boolean): CrawlStore {
  let left = notes;
  return new Proxy(store, {
    get(target, name) {
      if (name === 'note')
        return async (note: Note) => {
          if (left-- <= 0) throw new WorldError(killed);
          return target.note(note);
        };
      if (name === 'checkpoint')
        return async (checkpoint: StoredCheckpoint) => (losesCheckpoints ? undefined : target.checkpoint(checkpoint));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** URLs in the order in which each processor fetched them, or was denied them. */
function ordersOf({ events: { order, processors, failures }, graph }: LiveResult, count: number): string[][] {
  const urls = Array.from({ length: count }, (): string[] => []);
  const add = (processor: number, page: number, kind: string): void => {
    const url = `${graph.hosts.names.at(graph.hosts.ofPage[page])}${graph.paths?.at(page) ?? ''}`;
    urls[processor].push(`${url} ${kind}`);
  };
  let failed = 0;
  for (let at = 0; at <= order.length; at++) {
    for (; failures.at(failed)?.position === at + failed; failed++)
      add(failures[failed].processor, failures[failed].page, failures[failed].kind);
    if (at < order.length) add(processors[at], order[at], 'fetched');
  }
  return urls;
}

test.each(sampled(['opic', 'breadth-first', 'random', 'backlink-count', 'batch-pagerank', 'spawc'] as const, 3))(
  'policy %s', async (policy) => {
    const [processors, pages] = [3, 120];
    const site = graphWeb(syntheticWeb(pages, 3), { robotsTxtShare: 0.7, deniedShare: 0.3 }, 3);
    const web = await loopback(site);
    try {
      const stored = {
        experiment: parseLiveCrawl({
          policy, processors, robots: 1, politenessMs: 0, superstepMs: 0, superstepLimit: 8, backoffMs: 0,
        }),
        live: liveSchema.parse({ ...web.live, warc: false }), seeds: urlsOf(site, site.seedPages),
      };
      const crawl = async (store: CrawlStore): Promise<LiveResult> => {
        const folder = web.folder();
        await mkdir(folder);
        return runSession(folder, store, stored, {});
      };
      const undisturbed = await crawl(new MemoryStore(stored));
      const asked = web.log.length;

      const store = new MemoryStore(stored);
      const draws = new DrawStream(policy.length, 'kills');
      let result: LiveResult | undefined;
      let kills = 0;
      while (result === undefined) {
        const notes = 3 + Math.floor(30 * draws.uniform(kills, 0));
        try {
          result = await crawl(mortal(store, notes, draws.uniform(kills, 1) < 0.5));
        } catch (error) {
          if (!(error instanceof WorldError) || error.message !== killed) throw error;
          kills++;
        }
      }
      expect(kills).toBeGreaterThan(2);
      expect(undisturbed.run.summary.failuresByKind['robotsDenied']).toBeGreaterThan(5);
      expect(ordersOf(result, processors)).toEqual(ordersOf(undisturbed, processors));
      // What each kill met under way is asked for again, and nothing else.
      expect(web.log.length - asked).toBeLessThanOrEqual(asked + processors * kills);
    } finally {
      await web.close();
    }
  },
);
