import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChannelCredentials, ClientError, createChannel, createClient, Metadata, Status } from 'nice-grpc';
import { HealthDefinition } from 'nice-grpc-server-health';
import { ServerReflectionService } from 'nice-grpc-server-reflection';
import {
  ServerReflectionRequest,
} from 'nice-grpc-server-reflection/lib/proto/grpc/reflection/v1/reflection_pb.js';
import { expect, onTestFinished, test } from 'vitest';
import {
  connectFrontier, FrontierServer, urlFrontierService, type FrontierServerOptions,
} from '../../../src/views/service/frontier/index.ts';
import { sampled } from '../../sweep.ts';
import { authority, goodCertificate, serverKey } from '../../live/certificates.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { parsedMetrics, summed } from '../metrics/parsed.ts';
import { all, discovered, each, known, OneCrawl, ours, type At } from './at.ts';

// Goal: what is around the calls: stores that are opened again, damaged or in use; policies; access; health; metrics.

const { folder } = temporaryFolder();

async function served(options: Partial<FrontierServerOptions> = {}): Promise<At> {
  const at = await ours(options);
  onTestFinished(() => at.close());
  return at;
}

test('a restart keeps items, leases, delays, blocks, limits, hand-outs and whether it is active', async () => {
  const at = await served();
  const crawl = new OneCrawl(at, 'kept', 1);
  const { calls } = crawl;
  for (const host of ['leased', 'delayed', 'blocked', 'limited', 'plain']) await crawl.discover(`${host}.example`, 3);
  await calls.setDelay({ crawlID: 'kept', key: 'delayed.example', delayRequestable: 20 });
  await calls.setDelay({ delayRequestable: 5 });
  await calls.setCrawlLimit({ crawlID: 'kept', key: 'limited.example', limit: 1 });
  await crawl.put(known(crawl.info('http://limited.example/1'), 0));
  await calls.blockQueueUntil({ crawlID: 'kept', key: 'blocked.example', time: BigInt(crawl.seconds + 40) });
  expect((await crawl.get({ delayRequestable: 60 })).sort())
    .toEqual(['delayed', 'leased', 'plain'].map((host) => `http://${host}.example/1`));
  await crawl.put(known(crawl.info('http://plain.example/1'), 0));
  const before = [await crawl.stats(), (await crawl.list()).map((item) => JSON.stringify(item, text))];
  await calls.setActive({ state: false });
  await at.restart!();
  expect(await crawl.calls.getActive({})).toEqual({ state: false });
  await crawl.calls.setActive({ state: true });
  expect([await crawl.stats(), (await crawl.list()).map((item) => JSON.stringify(item, text))]).toEqual(before);
  const hostsAfter = async (seconds: number): Promise<string[]> => {
    await at.advance(1000 * seconds);
    await at.restart!();
    return (await crawl.get({ maxUrlsPerQueue: 2, delayRequestable: 1000 })).map((url) => new URL(url).host).sort();
  };
  expect(await hostsAfter(4)).toEqual([]);
  expect(await hostsAfter(1)).toEqual(['leased.example', 'plain.example', 'plain.example']);
  expect(await hostsAfter(15)).toEqual(['delayed.example']);
  expect(await hostsAfter(20)).toEqual(['blocked.example', 'blocked.example']);
});

const text = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

test('a restart keeps the ranking to the coin, and another policy ranks the same crawl', async () => {
  const orders: string[][] = [];
  for (const restarts of [[], [{}], [{ policy: 'depth-first' }], [{ policy: 'depth-first' }, { policy: 'opic' }]]) {
    const at = await served();
    const crawl = new OneCrawl(at, 'ranked', 9);
    const page = (i: number): string => `http://h${i % 3}.example/${i}`;
    await crawl.put(...[0, 1, 2].map((i) => discovered(crawl.info(page(i)))));
    await crawl.get({ maxUrlsPerQueue: 0 });
    for (let i = 0; i < 40; i++) {
      const links = Array.from({ length: crawl.from(0, 6) }, () => page(crawl.from(0, 79)));
      await crawl.put(known(crawl.info(page(i), '', { 'orbweaver.links': links }), 0));
      await crawl.put(discovered(crawl.info(page(40 + i))));
      if (i === 20) await crawl.calls.deleteQueue({ crawlID: 'ranked', key: 'h2.example' });
    }
    for (const options of restarts) await at.restart!(options);
    await at.advance(5000);
    orders.push(await crawl.get({ maxUrlsPerQueue: 0 }));
  }
  const [straight, again, depthFirst, back] = orders;
  expect(straight.length).toBeGreaterThan(20);
  expect(again).toEqual(straight);
  expect(depthFirst).not.toEqual(straight);
  expect([...depthFirst].sort()).toEqual([...straight].sort());
  expect(back).toEqual(straight);
});

