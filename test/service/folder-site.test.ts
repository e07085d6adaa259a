import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSite } from '../../src/graphs/formats/index.ts';
import { FolderSite } from '../../src/views/service/index.ts';
import { exchange, get, serving } from './asking.ts';

// Goal: a folder on the wire is the site that readSite reads, and nothing outside it is reached, whatever is asked for.

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'orbweaver-folder-')));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (path: string, content: string | Buffer): void => writeFileSync(join(folder, path), content);
for (const path of [
  'Site Two/sub/deep', 'Site Two/.hidden', 'Site Two/empty', 'Site Two/htm', 'secret', 'Site Two-secret', 'other',
])
  mkdirSync(join(folder, path), { recursive: true });
write('secret/key.txt', 'SECRET');
write('Site Two-secret/key.txt', 'SECRET');
write('Site Two/index.html', '<a href="sub/">sub</a>');
write('Site Two/sub/index.html', '<a href="../a%20b.html">a b</a>');
write('Site Two/sub/deep/100% ä.html', Buffer.from('<meta charset=windows-1252>\xe4', 'latin1'));
write('Site Two/a b.html', '<p>a b');
write('Site Two/htm/index.htm', 'htm');
write('Site Two/style.css', 'p {}');
write('Site Two/data', 'data');
write('Site Two/page.XHTML', '<html/>');
write('Site Two/large.html', Buffer.alloc(700_001, 'x'));
write('Site Two/robots.txt', 'User-agent: *\n');
symlinkSync('../secret/key.txt', join(folder, 'Site Two/out.html'));
symlinkSync('../secret', join(folder, 'Site Two/outside'));
symlinkSync('../Site Two-secret/key.txt', join(folder, 'Site Two/sibling.html'));
symlinkSync('/', join(folder, 'Site Two/root'));
symlinkSync('a b.html', join(folder, 'Site Two/within.html'));
symlinkSync('loop.html', join(folder, 'Site Two/loop.html'));
symlinkSync('sub/deep/../../..', join(folder, 'Site Two/above'));

const served = join(folder, 'Site Two');
const at = 'http://site-two.localhost';

describe('files', () => {
  test('are served with their types, charset left to them', async () => {
    const { server } = await serving(await FolderSite.open([{ folder: served }]));
    const types = {
      '/': 'text/html', '/index.html': 'text/html', '/sub/': 'text/html', '/sub/index.html': 'text/html',
      '/htm/': 'text/html', '/a%20b.html': 'text/html', '/style.css': 'text/css', '/data': 'application/octet-stream',
      '/page.XHTML': 'application/xhtml+xml', '/robots.txt': 'text/plain',
      '/sub/deep/100%25%20%C3%A4.html': 'text/html', '/sub%2Fdeep%2F100%25%20%C3%A4.html': 'text/html',
      '/within.html?query': 'text/html', '/large.html': 'text/html',
    };
    for (const [path, type] of Object.entries(types)) {
      const { status, headers } = await get(server, at + path);
      expect({ status, type: headers['content-type'] }, path).toEqual({ status: 200, type });
    }
    expect((await get(server, `${at}/sub/deep/100%25%20%C3%A4.html`)).body.at(-1)).toBe(0xe4);
    expect((await get(server, `${at}/large.html`)).body.equals(Buffer.alloc(700_001, 'x'))).toBe(true);
    expect((await get(server, `${at}/large.html`, { method: 'HEAD' })).headers['content-length']).toBe('700001');
  });

  test('of a folder asked for without its slash are redirected to', async () => {
    const { server } = await serving(await FolderSite.open([{ folder: served }]));
    for (const host of ['site-two.localhost', `site-two.localhost:${server.port}`]) {
      const { status, headers } = await get(server, `http://${host}/sub?a=b`);
      expect({ status, to: headers['location'] }).toEqual({ status: 301, to: `http://${host}/sub/?a=b` });
    }
  });

  test('that are not there are 404', async () => {
    const { server } = await serving(await FolderSite.open([{ folder: served }]));
    for (const path of [
      '/none',
      '/empty/',
      '/data/',
      '/data/x',
      '/index.html/',
      '/sub//',
      '//',
      '/sub//index.html',
      '/%E4.html',
      '/loop.html',
      `/${'x'.repeat(5000)}`,
      '/.',
      '/./index.html',
    ]) {
      expect((await get(server, at + path)).status, path).toBe(404);
    }
  });

  test('that become shorter break off', async () => {
    const site = await FolderSite.open([{ folder: served }]);
    write('Site Two/shrinks.html', Buffer.alloc(600_000, 'x'));
    const reply = await site.reply({
      host: 'site-two.localhost', authority: '', path: '/shrinks.html', atUs: 0, opensConnection: true,
    });
    truncateSync(join(served, 'shrinks.html'), 300_000);
    const { server, log } = await serving({ name: 'late', hasHost: () => true, reply: () => reply });
    await expect(get(server, `${at}/shrinks.html`)).rejects.toThrow();
    expect(log).toMatchObject([{ status: 200, bytes: 300_000, end: 'destroyed' }]);
    rmSync(join(served, 'shrinks.html'));
  });
});

