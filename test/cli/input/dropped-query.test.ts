import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linking, WrittenSite } from '../../crawl/written-site.ts';
import { loopback } from '../../crawl/loopback.ts';
import { orbweaver, printedBy } from '../command.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: parameters that are dropped make one page of many wherever pages have URLs of a crawl; elsewhere the flag is
// refused, never ignored; and a crawl keeps its own when it is resumed.

const { folder, file } = temporaryFolder();
const line = (url: string, via: string): string =>
  `2026-01-02T03:04:05.678Z   200   100 ${url} L ${via} text/html #1 20260102030405000+10 sha1:AA - -\n`;
const heritrix = line('http://a.test/', '-') + line('http://a.test/b?utm_x=1', 'http://a.test/') +
  line('http://a.test/b?utm_x=2', 'http://a.test/c?utm_y=1&z=1') +
  line('http://a.test/c?z=1', 'http://a.test/b?utm_x=2');
const record = (url: string, body: string): string => {
  const http = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${body}`;
  return `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${url}\r\nContent-Type: application/http;msgtype=response\r\n` +
    `Content-Length: ${Buffer.byteLength(http)}\r\n\r\n${http}\r\n\r\n`;
};
const links = '<a href="/b?utm_x=1">b</a><a href="/b?utm_x=2">b</a><a href="/c?utm_y=1&z=1">c</a>';
const warc = record('http://a.test/', links) +
  record('http://a.test/b?utm_x=3', '<a href="/c?z=1">c</a>');

const kinds = [['log.txt', heritrix, 5], ['x.warc', warc, 6]] as const;
test.each(kinds)('%s: pages that differ by them are one', async (name, text, pages) => {
  const path = file(name, text);
  const sizeWith = async (...flags: string[]): Promise<number> => (JSON.parse(
    await printedBy(['import', path, ...flags, '--out', join(folder, 'out.owg'), '--json'], folder),
  ) as { pages: number }).pages;
  expect(await sizeWith()).toBe(pages);
  expect(await sizeWith('--drop-query', 'utm_*')).toBe(3);
  expect(await sizeWith('--drop-query', 'all')).toBe(3);
});

test.each([
  ['edges.txt', '0 1\n1 2\n', []], ['pairs.txt', 'http://a.test/?u=1\thttp://b.test/\n', []],
  ['table.csv', 'a,b\nhttp://a.test/,http://b.test/\n', ['--columns', 'a,b']],
])('%s: refused', async (name, text, flags) => {
  const path = file(name, text);
  const { code, stderr } = await orbweaver(
    ['import', path, '--drop-query', 'u', ...flags, '--out', join(folder, 'no.owg')], folder,
  );
  expect(stderr).toMatch(/^--drop-query: is for WARC and WAT archives, .*(none of them|read as csv)\n$/);
  expect(code).toBe(2);
  expect(existsSync(join(folder, 'no.owg'))).toBe(false);
});

test('--resume with a scope or other parameters is refused, and the crawl goes on with its own', async () => {
  const links = ['/in?u=1', 'http://b.test/'];
  const web = await loopback(new WrittenSite((url) => linking(...(url === 'a.test/' ? links : []))));
  try {
    const [same, other] = ['a.test', 'b.test'].map((host) => file(`${host}.yaml`, `scope: [{host: ${host}}]`));
    const out = join(folder, 'crawled');
    await printedBy([
      'crawl', 'http://a.test/', '--contact', 'x@a.test', '--allow-network', '127.0.0.0/8', '--resolve',
      `*=127.0.0.1:${web.port}`, '--politeness-ms', '0', '--scope', same, '--drop-query', 'u', '--max-pages', '1',
      '--out', out, '--json',
    ], folder);
    for (const flags of [['--scope', same], ['--scope', other], ['--scope', 'absent'], ['--drop-query', 'v']]) {
      const { code, stderr } = await orbweaver(['crawl', '--resume', out, ...flags], folder);
      expect(stderr).toMatch(new RegExp(`^${flags[0]}: --resume continues with the settings of the crawl: only --max-pages`));
      expect(code).toBe(2);
    }
    await printedBy(['crawl', '--resume', out, '--max-pages', '9', '--json'], folder);
    expect(web.log.map(({ host, path }) => host + path).filter((url) => !url.endsWith('robots.txt')))
      .toEqual(['a.test/', 'a.test/in']);
  } finally {
    await web.close();
  }
});