test('a clock that was turned back between two starts stretches no delay and no lease', async () => {
  const at = await served();
  const crawl = new OneCrawl(at, 'clock', 1);
  await crawl.discover('a.example', 2);
  await crawl.get({ delayRequestable: 10 });
  await at.advance(-10 * 86_400_000);
  await at.restart!();
  await at.advance(999);
  expect(await crawl.get({ maxUrlsPerQueue: 2 })).toEqual([]);
  await at.advance(1);
  expect(await crawl.get({ maxUrlsPerQueue: 2 })).toEqual(['http://a.example/2']);
  await at.advance(9000);
  expect(await crawl.get({ maxUrlsPerQueue: 2 })).toEqual(['http://a.example/1']);
});

test('rows of a crawl whose deletion was cut off are removed, and are not those of the next', async () => {
  const at = await served();
  const crawl = new OneCrawl(at, 'gone', 1);
  await crawl.discover('a.example', 50);
  await crawl.calls.deleteCrawl({ value: 'gone' });
  await at.restart!();
  expect((await crawl.calls.listCrawls({})).values).toEqual([]);
  expect(await crawl.put(discovered(crawl.info('http://a.example/1')))).toEqual([0]);
  await at.restart!();
  expect(await crawl.stats()).toMatchObject({ size: 1, queues: 1 });
});

test('a store in use, a damaged one and another kind of folder are refused', async () => {
  const at = await served();
  const again = FrontierServer.listen({ store: at.folder! });
  expect(await inputErrorOf(again)).toContain(at.folder);
  const other = join(folder, 'other');
  await (await FrontierServer.listen({ store: other })).close();
  const data = join(other, 'data.mdb');
  writeFileSync(data, readFileSync(data).subarray(0, 10_000));
  expect(await inputErrorOf(FrontierServer.listen({ store: other })))
    .toMatch(/is not a stored frontier, or was damaged/);
  writeFileSync(join(folder, 'file'), '');
  expect(await inputErrorOf(FrontierServer.listen({ store: folder }))).toMatch(/contains other files/);
});

test('a port in use, and policies that a frontier cannot serve, are refused', async () => {
  const at = await FrontierServer.listen({ store: join(folder, 'first') });
  onTestFinished(() => at.close());
  const options = { store: join(folder, 'second') };
  expect(await inputErrorOf(FrontierServer.listen({ ...options, port: at.port })))
    .toBe(`127.0.0.1:${at.port}: is in use; name another port, or none`);
  expect(await inputErrorOf(FrontierServer.listen({ ...options, address: '192.0.2.1' })))
    .toBe('192.0.2.1:0: is not an address of this machine');
  expect(await inputErrorOf(FrontierServer.listen({ ...options, policy: 'pagerank' })))
    .toBe('policy pagerank: needs the ranks of pages, which a frontier cannot know');
  expect(await inputErrorOf(FrontierServer.listen({ ...options, policy: 'opc' }))).toMatch(/policy/);
  const tls = { certificate: Buffer.from('no certificate'), key: Buffer.from('no key') };
  expect(await inputErrorOf(FrontierServer.listen({ ...options, tls })))
    .toMatch(/^TLS: must be a certificate and its private key, PEM: /);
  expect(existsSync(options.store)).toBe(false);
  await (await FrontierServer.listen(options)).close();
});

test.each(sampled([
  'batch-pagerank', 'backlink-count', 'breadth-first', 'depth-first', 'opic-cycle', 'larger-sites-first', 'opic-window',
  'partial-pagerank', 'random', 'round-robin', 'spawc', 'compass',
], 6))('policy %s hands out every URL once, before and after a restart', async (policy) => {
  const at = await served({ policy, options: {} });
  const crawl = new OneCrawl(at, policy, 4);
  const page = (i: number): string => `http://h${i % 4}.example/${i}`;
  await crawl.put(discovered(crawl.info(page(0))), discovered(crawl.info(page(1))));
  const out: string[] = [];
  for (let next = 2, round = 0; out.length < 100; round++) {
    const urls = await crawl.get({ maxUrlsPerQueue: 3, delayRequestable: 10_000 });
    out.push(...urls);
    for (const url of urls) {
      const links = Array.from({ length: 5 }, () => page(crawl.from(0, 99)));
      const found = next < 100 ? [page(next++), page(Math.min(next++, 99))] : [];
      await crawl.put(...found.map((one) => discovered(crawl.info(one))));
      await crawl.put(known(crawl.info(url, '', { 'orbweaver.links': [...links, ...found] }), 0));
    }
    await at.advance(1000);
    if (round === 5) await at.restart!();
    expect(round).toBeLessThan(100);
  }
  expect(new Set(out).size).toBe(100);
});

