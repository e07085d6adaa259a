import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listTable, type Listed } from '../../src/cli/actions/datasets.ts';
import { sendFile, serve, type Handler, type Loopback } from '../catalogue/loopback.ts';
import { finished, namesBelow, newFolder, orbweaver, start, type Finished } from './command.ts';

// Goal: a user lists, fetches, interrupts, goes on, opens and verifies; each with its text, its JSON and its exit code.
// Method: the built command in processes of its own, against a server on loopback.

let folder: string;
beforeEach(() => {
  folder = newFolder();
  // The processes started below take it over.
  vi.stubEnv('ORBWEAVER_DATASETS', join(folder, 'fetched'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const links = gzipSync(Array.from({ length: 20_000 }, (_, i) => `${i}\t${(i * 7919 + 13) % 20_000}\n`).join(''));
const serveLinks: Handler = (request, response) => sendFile(request, response, { bytes: links, etag: '"1"' });

/** Writes a list with one graph, `ring`, of the server; `more` goes over it. */
function list(server: Loopback, more: object = {}): void {
  const ring = {
    name: 'ring',
    title: 'a ring',
    source: 'http://127.0.0.1/',
    pages: 20_000,
    arcs: 20_000,
    licence: 'CC0',
    citation: 'Nobody, "Rings", 2000',
    files: [{ name: 'ring.txt.gz', url: server.at('/ring.txt.gz'), bytes: links.length }],
    ...more,
  };
  writeFileSync(join(folder, 'list.json'), JSON.stringify({ datasets: [ring] }));
}
const fetchRing = ['datasets', 'fetch', 'ring', '--catalogue', 'list.json'];
const run = (...args: string[]): Promise<Finished> => orbweaver(args, folder);
const stored = (): string[] => namesBelow(join(folder, 'fetched'));
const whole = ['ring', 'ring/orbweaver-dataset.json', 'ring/ring.txt.gz'];

describe('fetch', () => {
  test('brings a graph that every command then opens by name', async () => {
    list(await serve(serveLinks));
    const { code, stdout, stderr } = await run(...fetchRing);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^ring: 1 file, [\d,]+ bytes, in .*fetched\/ring\n20,000 pages and 20,000 arcs, as the catalogue says\n/,
    );
    expect(stdout).toMatch(/^ {2}ring\.txt\.gz +[\d,]+ +not published +[0-9a-f]{64}$/m);
    expect(stdout).toMatch(/\nLicence: CC0\nCite: Nobody, "Rings", 2000\nOpen it by name: orbweaver info ring\n$/);
    expect(stored()).toEqual(whole);
    expect(JSON.parse((await run('info', 'ring', '--json')).stdout)).toMatchObject({
      graph: 'ring', pages: 20_000, arcs: 20_000,
    });
    expect((await run(...fetchRing)).stdout).toMatch(
      /^ring: already fetched, in .*; orbweaver datasets verify ring checks its files\n$/,
    );
  });

  test('--json is one document, --to another folder', async () => {
    list(await serve(serveLinks));
    const { code, stdout } = await run(...fetchRing, '--to', 'there', '--no-check', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'ring', folder: join('there', 'ring'), wasHere: false,
      files: [{ name: 'ring.txt.gz', bytes: links.length }], licence: 'CC0', notes: [],
    });
    expect(stored.bind(null)).toThrow();
    expect(JSON.parse((await run('info', 'there/ring', '--json')).stdout)).toMatchObject({
      graph: 'ring', pages: 20_000,
    });
  });

  test('SIGINT keeps what has come; the same command goes on there', async () => {
    const half = links.length >> 1;
    const server = await serve((request, response) => {
      if (server.asked.length > 1) serveLinks(request, response);
      else response.writeHead(200, { etag: '"1"', 'content-length': links.length }).write(links.subarray(0, half));
    });
    list(server);
    const child = start(fetchRing, folder);
    const end = finished(child);
    const part = join(folder, 'fetched', 'ring', 'ring.txt.gz.part');
    await vi
      .waitUntil(() => existsSync(part) && readFileSync(part).length === half, { timeout: 30_000, interval: 20 })
      .catch(() => child.kill());
    child.kill('SIGINT');
    expect(await end).toEqual({
      code: 130,
      stdout: '',
      stderr: expect.stringMatching(
        /^interrupted; the partial download is in .*fetched\/ring, and the same command continues it\n$/,
      ) as string,
    });
    expect(stored()).toEqual(['ring', 'ring/ring.txt.gz.part', 'ring/ring.txt.gz.part.json']);
    const { code, stderr } = await run(...fetchRing);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${server.at('/ring.txt.gz')}: continues at byte ${half}\n` });
    expect(server.asked).toEqual(['GET /ring.txt.gz', `GET /ring.txt.gz bytes=${half}-`]);
    expect(stored()).toEqual(whole);
  });

  test.each<[string, object, RegExp]>([
    ['a file that is not there', {}, /^http:\/\/127\.0\.0\.1:\d+\/ring\.txt\.gz: the server answers 404 Not Found\n$/],
    [
      'a name that leads out of the folder',
      { files: [{ name: '../ring.txt.gz', url: 'http://127.0.0.1:9/' }] },
      /^list\.json: datasets\[0\]\.files\[0\]\.name: must be letters, digits/,
    ],
  ])('%s ends with exit code 2', async (_, more, says) => {
    list(await serve((_request, response) => response.writeHead(404).end()), more);
    expect(await run(...fetchRing)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(says) as string });
    expect(namesBelow(folder).filter((name) => /ring.txt/.test(name))).toEqual([]);
  });

  test('names that are none, or shipped', async () => {
    expect(await run('datasets', 'fetch', 'web-Gogle')).toEqual({
      code: 2, stdout: '',
      stderr: expect.stringMatching(/^no public graph "web-Gogle"; the nearest of \d+ are web-Google, /) as string,
    });
    expect((await run('datasets', 'fetch', 'docs-web')).stderr).toMatch(
      /^docs-web: comes with Orbweaver and need not be fetched/,
    );
  });
});

describe('verify', () => {
  test('reports what each file was compared with; damage is exit code 2, with the file named and left', async () => {
    list(await serve(serveLinks));
    await run(...fetchRing);
    expect(await run('datasets', 'verify')).toMatchObject({
      code: 0, stderr: '', stdout: expect.stringMatching(/ring\.txt\.gz +[\d,]+ +recorded sha256 +ok\n$/) as string,
    });
    const path = join(folder, 'fetched', 'ring', 'ring.txt.gz');
    truncateSync(path, 100);
    const { code, stdout, stderr } = await run('datasets', 'verify', 'ring', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [{ dataset: 'ring', file: path, bytes: 100, damage: `has 100 bytes, not ${links.length}` }],
      damaged: 1,
    });
    expect(stderr).toBe(`${path}: has 100 bytes, not ${links.length}; remove it and fetch ring again\n`);
    expect(stored()).toEqual(whole);
  });
});

describe('list', () => {
  test('lists what is here', async () => {
    list(await serve(serveLinks));
    await run(...fetchRing);
    const { datasets } = JSON.parse((await run('datasets', 'list', '--catalogue', 'list.json', '--json')).stdout) as {
      datasets: Listed[];
    };
    expect(datasets.map(({ name, here }) => [name, here])).toEqual([
      ...['docs-web', 'clique', 'cycle', 'star', 'chain'].map((name) => [name, 'shipped']), ['ring', 'fetched'],
    ]);
    // Of a list of its own, so that ours does not know it.
    expect((await run('datasets', 'list')).stdout).toMatch(
      /^ {2}ring +- +- +fetched +[\d.]+ kB +CC0 +fetched by another list$/m,
    );
  });

  test('shows everything about one graph', async () => {
    const { stdout } = await run('datasets', 'list', 'cnr-2000');
    for (const part of [
      '325,557',
      '3,216,152',
      'none stated',
      '1,164,843',
      'MD5',
      'http://data.law.di.unimi.it/webdata/cnr-2000/cnr-2000.graph',
      'Cite: P. Boldi',
    ]) {
      expect(stdout).toContain(part);
    }
  });

  test('leaves columns out where the terminal is narrow', () => {
    const graph: Listed = {
      name: 'web-Google', title: 'pages', pages: 875_713, arcs: 5_105_039, rounded: true, bytes: 21_168_784,
      licence: 'none stated', here: 'no',
    };
    const unknown: Listed = { name: 'x', title: 'pages', rounded: false, licence: 'none stated', here: 'in part' };
    expect(listTable([graph, unknown], Infinity).split('\n').slice(2)).toEqual([
      '  web-Google  ~875,713  ~5,105,039  no       21.2 MB  none stated  pages',
      '  x                  -           -  in part        -  none stated  pages',
    ]);
    for (const room of [70, 60, 40, 20])
      for (const line of listTable([graph, unknown], room).split('\n')) expect(line.length).toBeLessThanOrEqual(room);
    expect(listTable([graph], 1).split('\n')[2]).toBe('  web-Google');
  });
});
