import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { replayCommand, tries } from '../../sweep.ts';
import { all, discovered, each, known, OneCrawl, ours, type At } from './at.ts';
import { Model, type Asked } from './model.ts';

// Goal: over any sequence of calls, restarts in between, the server hands out exactly what the dullest model would.
// Few URLs in few queues, so that they meet often. A failure is not shrunk: calls take too long for that.

const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20080729);
const key = fc.constantFrom('a', 'b', 'c');
const url = fc.constantFrom('/1', '/2', '/3', '/4');
/** Dates from now, seconds; undefined: never. */
const date = fc.constantFrom(undefined, -100, -1, 0, 1, 5, 60);
const links = fc.option(fc.array(fc.tuple(key, url), { maxLength: 4 }));

const urls = fc.array(fc.tuple(key, url), { maxLength: 4 });

/** Arguments of each step, and how often it comes. */
const steps = {
  discover: { weight: 4, of: fc.record({ urls }) },
  batch: { weight: 1, of: fc.record({ urls }) },
  know: { weight: 3, of: fc.record({ key, url, date, links }) },
  get: {
    weight: 8,
    of: fc.record({
      key: fc.option(key, { nil: undefined }), maxUrlsPerQueue: fc.integer({ min: 0, max: 3 }),
      maxQueues: fc.integer({ min: 0, max: 3 }), leaseSeconds: fc.constantFrom(1, 2, 10),
      atOnce: fc.integer({ min: 1, max: 3 }),
    }),
  },
  wait: { weight: 5, of: fc.record({ ms: fc.constantFrom(1, 400, 999, 1000, 1001, 3000, 60_000) }) },
  block: { weight: 1, of: fc.record({ key, seconds: fc.constantFrom(0, 1, 3, 100) }) },
  delay: { weight: 1, of: fc.record({ key: fc.option(key, { nil: '' }), seconds: fc.integer({ min: 0, max: 4 }) }) },
  limit: { weight: 2, of: fc.record({ key, most: fc.constantFrom(0, 1, 1, 2) }) },
  active: { weight: 1, of: fc.record({ state: fc.constantFrom(true, true, true, false) }) },
  deleteQueue: { weight: 1, of: fc.record({ key }) },
  purge: { weight: 1, of: fc.record({ afterDays: fc.constantFrom(0, 0, 2) }) },
  restart: { weight: 1, of: fc.constant(undefined) },
  list: { weight: 2, of: fc.constant(undefined) },
};
type Name = keyof typeof steps;
type Arguments<N extends Name> = (typeof steps)[N]['of'] extends fc.Arbitrary<infer A> ? A : never;
interface Step<N extends Name = Name> {
  readonly name: N;
  readonly args: Arguments<N>;
}

const step: fc.Arbitrary<Step> = fc.oneof(...Object.entries(steps).map(([name, { weight, of }]) => ({
  weight, arbitrary: (of as fc.Arbitrary<Arguments<Name>>).map((args) => ({ name: name as Name, args })),
})));

let at: At;
beforeAll(async () => {
  at = await ours();
});
afterAll(() => at.close());