test('nothing outside is reached', async () => {
  const { server, log } = await serving(await FolderSite.open([{ folder: served }]));
  const dots = ['..', '%2e%2e', '.%2e', '%2E.', '..%00', '..%5c..', '..;'];
  const paths = dots.flatMap((up) => [
    `/${up}/secret/key.txt`,
    `/sub/${up}/${up}/secret/key.txt`,
    `/${up}%2fsecret%2fkey.txt`,
    `/sub%2f${up}%2f${up}%2fsecret%2fkey.txt`,
    `/${up}/Site%20Two-secret/key.txt`,
    `/${up}`,
    `/${up}/`,
    `/sub/${up}`,
    `/./${up}/secret/key.txt`,
    `//${up}/secret/key.txt`,
    `/%2f${up}/secret/key.txt`,
  ]);
  paths.push(
    '/out.html',
    '/sibling.html',
    '/outside/key.txt',
    '/outside',
    '/outside/',
    '/root/etc/passwd',
    '/root/',
    '/above/secret/key.txt',
    '/above',
    '//etc/passwd',
    '/%2fetc/passwd',
    '/%00',
    '/index.html%00',
    '/\\..\\secret\\key.txt',
    '/%c0%ae%c0%ae/secret/key.txt',
    '/%252e%252e/secret/key.txt',
    '/..%252fsecret',
    '/../..//../secret/key.txt',
    '../secret/key.txt',
  );
  for (const path of paths) {
    // Over a raw connection, for clients tidy paths up.
    const answer = await exchange(
      server,
      `GET ${path} HTTP/1.1\r\nHost: site-two.localhost\r\nConnection: close\r\n\r\n`,
      2000,
    );
    expect(answer, path).toMatch(/^HTTP\/1.1 40[04] /);
    expect(answer, path).not.toMatch(/SECRET|root:/);
  }
  expect(log.length).toBe(paths.length);
});

describe('hosts', () => {
  test('and paths are those of readSite', async () => {
    for (const hostPerFolder of [false, true]) {
      const graph = await readSite(served, { hostPerFolder });
      const { server } = await serving(await FolderSite.open([{ folder: served }], { hostPerFolder }));
      for (let page = 0; page < graph.pages; page++) {
        const url = `http://${graph.hosts.names.at(graph.hosts.ofPage[page])}${graph.paths!.at(page)}`;
        const { status, body } = await get(server, url);
        expect({ status, bytes: body.length }, url).toEqual({ status: 200, bytes: graph.bytes![page] });
      }
      expect((await get(server, `${at}/sub/index.html`)).status).toBe(hostPerFolder ? 404 : 200);
      expect((await get(server, `${at}/sub`)).status).toBe(hostPerFolder ? 404 : 301);
    }
  });

  test('can be named, and must differ', async () => {
    const site = await FolderSite.open([{ folder: served, host: 'Docs.Example' }, { folder: join(folder, 'other') }]);
    expect(site.hosts).toEqual(['docs.example', 'other.localhost']);
    const two = [{ folder: served }, { folder: join(folder, 'other'), host: 'site-two.localhost' }];
    await expect(FolderSite.open(two)).rejects.toThrow(
      /other: its host is site-two\.localhost, and so is that of .*Site Two; name one HOST=FOLDER$/,
    );
    await expect(FolderSite.open([{ folder: served, host: 'a b' }])).rejects.toThrow('a b: is not a host name');
    mkdirSync(join(folder, 'other', 'x.y'));
    mkdirSync(join(folder, 'other', 'x+y'));
    const { hosts, notes } = await FolderSite.open([{ folder: join(folder, 'other') }], { hostPerFolder: true });
    expect(hosts).toEqual(['other.localhost', 'x-y.other.localhost']);
    expect(notes).toEqual([
      `${join(folder, 'other', 'x.y')}: not served, because x-y.other.localhost is another folder's host`,
    ]);
  });

  test('of folders that cannot be read are bad input', async () => {
    await expect(FolderSite.open([{ folder: join(folder, 'none') }])).rejects.toThrow(/none: there is no such folder$/);
    await expect(FolderSite.open([{ folder: join(served, 'data') }])).rejects.toThrow(
      /data: is a file; name a folder$/,
    );
  });
});
