import fc from 'fast-check';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openFiles, openGraph } from '../../src/graphs/catalogue/index.ts';
import { readAdjacencyList, readEdgeList, readMatrix, readWarc } from '../../src/graphs/formats/index.ts';
import { ArcParser } from '../../src/graphs/formats/edge-list/arc-parser.ts';
import { DrawStream } from '../../src/base/index.ts';
import { orbweaver } from '../cli/command.ts';
import { isFullSweep } from '../sweep.ts';
import { linksOf } from './page-links.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

// Goal: no text of another format is read as an edge list in silence, on whatever path it comes to the parser.

const { file, folder } = temporaryFolder();

/** A METIS graph: `n m`, then the neighbours of each node, from 1. */
function metis(neighbours: readonly (readonly number[])[]): string {
  const ends = neighbours.reduce((sum, { length }) => sum + length, 0);
  return `${neighbours.length} ${ends / 2}\n${neighbours.map((list) => `${list.join(' ')}\n`).join('')}`;
}

/** The cycle of n nodes: all lines of its METIS graph have two columns. */
const cycle = (n: number): string =>
  metis(Array.from({ length: n }, (_, i) => [((i + n - 1) % n) + 1, ((i + 1) % n) + 1]));

describe('a list whose lines differ in their columns', () => {
  test.each<[string, string, RegExp]>([
    [
      'a METIS graph', '4 4\n2 3\n1 3\n1 2 4\n3 1\n',
      /other\.txt: line 4 has 3 fields where line 1 has 2; expected as many on every line: "1 2 4"\. It resembles a METIS graph of 4 pages \(line 1\), which orbweaver import with --format metis reads/,
    ],
    [
      'a METIS graph with a leaf first', '3 2\n2\n1 3\n2\n',
      /line 2 has 1 field; expected two page ids: "2"\. It resembles a METIS graph of 3 pages/,
    ],
    [
      'a METIS graph with comments, weights and a lone node', '% c\n4 2 1\n2 7\n\n1 7 4 3\n3 3\n',
      /line 3 has 2 fields where line 2 has 3; expected as many on every line.* METIS graph of 4 pages \(line 2\)/,
    ],
    [
      'links behind their sizes', '3 2\n0 1 5\n1 2 6\n',
      /line 2 has 3 fields where .* It resembles a list of links after its sizes \(line 1\): leave that line out/,
    ],
    [
      'a matrix without its banner', '% Network Repository\n3 3 2\n1 2\n3 1\n',
      /line 3 has 2 fields where line 2 has 3; expected as many on every line: .* after its sizes \(line 2\)/,
    ],
    [
      'an adjacency list', '1 2 3\n2 3\n4 1 2 3\n',
      /line 2 has 2 fields where line 1 has 3; .* It resembles an adjacency list, each line a page and its links/,
    ],
    [
      'an adjacency list with a count behind comments', '# n\n3\n1 2\n0\n\n',
      /line 2 has 1 field; .* It resembles an adjacency list after comments, which can be read \(--format adjacency\)/,
    ],
    [
      'weights on some lines', '1 2 0.5\n1 3\n',
      /line 2 has 2 fields where line 1 has 3; expected as many on every line: "1 3"$/,
    ],
    [
      'a last line truncated', '0 1 5\n0 2 6\n1 2 6\n1 3\n',
      /line 4 has 2 fields where line 1 has 3; expected as many on every line: "1 3"$/,
    ],
    [
      'columns after some time',
      `${'10 12\n'.repeat(40_000)}10 12 5\n`,
      /line 40001 has 3 fields where line 1 has 2; expected as many on every line: "10 12 5"$/,
    ],
    [
      'columns on its first line',
      `0 1 5\n${'10 12\n'.repeat(40_000)}`,
      /line 2 has 2 fields where line 1 has 3; expected as many on every line: "10 12"$/,
    ],
  ])('is refused, and what it resembles is named: %s', async (_, text, message) => {
    for (const content of [text, gzipSync(text), text.replaceAll('\n', '\r\n')]) {
      const path = file('other.txt', content);
      expect(await inputErrorOf(readEdgeList(path))).toMatch(message);
    }
  });

  test('is refused by every command, gzipped or not', async () => {
    const text = '4 3\n0 1\n0 2\n1 2 3\n';
    for (const path of [file('sizes.txt', text), file('sizes.txt.gz', gzipSync(text))]) {
      for (const args of [
        ['info', path], ['simulate', path], ['rank', path], ['import', path, '--out', join(folder, 'x.owg')],
        ['import', path, '--format', 'edges', '--out', join(folder, 'x.owg')],
      ]) {
        const { code, stderr } = await orbweaver(args, folder);
        expect(code, stderr).toBe(2);
        expect(stderr).toMatch(/line 4 has 3 fields where line 1 has 2; expected as many/);
      }
    }
  });

  test('is refused in several files too, with the line that is the measure', async () => {
    const parts = [file('part-0.txt', '# part\n0 1\n'), file('part-1.txt', '1 2\n2 0 7\n')];
    expect(await inputErrorOf(openFiles(parts))).toMatch(
      /part-1\.txt: line 2 has 3 fields where line 2 of .*part-0\.txt has 2; expected as many on every line: "2 0 7"/,
    );
  });

  test('is refused at the same line by the kernel and without it', () => {
    const faultOf = (bytes: Uint8Array, chunk: number): string => {
      const parser = new ArcParser({ file: 'f', numbers: 'constant' });
      try {
        for (let at = 0; at < bytes.length; at += chunk) parser.push(bytes.subarray(at, at + chunk));
        parser.finish();
      } catch (error) {
        return String(error).replace(/^(.*?line \d+).*$/, '$1');
      }
      return `${parser.linesWithNumbers} lines with numbers`;
    };
    const line = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('12 34\n', '# c\n', '\n', '7,8\r\n') },
      { weight: 1, arbitrary: fc.constant('12 34 5\n') },
    );
    let [refused, read] = [0, 0];
    fc.assert(fc.property(fc.array(line, { minLength: 4, maxLength: 12 }), fc.boolean(), (lines, hasNumbers) => {
      const text = lines.join('');
      const bytes = Buffer.from(hasNumbers ? text.replace(/\b(34|8)(?=\r?\n)/g, '$1 5') : text);
      const plain = faultOf(bytes, 20);
      if (plain.includes('line ')) refused++;
      else read++;
      for (const chunk of [1, 33, bytes.length]) expect(faultOf(bytes, chunk)).toBe(plain);
    }), { seed: 3, numRuns: 300 });
    expect(Math.min(refused, read)).toBeGreaterThan(50);
  });

  test('is refused as a matrix whose values are missing on some lines', async () => {
    const entries = '1 2 5\n' + '12 13\n'.repeat(9);
    const matrix = file('values.mtx', `%%MatrixMarket matrix coordinate integer general\n20 20 10\n${entries}`);
    expect(await inputErrorOf(readMatrix(matrix))).toMatch(
      /line 4 has 2 fields; expected two page ids and 1 number: "12 13"/,
    );
  });
});

