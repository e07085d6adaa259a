import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LoggedRequest } from '../../src/views/service/index.ts';
import { sampled } from '../sweep.ts';
import { finished, newFolder, orbweaver, start } from './command.ts';

// Goal: the command serves what it says where it says, and ends as it is reported.

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

interface Ready {
  readonly address: string;
  readonly port: number;
  readonly startUrls: readonly string[];
}

async function ready(child: ChildProcess): Promise<Ready> {
  const [line] = (await once(child.stdout!, 'data')) as [Buffer | string];
  return JSON.parse(String(line)) as Ready;
}

function get({ address, port }: Ready, host: string, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request({ host: address, port, path, headers: { host }, agent: false }, (response) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (piece: string) => (body += piece))
        .on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    }).on('error', reject).end();
  });
}

const logOf = (name: string): LoggedRequest[] =>
  readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as LoggedRequest);

test.each(sampled(['SIGTERM', 'SIGINT'] as const, 2))('a graph, until %s', async (signal) => {
  const child = start(['serve', 'web', 'docs-web', '--json', '--log', 'requests.jsonl', '--hang-share', '0'], folder);
  const end = finished(child);
  const web = await ready(child);
  expect(web).toMatchObject({
    graph: 'docs-web', pages: 31_331, hosts: 521, address: '127.0.0.1',
    notes: ['1 page is longer than its size, because its links need more bytes'],
  });
  expect(web.startUrls[0]).toBe('http://www.rust.example/index.html');
  const { status, body } = await get(web, 'www.rust.example', '/index.html');
  expect({ status, bytes: body.length }).toEqual({ status: 200, bytes: 6428 });
  expect((await get(web, 'www.rust.example', '/robots.txt')).status).toBe(404);
  // A connection that stays open must not keep the process.
  const idle = connect(web.port, web.address);
  idle.on('error', () => undefined);
  await once(idle, 'connect');
  child.kill(signal);
  const { code, stderr } = await end;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(logOf('requests.jsonl')).toMatchObject([
    { connection: 0, host: 'www.rust.example', path: '/index.html', status: 200, bytes: 6428, end: 'sent' },
    { connection: 1, path: '/robots.txt', status: 404 },
  ]);
});

test('the network that is asked for, and what is under way at the end', async () => {
  const child = start(
    [
      'serve', 'web', 'star', '--json', '--log', 'star.jsonl', '--timeout-share', '1', '--robots-txt-share', '1',
      '--crawl-delay-share', '1', '--seed', '3',
    ],
    folder,
  );
  const end = finished(child);
  const web = await ready(child);
  const [, host, path] = /^http:\/\/([^/]+)(\/.*)$/.exec(web.startUrls[0])!;
  expect((await get(web, host, '/robots.txt')).body).toMatch(/^User-agent: \*\nCrawl-delay: 10\n#/);
  const silent = get(web, host, path).then(() => 'answered', () => 'broken off');
  // Sent after it, so that it has come when this is answered.
  await get(web, host, '/robots.txt');
  child.kill('SIGINT');
  expect(await silent).toBe('broken off');
  expect((await end).code).toBe(0);
  expect(logOf('star.jsonl').map(({ status, end }) => [status, end])).toEqual([
    [200, 'sent'], [200, 'sent'], [0, 'destroyed'],
  ]);
});

test('folders, reported for people', async () => {
  mkdirSync(join(folder, 'site', 'sub'), { recursive: true });
  writeFileSync(join(folder, 'site', 'index.html'), 'hello');
  writeFileSync(join(folder, 'site', 'sub', 'index.html'), 'below');
  const child = start(
    ['serve', 'web', '--folder', 'site', '--folder', 'docs.example=site/sub', '--listen', '127.0.0.2'], folder,
  );
  const end = finished(child);
  const text = String((await once(child.stdout!, 'data'))[0]);
  const port = Number(/^serving 2 folders on 2 hosts at http:\/\/127\.0\.0\.2:(\d+)$/m.exec(text)?.[1]);
  expect(text.split('\n').slice(1)).toEqual([
    'crawl it:',
    '  orbweaver crawl http://site.localhost/ http://docs.example/ \\',
    `    --out crawls/loopback --resolve '*=127.0.0.2:${port}' --allow-network 127.0.0.0/8 --contact you@example.org`,
    '',
  ]);
  const web = { address: '127.0.0.2', port, startUrls: [] };
  expect(await get(web, 'site.localhost', '/sub/')).toEqual({ status: 200, body: 'below' });
  expect(await get(web, 'docs.example', '/')).toEqual({ status: 200, body: 'below' });
  // The port is taken.
  const second = await orbweaver(['serve', 'web', 'star', '--listen', '127.0.0.2', '--port', String(port)], folder);
  expect(second).toEqual({ code: 2, stdout: '', stderr: `127.0.0.2:${port}: is in use; name another port, or none\n` });
  child.kill('SIGINT');
  expect(await end).toMatchObject({ code: 0, stderr: '' });
});

test('where other machines reach it, it says so', async () => {
  const child = start(['serve', 'web', 'star', '--listen', '0.0.0.0', '--json'], folder);
  const end = finished(child);
  await ready(child);
  child.kill('SIGINT');
  expect(await end).toMatchObject({
    code: 0, stderr: 'warning: other machines can reach 0.0.0.0 and everything served there\n',
  });
});