/** What a step does, to the server and to the model. */
const plays: { readonly [N in Name]: (crawl: OneCrawl, model: Model, args: Arguments<N>) => Promise<void> } = {
  async discover(crawl, model, { urls: found }) {
    const statuses = await crawl.put(...found.map(([k, u]) => discovered(crawl.info(u, k))));
    expect(statuses).toEqual(found.map(([k, u]) => model.put(k, u, undefined, crawl.at.nowMs())));
  },
  async batch(crawl, model, { urls: found }) {
    const items = found.map(([k, u]) => crawl.info(u, k));
    const [{ statuses }] = await all(crawl.calls.putDiscovered(each([{ ID: 'x', items }])));
    expect(statuses).toEqual(found.map(([k, u]) => model.put(k, u, undefined, crawl.at.nowMs())));
  },
  async know(crawl, model, one) {
    const seconds = one.date === undefined ? 0 : crawl.seconds + one.date;
    const metadata: Record<string, string[]> = one.links === null ? {} : {
      'orbweaver.links': one.links.map(([, u]) => u), 'orbweaver.keys': one.links.map(([k]) => k),
    };
    const [status] = await crawl.put(known(crawl.info(one.url, one.key, metadata), seconds));
    expect(status).toBe(model.put(one.key, one.url, seconds, crawl.at.nowMs()));
  },
  async get(crawl, model, one) {
    const { key: only = '', maxUrlsPerQueue, maxQueues, leaseSeconds: delayRequestable } = one;
    const gets = await Promise.all(Array.from({ length: one.atOnce }, () =>
      crawl.infos({ key: only, maxUrlsPerQueue, maxQueues, delayRequestable })));
    const asked: Asked = {
      key: one.key, leaseSeconds: one.leaseSeconds,
      maxUrlsPerQueue: maxUrlsPerQueue === 0 ? Infinity : maxUrlsPerQueue,
      // Calls that come at once share what is there, each up to its maximum.
      maxQueues: maxQueues === 0 ? Infinity : maxQueues * one.atOnce,
    };
    const ofNoDelay = model.delay === 0 || [...model.queues.values()].some((queue) => queue.delay === 0);
    // Without a delay the same queue may serve several of them.
    expect(model.handOut(gets.flat(), asked, crawl.at.nowMs(), one.atOnce > 1 && ofNoDelay)).toBe('');
  },
  wait: (crawl, _, { ms }) => crawl.at.advance(ms),
  async block(crawl, model, one) {
    const time = one.seconds === 0 ? 0 : crawl.seconds + one.seconds;
    await crawl.calls.blockQueueUntil({ crawlID: crawl.id, key: one.key, time: BigInt(time) });
    const queue = model.queue(one.key);
    if (queue !== undefined) queue.blockedUntil = time;
  },
  async delay(crawl, model, one) {
    await crawl.calls.setDelay({ crawlID: crawl.id, key: one.key, delayRequestable: one.seconds });
    if (one.key === '') model.delay = one.seconds;
    const queue = model.queue(one.key);
    if (queue !== undefined) queue.delay = one.seconds;
  },
  async limit(crawl, model, one) {
    const queue = model.queue(one.key);
    const call = crawl.calls.setCrawlLimit({ crawlID: crawl.id, key: one.key, limit: one.most });
    if (queue === undefined) await expect(call).rejects.toThrow('NOT_FOUND');
    else await call;
    if (queue !== undefined) queue.limit = one.most === 0 ? Infinity : one.most;
  },
  async active(crawl, model, { state }) {
    await crawl.calls.setActive({ state });
    model.isActive = state;
  },
  async deleteQueue(crawl, model, one) {
    const { value } = await crawl.calls.deleteQueue({ crawlID: crawl.id, key: one.key });
    expect(Number(value)).toBe(model.deleteQueue(one.key));
  },
  async purge(crawl, model, { afterDays }) {
    await crawl.at.advance(86_400_000 * afterDays);
    const { value } = await crawl.calls.purgeURLs({ crawlID: crawl.id, days: 1 });
    expect(Number(value)).toBe(model.purge(1, crawl.at.nowMs()));
  },
  restart: (crawl) => crawl.at.restart!(),
  async list(crawl, model) {
    const names = (await crawl.list()).map(({ item }) => {
      const info = item?.$case === 'known' ? item.known.info : undefined;
      return `${info?.key ?? ''} ${info?.url ?? ''}`;
    });
    expect(names.sort()).toEqual([...model.urls.keys()].sort());
  },
};

async function play<N extends Name>(crawl: OneCrawl, model: Model, { name, args }: Step<N>): Promise<void> {
  await plays[name](crawl, model, args);
  expect(await crawl.stats()).toEqual(model.stats(crawl.at.nowMs()));
}

test('any calls, in any order', async () => {
  onTestFailed(() => { process.stderr.write(`${replayCommand(seed, 'test/service/frontier/model.test.ts')}\n`); });
  let crawls = 0;
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 100, size: 'max' }), async (drawn) => {
    const crawl = new OneCrawl(at, `walk ${++crawls}`, 1);
    const model = new Model();
    await at.calls.setActive({ state: true });
    await at.calls.setDelay({ delayRequestable: model.delay });
    try {
      for (const one of drawn) await play(crawl, model, one);
    } finally {
      await at.calls.deleteCrawl({ value: crawl.id });
    }
  }), { numRuns: tries(96), endOnFailure: true });
}, 300_000);
