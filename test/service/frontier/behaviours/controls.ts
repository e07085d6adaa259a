import { expect } from 'vitest';
import { discovered, known, type OneCrawl } from '../at.ts';
import { own, protocol, tickMs, type Behaviour } from './behaviour.ts';

const block = (crawl: OneCrawl, key: string, time: number) =>
  crawl.calls.blockQueueUntil({ key, crawlID: crawl.id, time: BigInt(time) });
const delay = (crawl: OneCrawl, key: string, delayRequestable: number) =>
  crawl.calls.setDelay({ key, crawlID: crawl.id, delayRequestable });
const limit = (crawl: OneCrawl, key: string, most: number) =>
  crawl.calls.setCrawlLimit({ key, crawlID: crawl.id, limit: most });

const blocksAndDelays: readonly Behaviour[] = [
  protocol('a blocked queue hands out nothing, others do', async (crawl) => {
    await crawl.discover('a.example', 1);
    await crawl.discover('b.example', 1);
    await block(crawl, 'a.example', crawl.seconds + 1000);
    expect(await crawl.get()).toEqual(['http://b.example/1']);
    expect(await crawl.get({ key: 'a.example' })).toEqual([]);
  }),
  protocol('a block ends at its time', async (crawl) => {
    await crawl.discover('a.example', 1);
    await block(crawl, 'a.example', crawl.seconds + 2);
    expect(await crawl.get()).toEqual([]);
    await crawl.at.advance(4000);
    expect(await crawl.get()).toHaveLength(1);
  }),
  own('a block ends to the millisecond', async (crawl) => {
    await crawl.discover('a.example', 1);
    await block(crawl, 'a.example', crawl.seconds + 5);
    await crawl.at.advance(1000 * (crawl.seconds + 5) - crawl.at.nowMs() - 1);
    expect(await crawl.get()).toEqual([]);
    await crawl.at.advance(1);
    expect(await crawl.get()).toHaveLength(1);
  }),
  protocol('time 0 unblocks', async (crawl) => {
    await crawl.discover('a.example', 1);
    await block(crawl, 'a.example', crawl.seconds + 1000);
    expect(await crawl.get()).toEqual([]);
    await block(crawl, 'a.example', 0);
    expect(await crawl.get()).toHaveLength(1);
  }),
  protocol('a queue can be blocked for longer, and for less long', async (crawl) => {
    await crawl.discover('a.example', 1);
    await block(crawl, 'a.example', crawl.seconds + 1);
    await block(crawl, 'a.example', crawl.seconds + 1000);
    await crawl.at.advance(tickMs);
    expect(await crawl.get()).toEqual([]);
    await block(crawl, 'a.example', crawl.seconds + 1);
    await crawl.at.advance(tickMs);
    expect(await crawl.get()).toHaveLength(1);
  }),
  protocol('a block of an unknown queue is accepted, and of no effect', async (crawl) => {
    await block(crawl, 'nowhere.example', crawl.seconds + 1000);
    expect((await crawl.stats()).queues).toBe(0);
  }),
  protocol('a blocked queue takes URLs', async (crawl) => {
    await crawl.discover('a.example', 1);
    await block(crawl, 'a.example', crawl.seconds + 1000);
    expect(await crawl.put(discovered(crawl.info('http://a.example/2')))).toEqual([0]);
    expect((await crawl.stats()).size).toBe(2);
  }),
  own('a block far beyond any date is a block', async (crawl) => {
    await crawl.discover('a.example', 1);
    await crawl.calls.blockQueueUntil({ key: 'a.example', crawlID: crawl.id, time: 2n ** 64n - 1n });
    await crawl.at.advance(1e9);
    expect(await crawl.get()).toEqual([]);
  }),
  protocol('a queue hands out nothing again within its delay', async (crawl) => {
    await crawl.discover('a.example', 3);
    await delay(crawl, 'a.example', 60);
    expect(await crawl.get()).toHaveLength(1);
    await crawl.at.advance(tickMs);
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toEqual([]);
    expect(await crawl.get({ key: 'a.example', maxUrlsPerQueue: 9 })).toEqual([]);
  }),
  protocol('a delay that is made shorter holds at once', async (crawl) => {
    await crawl.discover('a.example', 3);
    await delay(crawl, 'a.example', 600);
    await crawl.get();
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toEqual([]);
    await delay(crawl, 'a.example', 1);
    await crawl.at.advance(tickMs);
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toHaveLength(2);
  }),
  own('a delay counts from the hand-out, to the millisecond', async (crawl) => {
    await crawl.discover('a.example', 3);
    await delay(crawl, 'a.example', 5);
    await crawl.get({ maxUrlsPerQueue: 1 });
    await crawl.at.advance(4999);
    expect(await crawl.get({ maxUrlsPerQueue: 2 })).toEqual([]);
    await crawl.at.advance(1);
    expect(await crawl.get({ maxUrlsPerQueue: 2 })).toHaveLength(1);
  }),
  protocol('a call that hands out nothing does not start a delay', async (crawl) => {
    await crawl.put(known(crawl.info('http://a.example/later'), crawl.seconds + 1000));
    await delay(crawl, 'a.example', 600);
    expect(await crawl.get()).toEqual([]);
    await crawl.discover('a.example', 1);
    expect(await crawl.get()).toEqual(['http://a.example/1']);
  }),
  own('a delay of 0 does not delay, but a queue still hands out once per call', async (crawl) => {
    await crawl.discover('a.example', 4);
    await delay(crawl, 'a.example', 0);
    expect(await crawl.get({ maxUrlsPerQueue: 2 })).toHaveLength(2);
    expect(await crawl.get({ maxUrlsPerQueue: 4 })).toHaveLength(2);
  }),
  own('the default delay is 1 s, and SetDelay without a key changes it for queues without one of theirs', async (crawl) => {
    await crawl.discover('a.example', 9);
    await crawl.discover('b.example', 9);
    await delay(crawl, 'b.example', 50);
    await crawl.get();
    await crawl.at.advance(999);
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toEqual([]);
    await crawl.calls.setDelay({ delayRequestable: 10 });
    await crawl.at.advance(8000);
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toEqual([]);
    await crawl.calls.setDelay({ delayRequestable: 1 });
    expect(await crawl.get({ maxUrlsPerQueue: 2 })).toEqual(['http://a.example/2']);
  }),
];