describe('a list whose first line may be a link or sizes', () => {
  test.each<[string, string, RegExp]>([
    [
      'a METIS cycle', cycle(5),
      /line 1: 5 5 may be a link, or the first line of a METIS graph of 5 pages and 5 links; orbweaver import with --format edges reads it as a link, with --format metis as that graph$/,
    ],
    [
      "a METIS cycle beyond the kernel's window",
      `%\n${cycle(20_000)}`,
      /line 2: 20000 20000 may be a link, or the first line of a METIS graph/,
    ],
    [
      'a METIS graph with lone nodes', '5 4\n2 3\n1 3\n\n1 2\n5 5\n',
      /line 1: 5 4 .* METIS graph of 5 pages and 4 links/,
    ],
    [
      'a METIS graph with lone nodes last', '5 3\n2 3\n1 3\n1 2\n\n\n',
      /line 1: 5 3 .* METIS graph of 5 pages and 3 links/,
    ],
    [
      'a METIS graph with weights', '3 3 10\n7 2 3\n7 1 3\n7 1 2\n',
      /line 1: 3 3 10 may be a link, or the first line of a METIS graph/,
    ],
    [
      'links behind their sizes', '4 3\n0 1\n1 2\n3 0\n',
      /line 1: 4 3 may be a link, or the first line of a list of links after its sizes/,
    ],
    [
      'a matrix without its banner', '3 3 3\n1 2 0.5\n3 1 1\n2 1 1\n',
      /line 1: 3 3 3 may be a link, or the first line of a list of links after its sizes/,
    ],
  ])('is refused until its format is named: %s', async (_, text, message) => {
    for (const content of [text, gzipSync(text)]) {
      const path = file('either.txt', content);
      expect(await inputErrorOf(openGraph(path))).toMatch(message);
      const pairs = text.split('\n').flatMap((line) => /^\d+ \d+/.exec(line)?.[0] ?? []);
      expect((await readEdgeList(path)).arcs).toBe(new Set(pairs).size);
    }
    expect(
      await inputErrorOf(
        openFiles([file('first.txt', /^\d+ \d+ \d+/.test(text) ? '9 8 1\n' : '9 8\n'), file('either.txt', text)]),
      ),
    ).toMatch(message);
  });

  test('is read by import with --format edges and metis, as the message says', async () => {
    const path = file('cycle.txt', cycle(4));
    const out = join(folder, 'cycle.owg');
    expect(await orbweaver(['import', path, '--out', out], folder)).toMatchObject({
      code: 2, stderr: expect.stringContaining('--format edges') as string,
    });
    const { code, stdout } = await orbweaver(['import', path, '--format', 'edges', '--out', out, '--json'], folder);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ pages: 4, arcs: 5 });
    const other = await orbweaver(['import', path, '--format', 'metis', '--out', out, '--json'], folder);
    expect(JSON.parse(other.stdout)).toMatchObject({ pages: 4, arcs: 8 });
  });

  test('is refused until its format is named: a tree after its numbers of pages and links, each on a line', async () => {
    const path = file('tree.txt', '4\n3\n0 1\n1 2\n1 3\n');
    expect(await inputErrorOf(openGraph(path))).toMatch(
      /tree\.txt: line 2: 3 may be the number of links.*; orbweaver import with --format adjacency reads/,
    );
    expect((await readAdjacencyList(path)).arcs).toBe(7);
    for (const text of ['4\n2\n0 1\n1 2\n1 3\n', '4\n3\n0 1\n1 2\n3\n', '4\n3\n0 1\n1 2 3\n1\n'])
      expect((await openGraph(file('list.txt', text))).pages).toBe(4);
  });

  test.each([
    ['a first link of page 0', '0 3\n1 2\n2 0\n3 1\n'],
    ['a page beyond the number', '3 3\n1 2\n2 9\n3 1\n'],
    ['ids from 0 where METIS has them from 1', '5 5\n0 1\n1 2\n2 0\n3 0\n4 0\n9 9\n'],
    ['a comment that names its columns', `# 5 pages, 6 links: source TAB target\n${cycle(5)}`],
    ['a comment of SNAP\'s', `# Nodes: 5 Edges: 6\n# FromNodeId\tToNodeId\n${cycle(5)}`],
    ['as many pages from 0', '2 2\n1 0\n0 2\n'],
    ['fewer lines', '9 3\n1 2\n3 1\n'],
    ['weights', '1 2 3\n2 3 1\n3 1 2\n'],
    ['weights and times', '% asym weighted\n1 2 1 1082040961\n3 4 1 1082155839\n5 2 1 1082414391\n'],
  ])('is read where the first line cannot be sizes: %s', async (_, text) => {
    const rows = text.split('\n').filter((line) => /^\d/.test(line));
    expect((await openGraph(file('links.txt', text))).arcs).toBe(rows.length);
  });
});

