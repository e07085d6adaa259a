import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openFiles } from '../../src/graphs/catalogue/index.ts';
import { readAdjacencyList, readEdgeList } from '../../src/graphs/formats/index.ts';
import { arcLines, type ArcLines } from '../../src/graphs/formats/edge-list/arc-lines.ts';
import { ArcParser } from '../../src/graphs/formats/edge-list/arc-parser.ts';
import { checkGraph, type WebGraph } from '../../src/graphs/graph/index.ts';
import { isFullSweep, tries } from '../sweep.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

const { file, folder } = temporaryFolder();

function arcsOf(graph: WebGraph): [number, number][] {
  const arcs: [number, number][] = [];
  for (let page = 0; page < graph.pages; page++) {
    for (let i = graph.outOffsets[page]; i < graph.outOffsets[page + 1]; i++) arcs.push([page, graph.outTargets[i]]);
  }
  return arcs;
}

describe('an edge list', () => {
  test.each<[string, string, [number, number][]]>([
    ['tabs', '0\t1\n1\t0\n', [[0, 1], [1, 0]]],
    ['spaces, also around', '  0   1 \n1 0\t\n', [[0, 1], [1, 0]]],
    ['commas', '0,1\n1 , 0\n', [[0, 1], [1, 0]]],
    ['CRLF', '0 1\r\n1 0\r\n', [[0, 1], [1, 0]]],
    ['no final newline', '0 1\n1 0', [[0, 1], [1, 0]]],
    ['comments and blank lines', '# a\n% b\n\n0 1\n   \n  # c\n1 0\n\n', [[0, 1], [1, 0]]],
    ['leading zeros', '00000000000000 0001\n', [[0, 1]]],
    ['a byte order mark', '\uFEFF0 1\n', [[0, 1]]],
    ['duplicates and self-loops', '0 1\n0 0\n0 1\n', [[0, 1], [0, 0]]],
  ])('may have %s', async (name, text, arcs) => {
    const graph = await readEdgeList(file('good.txt', text));
    expect(arcsOf(graph), name).toEqual(arcs);
    expect(graph.sourceIds).toBeUndefined();
    expect(graph.hosts.synthetic).toBe(true);
    expect(graph.name).toBe('good');
    checkGraph(graph);
  });

  test.each([
    ['1\t2\t5\n2\t1\t-1.5e+3\n', '2 lines have'],
    ['1 2 7.\n2,1,.5\r\n', '2 lines have'],
    ['2 1 0 7 8.25 \n1 2\t0 7 9', '2 lines have'],
    ['% c\n\n1 2 -1e9\n2 1 -1e9\n1 2 0', '3 lines have'],
  ])('reports numbers after the ids and does not store them: %j', async (text, lines) => {
    const notes: string[] = [];
    const graph = await readEdgeList(file('weights.txt', text), { onNote: (note) => notes.push(note) });
    expect(arcsOf(graph)).toEqual([[0, 1], [1, 0]]);
    expect(notes[0]).toBe(`weights: ${lines} further columns of numbers, such as weights, which are not stored`);
    expect(notes.at(-1)).toMatch(/hosts are synthetic/);
  });

  test('in several files is one graph, and a fault is reported with its file and line there', async () => {
    const parts = [
      file('part-0.txt', '# part\n0 1'), file('part-1.txt.gz', gzipSync('1 2\n2 0\n')), file('part-2.txt', ''),
    ];
    const graph = await openFiles(parts);
    expect(graph && arcsOf(graph)).toEqual([[0, 1], [1, 2], [2, 0]]);
    expect(graph?.name).toBe('part-0 and 2 more');
    expect(await inputErrorOf(openFiles([...parts, file('part-3.txt', '3 4\n5\n')]))).toMatch(
      /part-3\.txt: line 2 has 1 field/,
    );
  });

  test.each([
    ['ids from 1', '1 2\n2 3\n', [1, 2, 3]],
    ['few ids of which one is missing', '0 1\n1 3\n3 0\n', [0, 1, 3]],
    ['the largest ids', '4294967295 0\n7 4294967294\n', [0, 7, 4294967294, 4294967295]],
    ['ids around a word of a bit set', '31 32\n63 64\n95 0\n', [0, 31, 32, 63, 64, 95]],
  ])('renumbers %s', async (_, text, sourceIds) => {
    const graph = await readEdgeList(file('sparse.txt', text));
    expect([...(graph.sourceIds ?? [])]).toEqual(sourceIds);
    const written = text.trim().split('\n').map((line) => line.split(' ').map(Number));
    const read = arcsOf(graph).map((arc) => arc.map((page) => sourceIds[page]));
    expect(read).toEqual(expect.arrayContaining(written));
    checkGraph(graph);
  });

  test('of several gzip members is read to its end, wherever they are cut', async () => {
    const text = Buffer.from('# two\n10 11\n11 12\n12 10\n');
    for (let cut = 0; cut <= text.length; cut += 3) {
      const members = [text.subarray(0, cut), text.subarray(cut)].map((part) => gzipSync(part));
      expect((await readEdgeList(file('members.txt.gz', Buffer.concat(members)))).arcs).toBe(3);
    }
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['a negative id', '0 1\n-1 2\n', /bad.txt: line 2: page id -1 is negative/],
    ['an id beyond 32 bits', '# c\n0 4294967296\n', /line 2: page id 4294967296 is larger than 4294967295/],
    ['an endless id', `0 ${'9'.repeat(3_000_000)}`, /line 1: page id 9{30}\.\.\. is larger/],
    ['one id', '0 1\n\n7\n', /line 3 has 1 field; expected two page ids: "7"/],
    ['a word behind the ids', '0 1 2\n1 0 5 x\n', /line 2: "x" in "1 0 5 x" is not a number; expected two page ids/],
    ['half a number', '0 1 1e\n', /line 1: "1e" in "0 1 1e" is not a number/],
    ['a number behind a carriage return', '0 1\r 5\n', /line 1: "1\\x0d" in /],
    ['words', '0 1\r\nfoo bar\r\n', /line 2: "foo" in "foo bar" is not a page id/],
    ['a decimal', '0 1.5\n', /line 1: "1\.5" in "0 1\.5" is not/],
    ['a doubled comma', '0,,1\n', /line 1: "" in "0,,1" is not/],
    ['a third comma', '0,1,\n', /line 1: "" in "0,1," is not/],
    ['a lone carriage return', '0\r1\n', /line 1: "0\\x0d1"/],
    ['binary garbage', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 27), /line 1: "\\x7fELF\\x00\\x01\\x02\\x1b"/],
    ['UTF-16', Buffer.from('\uFEFF0 1\n', 'utf16le'), /line 1: "\\xff\\xfe/],
    ['nothing', '', /contains no links/],
    ['comments alone', '# a\n# b\n', /contains no links/],
    ['gzip truncated', gzipSync('0 1\n'.repeat(9999)).subarray(0, -12), /gzip data are truncated/],
    ['gzip altered', gzipSync('0 1\n').fill(7, 10, 14), /gzip data are damaged/],
    ['garbage behind gzip', Buffer.concat([gzipSync('0 1\n'), Buffer.from('trailing')]), /gzip data are damaged/],
  ])('is refused with %s', async (_, content, message) => {
    const text = await inputErrorOf(readEdgeList(file('bad.txt', content)));
    expect(text).toMatch(message);
    expect(text.length).toBeLessThan(400);
    // No control character may reach a terminal.
    expect(text).toMatch(/^[\x20-\x7e]*$/);
  });

  test('is refused where there is none', async () => {
    expect(await inputErrorOf(readEdgeList(`${folder}/none.txt`))).toMatch(/none.txt: there is no such file/);
    expect(await inputErrorOf(readEdgeList(folder))).toMatch(/is a folder, not a file/);
  });

  test('with a line of any length costs no memory for it', () => {
    const parser = new ArcParser({ file: 'long.txt' });
    const chunk = Buffer.alloc(1 << 20, ' ');
    parser.push(Buffer.from('0 '));
    const before = process.memoryUsage().arrayBuffers;
    const chunks = isFullSweep ? 20 : 5;
    for (let i = 0; i < chunks; i++) parser.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(0.8 * chunks * chunk.length);
    parser.push(Buffer.from('1'));
    parser.finish();
    expect([...parser.targets]).toEqual([1]);
  });
});

