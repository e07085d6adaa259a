import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fetcher, header, type Answer } from '../../../src/core/live/index.ts';
import { HostileServer } from '../hostile-server.ts';
import { loopbackSettings } from './settings.ts';

// Goal: an answer is what the host sent, and what was asked is reported as it was sent.

let server: HostileServer;
let fetcher: Fetcher;
beforeAll(async () => {
  server = await HostileServer.open();
  fetcher = await Fetcher.open(loopbackSettings(server.port));
});
afterAll(async () => {
  await fetcher.close();
  await server.close();
});

test.each([
  'http://name.test/good', 'http://name.test:8080/good/a%20b?q=1&r=%C3%A9#part', 'http://user:word@NAME.test/good?', 
  'http://n\u00e4me.test/good/\u00e9',
])('the head of the request, as sent: %s', async (url) => {
  const end = await fetcher.fetch(url, () => 'body') as Answer;
  const { head } = server.asked[server.asked.length - 1];
  expect(head).toBe(end.requestHead);
  expect(head).toMatch(/\r\nuser-agent: orbweaver\/[0-9.]+ \(\+mailto:crawl@example\.org\)\r\n/);
  expect(head).not.toMatch(/word|part/);
  expect(end).toMatchObject({ url, status: 200, statusText: 'OK', address: '127.0.0.1' });
});

test('headers as received, in their order and spelling', async () => {
  let seen: readonly string[] = [];
  const end = await fetcher.fetch('http://name.test/encoded', (status, rawHeaders) => {
    expect(status).toBe(200);
    seen = rawHeaders;
    return 'body';
  }) as Answer;
  expect(end.rawHeaders).toEqual([
    'content-type', 'text/html; charset=utf-8', 'content-encoding', 'gzip', 'content-length', String(end.body.length),
  ]);
  expect(seen).toEqual(end.rawHeaders);
  expect(header(end.rawHeaders, 'content-encoding')).toBe('gzip');
  // Threads read it where it is.
  expect(end.body.buffer).toBeInstanceOf(SharedArrayBuffer);
  // The content coding is still on.
  expect(gunzipSync(end.body).toString()).toBe('<a href="/good">link</a>');
});

test('a connection that the host closes is opened anew', async () => {
  for (let i = 0; i < 3; i++)
    expect(await fetcher.fetch('http://name.test/unframed', () => 'body')).toMatchObject({ status: 200 });
});

test('refused, and closed', async () => {
  const refused = await Fetcher.open(loopbackSettings(1));
  expect(await refused.fetch('http://name.test/', () => 'body')).toMatchObject({ reason: 'connection refused' });
  await refused.close();
});

// To call such an answer malformed would lose its page for good.
const slow = ['silent', 'slow-head', 'slow-body', 'stopped-body'];
test.each(slow)('closed while %s is under way: cut, and nothing else', async (name) => {
  const closing = await Fetcher.open(loopbackSettings(server.port));
  const before = server.asked.length;
  const underWay = closing.fetch(`http://name.test/${name}`, () => 'body');
  while (server.asked.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await closing.close();
  expect(await underWay).toEqual({ reason: 'connection reset', detail: 'the crawl has ended', bytes: 0 });
  expect(closing.heldBytes).toBe(0);
  expect(await closing.fetch('http://name.test/', () => 'body')).toMatchObject({ reason: 'connection reset' });
});

test.each([
  ['127.0.0.1', '127.0.0.1'], ['::ffff:127.0.0.1', '127.0.0.1'], ['0:0:0:0:0:FFFF:7F00:1', '127.0.0.1'],
])('an address has one name, before a connection is open and while one is: %s', async (address, name) => {
  const resolve = [{ host: '*', address, port: server.port }];
  const spelled = await Fetcher.open(loopbackSettings(server.port, { resolve }));
  try {
    expect(await spelled.addressOf('http://name.test/good')).toBe(name);
    expect(await spelled.fetch('http://name.test/good', () => 'body')).toMatchObject({ status: 200 });
    expect(await spelled.addressOf('http://name.test/good')).toBe(name);
  } finally {
    await spelled.close();
  }
});
