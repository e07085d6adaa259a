import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawlLive } from '../../../src/machines/crawl/index.ts';
import { readWarc } from '../../../src/graphs/formats/index.ts';
import type { WebGraph } from '../../../src/graphs/graph/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { linking } from '../../formats/warc/warc-archive.ts';

const { folder } = temporaryFolder();

interface Served {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** What a page may say of its links, and how a URL may be spelled: by host and path. */
const web: Record<string, Served> = {
  'a.example/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /denied\n' },
  'a.example/': {
    body: linking(
      '/moved',
      '/nofollow',
      '/meta',
      '/header',
      '/base',
      '/again',
      '/missing',
      '/gzip',
      '/br',
      '/latin1',
      '/xhtml',
      '/picture',
      '/refresh',
      '/denied',
      '/robots.txt',
      '/untyped',
      '/broken',
      '/gone-to-error',
      'http://b.example/',
      'mailto:x@a.example',
      'http://[',
      '#top',
      '',
      '/',
    ),
  },
  'a.example/moved': { status: 302, headers: { location: '/moved-on' }, body: linking('/not-a-link') },
  'a.example/moved-on': { status: 301, headers: { location: 'http://b.example/target#part' } },
  'a.example/nofollow': { body: '<a rel="x nofollow" href=/hidden-1>x</a><a href=/seen>x</a>' },
  'a.example/meta': { body: '<meta name=Robots content="noindex, NOFOLLOW"><a href=/hidden-2>x</a>' },
  'a.example/header': { headers: { 'x-robots-tag': 'none' }, body: linking('/hidden-3') },
  'a.example/base': {
    body: '<base href="http://b.example/deep/"><base href="/other/"><a href=below>x</a><a href="?q">x</a>',
  },
  'a.example/again': { body: linking('/seen', '/again', '/seen#part', 'seen', '/again?') },
  'a.example/gzip': { headers: { 'content-encoding': 'gzip' }, body: gzipSync(linking('/by-gzip')) },
  'a.example/br': { headers: { 'content-encoding': 'br' }, body: brotliCompressSync(linking('/by-br')) },
  'a.example/broken': { headers: { 'content-encoding': 'gzip' }, body: gzipSync(linking('/never')).subarray(4) },
  'a.example/latin1': {
    headers: { 'content-type': 'text/html; charset=iso-8859-1' },
    body: Buffer.from(linking('/\xfcber', '/%7euser', '/~user', '/a%2fb', '/100%', '/x^y', '/q?a=%41'), 'latin1'),
  },
  'a.example/xhtml': {
    headers: { 'content-type': 'application/xhtml+xml' },
    body: '<html xmlns="http://www.w3.org/1999/xhtml"><script/><a href="/by-xhtml">x</a></html>',
  },
  'a.example/picture': { headers: { 'content-type': 'image/png' }, body: linking('/hidden-4') },
  'a.example/refresh': { body: '<meta http-equiv=refresh content="0; url=/refreshed">' },
  'a.example/untyped': { headers: { 'content-type': '' }, body: `<!doctype html>${linking('/by-sniffing')}` },
  'a.example/gone-to-error': { status: 500, body: linking('/hidden-5') },
  'b.example/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nAllow: /\n' },
  'b.example/': {
    body: linking(
      'HTTP://B.EXAMPLE:80/x/../y',
      'http://b.example./dot',
      '//a.example/seen',
      'http://user:secret@b.example/with-name',
    ),
  },
  'b.example/target': { body: linking('http://a.example/') },
  'a.example/~user': { body: linking('/home') },
};

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const {
      status = 200, headers = {}, body = '',
    } = web[`${request.headers.host ?? ''}${request.url ?? ''}`] ?? { status: 404, body: 'nothing' };
    const all = { 'content-type': 'text/html', ...headers };
    response.writeHead(status, Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')));
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

/** Links of each page, by URL without its scheme. */
function linksByUrl(graph: WebGraph): Record<string, string[]> {
  const urls = Array.from(
    { length: graph.pages }, (_, page) => graph.hosts.names.at(graph.hosts.ofPage[page]) + graph.paths!.at(page),
  );
  return Object.fromEntries(
    urls.map((url, page) => [
      url,
      [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])].map((target) => urls[target]),
    ]),
  );
}

/** A crawl of the web above, and the files of its archive. */
async function crawled(
  name: string, live: { readonly agent?: string } = {}, maxPages?: number,
): Promise<{ graph: WebGraph; archives: string[] }> {
  const path = join(folder, name);
  const { graph } = await crawlLive(path, {
    experiment: { policy: 'breadth-first', politenessMs: 0, superstepMs: 0, retries: 1, backoffMs: 1, maxPages },
    live: {
      contact: 'test@localhost', allowNetworks: ['127.0.0.0/8'], readerThreads: 0,
      resolve: [{ host: '*', address: '127.0.0.1', port: (server.address() as AddressInfo).port }], ...live,
    },
    seeds: ['http://a.example/'],
  });
  return { graph, archives: readdirSync(join(path, 'warc')).sort().map((file) => join(path, 'warc', file)) };
}

test('the archives of a crawl are imported as the graph of what was crawled', async () => {
  const { graph, archives } = await crawled('crawl');
  const links = linksByUrl(graph);
  expect(linksByUrl(await readWarc(archives))).toEqual(links);
  expect(Object.keys(links).length).toBeGreaterThan(30);
});

const agents = [['orbweaver', {}], ['examplebot', { agent: 'examplebot' }]] as const;
test.each(agents)('warcinfo names the software once, with its version, and the User-Agent of the requests: %s', async (agent, live) => {
  const { archives } = await crawled(`crawl by ${agent}`, live, 1);
  const text = gunzipSync(readFileSync(archives[0])).toString('latin1');
  const [, block] = text.split('\r\n\r\n');
  const fields = Object.fromEntries(block.trim().split('\r\n').map((line) => line.split(': ') as [string, string]));
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(fields).toEqual({
    format: 'WARC File Format 1.1',
    conformsTo: 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
    software: `orbweaver/${version}`,
    operator: 'test@localhost',
    robots: 'obeyed (RFC 9309)',
    'http-header-user-agent': /\r\nuser-agent: (.*)\r\n/.exec(text)?.[1],
  });
  expect(fields['http-header-user-agent']).toBe(`${agent}/${version} (+test@localhost)`);
});