// Any text, cut into chunks anywhere, is read or refused as it is in one piece. The letters are few, so that lines that
// are right, or nearly right, come often.
test('where a file is cut into chunks changes nothing', () => {
  const read = (chunks: readonly Uint8Array[]): unknown => {
    const parser = new ArcParser({ file: 'f', idBound: 5_000_000_000, numbers: 'constant' });
    try {
      for (const chunk of chunks) parser.push(chunk);
      parser.finish();
    } catch (error) {
      return String(error).replace(/^(.*?line \d+).*$/, '$1');
    }
    return [[...parser.sources], [...parser.targets], parser.largestId, parser.linesWithNumbers];
  };
  const piece = fc.constantFrom(
    '0 1\n', '12\t345\r\n', '7,8\n', '4294967295 000\n', '# c\n', '\n', ' ', '3', '\t', ',', 'x', '\r', '1 2 3\n',
    '4,5,-.5e+7\r\n', '-', '.', 'e', '123456789 987654321\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(60), { maxLength: 8 }), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(''));
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
      const whole = read([bytes]);
      expect(read(chunks)).toEqual(whole);
      expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
    }),
    { seed: 7, numRuns: tries(1000) },
  );
});

// The kernel takes windows of 64 KiB of lines of the usual form; in chunks of 20 bytes, which are too short for it, all
// lines are read the plain way. The lines in question lie about the edge of a window, or behind the beginning of a
// chunk.
test('what the kernel reads is what the plain way reads', () => {
  const id = fc
    .oneof(
      fc.nat(9), fc.nat(99_999), fc.constantFrom(99, 100, 99_999, 100_000, 999_999_998, 999_999_999),
      fc.integer({ min: 9_999_999, max: 999_999_999 }), fc.integer({ min: 1_000_000_000, max: 0xffffffff }),
    )
    .map(String);
  const usual = fc
    .tuple(id, fc.constantFrom('\t', ' ', ','), id, fc.constantFrom('\n', '\r\n'))
    .map((parts) => parts.join(''));
  const odd = fc.constantFrom(
    '# 1 2\n', '\n', ' 3 4\n', '5  6\n', '7 8 \r\n', '9,\t0\n', '000000001 0000000002\n', '4294967296 0\n', '1\n',
    '1:2\n', '1-2\n', '1 2\r3 4\n', '/ 1\n', '1 2;\n', '1 2 .5\n',
  );
  const lines = fc.array(fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd }), {
    minLength: 1, maxLength: 40,
  });
  const before = fc.oneof(fc.constant(0), fc.integer({ min: (1 << 16) - 200, max: (1 << 16) + 40 }));
  const options = fc.record({
    idBound: fc.constantFrom(2 ** 32, 2 ** 32, 999_999_999, 100_000, 100), firstId: fc.constantFrom<(0 | 1)[]>(0, 0, 1),
  });
  const read = (bytes: Uint8Array, places: readonly number[], given: { idBound: number; firstId: 0 | 1 }): unknown => {
    const parser = new ArcParser({ file: 'f', numbers: 'constant', ...given });
    let fault = '';
    try {
      // A chunk's memory is used again, as a reader's is.
      places.forEach((end, i) => parser.push(bytes.slice(places[i - 1] ?? 0, end)));
      parser.finish();
    } catch (error) {
      // What follows the line's number shows as much of the line as the chunk has.
      fault = String(error).replace(/^(.*?line \d+).*$/, '$1');
      return fault;
    }
    return [String(parser.sources), String(parser.targets), parser.largestId, parser.linesWithNumbers];
  };
  let arcs = 0;
  let refused = 0;
  fc.assert(
    fc.property(lines, before, options, fc.array(fc.nat(), { maxLength: 3 }), (texts, plainBytes, given, cuts) => {
      const fill =
        '12 3\n'.repeat(plainBytes / 5) +
        '#'.repeat(plainBytes % 5 && (plainBytes % 5) - 1) +
        (plainBytes % 5 ? '\n' : '');
      const bytes = new TextEncoder().encode(fill + texts.join(''));
      const short = Array.from({ length: Math.ceil(bytes.length / 20) }, (_, i) =>
        Math.min(bytes.length, 20 * (i + 1)),
      );
      const plain = read(bytes, short, given);
      if (typeof plain === 'string') refused++;
      else arcs += texts.length;
      expect(read(bytes, [bytes.length], given)).toEqual(plain);
      expect(
        read(bytes, [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length], given),
      ).toEqual(plain);
    }),
    { seed: 11, numRuns: tries(400) },
  );
  expect(Math.min(arcs, refused)).toBeGreaterThan(tries(200));
});

