import { createHash } from 'node:crypto';
import {
  appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  catalogue, datasetsFolder, fetchDataset, fetchedNames, openGraph, publicDatasets, verifyDataset, type FetchOptions,
  type PublicDataset,
} from '../../src/graphs/catalogue/index.ts';
import { writeBvGraph } from '../../src/graphs/formats/index.ts';
import { WorldError } from '../../src/base/index.ts';
import { patientMachine, sendFile, serve, type Handler, type Loopback } from './loopback.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

// Goal: a graph of the catalogue comes whole and is what the catalogue says, opens by name, and is found damaged when
// it is; what a list or a server says never leads out of the graph's folder.

const { folder, file } = temporaryFolder();

let root: string;
let notes: string[];
beforeEach(() => {
  root = join(mkdtempSync(join(folder, 'root-')), 'datasets');
  notes = [];
  vi.stubEnv('ORBWEAVER_DATASETS', root);
});
afterEach(() => vi.unstubAllEnvs());

const links = gzipSync('# links\n0\t1\n1\t2\n2\t0\n2\t1\n');
const hash = (name: string, bytes: Uint8Array): string => createHash(name).update(bytes).digest('hex');

/** A server of files by path; others are 404. */
function filesAt(files: Readonly<Record<string, Uint8Array | string>>): Handler {
  return (request, response) => {
    const content = files[request.url ?? ''] as Uint8Array | string | undefined;
    if (content === undefined) response.writeHead(404).end();
    else sendFile(request, response, { bytes: Buffer.from(content), etag: '"1"' });
  };
}

let lists = 0;
/** The graphs of a list written as a file and read back, as `--catalogue FILE` does. */
function listed(...datasets: object[]): Promise<readonly PublicDataset[]> {
  return publicDatasets(file(`list-${String(lists++)}.json`, JSON.stringify({ datasets })));
}

const about = { title: 'a graph', source: 'http://127.0.0.1/', licence: 'none stated', citation: 'Nobody, 2000' };
async function small(server: Loopback, more: object = {}, ofFile: object = {}): Promise<PublicDataset> {
  const [dataset] = await listed({
    name: 'small', ...about, pages: 3, arcs: 4,
    files: [{ name: 'small.txt.gz', url: server.at('/small.txt.gz'), ...ofFile }], ...more,
  });
  return dataset;
}

function fetchIt(dataset: PublicDataset, options: FetchOptions = {}): ReturnType<typeof fetchDataset> {
  return fetchDataset(dataset, { machine: patientMachine(), onNote: (note) => notes.push(note), ...options });
}