test('without the token nothing is answered but health', async () => {
  const token = 'a-token-of-the-test';
  const at = await served({ token });
  expect((await at.calls.listCrawls({})).values).toEqual([]);
  const [address] = (await at.calls.listNodes({})).values;
  for (const wrong of [undefined, 'a-token-of-the-tesT', '']) {
    const { calls, close } = connectFrontier({ address, token: wrong });
    const error: unknown = await calls.listCrawls({}).catch((reason: unknown) => reason);
    expect(error instanceof ClientError && error.code).toBe(Status.UNAUTHENTICATED);
    const put = all(calls.putURLs(each([discovered({ url: 'http://a.example/' })])));
    await expect(put).rejects.toThrow('UNAUTHENTICATED');
    close();
  }
  const channel = createChannel(address);
  expect(await createClient(HealthDefinition, channel).check({ service: 'urlfrontier.URLFrontier' }))
    .toMatchObject({ status: 1 });
  channel.close();
});

test('over TLS, for clients that trust its certificate alone', async () => {
  const tls = { certificate: Buffer.from(goodCertificate), key: Buffer.from(serverKey) };
  const server = await FrontierServer.listen({ store: join(folder, 'tls'), tls });
  onTestFinished(() => server.close());
  const address = `127.0.0.1:${server.port}`;
  const channel = createChannel(
    address, ChannelCredentials.createSsl(Buffer.from(authority)), { 'grpc.ssl_target_name_override': 'good.test' },
  );
  expect((await createClient(urlFrontierService, channel).getActive({})).state).toBe(true);
  channel.close();
  for (const certificate of [undefined, Buffer.from(authority)]) {
    // Plaintext; and another name than that of the certificate.
    const { calls, close } = connectFrontier({ address, certificate });
    await expect(calls.getActive({})).rejects.toThrow('UNAVAILABLE');
    close();
  }
});

test('it describes itself, and says when it is there', async () => {
  const at = await served();
  const [address] = (await at.calls.listNodes({})).values;
  const channel = createChannel(address);
  onTestFinished(() => { channel.close(); });
  const reflection = createClient(ServerReflectionService, channel);
  const asks = (set: (request: ServerReflectionRequest) => unknown) => {
    const request = new ServerReflectionRequest();
    set(request);
    return request;
  };
  const answers = await all(reflection.serverReflectionInfo(each([
    asks((request) => request.setListServices('*')),
    asks((request) => request.setFileContainingSymbol('urlfrontier.URLFrontier')),
  ])));
  expect(answers[0].getListServicesResponse()?.getServiceList().map((one) => one.getName()))
    .toContain('urlfrontier.URLFrontier');
  const [file] = answers[1].getFileDescriptorResponse()!.getFileDescriptorProtoList_asU8();
  expect(Buffer.from(file).toString('latin1')).toContain('PutDiscovered');
});

test('metrics count what was done, under the names of the reference and ours', async () => {
  const server = await FrontierServer.listen({ store: join(folder, 'metrics') });
  onTestFinished(() => server.close());
  const { calls, close } = connectFrontier({ address: `127.0.0.1:${server.port}` });
  const links = { 'orbweaver.links': { values: ['http://b.example/'] } };
  await all(calls.putURLs(each([
    discovered({ url: 'http://a.example/1' }), discovered({ url: 'http://a.example/1' }), discovered({ url: '' }),
    discovered({ url: 'http://a.example/2' }), known({ url: 'http://c.example/', metadata: links }, 0),
  ])));
  await all(calls.putDiscovered(each([{ ID: 'x', items: [{ url: 'http://b.example/' }] }])));
  await all(calls.getURLs({ maxUrlsPerQueue: 1 }));
  const families = parsedMetrics(server.metrics());
  const expected = {
    frontier_getURLs_calls_total: 1, frontier_getURLs_total: 2, frontier_putURLs_calls_total: 1,
    frontier_putDiscovered_calls_total: 1, frontier_putURLs_total: 5, frontier_putURLs_ignored_total: 1,
    frontier_putURLs_completed_total: 1, orbweaver_frontier_skipped_total: 2, orbweaver_frontier_linked_total: 1,
    orbweaver_frontier_urls_active: 3, orbweaver_frontier_urls_done: 1, orbweaver_frontier_leases_open: 2,
    orbweaver_frontier_queues: 3, orbweaver_frontier_crawls: 1, orbweaver_frontier_active: 1,
  };
  for (const [name, value] of Object.entries(expected)) expect([name, summed(families, name)]).toEqual([name, value]);
  close();
});

test('a token in the metadata of a call serves as well', async () => {
  const token = 'another-token-of-the-test';
  const at = await served({ token });
  const [address] = (await at.calls.listNodes({})).values;
  const { calls, close } = connectFrontier({ address });
  const metadata = new Metadata({ authorization: `Bearer ${token}` });
  expect(await calls.getActive({}, { metadata })).toEqual({ state: true });
  close();
});
