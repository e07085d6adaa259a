import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tries } from '../../sweep.ts';
import { all, discovered, each, known, OneCrawl, ours, type At } from './at.ts';
import { Model, type Asked } from './model.ts';

// Goal: over any sequence of calls, restarts in between, the server hands out exactly what the dullest model would.
// Few URLs in few queues, so that they meet often. A failure prints its seed and path, which repeat it.

const key = fc.constantFrom('a', 'b', 'c');
const url = fc.constantFrom('/1', '/2', '/3', '/4');
/** Dates from now, seconds; undefined: never. */
const date = fc.constantFrom(undefined, -100, -1, 0, 1, 5, 60);
const links = fc.option(fc.array(fc.tuple(key, url), { maxLength: 4 }));

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('discover' as const), urls: fc.array(fc.tuple(key, url), { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('batch' as const), urls: fc.array(fc.tuple(key, url), { maxLength: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('know' as const), key, url, date, links }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('get' as const), key: fc.option(key, { nil: undefined }), maxUrlsPerQueue: fc.integer({ min: 0, max: 3 }),
      maxQueues: fc.integer({ min: 0, max: 3 }), leaseSeconds: fc.constantFrom(1, 2, 10), atOnce: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 999, 1000, 1001, 3000, 60_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('block' as const), key, seconds: fc.constantFrom(0, 1, 3, 100) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delay' as const), key: fc.option(key, { nil: '' }), seconds: fc.integer({ min: 0, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), key, most: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('active' as const), state: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteQueue' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const), afterDays: fc.constantFrom(0, 0, 2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('list' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

let at: At;
beforeAll(async () => {
  at = await ours();
});
afterAll(() => at.close());

async function take(crawl: OneCrawl, model: Model, one: Step & { do: 'get' }): Promise<void> {
  const asked: Asked = {
    key: one.key, leaseSeconds: one.leaseSeconds,
    maxUrlsPerQueue: one.maxUrlsPerQueue === 0 ? Infinity : one.maxUrlsPerQueue,
    maxQueues: one.maxQueues === 0 ? Infinity : one.maxQueues,
  };
  const { key: only = '', maxUrlsPerQueue, maxQueues, leaseSeconds: delayRequestable } = one;
  // Calls that come at once are served in some order: what the first left is there for the next.
  const gets = await Promise.all(Array.from({ length: one.atOnce }, () =>
    crawl.infos({ key: only, maxUrlsPerQueue, maxQueues, delayRequestable })));
  const most = asked.maxQueues * one.atOnce;
  expect(model.handOut(gets.flat(), { ...asked, maxQueues: most }, crawl.at.nowMs())).toBe('');
}

async function control(crawl: OneCrawl, model: Model, one: Step): Promise<void> {
  const { calls } = crawl;
  const id = { crawlID: crawl.id };
  switch (one.do) {
    case 'block': {
      const time = one.seconds === 0 ? 0 : crawl.seconds + one.seconds;
      await calls.blockQueueUntil({ ...id, key: one.key, time: BigInt(time) });
      const queue = model.queue(one.key);
      if (queue !== undefined) queue.blockedUntil = time;
      break;
    }
    case 'delay': {
      await calls.setDelay({ ...id, key: one.key, delayRequestable: one.seconds });
      if (one.key === '') model.delay = one.seconds;
      const queue = model.queue(one.key);
      if (queue !== undefined) queue.delay = one.seconds;
      break;
    }
    case 'limit': {
      const queue = model.queue(one.key);
      const call = calls.setCrawlLimit({ ...id, key: one.key, limit: one.most });
      if (queue === undefined) await expect(call).rejects.toThrow('NOT_FOUND');
      else await call;
      if (queue !== undefined) queue.limit = one.most;
      break;
    }
    case 'active':
      await calls.setActive({ state: one.state });
      model.isActive = one.state;
      break;
    case 'deleteQueue':
      expect(Number((await calls.deleteQueue({ ...id, key: one.key })).value)).toBe(model.deleteQueue(one.key));
      break;
    case 'purge':
      await crawl.at.advance(86_400_000 * one.afterDays);
      expect(Number((await calls.purgeURLs({ ...id, days: 1 })).value)).toBe(model.purge(1, crawl.at.nowMs()));
      break;
    default:
  }
}

async function play(crawl: OneCrawl, model: Model, one: Step): Promise<void> {
  const nowMs = crawl.at.nowMs();
  switch (one.do) {
    case 'discover': {
      const statuses = await crawl.put(...one.urls.map(([k, u]) => discovered(crawl.info(u, k))));
      expect(statuses).toEqual(one.urls.map(([k, u]) => model.put(k, u, undefined, nowMs)));
      break;
    }
    case 'batch': {
      const items = one.urls.map(([k, u]) => crawl.info(u, k));
      const [{ statuses }] = await all(crawl.calls.putDiscovered(each([{ ID: 'x', items }])));
      expect(statuses).toEqual(one.urls.map(([k, u]) => model.put(k, u, undefined, nowMs)));
      break;
    }
    case 'know': {
      const seconds = one.date === undefined ? 0 : crawl.seconds + one.date;
      const metadata: Record<string, string[]> = one.links === null ? {} : {
        'orbweaver.links': one.links.map(([, u]) => u), 'orbweaver.keys': one.links.map(([k]) => k),
      };
      const [status] = await crawl.put(known(crawl.info(one.url, one.key, metadata), seconds));
      expect(status).toBe(model.put(one.key, one.url, seconds, nowMs));
      break;
    }
    case 'get':
      await take(crawl, model, one);
      break;
    case 'wait':
      await crawl.at.advance(one.ms);
      break;
    case 'restart':
      await crawl.at.restart!();
      break;
    case 'list': {
      const names = (await crawl.list()).map(({ item }) => {
        const info = item?.$case === 'known' ? item.known.info : undefined;
        return `${info?.key} ${info?.url}`;
      });
      expect(names.sort()).toEqual([...model.urls.keys()].sort());
      break;
    }
    default:
      await control(crawl, model, one);
  }
  expect(await crawl.stats()).toEqual(model.stats(crawl.at.nowMs()));
}

test('any calls, in any order', async () => {
  let crawls = 0;
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
    const crawl = new OneCrawl(at, `walk ${++crawls}`, 1);
    const model = new Model();
    await at.calls.setActive({ state: true });
    await at.calls.setDelay({ delayRequestable: model.delay });
    try {
      for (const one of steps) await play(crawl, model, one);
    } finally {
      await at.calls.deleteCrawl({ value: crawl.id });
    }
  }), { numRuns: tries(120), size: 'max' });
});
