import { expect } from 'vitest';
import { all, discovered, each, known } from '../at.ts';
import { own, protocol, tickMs, type Behaviour } from './behaviour.ts';

export const puts: readonly Behaviour[] = [
  protocol('a discovered URL is created, and ignored when it comes again', async (crawl) => {
    const item = discovered(crawl.info('http://a.example/1'));
    expect(await crawl.put(item, item)).toEqual([0, 1]);
    expect(await crawl.put(item)).toEqual([1]);
    expect(await crawl.stats()).toMatchObject({ size: 1, queues: 1 });
  }),
  protocol('an acknowledgement has the id of its item, or else its URL', async (crawl) => {
    const acks = await crawl.acks([
      { ...discovered(crawl.info('http://a.example/1')), ID: 'mine' }, discovered(crawl.info('http://a.example/2')),
    ]);
    expect(acks.map(({ ID }) => ID).sort()).toEqual(['http://a.example/2', 'mine']);
  }),
  protocol('every item of a long stream is acknowledged once', async (crawl) => {
    const count = crawl.from(1500, 2500);
    const urls = Array.from({ length: count }, (_, i) => `http://h${i % 7}.example/${i}`);
    const acks = await crawl.acks(urls.map((url) => discovered(crawl.info(url))));
    expect(acks.map(({ ID }) => ID).sort()).toEqual([...urls].sort());
    expect((await crawl.stats()).size).toBe(count);
  }),
  protocol('an empty stream ends without an answer', async (crawl) => {
    expect(await crawl.acks([])).toEqual([]);
  }),
  protocol('a URL without a host is skipped, others of the stream go through', async (crawl) => {
    expect((await crawl.put(discovered(crawl.info('')), discovered(crawl.info('http://a.example/')))).sort())
      .toEqual([0, 1]);
  }),
  protocol('a key of 255 characters is accepted, a longer one skipped', async (crawl) => {
    const ofLength = (length: number) => discovered(crawl.info(`http://a.example/${length}`, 'k'.repeat(length)));
    expect(await crawl.put(ofLength(255))).toEqual([0]);
    expect(await crawl.put(ofLength(256))).toEqual([1]);
  }),
  protocol('without a key, the host is the key', async (crawl) => {
    await crawl.put(
      discovered(crawl.info('http://port.example:81/x')), discovered(crawl.info('http://query.example?y=1')),
    );
    const { values } = await crawl.calls.listQueues({ crawlID: crawl.id });
    expect(values.toSorted()).toEqual(['port.example', 'query.example']);
  }),
  protocol('the same URL under two keys is two URLs', async (crawl) => {
    const of = (key: string) => discovered(crawl.info('http://a.example/', key));
    expect(await crawl.put(of('one'), of('two'))).toEqual([0, 0]);
    expect(await crawl.stats()).toMatchObject({ size: 2, queues: 2 });
  }),
  protocol('a known URL that was never discovered is created', async (crawl) => {
    expect(await crawl.put(known(crawl.info('http://a.example/'), crawl.seconds - 10))).toEqual([0]);
    expect(await crawl.get()).toEqual(['http://a.example/']);
  }),
  protocol('a known URL without a date is done: it is not handed out', async (crawl) => {
    await crawl.put(known(crawl.info('http://a.example/'), 0));
    expect(await crawl.get()).toEqual([]);
    expect(await crawl.stats()).toMatchObject({ size: 0, done: 1, queues: 1 });
  }),
  own('a URL that is done is not taken up again as discovered', async (crawl) => {
    await crawl.put(known(crawl.info('http://a.example/'), 0));
    expect(await crawl.put(discovered(crawl.info('http://a.example/')))).toEqual([1]);
    expect(await crawl.get()).toEqual([]);
  }),
  protocol('a known item moves the date of its URL, to later and to earlier', async (crawl) => {
    const info = crawl.info('http://a.example/');
    await crawl.put(known(info, crawl.seconds + 10_000));
    expect(await crawl.get()).toEqual([]);
    await crawl.put(known(info, crawl.seconds - 5));
    expect(await crawl.get()).toEqual(['http://a.example/']);
  }),
  protocol('a known item replaces the metadata, a discovered one does not', async (crawl) => {
    const url = 'http://a.example/';
    const metadata = async (): Promise<unknown> => {
      const { item } = await crawl.calls.getURLStatus({ url, key: 'a.example', crawlID: crawl.id });
      return item?.$case === 'known' ? item.known.info?.metadata : undefined;
    };
    await crawl.put(discovered(crawl.info(url, '', { depth: ['1', '2'] })));
    await crawl.put(discovered(crawl.info(url, '', { depth: ['9'] })));
    expect(await metadata()).toEqual({ depth: { values: ['1', '2'] } });
    await crawl.put(known(crawl.info(url, '', { status: ['200'] }), crawl.seconds + 1000));
    expect(await metadata()).toEqual({ status: { values: ['200'] } });
  }),
  own('dates up to 2^53 are dates, greater ones skipped, and the stream goes on', async (crawl) => {
    const of = (i: number, date: bigint) => ({
      item: {
        $case: 'known' as const,
        known: { info: crawl.info(`http://a.example/${i}`), refetchableFromDate: date },
      },
    });
    expect(await crawl.put(of(1, 2n ** 53n - 1n), of(2, 2n ** 53n), of(3, 2n ** 64n - 1n), of(4, 1n)))
      .toEqual([0, 1, 1, 0]);
    expect(await crawl.get({ maxUrlsPerQueue: 9 })).toEqual(['http://a.example/4']);
  }),
  own('metadata of more than 65,536 characters and a URL of more than 32,768 are skipped', async (crawl) => {
    expect(await crawl.put(
      discovered(crawl.info('http://a.example/m', '', { x: ['y'.repeat(65_536)] })),
      discovered(crawl.info(`http://a.example/${'u'.repeat(32_768)}`)),
      discovered(crawl.info('http://a.example/', '', { x: ['y'.repeat(65_535)] })),
    )).toEqual([1, 1, 0]);
  }),
  own('an item that is neither discovered nor known is skipped', async (crawl) => {
    expect(await crawl.put({ ID: 'x' }, { item: { $case: 'known', known: {} }, ID: 'y' })).toEqual([1, 1]);
  }),
  own('hostile keys and URLs come back as they were put', async (crawl) => {
    const odd = ['a\u0000b', '__proto__', '../..', '<script>', 'ü ö\u{1f577}', '"\n\t'];
    await crawl.put(...odd.map((key) => discovered(crawl.info(`http://x/${key}`, key))));
    const infos = await crawl.infos({ maxUrlsPerQueue: 0 });
    expect(infos.map(({ key }) => key).sort()).toEqual([...odd].sort());
    for (const { key, url } of infos) expect(url).toBe(`http://x/${key}`);
  }),
  protocol('a batch of discovered URLs is answered in its order', async (crawl) => {
    const info = (i: number) => crawl.info(i === 0 ? '' : `http://a.example/${i}`);
    const items = [info(0), info(1), info(1), info(2)];
    const [ack] = await all(crawl.calls.putDiscovered(each([{ ID: 'b1', items }])));
    expect(ack).toEqual({ ID: 'b1', statuses: [1, 0, 1, 0] });
  }),
  protocol('an empty batch is acknowledged: clients probe with it', async (crawl) => {
    expect(await all(crawl.calls.putDiscovered(each([{ ID: 'probe', items: [] }])))).toEqual([
      { ID: 'probe', statuses: [] },
    ]);
  }),
  protocol('many batches are each acknowledged once', async (crawl) => {
    const batches = Array.from({ length: crawl.from(40, 60) }, (_, i) => ({
      ID: String(i), items: Array.from({ length: 20 }, (_, j) => crawl.info(`http://h${j}.example/${i}`)),
    }));
    const acks = await all(crawl.calls.putDiscovered(each(batches)));
    expect(acks.map(({ ID }) => ID).sort()).toEqual(batches.map(({ ID }) => ID).sort());
    expect((await crawl.stats()).size).toBe(20 * batches.length);
  }),
  protocol('a batched URL is handed out like any other', async (crawl) => {
    await all(crawl.calls.putDiscovered(each([{ ID: '', items: [crawl.info('http://a.example/1')] }])));
    await crawl.at.advance(tickMs);
    expect(await crawl.get()).toEqual(['http://a.example/1']);
  }),
  own('a client that stops reading acknowledgements is read no further, and others go on', async (crawl) => {
    let sent = 0;
    const endless = async function* () {
      for (; sent < 200_000; sent++) {
        yield discovered(crawl.info(`http://a.example/${sent}${'x'.repeat(1000)}`));
        if (sent % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const acks = crawl.calls.putURLs(endless())[Symbol.asyncIterator]();
    await acks.next();
    for (let before = -1; before !== sent;) {
      before = sent;
      // Another client's calls, each of which would let more of the stream in.
      for (let i = 0; i < 20; i++) await crawl.put(discovered(crawl.info(`http://b.example/${before}-${i}`)));
    }
    expect(sent).toBeLessThan(100_000);
    await acks.return?.();
  }),
];