const limitsAndMore: readonly Behaviour[] = [
  protocol('a queue with as many done URLs as its limit hands out nothing', async (crawl) => {
    await crawl.discover('a.example', 5);
    await limit(crawl, 'a.example', 2);
    for (const i of [1, 2]) await crawl.put(known(crawl.info(`http://a.example/${i}`), 0));
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toEqual([]);
    expect(await crawl.get({ maxUrlsPerQueue: 9, key: 'a.example' })).toEqual([]);
  }),
  protocol('below its limit a queue hands out URLs', async (crawl) => {
    await crawl.discover('a.example', 5);
    await limit(crawl, 'a.example', 2);
    await crawl.put(known(crawl.info('http://a.example/1'), 0));
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toHaveLength(4);
  }),
  protocol('a limit that is raised opens the queue', async (crawl) => {
    await crawl.discover('a.example', 3);
    await limit(crawl, 'a.example', 1);
    await crawl.put(known(crawl.info('http://a.example/1'), 0));
    expect(await crawl.get()).toEqual([]);
    await limit(crawl, 'a.example', 2);
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toHaveLength(2);
  }),
  protocol('a limit of 0 is none', async (crawl) => {
    await crawl.discover('a.example', 3);
    await limit(crawl, 'a.example', 1);
    await crawl.put(known(crawl.info('http://a.example/1'), 0));
    expect(await crawl.get()).toEqual([]);
    await limit(crawl, 'a.example', 0);
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toHaveLength(2);
  }),
  protocol('a limit of an unknown queue is refused', async (crawl) => {
    await expect(limit(crawl, 'nowhere.example', 1)).rejects.toThrow();
  }),
  own('a done URL that is made due again opens a queue at its limit', async (crawl) => {
    await crawl.discover('a.example', 2);
    await limit(crawl, 'a.example', 1);
    await crawl.put(known(crawl.info('http://a.example/1'), 0));
    expect(await crawl.get()).toEqual([]);
    await crawl.put(known(crawl.info('http://a.example/1'), crawl.seconds - 1));
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toHaveLength(2);
  }),
  protocol('an inactive frontier hands out nothing, and takes URLs', async (crawl) => {
    await crawl.discover('a.example', 1);
    await crawl.calls.setActive({ state: false });
    try {
      expect(await crawl.calls.getActive({})).toEqual({ state: false });
      expect(await crawl.get()).toEqual([]);
      expect(await crawl.put(discovered(crawl.info('http://a.example/2')))).toEqual([0]);
    } finally {
      await crawl.calls.setActive({ state: true });
    }
    expect(await crawl.calls.getActive({})).toEqual({ state: true });
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toHaveLength(2);
  }),
  protocol('a deleted queue is gone, with its settings', async (crawl) => {
    await crawl.discover('a.example', 3);
    await crawl.put(known(crawl.info('http://a.example/1'), 0));
    await block(crawl, 'a.example', crawl.seconds + 1000);
    const { value } = await crawl.calls.deleteQueue({ key: 'a.example', crawlID: crawl.id });
    expect(value).toBe(2n);
    expect(await crawl.stats()).toEqual({ size: 0, inProcess: 0, queues: 0, done: 0 });
    expect(await crawl.list()).toEqual([]);
    await crawl.discover('a.example', 1);
    expect(await crawl.get()).toEqual(['http://a.example/1']);
  }),
  protocol('a deleted crawl is gone, others stay', async (crawl) => {
    await crawl.discover('a.example', 3);
    await crawl.discover('b.example', 2);
    const other = { ...crawl.info('http://a.example/1'), crawlID: `${crawl.id}-other` };
    await crawl.put(discovered(other));
    const { value } = await crawl.calls.deleteCrawl({ value: crawl.id });
    expect(value).toBe(5n);
    expect((await crawl.stats()).queues).toBe(0);
    const { values } = await crawl.calls.listCrawls({});
    expect(values).not.toContain(crawl.id);
    expect(values).toContain(`${crawl.id}-other`);
    expect(await crawl.get()).toEqual([]);
    expect(await crawl.put(discovered(crawl.info('http://a.example/1')))).toEqual([0]);
  }),
  own('a leased URL that was deleted may be put and handed out again', async (crawl) => {
    await crawl.discover('a.example', 1);
    await crawl.get();
    await crawl.calls.deleteQueue({ key: 'a.example', crawlID: crawl.id });
    expect((await crawl.stats()).inProcess).toBe(0);
    await crawl.discover('a.example', 1);
    expect(await crawl.get()).toEqual(['http://a.example/1']);
    await crawl.at.advance(31_000);
    expect(await crawl.get()).toEqual(['http://a.example/1']);
  }),
  own('purging deletes URLs older than so many days, done ones too', async (crawl) => {
    await crawl.discover('a.example', 2);
    await crawl.put(known(crawl.info('http://b.example/1'), 0));
    await crawl.at.advance(3 * 86_400_000);
    await crawl.discover('a.example', 1, 3);
    await crawl.put(known(crawl.info('http://a.example/1'), crawl.seconds - 1));
    expect(await crawl.calls.purgeURLs({ crawlID: crawl.id, days: 4 })).toEqual({ value: 0n });
    expect(await crawl.calls.purgeURLs({ crawlID: crawl.id, key: 'a.example', days: 2 })).toEqual({ value: 2n });
    expect(await crawl.calls.purgeURLs({ crawlID: crawl.id, days: 2 })).toEqual({ value: 1n });
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toEqual(['http://a.example/3']);
    expect(await crawl.stats()).toMatchObject({ size: 1, done: 0, queues: 1 });
  }),
  protocol('SetLogLevel is accepted', async (crawl) => {
    await crawl.calls.setLogLevel({ package: 'orbweaver', level: 2 });
  }),
];

export const controls: readonly Behaviour[] = [...blocksAndDelays, ...limitsAndMore];
