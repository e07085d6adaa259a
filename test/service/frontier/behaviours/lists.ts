import { ClientError, Status } from 'nice-grpc';
import { expect } from 'vitest';
import { known, type OneCrawl } from '../at.ts';
import { own, protocol, type Behaviour } from './behaviour.ts';

const urlsOf = async (crawl: OneCrawl, params: object): Promise<string[]> =>
  (await crawl.list(params)).map(({ item }) => (item?.$case === 'known' ? item.known.info!.url : 'discovered'));

export const lists: readonly Behaviour[] = [
  protocol('URLs are listed as known items, with date, creation date and metadata', async (crawl) => {
    await crawl.put(known(crawl.info('http://a.example/1', '', { x: ['y'] }), crawl.seconds + 77));
    const [item] = await crawl.list();
    expect(item).toMatchObject({
      item: {
        $case: 'known',
        known: {
          info: { url: 'http://a.example/1', key: 'a.example', crawlID: crawl.id, metadata: { x: { values: ['y'] } } },
          refetchableFromDate: BigInt(crawl.seconds + 77),
        },
      },
    });
    expect(Math.abs(Number(item.creationDate) - crawl.seconds)).toBeLessThanOrEqual(60);
  }),
  protocol('a discovered URL is listed as known too', async (crawl) => {
    await crawl.discover('a.example', 1);
    expect(await urlsOf(crawl, {})).toEqual(['http://a.example/1']);
  }),
  protocol('lists have 100 URLs, or as many as are asked for', async (crawl) => {
    await crawl.discover('a.example', 150);
    expect(await urlsOf(crawl, {})).toHaveLength(100);
    expect(await urlsOf(crawl, { size: 7 })).toHaveLength(7);
    expect(await urlsOf(crawl, { size: 1000 })).toHaveLength(150);
  }),
  protocol('pages of a list have every URL once', async (crawl) => {
    const count = crawl.from(50, 90);
    for (let i = 0; i < count; i++) await crawl.discover(`h${i % 5}.example`, 1, i);
    const pages: string[] = [];
    for (let start = 0; start < count; start += 13) pages.push(...await urlsOf(crawl, { start, size: 13 }));
    expect(pages).toHaveLength(count);
    expect(new Set(pages).size).toBe(count);
    expect(await urlsOf(crawl, { start: count })).toEqual([]);
  }),
  protocol('a list of one key', async (crawl) => {
    await crawl.discover('a.example', 3);
    await crawl.discover('b.example', 2);
    expect((await urlsOf(crawl, { key: 'b.example' })).sort()).toEqual(['http://b.example/1', 'http://b.example/2']);
    expect(await urlsOf(crawl, { key: 'c.example' })).toEqual([]);
  }),
  protocol('a filter selects URLs that contain it, in its case or in any', async (crawl) => {
    for (const host of ['Upper.example', 'lower.example', 'other.test']) await crawl.discover(host, 1);
    expect(await urlsOf(crawl, { filter: 'upper' })).toEqual([]);
    expect(await urlsOf(crawl, { filter: 'upper', ignoreCase: true })).toEqual(['http://Upper.example/1']);
    expect(await urlsOf(crawl, { filter: '.example' })).toHaveLength(2);
  }),
  protocol('counts agree with lists', async (crawl) => {
    await crawl.discover('a.example', 5);
    await crawl.discover('b.example', 4);
    await crawl.put(known(crawl.info('http://a.example/1'), 0));
    const count = async (params: object) =>
      Number((await crawl.calls.countURLs({ crawlID: crawl.id, ...params })).value);
    expect(await count({})).toBe(9);
    expect(await count({ key: 'b.example' })).toBe(4);
    expect(await count({ filter: 'A.EXAMPLE', ignoreCase: true })).toBe(5);
    expect(await count({ filter: '/1' })).toBe(2);
  }),
  protocol('the status of a URL, and NOT_FOUND', async (crawl) => {
    await crawl.put(known(crawl.info('http://a.example/1'), 0));
    const status = (url: string, key = '') => crawl.calls.getURLStatus({ url, key, crawlID: crawl.id });
    const { item } = await status('http://a.example/1');
    expect(item?.$case === 'known' && item.known.refetchableFromDate).toBe(0n);
    for (const [url, key] of [['http://a.example/2', ''], ['http://b.example/1', ''], ['http://a.example/1', 'k']]) {
      const error: unknown = await status(url, key).catch((reason: unknown) => reason);
      expect(error instanceof ClientError && error.code).toBe(Status.NOT_FOUND);
    }
  }),
  own('a creation date stays when its URL changes', async (crawl) => {
    const created = BigInt(crawl.seconds);
    await crawl.discover('a.example', 1);
    await crawl.at.advance(100_000);
    await crawl.put(known(crawl.info('http://a.example/1'), 0));
    const { creationDate } = await crawl.calls.getURLStatus({ url: 'http://a.example/1', crawlID: crawl.id });
    expect(creationDate).toBe(created);
  }),
  protocol('statistics count active, leased and done URLs of a crawl, and of a queue', async (crawl) => {
    await crawl.discover('a.example', 4);
    await crawl.discover('b.example', 3);
    await crawl.put(known(crawl.info('http://a.example/1'), 0));
    await crawl.get({ maxUrlsPerQueue: 2 });
    expect(await crawl.stats()).toEqual({ size: 6, inProcess: 4, queues: 2, done: 1 });
    expect(await crawl.stats('a.example')).toEqual({ size: 3, inProcess: 2, queues: 1, done: 1 });
    expect((await crawl.stats('c.example')).queues).toBe(0);
  }),
  protocol('queues are listed while they have URLs to fetch and are not blocked, or all', async (crawl) => {
    for (const host of ['a', 'b', 'c']) await crawl.discover(`${host}.example`, 1);
    await crawl.put(known(crawl.info('http://a.example/1'), 0));
    await crawl.calls.blockQueueUntil({ key: 'b.example', crawlID: crawl.id, time: BigInt(crawl.seconds + 1000) });
    const queues = async (includeInactive: boolean) =>
      (await crawl.calls.listQueues({ crawlID: crawl.id, includeInactive })).values.toSorted();
    expect(await queues(false)).toEqual(['c.example']);
    expect(await queues(true)).toEqual(['a.example', 'b.example', 'c.example']);
  }),
  protocol('pages of queues have every queue once, and inactive ones do not shift them', async (crawl) => {
    const hosts = Array.from({ length: 130 }, (_, i) => `h${i}.example`);
    for (const host of hosts) await crawl.discover(host, 1);
    for (const host of ['h3.example', 'h77.example']) await crawl.put(known(crawl.info(`http://${host}/1`), 0));
    const first = await crawl.calls.listQueues({ crawlID: crawl.id });
    expect([first.values.length, first.start, first.size, first.crawlID]).toEqual([100, 0, 100, crawl.id]);
    const second = await crawl.calls.listQueues({ crawlID: crawl.id, start: 100, size: 100 });
    const values = [...first.values, ...second.values];
    expect(values.sort()).toEqual(hosts.filter((host) => !['h3.example', 'h77.example'].includes(host)).sort());
  }),
  protocol('a crawl is listed once it has a URL', async (crawl) => {
    const isListed = async () => (await crawl.calls.listCrawls({})).values.includes(crawl.id);
    expect(await isListed()).toBe(false);
    await crawl.discover('a.example', 1);
    expect(await isListed()).toBe(true);
  }),
  protocol('a blank crawl id is the crawl DEFAULT', async (crawl) => {
    const key = `${crawl.id}.example`;
    await crawl.put({
      item: { $case: 'discovered', discovered: { info: { url: `http://${key}/1`, crawlID: '' } } },
    });
    const { size, crawlID } = await crawl.calls.getStats({ key, crawlID: 'DEFAULT' });
    expect([size, crawlID]).toEqual([1n, 'DEFAULT']);
    expect((await crawl.calls.getStats({ key })).size).toBe(1n);
    await crawl.calls.deleteQueue({ key });
  }),
  protocol('a server lists at least one node, itself', async (crawl) => {
    const { values } = await crawl.calls.listNodes({});
    expect(values.length).toBeGreaterThan(0);
    for (const node of values) expect(node).toMatch(/:\d+$/);
  }),
  own('a URL of links alone is not there', async (crawl) => {
    const links = { 'orbweaver.links': ['http://b.example/1'] };
    await crawl.put(known(crawl.info('http://a.example/1', '', links), 0));
    expect(await urlsOf(crawl, {})).toEqual(['http://a.example/1']);
    expect((await crawl.stats()).queues).toBe(1);
    expect(await crawl.get()).toEqual([]);
    expect((await crawl.calls.listQueues({ crawlID: crawl.id, includeInactive: true })).values).toEqual(['a.example']);
  }),
];
