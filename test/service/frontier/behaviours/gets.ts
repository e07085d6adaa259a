import { expect } from 'vitest';
import { all, discovered, known } from '../at.ts';
import { own, protocol, tickMs, type Behaviour } from './behaviour.ts';

export const gets: readonly Behaviour[] = [
  protocol('a hand-out has URL, key, crawl id and metadata', async (crawl) => {
    await crawl.put(discovered(crawl.info('http://a.example/1', 'k', { path: ['x', 'y'] })));
    expect(await crawl.infos()).toEqual([{
      url: 'http://a.example/1', key: 'k', crawlID: crawl.id, metadata: { path: { values: ['x', 'y'] } },
    }]);
  }),
  protocol('at most max_urls_per_queue URLs of a queue', async (crawl) => {
    await crawl.discover('a.example', 9);
    expect(await crawl.get({ maxUrlsPerQueue: 4 })).toHaveLength(4);
  }),
  protocol('at most max_queues queues, and others in the next call', async (crawl) => {
    const hosts = Array.from({ length: crawl.from(5, 9) }, (_, i) => `h${i}.example`);
    for (const host of hosts) await crawl.discover(host, 1);
    const first = await crawl.get({ maxQueues: 3 });
    expect(first).toHaveLength(3);
    const rest = await crawl.get({ maxQueues: 99 });
    expect([...first, ...rest].sort()).toEqual(hosts.map((host) => `http://${host}/1`).sort());
  }),
  protocol('0 is no maximum', async (crawl) => {
    await crawl.discover('a.example', 120);
    await crawl.discover('b.example', 130);
    expect(await crawl.get({ maxUrlsPerQueue: 0, maxQueues: 0 })).toHaveLength(250);
  }),
  protocol('one key only, if one is asked for', async (crawl) => {
    await crawl.discover('a.example', 2);
    await crawl.discover('b.example', 2);
    const urls = await crawl.get({ key: 'b.example', maxUrlsPerQueue: 9 });
    expect(urls.sort()).toEqual(['http://b.example/1', 'http://b.example/2']);
    expect(await crawl.get({ key: 'c.example' })).toEqual([]);
  }),
  protocol('one crawl only, if one is asked for', async (crawl) => {
    await crawl.discover('a.example', 1);
    const item = { $case: 'crawlID' as const, crawlID: `${crawl.id}-other` };
    expect(await crawl.get({ item })).toEqual([]);
    expect(await crawl.get()).toEqual(['http://a.example/1']);
  }),
  protocol('any crawl, if none is asked for', async (crawl) => {
    await crawl.discover('a.example', 1);
    const infos = await crawl.infos({ item: { $case: 'anyCrawlID', anyCrawlID: {} }, maxUrlsPerQueue: 0 });
    expect(infos.filter(({ crawlID }) => crawlID === crawl.id)).toHaveLength(1);
  }),
  protocol('known URLs are handed out by date, the earliest first', async (crawl) => {
    const dates = [50, 10_000, 3, 700].map((ago) => crawl.seconds - ago);
    await crawl.put(...dates.map((date, i) => known(crawl.info(`http://a.example/${i}`), date)));
    const urls = await crawl.get({ maxUrlsPerQueue: 4 });
    expect(urls).toEqual([1, 3, 0, 2].map((i) => `http://a.example/${i}`));
  }),
  protocol('a small date is a high priority', async (crawl) => {
    await crawl.put(
      known(crawl.info('http://a.example/2'), 2), known(crawl.info('http://a.example/1'), 1),
      known(crawl.info('http://a.example/3'), crawl.seconds - 1),
    );
    expect(await crawl.get({ maxUrlsPerQueue: 3 })).toEqual([1, 2, 3].map((i) => `http://a.example/${i}`));
  }),
  protocol('a URL is due when its date has come, not before', async (crawl) => {
    await crawl.put(known(crawl.info('http://a.example/'), crawl.seconds + 3));
    expect(await crawl.get()).toEqual([]);
    await crawl.at.advance(4000);
    expect(await crawl.get()).toEqual(['http://a.example/']);
  }),
  protocol('due URLs are found behind those that are not due', async (crawl) => {
    await crawl.put(
      ...[1, 2, 3].map((i) => known(crawl.info(`http://a.example/later${i}`), crawl.seconds + 5000)),
      known(crawl.info('http://a.example/now'), crawl.seconds - 1),
    );
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toEqual(['http://a.example/now']);
  }),
  protocol('a leased URL is not handed out again', async (crawl) => {
    await crawl.discover('a.example', 1);
    expect(await crawl.get()).toHaveLength(1);
    await crawl.at.advance(tickMs);
    expect(await crawl.get()).toEqual([]);
  }),
  protocol('an expired lease makes its URL available again', async (crawl) => {
    await crawl.discover('a.example', 1);
    expect(await crawl.get({ delayRequestable: 4 })).toHaveLength(1);
    expect((await crawl.stats()).inProcess).toBe(1);
    await crawl.at.advance(5000);
    expect((await crawl.stats()).inProcess).toBe(0);
    expect(await crawl.get()).toEqual(['http://a.example/1']);
  }),
  own('a lease ends to the millisecond', async (crawl) => {
    await crawl.discover('a.example', 1);
    await crawl.get({ delayRequestable: 7 });
    await crawl.at.advance(6999);
    expect(await crawl.get()).toEqual([]);
    await crawl.at.advance(1);
    expect(await crawl.get()).toHaveLength(1);
  }),
  own('a lease without a length lasts 30 s', async (crawl) => {
    await crawl.discover('a.example', 1);
    await crawl.get({ delayRequestable: 0 });
    await crawl.at.advance(29_999);
    expect(await crawl.get()).toEqual([]);
    await crawl.at.advance(1);
    expect(await crawl.get()).toHaveLength(1);
  }),
  protocol('a known item ends the lease of its URL', async (crawl) => {
    await crawl.discover('a.example', 1);
    await crawl.get({ delayRequestable: 600 });
    await crawl.put(known(crawl.info('http://a.example/1'), crawl.seconds));
    expect((await crawl.stats()).inProcess).toBe(0);
    await crawl.at.advance(tickMs);
    expect(await crawl.get()).toEqual(['http://a.example/1']);
  }),
  protocol('a known item is accepted after its lease has expired, and after the next lease', async (crawl) => {
    await crawl.discover('a.example', 1);
    await crawl.get({ delayRequestable: 2 });
    await crawl.at.advance(tickMs);
    await crawl.get({ delayRequestable: 2 });
    expect(await crawl.put(known(crawl.info('http://a.example/1'), 0))).toEqual([0]);
    expect(await crawl.put(known(crawl.info('http://a.example/1'), 0))).toEqual([0]);
    await crawl.at.advance(tickMs);
    expect(await crawl.get()).toEqual([]);
    expect(await crawl.stats()).toMatchObject({ size: 0, done: 1, inProcess: 0 });
  }),
  protocol('a queue with its maximum of leases open hands out nothing', async (crawl) => {
    await crawl.discover('a.example', 5);
    expect(await crawl.get({ maxUrlsPerQueue: 2 })).toHaveLength(2);
    await crawl.at.advance(tickMs);
    expect(await crawl.get({ maxUrlsPerQueue: 2 })).toEqual([]);
  }),
  own('never more leases are open in a queue than the maximum', async (crawl) => {
    await crawl.discover('a.example', 9);
    const [first] = await crawl.get({ maxUrlsPerQueue: 3 });
    await crawl.put(known(crawl.info(first), 0));
    await crawl.at.advance(tickMs);
    expect(await crawl.get({ maxUrlsPerQueue: 3 })).toHaveLength(1);
    expect((await crawl.stats()).inProcess).toBe(3);
    await crawl.at.advance(tickMs);
    expect(await crawl.get({ maxUrlsPerQueue: 5 })).toHaveLength(2);
  }),
  protocol('clients that ask at the same time get no URL twice', async (crawl) => {
    for (let host = 0; host < 8; host++) await crawl.discover(`h${host}.example`, 6);
    const gets = await Promise.all(Array.from({ length: 12 }, () => crawl.get({ maxUrlsPerQueue: 2, maxQueues: 3 })));
    const urls = gets.flat();
    expect(new Set(urls).size).toBe(urls.length);
    for (let host = 0; host < 8; host++)
      expect(urls.filter((url) => url.includes(`h${host}.`)).length).toBeLessThanOrEqual(2);
  }),
  protocol('clients that ask for one queue at the same time share its maximum', async (crawl) => {
    await crawl.discover('a.example', 9);
    const gets = await Promise.all(
      Array.from({ length: 9 }, () => crawl.get({ key: 'a.example', maxUrlsPerQueue: 2 })),
    );
    expect(gets.flat()).toHaveLength(2);
  }),
  protocol('clients that put at the same time create a URL once', async (crawl) => {
    const item = discovered(crawl.info('http://a.example/'));
    const statuses = await Promise.all(Array.from({ length: 8 }, () => crawl.put(item)));
    expect(statuses.flat().sort()).toEqual([0, 1, 1, 1, 1, 1, 1, 1]);
  }),
  own('what was taken for a client that has left is available again when its leases end', async (crawl) => {
    for (let host = 0; host < 40; host++) await crawl.discover(`h${host}.example`, 100);
    const urls = crawl.calls.getURLs({
      maxUrlsPerQueue: 100, delayRequestable: 30, item: { $case: 'crawlID', crawlID: crawl.id },
    })[Symbol.asyncIterator]();
    await urls.next();
    await urls.return?.();
    // Until the call has ended on the server too: it takes no further leases.
    let before = -1;
    for (let now = (await crawl.stats()).inProcess; now !== before; now = (await crawl.stats()).inProcess) before = now;
    await crawl.at.advance(31_000);
    expect(await crawl.get({ maxUrlsPerQueue: 100 })).toHaveLength(4000);
  }),
  own('discovered and known URLs of a queue leave in turn', async (crawl) => {
    await crawl.discover('a.example', 3);
    await crawl.put(...[1, 2, 3].map((i) => known(crawl.info(`http://a.example/old${i}`), crawl.seconds - 100 + i)));
    const urls = await crawl.get({ maxUrlsPerQueue: 6 });
    const isOld = urls.map((url) => url.includes('old'));
    expect(isOld).toEqual(isOld[0] ? [true, false, true, false, true, false] : [false, true, false, true, false, true]);
  }),
  own('a key without a crawl id is that key of every crawl', async (crawl) => {
    const key = `${crawl.id}.example`;
    await crawl.discover(key, 1);
    expect(await all(crawl.calls.getURLs({ key }))).toHaveLength(1);
  }),
];