test('a METIS graph of any kind is never read as another graph', async () => {
  const draws = new DrawStream(13, 'metis');
  const rounds = isFullSweep ? 150 : 40;
  let read = 0;
  for (let round = 0; round < rounds; round++) {
    const n = 3 + (draws.uint32(round) % 12);
    const neighbours = Array.from({ length: n }, () => new Set<number>());
    const edges = 1 + (draws.uint32(round, 1) % (2 * n));
    for (let i = 0; i < edges; i++) {
      const [a, b] = [draws.uint32(round, 2 + 2 * i) % n, draws.uint32(round, 3 + 2 * i) % n];
      if (a === b) continue;
      neighbours[a].add(b + 1);
      neighbours[b].add(a + 1);
    }
    const text = metis(neighbours.map((set) => [...set]));
    if (text.includes(' 0\n')) continue;
    const ends = neighbours.flatMap((set, node) => [...set].map((other) => `${node} ${other - 1}`));
    const links = await openGraph(file('m.graph', text)).then(linksOf, (error: unknown) => String(error));
    if (typeof links === 'string') expect(links, text).toMatch(/InputError.*(METIS graph of|after its sizes)/);
    else expect(links, text).toEqual(ends);
    if (typeof links !== 'string') read++;
  }
  expect(read).toBeGreaterThan(rounds / 2);
});

