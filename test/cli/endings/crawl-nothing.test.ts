import { rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { finished, newFolder, orbweaver, start } from '../command.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: a crawl that stores no page says why and ends with exit code 4; one that was interrupted keeps its own.

let folder: string;
let server: Server | undefined;
beforeEach(() => { folder = newFolder(); });
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => { if (server === undefined) resolve(undefined); else server.close(resolve); });
  server = undefined;
  rmSync(folder, { recursive: true });
});

/** A site on loopback, by its answers. */
async function site(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const crawl = (url: string, ...more: string[]): string[] => [
  'crawl', url, '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8',
  '--politeness-ms', '10', '--retries', '1', '--backoff-ms', '10', '--out', 'crawl', ...more,
];

test('nobody listens', async () => {
  const url = await site(() => undefined);
  await new Promise((resolve) => server!.close(resolve));
  server = undefined;
  const { code, stderr } = await orbweaver(crawl(url, '--host-patience', '0'), folder);
  expect(stderr).toMatch(/no page was stored: robots\.txt: connection refused.*\(2 times\).*crawl\.log/);
  expect(code).toBe(4);
});

test('robots.txt denies all', async () => {
  const url = await site((request, response) => {
    response.end(request.url === '/robots.txt' ? 'User-agent: *\nDisallow: /\n' : 'not for you');
  });
  const { code, stderr } = await orbweaver(crawl(url, '--json'), folder);
  expect(stderr).toMatch(/no page was stored: denied by robots\.txt\./);
  expect(code).toBe(4);
});

test.runIf(isFullSweep)('the time is up before an answer', async () => {
  const { code, stderr } = await orbweaver(crawl(await site(() => undefined), '--max-seconds', '1'), folder);
  // Open downloads have ten seconds to end.
  expect(stderr).toMatch(/no page was stored: it ended \(time limit\) before any request did, with 1 download open\./);
  expect(code).toBe(4);
});

test('interrupted before its first page', async () => {
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => { asked = resolve; });
  // So that the open download ends soon.
  const soon = ['--superstep-ms', '200', '--headers-timeout-ms', '300'];
  const child = start(crawl(await site(() => { asked(); }), ...soon), folder);
  const end = finished(child);
  await isAsked;
  await sleep(100);
  child.kill('SIGINT');
  const { code, stderr } = await end;
  expect(stderr).toContain('no page was stored: ');
  expect(code).toBe(130);
});

/** A site whose pages redirect. Paths without a target are missing. */
const redirecting = (targets: Readonly<Record<string, string>>): Promise<string> => site((request, response) => {
  const target = targets[request.url ?? ''] as string | undefined;
  response.writeHead(target === undefined ? 404 : 302, target === undefined ? {} : { location: target }).end();
});

test('a seed that redirects out of scope is no page, and its target is named', async () => {
  const url = await redirecting({ '/': 'http://new.example/x' });
  const { code, stderr } = await orbweaver(crawl(url, '--allow-domain', '127.0.0.1'), folder);
  expect(stderr).toMatch(
    /no page was stored: redirect not followed: out of scope by its domain: http:\/\/new\.example\/x\..*crawl\.log/,
  );
  expect(code).toBe(4);
});

test.each<[string, Readonly<Record<string, string>>, string[], string]>([
  ['in a circle', { '/': '/a', '/a': '/b', '/b': '/' }, [], 'redirect loop: of 3 pages'],
  ['to what is missing', { '/': '/a' }, [], 'status 404'],
  ['to no page', { '/': 'mailto:x@localhost' }, [], 'redirect not followed: notHttp'],
  ['on and on', { '/': '/a', '/a': '/b', '/b': '/c' }, ['--max-redirects', '1'], 'more than 1 redirects in a row'],
  [
    'to a page that it did not fetch', { '/': '/a' }, ['--max-pages', '1'],
    'it ended (page limit) before its redirects led to a page',
  ],
])('nor is one that redirects %s', async (_, targets, flags, why) => {
  const { code, stderr } = await orbweaver(crawl(await redirecting(targets), ...flags), folder);
  expect(stderr).toContain(`no page was stored: ${why}`);
  expect(code).toBe(4);
});

test('one page behind a redirect is enough', async () => {
  const url = await site((request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/page' }).end();
    else response.setHeader('content-type', 'text/html').end('<p>x');
  });
  const { code, stderr } = await orbweaver(crawl(url), folder);
  expect(stderr).not.toContain('no page');
  expect(code).toBe(0);
});

test('one page is enough', async () => {
  const url = await site((_, response) => { response.setHeader('content-type', 'text/html').end('<p>x'); });
  const { code, stderr } = await orbweaver(crawl(url), folder);
  expect(stderr).not.toContain('no page');
  expect(code).toBe(0);
});