test('the kernel takes every line of the usual form', () => {
  const ids = Array.from({ length: 9 }, (_, i) => Number('987654321'.slice(i)));
  const pairs = ids.flatMap((source) => ids.map((target) => [source, target]));
  for (const separator of ['\t', ' ', ',']) {
    for (const end of ['\n', '\r\n']) {
      const lines = arcLines() as ArcLines;
      const text = pairs.map((pair) => pair.join(separator) + end).join('');
      lines.begin(Buffer.from(text + '#'.repeat(21)));
      expect(lines.take(0, 1e9, 0)).toBe(pairs.length);
      expect(lines.end).toBe(text.length);
      expect(lines.largest).toBe(987654321);
      expect([...lines.sources.subarray(0, 81)].map((source, i) => [source, lines.targets[i]])).toEqual(pairs);
    }
  }
});

test('parsers that take turns do not meet in the kernel', () => {
  const parsers = [1, 2].map((k) => ({ k, parser: new ArcParser({ file: 'f' }) }));
  for (let round = 0; round < 3; round++) {
    for (const { k, parser } of parsers) parser.push(Buffer.from(`${k} ${round}\n`.repeat(20_000)));
  }
  for (const { k, parser } of parsers) {
    parser.finish();
    expect([parser.sources.length, parser.targets.length]).toEqual([60_000, 60_000]);
    expect(parser.sources.every((source) => source === k)).toBe(true);
    expect(parser.targets.every((target, i) => target === Math.floor(i / 20_000))).toBe(true);
  }
});