describe('formats that are known and not read', () => {
  const arc =
    'filedesc://a.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n';
  test.each<[string, string | Uint8Array, RegExp]>([
    [
      'crawl.warc.lz4', Uint8Array.of(4, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7),
      /crawl\.warc\.lz4: is compressed by LZ4, which is not supported; unpack it first \(lz4 -d\)/,
    ],
    ['named.warc', Uint8Array.of(4, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7), /named\.warc: is compressed by LZ4/],
    ['crawl.warc.zst', Uint8Array.of(0x5d, 0x2a, 0x4d, 0x18, 1, 0, 0, 0), /is compressed by Zstandard/],
    ['links.txt.bz2', Buffer.from('BZh91AY&SY\0'), /is compressed by bzip2/],
    ['links.txt.xz', Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0), /is compressed by xz/],
    ['links.zip', Buffer.from('PK\x03\x04\x14'), /is a ZIP archive/],
    [
      'old.arc', arc,
      /old\.arc: is an ARC file, the format before WARC, which is not supported; convert it to WARC first \(warcio recompress\)/,
    ],
    ['old.arc.gz', gzipSync(arc), /is an ARC file/],
  ])('are refused by name: %s', async (name, content, message) => {
    const path = file(name, content);
    expect(await inputErrorOf(openGraph(path))).toMatch(message);
    if (!name.endsWith('.warc'))
      expect(await inputErrorOf(openFiles([file('good.txt', '0 1\n'), path]))).toMatch(message);
    expect(await inputErrorOf(readEdgeList(path))).toMatch(message);
    if (/arc/.test(name)) expect(await inputErrorOf(readWarc([path]))).toMatch(message);
  });

  const unread = ['old.arc', 'old.arc.gz', 'crawl.warc.lz4'];
  test.each(unread)('are not left out of a folder of archives in silence: %s', async (name) => {
    const path = join(folder, `archives-${name}`);
    mkdirSync(path);
    writeFileSync(join(path, name), name.includes('lz4') ? Uint8Array.of(4, 0x22, 0x4d, 0x18) : arc);
    writeFileSync(join(path, 'z.warc'), '');
    expect(await inputErrorOf(openGraph(path))).toMatch(/is an ARC file|is compressed by LZ4/);
  });
});
