import { once } from 'node:events';
import { connect } from 'node:http2';
import { ClientError, Status } from 'nice-grpc';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { connectFrontier, FrontierServer, linksName } from '../../../../src/views/service/frontier/index.ts';
import { infoCodec } from '../../../../src/views/service/frontier/protocol/codec.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { all, discovered, each, known, OneCrawl, ours, type At } from '../at.ts';
import { isFullSweep } from '../../../sweep.ts';

// Goal: what no client should send, or do, hurts nobody else: bytes that are no message, messages that are too long,
// clients that never read, a clock that jumps. Keys, URLs, metadata and dates beyond their limits are in
// ../behaviours/, full disks in full-disk.test.ts.

const { folder } = temporaryFolder();
let at: At;
beforeAll(async () => {
  at = await ours();
});
afterAll(() => at.close());

/** Sends bytes as the one message of a call; returns its gRPC status. */
async function statusOf(method: string, message: Buffer): Promise<number> {
  const [address] = (await at.calls.listNodes({})).values;
  const session = connect(`http://${address}`);
  try {
    const stream = session.request({
      ':method': 'POST', ':path': `/urlfrontier.URLFrontier/${method}`, te: 'trailers',
      'content-type': 'application/grpc',
    });
    let status: unknown;
    for (const event of ['response', 'trailers'])
      stream.on(event, (headers: Record<string, unknown>) => { status = headers['grpc-status'] ?? status; });
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    stream.end(Buffer.concat([head, message]));
    stream.resume();
    await once(stream, 'close');
    return Number(status);
  } finally {
    session.destroy();
  }
}

test.each([
  ['bytes that are no message', Buffer.from('ffffffffffffffffffffff', 'hex')],
  ['a message that ends within a field', Buffer.from('0a7f61', 'hex')],
])('%s: that call fails, others go on', async (_, bytes) => {
  const crawl = new OneCrawl(at, 'no message', 1);
  await crawl.discover('a.example', 1);
  for (const method of ['PutURLs', 'PutDiscovered', 'GetURLs', 'BlockQueueUntil'])
    expect([method, await statusOf(method, bytes)]).toEqual([method, Status.INTERNAL]);
  expect(await crawl.stats()).toMatchObject({ size: 1, inProcess: 0 });
});

test('a URL that is no UTF-8 is stored as it was read, and comes back so', async () => {
  const crawl = new OneCrawl(at, 'no UTF-8', 1);
  const info = Buffer.concat([
    infoCodec.encode({ key: 'k', crawlID: crawl.id }),
    Buffer.from([0x0a, 3, 0x68, 0xff, 0x2f]),
  ]);
  // URLItem.discovered.info
  const item = Buffer.concat([Buffer.from([0x0a, info.length + 2, 0x0a, info.length]), info]);
  expect(await statusOf('PutURLs', item)).toBe(Status.OK);
  const [handedOut] = await crawl.get();
  expect(handedOut).toBe('h\ufffd/');
  expect(await crawl.put(known(crawl.info(handedOut, 'k'), 0))).toEqual([0]);
  expect(await crawl.stats()).toMatchObject({ size: 0, done: 1 });
});

test('a message of more than 4 MiB: that call fails, and what was acknowledged before stays', async () => {
  const crawl = new OneCrawl(at, 'too long', 1);
  const long = crawl.info('http://a.example/2', '', { x: ['y'.repeat(4 << 20)] });
  await crawl.discover('a.example', 1);
  const error: unknown = await crawl.put(discovered(long)).catch((reason: unknown) => reason);
  expect(error instanceof ClientError && error.code).toBe(Status.RESOURCE_EXHAUSTED);
  expect(await crawl.stats()).toMatchObject({ size: 1 });
  // Within a message, links have no limit of their own.
  const links = Array.from({ length: isFullSweep ? 50_000 : 5000 }, (_, i) => `http://b.example/${i}`);
  expect(await crawl.put(known(crawl.info('http://a.example/1', '', { [linksName]: links }), 0))).toEqual([0]);
});

test('a client that never reads holds leases for 1,000 URLs, and no other client waits for it', async () => {
  const crawl = new OneCrawl(at, 'never reads', 1);
  // Ten of them are more than a connection takes of what nobody reads.
  const metadata = { text: ['x'.repeat(20_000)] };
  for (let host = 0; host < 20; host++) {
    await crawl.put(...Array.from({ length: 100 }, (_, i) => {
      return discovered(crawl.info(`http://h${host}.example/${i}`, '', metadata));
    }));
  }
  const [address] = (await at.calls.listNodes({})).values;
  const { calls, close } = connectFrontier({ address });
  onTestFinished(close);
  const item = { $case: 'crawlID' as const, crawlID: crawl.id };
  const urls = calls.getURLs({ maxUrlsPerQueue: 100, delayRequestable: 30, item })[Symbol.asyncIterator]();
  await urls.next();
  let open = 0;
  for (let before = -1; before !== open;) {
    before = open;
    for (let i = 0; i < 20; i++) open = (await crawl.stats()).inProcess;
  }
  expect(open).toBe(1000);
  expect(await crawl.get({ maxUrlsPerQueue: 100, maxQueues: 1 })).toHaveLength(100);
  // It reads after all, when these leases have ended: their URLs are left out, but for those that were on their way.
  await at.advance(31_000);
  let got = 1;
  for (let next = await urls.next(); next.done !== true; next = await urls.next()) got++;
  const { inProcess, size } = await crawl.stats();
  expect(size).toBe(2000);
  expect(inProcess).toBeLessThan(got);
  expect(got).toBeLessThan(2000);
});

test.each([
  ['forward', 1], ['back', -1],
])('a clock that jumps %s while it runs ends no lease and no delay', async (_, sign) => {
  const server = await FrontierServer.listen({ store: `${folder}/jump ${sign}` });
  onTestFinished(() => server.close());
  const { calls, close } = connectFrontier({ address: `127.0.0.1:${server.port}` });
  onTestFinished(close);
  onTestFinished(() => { vi.useRealTimers(); });
  const get = async (key: string): Promise<number> =>
    (await all(calls.getURLs({ key, delayRequestable: 3600 }))).length;
  await calls.setDelay({ delayRequestable: 3600 });
  const put = (key: string) => all(calls.putURLs(each([1, 2].map((i) => discovered({ url: `http://${key}/${i}` })))));
  await put('before.example');
  expect(await get('before.example')).toBe(2);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + sign * 10 * 86_400_000 });
  expect(await get('before.example')).toBe(0);
  expect((await calls.getStats({})).inProcess).toBe(2);
  // What comes after the jump is handed out at once, and waits no longer than it should.
  await put('after.example');
  expect(await get('after.example')).toBe(2);
  await calls.setDelay({ key: 'after.example', delayRequestable: 0 });
  await all(calls.putURLs(each([discovered({ url: 'http://after.example/3' })])));
  expect(await get('after.example')).toBe(1);
});