test.skipIf(process.platform !== 'linux')('is read without the kernel where the system has no addresses for it', () => {
  const path = file('few.txt', '5 7\n7 5\n'.repeat(10));
  // Not the command, which takes four times as long to start.
  const module = new URL('../../dist/graphs/formats/edge-list/edge-list.js', import.meta.url).href;
  const code = `import { readEdgeList } from '${module}';
    const { pages, arcs } = await readEdgeList('${path}');
    process.stdout.write(JSON.stringify([pages, arcs]));`;
  const command = ['-c', 'ulimit -v 6000000; exec "$@"', 'bash', process.execPath, '--input-type=module', '-e', code];
  const { stdout, stderr } = spawnSync('bash', command, { encoding: 'utf8' });
  expect(stdout, stderr).toBe('[2,2]');
});

describe('an adjacency list', () => {
  test('gives a line of successors to each page', async () => {
    const graph = await readAdjacencyList(file('a.adj.txt', '4\n1 2\n\n0 2 0\n\n'));
    expect(graph.pages).toBe(4);
    expect(graph.name).toBe('a');
    expect(arcsOf(graph)).toEqual([[0, 1], [0, 2], [2, 0], [2, 2]]);
  });

  test.each([
    ['too few lines', '4000000000\n1 2\n', /ends after the successors of 1 pages; line 1 states 4000000000/],
    ['ten thousand million pages', '10000000000\n1\n', /line 1: has a number larger than 4294967295/],
    ['too many', '1\n0\n0\n', /line 3: continues after the successors of 1 pages/],
    ['an unknown page', '2\n0 2\n\n', /line 2: page 2 is not below 2/],
    ['words', '2\nx\n\n', /line 2: has "x"/],
    ['two counts', '2 3\n', /line 1: has more than one number/],
    ['no pages', '0\n', /contains no pages/],
    ['nothing', '', /contains no pages/],
  ])('is refused with %s', async (_, text, message) => {
    expect(await inputErrorOf(readAdjacencyList(file('bad.adj.txt', text)))).toMatch(message);
  });
});

test('a matrix is no edge list, though its lines look like one', async () => {
  const matrix = file('matrix.mtx', '%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 1\n');
  expect(await inputErrorOf(readEdgeList(matrix))).toMatch(
    /matrix\.mtx: line 1: is a Matrix Market matrix, not an edge list/,
  );
});

test.each([
  ['adjacency list', '3\n1 2\n\n0 1\n'], ['edge list', '0 1\t3\n5 2 1\n1,0,7.5\n# x\n5 0 2\n'],
])('an %s that is damaged anyhow is read soundly or refused in one message', async (kind, text) => {
  const read = kind === 'edge list' ? readEdgeList : readAdjacencyList;
  const refused = await refusedOfDamaged(text, 200, (bytes) => read(file('damaged.txt', bytes)));
  expect(refused).toBeGreaterThan(tries(50));
  expect(refused).toBeLessThan(200);
});