describe('the catalogue of the package', () => {
  test('keeps the rules that its form cannot', async () => {
    const datasets = await publicDatasets();
    expect(datasets.length).toBeGreaterThan(15);
    const shipped = catalogue.map(({ name }) => name);
    for (const { name, files, arcs, pages, licence, citation } of datasets) {
      expect(shipped, name).not.toContain(name);
      expect(licence.length * citation.length, name).toBeGreaterThan(0);
      expect(arcs ?? pages, name).toBeGreaterThan(0);
      for (const one of files) expect(new URL(one.url).pathname.endsWith(`/${one.name}`), one.url).toBe(true);
    }
  });

  test.each([
    ['no JSON', '{"datasets": [', /bad\.json: is not JSON: /],
    ['no list', '{"graphs": []}', /bad\.json: datasets: /],
    ['a field unknown', [{ more: 1 }], /bad\.json: datasets\[0\]: .*more/],
    ['a name that leads out', [{ name: '../small' }], /bad\.json: datasets\[0\]\.name: must be letters/],
    ['a hidden name', [{ name: '.small' }], /datasets\[0\]\.name/],
    ['no name', [{ name: undefined }], /datasets\[0\]\.name/],
    [
      'the same name twice, letter case apart', [{}, { name: 'SMALL' }],
      /datasets\[1\]\.name: is the name of another graph too/,
    ],
    ['pages that are none', [{ pages: -1 }], /datasets\[0\]\.pages/],
    [
      'nothing to open',
      [{ files: [{ name: 'x.md5', url: 'http://a.example/x', opens: false }] }],
      /datasets\[0\]\.files: must have a file that opens/,
    ],
    ['an empty licence', [{ licence: '' }], /datasets\[0\]\.licence/],
    ...[
      '../x', '/etc/passwd', 'a/b', 'a\\b', '.lock', 'C:x', 'x\u0000', '', '..', 'x.part', 'x.PART.json',
      'Orbweaver-Dataset.json', 'a'.repeat(200),
    ].map((name): [string, object[], RegExp] => [
      `the file ${JSON.stringify(name).slice(0, 40)}`,
      [{ files: [{ name, url: 'http://a.example/x' }] }],
      /datasets\[0\]\.files\[0\]\.name: m/,
    ]),
    ...[
      'ftp://a.example/x',
      'file:///etc/passwd',
      '/x',
      'http://',
      'http://u:p@a.example/x',
      'http://a.example/#x',
    ].map((url): [string, object[], RegExp] => [
      `the address ${url}`,
      [{ files: [{ name: 'x', url }] }],
      /datasets\[0\]\.files\[0\]\.url: must be an address/,
    ]),
    [
      'two files of one name',
      [
        {
          files: [
            { name: 'x', url: 'http://a.example/x' },
            { name: 'X', url: 'http://a.example/y' },
          ],
        },
      ],
      /datasets\[0\]\.files: name two files x/,
    ],
    [
      'a malformed checksum',
      [{ files: [{ name: 'x', url: 'http://a.example/x', md5: 'abc' }] }],
      /datasets\[0\]\.files\[0\]\.md5: must be 32/,
    ],
    [
      'a base without a slash',
      [{ lists: [{ name: 'x', url: 'http://a.example/x', base: 'http://a.example/y', prefix: 'p' }] }],
      /lists\[0\]\.base: must end with a slash/,
    ],
  ] satisfies [string, string | object[], RegExp][])(
    '%s is refused, and the field named',
    async (_, list: string | object[], says) => {
      const one = { name: 'small', ...about, files: [{ name: 'x', url: 'http://a.example/x' }] };
      const text =
        typeof list === 'string' ? list : JSON.stringify({ datasets: list.map((more) => ({ ...one, ...more })) });
      expect(await inputErrorOf(publicDatasets(file('bad.json', text)))).toMatch(says);
    },
  );

  test('a list that is no file, or not there', async () => {
    expect(await inputErrorOf(publicDatasets(folder))).toMatch(/is not a file|is a folder/);
    expect(await inputErrorOf(publicDatasets(join(folder, 'none.json')))).toMatch(/none\.json: there is no such file$/);
  });
});

const cnr2000 = fileURLToPath(new URL('../../../shared/datasets/cnr-2000/cnr-2000', import.meta.url));
// Skipped without the files: they may not be redistributed, so they lie beside the project and not in it.
test.skipIf(!existsSync(`${cnr2000}.graph`))('cnr-2000 comes as the catalogue has it (skipped where absent: it may not be redistributed)', async () => {
  const known = (await publicDatasets()).find(({ name }) => name === 'cnr-2000');
  if (!known) throw new Error('is not in the catalogue');
  // The copy at hand was filled up with zeros to a multiple of 8 bytes.
  const files = {
    '/cnr-2000.properties': readFileSync(`${cnr2000}.properties`),
    '/cnr-2000.graph': readFileSync(`${cnr2000}.graph`).subarray(0, 1_164_843),
  };
  const server = await serve(filesAt(files));
  const { counts } = await fetchIt({
    ...known,
    checksums: undefined,
    files: known.files.map((one) => ({ ...one, url: server.at(`/${one.name}`) })),
  });
  expect(counts).toEqual({ pages: 325_557, arcs: 3_216_152 });
});

describe('the folder of fetched graphs', () => {
  const at = (env: Record<string, string>, platform = 'linux'): string =>
    datasetsFolder({ env, platform, home: () => '/home/a' });
  test('is what the variable names, else in the user\'s cache by the custom of the system', () => {
    expect(at({ ORBWEAVER_DATASETS: 'mine', XDG_CACHE_HOME: '/c' })).toBe('mine');
    expect(at({ ORBWEAVER_DATASETS: '', XDG_CACHE_HOME: '/c' })).toBe('/c/orbweaver/datasets');
    expect(at({ XDG_CACHE_HOME: 'relative' })).toBe('/home/a/.cache/orbweaver/datasets');
    expect(at({ XDG_CACHE_HOME: '/c' }, 'darwin')).toBe('/home/a/Library/Caches/orbweaver/datasets');
    expect(at({ LOCALAPPDATA: '/local' }, 'win32')).toBe('/local/orbweaver/datasets');
  });

  test('is asked for where the user has no home', () => {
    const home = (): string => {
      throw new Error('no such user');
    };
    expect(() => datasetsFolder({ env: {}, platform: 'linux', home })).toThrow(
      /name one for them in ORBWEAVER_DATASETS/,
    );
  });
});

describe('a graph', () => {
  test('comes, is counted, opens by name and by folder, and is left alone the next time', async () => {
    const server = await serve(filesAt({ '/small.txt.gz': links }));
    const dataset = await small(server);
    const { wasHere, counts, record, folder: where } = await fetchIt(dataset);
    expect({ wasHere, counts, where }).toEqual({
      wasHere: false, counts: { pages: 3, arcs: 4 }, where: join(root, 'small'),
    });
    expect(record).toMatchObject({ name: 'small', complete: true, licence: 'none stated', citation: 'Nobody, 2000' });
    expect(record.files).toEqual([
      {
        name: 'small.txt.gz', url: server.at('/small.txt.gz'), bytes: links.length, sha256: hash('sha256', links),
        published: {}, opens: true,
      },
    ]);
    for (const name of ['small', where]) {
      const graph = await openGraph(name);
      expect({ name: graph.name, pages: graph.pages, arcs: graph.arcs }).toEqual({ name: 'small', pages: 3, arcs: 4 });
    }
    expect(await fetchedNames(root)).toEqual(['small']);
    expect(readdirSync(where).sort()).toEqual(['orbweaver-dataset.json', 'small.txt.gz']);
    expect(await fetchIt(dataset)).toMatchObject({ wasHere: true });
    expect(server.asked).toEqual(['GET /small.txt.gz']);
  });

  test('of the catalogue that is not here: reported how to fetch it', async () => {
    expect(await inputErrorOf(openGraph('web-Google'))).toBe(
      'web-Google: is a public graph that was not fetched yet; fetch it with: orbweaver datasets fetch web-Google',
    );
    expect(await inputErrorOf(openGraph('web-Gogle'))).toMatch(
      /to fetch web-Google and others \(orbweaver datasets list\); did you mean web-Google\?$/,
    );
  });

  test('of a shipped name stays the shipped one', async () => {
    const server = await serve(filesAt({ '/small.txt.gz': links }));
    await fetchIt(await small(server, { name: 'clique' }));
    expect((await openGraph('clique')).pages).toBe(6);
    expect((await openGraph(join(root, 'clique'))).pages).toBe(3);
  });

  test('of several files, as a BVGraph with the publisher\'s MD5 sums', async () => {
    await writeBvGraph(await openGraph('clique'), join(folder, 'web'));
    const of = (ending: string): Buffer => readFileSync(join(folder, `web${ending}`));
    const md5sums = `${hash('md5', of('.graph'))}  web.graph\n${hash('md5', of('.properties')).toUpperCase()} *web.properties\n${'0'.repeat(32)}  web-t.graph\nrubbish\n`;
    const server = await serve(
      filesAt({ '/web.graph': of('.graph'), '/web.properties': of('.properties'), '/web.md5sums': md5sums }),
    );
    const [web] = await listed({
      name: 'web',
      ...about,
      pages: 6,
      arcs: 30,
      checksums: { name: 'web.md5sums', url: server.at('/web.md5sums') },
      files: [
        { name: 'web.properties', url: server.at('/web.properties'), opens: false },
        { name: 'web.graph', url: server.at('/web.graph') },
      ],
    });
    const { record, counts } = await fetchIt(web);
    expect(counts).toEqual({ pages: 6, arcs: 30 });
    expect(record.files.map(({ name, published }) => [name, published])).toEqual([
      ['web.md5sums', {}], ['web.properties', { md5: hash('md5', of('.properties')) }],
      ['web.graph', { md5: hash('md5', of('.graph')) }],
    ]);
    expect((await openGraph('web')).arcs).toBe(30);
    expect((await verifyDataset(join(root, 'web'))).map(({ against, damage }) => [against.join(), damage])).toEqual([
      ['recorded sha256', undefined], ['recorded sha256,published md5', undefined],
      ['recorded sha256,published md5', undefined],
    ]);
    expect(notes).toEqual([]);
  });

  test('whose MD5 sums are others, or lack a file', async () => {
    const server = await serve(
      filesAt({ '/small.txt.gz': links, '/md5': `${'0'.repeat(32)}  small.txt.gz\n`, '/none': 'nothing\n' }),
    );
    const wrong = await small(server, { checksums: { name: 'md5sums', url: server.at('/md5') } });
    expect(await inputErrorOf(fetchIt(wrong))).toMatch(
      /small\.txt\.gz: what came has the md5 \S+, not 0{32} as published; it was discarded$/,
    );
    expect(readdirSync(join(root, 'small')).sort()).toEqual(['md5sums', 'orbweaver-dataset.json']);
    await fetchIt(await small(server, { name: 'other', checksums: { name: 'md5sums', url: server.at('/none') } }));
    expect(notes).toEqual([`${server.at('/none')}: has no checksum of small.txt.gz`]);
  });

  test('in parts that published lists name', async () => {
    const parts = {
      '/cc/host/v/part-0.txt.gz': gzipSync('0\torg.example\n1\torg.example.www\n'),
      '/cc/host/v/part-1.txt.gz': gzipSync('2\torg.other\n'), '/cc/host/e/part-0.txt.gz': gzipSync('0\t1\n1\t2\n'),
      '/cc/host/e/part-1.txt.gz': gzipSync('2\t0\n'),
    };
    const server = await serve(
      filesAt({
        ...parts, '/v.paths.gz': gzipSync('host/v/part-0.txt.gz\nhost/v/part-1.txt.gz\n'),
        '/e.paths': 'host/e/part-0.txt.gz\r\nhost/e/part-1.txt.gz',
      }),
    );
    const list = (name: string, prefix: string): object => ({
      name,
      url: server.at(`/${name}`),
      base: server.at('/cc/'),
      prefix,
    });
    const [hosts] = await listed({
      name: 'hosts', ...about, pages: 3e6, arcs: 3e6, rounded: true,
      lists: [list('v.paths.gz', 'vertices'), list('e.paths', 'edges')],
    });
    const { counts, record } = await fetchIt(hosts);
    expect(counts).toEqual({ pages: 3, arcs: 3 });
    expect(record.files.map(({ name }) => name)).toEqual([
      'v.paths.gz', 'e.paths', 'vertices-part-0.txt.gz', 'vertices-part-1.txt.gz', 'edges-part-0.txt.gz',
      'edges-part-1.txt.gz',
    ]);
    const graph = await openGraph('hosts');
    expect([0, 1, 2].map((page) => graph.hosts.names.at(graph.hosts.ofPage[page]))).toEqual([
      'example.org', 'www.example.org', 'other.org',
    ]);
  });

  test.each([
    ['out of the base', '../other/x.gz'],
    ['to another server', 'http://127.0.0.1:1/x.gz'],
    ['to a file', 'file:///etc/passwd'],
    ['to a folder', 'host/'],
    ['out by an escaped slash', 'host/..%2f..%2fx'],
    ["to a name of Orbweaver's own", 'host/x.part'],
    ['to no address', 'http://['],
  ])('in parts that lead %s is refused', async (_, line) => {
    const server = await serve(filesAt({ '/list': `host/a.gz\n${line}\n` }));
    const [hosts] = await listed({
      name: 'hosts', ...about, lists: [{ name: 'list', url: server.at('/list'), base: server.at('/cc/'), prefix: 'p' }],
    });
    expect(await inputErrorOf(fetchIt(hosts))).toMatch(
      /list: line 2: ".*" is not a file below http:\/\/127\.0\.0\.1:\d+\/cc\/$/,
    );
    expect(server.asked).toEqual(['GET /list']);
    expect(readdirSync(folder).filter((name) => name === 'x' || name === 'x.gz')).toEqual([]);
  });

  test('in parts by a list that is too long, a bomb, or names a part twice', async () => {
    const bomb = gzipSync(Buffer.alloc((1 << 24) + 1, 'a\n'));
    const server = await serve(
      filesAt({ '/bomb.gz': bomb, '/many': 'a\n'.repeat(10_001), '/twice': 'a/x.gz\nb/x.gz\n', '/empty': '\n' }),
    );
    for (const [name, says] of [
      ['bomb.gz', /bomb\.gz: its gzip data are damaged, or expand to more than 16777216 bytes$/],
      ['many', /many: lists 10001 files; expected 1 to 10000$/],
      ['twice', /two files would be called p-x\.gz, letter case apart$/], ['empty', /empty: lists 0 files/],
    ] as const) {
      const [hosts] = await listed({
        name,
        ...about,
        lists: [{ name, url: server.at(`/${name}`), base: server.at('/'), prefix: 'p' }],
      });
      expect(await inputErrorOf(fetchIt(hosts))).toMatch(says);
    }
  });

  test('that has other counts is an error that names both; --no-check takes it', async () => {
    const server = await serve(filesAt({ '/small.txt.gz': links }));
    const dataset = await small(server, { arcs: 5 });
    expect(await inputErrorOf(fetchIt(dataset))).toMatch(
      /^small: what came has 3 pages and 4 arcs; the catalogue says 3 pages and 5 arcs \(--no-check/,
    );
    expect(await inputErrorOf(openGraph('small'))).toMatch(
      /small: was fetched in part; to continue: orbweaver datasets fetch small$/,
    );
    expect(await fetchIt(dataset, { check: false })).toMatchObject({ wasHere: false });
    expect(server.asked).toEqual(['GET /small.txt.gz']);
    expect((await openGraph('small')).arcs).toBe(4);
  });

  test('that is large is not opened unless it is asked for', async () => {
    const server = await serve(filesAt({ '/small.txt.gz': links }));
    const dataset = await small(server, { arcs: 200_000_001 });
    expect(await fetchIt(dataset)).not.toHaveProperty('counts');
    rmSync(join(root, 'small'), { recursive: true });
    expect(await inputErrorOf(fetchIt(dataset, { check: true }))).toMatch(
      /the catalogue says 3 pages and 200000001 arcs/,
    );
  });

  test('for which the disk has no room is not begun', async () => {
    const server = await serve(filesAt({ '/small.txt.gz': links }));
    const dataset = await small(server, {}, { bytes: links.length });
    const fetched = fetchIt(dataset, { machine: patientMachine(links.length - 1) });
    await expect(fetched).rejects.toThrow(WorldError);
    await expect(fetched).rejects.toThrow(
      new RegExp(`small: ${links.length} bytes are still to come, and \\S+ has room for ${links.length - 1}$`),
    );
    expect(server.asked).toEqual([]);
  });

  test('of which a file was lost or changed at its publisher is mended, and that is reported', async () => {
    const files: Record<string, Uint8Array> = { '/small.txt.gz': links };
    const server = await serve((request, response) => filesAt(files)(request, response));
    const dataset = await small(server);
    await fetchIt(dataset);
    rmSync(join(root, 'small', 'small.txt.gz'));
    files['/small.txt.gz'] = gzipSync('0 1\n1 2\n2 0\n0 2\n');
    expect(await fetchIt(dataset)).toMatchObject({ wasHere: false });
    expect(notes).toEqual([`${server.at('/small.txt.gz')}: is another file than when it was first fetched`]);
  });
});

describe('one process at a time', () => {
  const lock = (): string => join(root, 'small', '.lock');

  test('two fetches of one graph: the second is reported', async () => {
    let release: () => void = () => undefined;
    const server = await serve((request, response) => {
      release = () => sendFile(request, response, { bytes: links });
    });
    const dataset = await small(server);
    const first = fetchIt(dataset);
    while (server.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await inputErrorOf(fetchIt(dataset))).toMatch(
      new RegExp(`small: is being written by process ${process.pid}; wait for it$`),
    );
    release();
    expect(await first).toMatchObject({ wasHere: false });
    expect(existsSync(lock())).toBe(false);
  });

  test('a lock that its process left behind is taken over, that of another machine is not', async () => {
    const server = await serve(filesAt({ '/small.txt.gz': links }));
    const dataset = await small(server);
    mkdirSync(join(root, 'small'), { recursive: true });
    writeFileSync(lock(), `12 not-${hostname()}\n`);
    expect(await inputErrorOf(fetchIt(dataset))).toMatch(
      /is being written by process 12 of not-\S+; wait for it, or remove \S+\.lock if that process has ended$/,
    );
    // Beyond the largest process id there can be.
    writeFileSync(lock(), `999999999 ${hostname()}\n`);
    expect(await fetchIt(dataset)).toMatchObject({ wasHere: false });
    expect(existsSync(lock())).toBe(false);
  });
});

describe('verification', () => {
  async function fetched(): Promise<string> {
    const server = await serve(filesAt({ '/small.txt.gz': links }));
    await fetchIt(await small(server, {}, { sha256: hash('sha256', links) }));
    return join(root, 'small', 'small.txt.gz');
  }
  const damage = async (): Promise<string | undefined> => (await verifyDataset(join(root, 'small')))[0].damage;

  test('finds files that are missing, cut, longer or altered, and deletes none', async () => {
    const path = await fetched();
    expect(await verifyDataset(join(root, 'small'))).toEqual([
      { file: path, bytes: links.length, against: ['recorded sha256', 'published sha256'] },
    ]);
    const altered = Uint8Array.from(links);
    altered[20] ^= 1;
    writeFileSync(path, altered);
    expect(await damage()).toMatch(/^has the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64} as when it was fetched$/);
    truncateSync(path, 10);
    expect(await damage()).toBe(`has 10 bytes, not ${links.length}`);
    expect(readFileSync(path)).toHaveLength(10);
    appendFileSync(path, Buffer.alloc(100));
    expect(await damage()).toBe(`has 110 bytes, not ${links.length}`);
    rmSync(path);
    expect(await damage()).toBe('is not there');
  });

  test('does not believe a record that leads out of the folder or is damaged', async () => {
    await fetched();
    const record = join(root, 'small', 'orbweaver-dataset.json');
    const text = readFileSync(record, 'utf8');
    for (const name of ['../../secret', '/etc/passwd', '.lock']) {
      writeFileSync(record, text.replace('"small.txt.gz"', JSON.stringify(name)));
      for (const use of [() => verifyDataset(join(root, 'small')), () => openGraph('small')]) {
        expect(await inputErrorOf(use())).toMatch(
          /orbweaver-dataset\.json: files\[0\]\.name: must be .*; remove the file to fetch the graph again$/,
        );
      }
    }
    writeFileSync(record, text.slice(0, 50));
    expect(await inputErrorOf(openGraph('small'))).toMatch(/orbweaver-dataset\.json: is not JSON/);
  });

  test('is of fetched graphs alone', async () => {
    expect(await fetchedNames(root)).toEqual([]);
    mkdirSync(join(root, 'mine'), { recursive: true });
    expect(await fetchedNames(root)).toEqual([]);
    expect(await inputErrorOf(verifyDataset(join(root, 'mine')))).toMatch(/mine: holds no fetched graph$/);
  });
});

test('a folder that may not be made is reported', async () => {
  const server = await serve(filesAt({}));
  const dataset = await small(server);
  expect(await inputErrorOf(fetchIt(dataset, { root: file('in-the-way', '') }))).toMatch(/in-the-way/);
  symlinkSync('nowhere/at/all', join(folder, 'dangling'));
  expect(await inputErrorOf(fetchIt(dataset, { root: join(folder, 'dangling') }))).toMatch(/dangling/);
});
