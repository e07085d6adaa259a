import fc from 'fast-check';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { BvGraphCodes } from '../../../src/graphs/formats/bvgraph/bvgraph-properties.ts';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import {
  readAdjacencyList, readBvGraph, writeBvGraph, type BvGraphOptions,
} from '../../../src/graphs/formats/index.ts';
import { buildGraph, checkGraph, transpose, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { DrawStream, InputError } from '../../../src/base/index.ts';
import { arcLists, partsOf } from '../../graph/random-graphs.ts';
import { isFullSweep, tries } from '../../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { weblike } from './weblike.ts';

const { folder, file } = temporaryFolder();
const basename = join(folder, 'written');

/** Links as the format has them: ascending. */
function rowsOf(graph: WebGraph): number[][] {
  const { pages, outOffsets, outTargets } = graph;
  return Array.from({ length: pages }, (_, page) => [
    ...outTargets.slice(outOffsets[page], outOffsets[page + 1]).sort(),
  ]);
}

describe('graphs of the framework itself (skipped where absent: they may not be redistributed)', () => {
  const at = (name: string): string => fileURLToPath(new URL(`../../../../shared/datasets/${name}`, import.meta.url));
  const cnr = at('cnr-2000/cnr-2000');
  const stanford = at('wb-cs-stanford/wb-cs.stanford');
  const harvard = at('harvard500/harvard500');

  /** Whether our files are the framework's, which may be filled up with zero bytes. */
  async function expectSameFiles(
    graph: WebGraph, original: string, minIntervalLength: number, endings: string[],
  ): Promise<void> {
    await writeBvGraph(graph, basename, { minIntervalLength });
    for (const ending of endings) {
      const ours = readFileSync(`${basename}.${ending}`);
      const theirs = readFileSync(`${original}.${ending}`);
      expect(Buffer.compare(ours, theirs.subarray(0, ours.length)), ending).toBe(0);
      expect(theirs.subarray(ours.length).every((byte) => byte === 0)).toBe(true);
    }
  }

  test.skipIf(!existsSync(`${cnr}.graph`))('cnr-2000 is its text, and its transpose', async () => {
    const graph = await openGraph(cnr);
    checkGraph(graph);
    expect([graph.name, graph.pages, graph.arcs, graph.hosts.synthetic]).toEqual([
      'cnr-2000', 325_557, 3_216_152, true,
    ]);
    const text = await readAdjacencyList(`${cnr}.adj.txt.gz`);
    expect(Buffer.compare(Buffer.from(graph.outOffsets.buffer), Buffer.from(text.outOffsets.buffer))).toBe(0);
    expect(Buffer.compare(Buffer.from(graph.outTargets.buffer), Buffer.from(text.outTargets.buffer))).toBe(0);
    const { inOffsets, inSources } = transpose(await openGraph(`${cnr}-t.graph`));
    expect(Buffer.compare(Buffer.from(graph.outOffsets.buffer), Buffer.from(inOffsets.buffer))).toBe(0);
    expect(Buffer.compare(Buffer.from(graph.outTargets.buffer), Buffer.from(inSources.buffer))).toBe(0);
  });

  const isThere = existsSync(`${stanford}.graph`);
  test.skipIf(!isThere)('wb-cs-stanford, without offsets, is its text and is written as it was', async () => {
    const graph = await openGraph(`${stanford}.properties`);
    checkGraph(graph);
    expect([graph.pages, graph.arcs]).toEqual([9_914, 36_854]);
    const lines = gunzipSync(readFileSync(`${stanford}.smat.gz`)).toString().trim().split('\n').slice(1);
    const rows = Array.from({ length: graph.pages }, (): number[] => []);
    for (const line of lines) {
      const [source, target] = line.split(' ').map(Number);
      rows[source].push(target);
    }
    expect(rowsOf(graph)).toEqual(rows.map((row) => row.sort((a, b) => a - b)));
    await expectSameFiles(graph, stanford, 3, ['graph']);
  });

  test.skipIf(!existsSync(`${harvard}.graph`))('harvard500 is written as it was, offsets too', async () => {
    const graph = await openGraph(`${harvard}.offsets`);
    checkGraph(graph);
    expect([graph.name, graph.pages, graph.arcs]).toEqual(['harvard500', 500, 2_636]);
    await expectSameFiles(graph, harvard, 3, ['graph', 'offsets']);
  });
});

function options(): fc.Arbitrary<Required<BvGraphOptions>> {
  return fc.record({
    windowSize: fc.constantFrom(0, 1, 2, 7, 40),
    maxRefCount: fc.constantFrom(0, 1, 3, 1000),
    minIntervalLength: fc.constantFrom(0, 2, 3, 4, 9),
    zetaK: fc.constantFrom(1, 2, 3, 5, 31),
    codes: fc.record<BvGraphCodes>({
      OUTDEGREES: fc.constantFrom('GAMMA', 'DELTA'),
      BLOCKS: fc.constantFrom('GAMMA', 'DELTA'),
      RESIDUALS: fc.constantFrom('ZETA', 'GAMMA', 'DELTA', 'NIBBLE', 'GOLOMB'),
      REFERENCES: fc.constantFrom('UNARY', 'GAMMA', 'DELTA'),
      BLOCK_COUNT: fc.constantFrom('GAMMA', 'DELTA', 'UNARY'),
      OFFSETS: fc.constantFrom('GAMMA', 'DELTA'),
    }),
  });
}

describe('what we write holds the same links', () => {
  test('of any graph, with any parameters and codes', async () => {
    const graphs = fc.oneof(
      arcLists().map(({ pages, arcs }) => buildGraph(partsOf(pages, arcs))),
      fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat()).map(([pages, seed]) => weblike(pages, seed)),
    );
    await fc.assert(
      fc.asyncProperty(graphs, options(), async (graph, parameters) => {
        await writeBvGraph(graph, basename, parameters);
        const back = await readBvGraph(basename);
        checkGraph(back);
        expect(rowsOf(back)).toEqual(rowsOf(graph));
        expect(back.outTargets).toEqual(Uint32Array.from(rowsOf(graph).flat()));
      }),
      { seed: 3, numRuns: tries(120) },
    );
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test('of a graph that is far larger than its file, over shared memory', async () => {
    const pages = 300;
    const graph = buildGraph(
      partsOf(
        pages, Array.from({ length: pages * pages }, (_, i) => [Math.floor(i / pages), i % pages]),
      ),
    );
    await writeBvGraph(graph, basename);
    expect(64 * readFileSync(`${basename}.graph`).length).toBeLessThan(graph.arcs); // So that the targets had to grow.
    const back = await readBvGraph(basename);
    expect(back.outTargets).toEqual(graph.outTargets);
    expect(back.outTargets.buffer).toBeInstanceOf(SharedArrayBuffer);
    const notes: string[] = [];
    await readBvGraph(basename, { onNote: (note) => notes.push(note) });
    expect(notes).toEqual([expect.stringMatching(/^written: has no URLs; its \d+ hosts are synthetic/)]);
  });

  test('and nothing where nothing can be written', async () => {
    expect(await inputErrorOf(writeBvGraph(weblike(4, 0), join(folder, 'none', 'g')))).toMatch(
      /none\/g\.graph: there is no folder/,
    );
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});

const standard = {
  graphclass: 'it.unimi.dsi.webgraph.BVGraph', version: '0', nodes: '3', arcs: '4', windowsize: '7', maxrefcount: '3',
  minintervallength: '2', compressionflags: 'RESIDUALS_GAMMA',
};

/** A BVGraph of these bits, blanks between them for the reader's eye, its last byte filled with zeros. */
function forged(bits: string, changes: Record<string, string | undefined> = {}): string {
  const digits = bits.replaceAll(' ', '');
  const bytes = digits.match(/.{1,8}/g)?.map((byte) => parseInt(byte.padEnd(8, '0'), 2)) ?? [];
  const properties = Object.entries<string | undefined>({ ...standard, ...changes })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
  file('forged.graph', Uint8Array.from(bytes));
  file('forged.properties', ['#BVGraph properties', ...properties, ''].join('\n'));
  return join(folder, 'forged');
}

// Page 0: degree 2, no reference, no interval, residuals 1 and 2. Page 1: none. Page 2: degree 2, reference 2, no
// block, so all of it.
const good = '011 1 1 011 1  1  011 001 1';

describe('bits by hand', () => {
  test('are read as the format says', async () => {
    expect(rowsOf(await readBvGraph(forged(good)))).toEqual([[1, 2], [], [1, 2]]);
    // Page 2 skips page 1 of the list, copies page 2, and has the interval from 0 to 1 of its own.
    expect(rowsOf(await readBvGraph(forged('011 1 1 011 1  1  00100 001 011 1 1 010 00100 1', { arcs: '5' })))).toEqual(
      [[1, 2], [], [0, 1, 2]],
    );
    // As the Rust framework pads: up to a whole word of 8 bytes.
    expect(rowsOf(await readBvGraph(forged(good + '0'.repeat(47))))).toEqual([[1, 2], [], [1, 2]]);
  });

  test.each<[string, string, Record<string, string>, RegExp]>([
    ['more successors than pages', '00101', {}, /node 0, before bit 5: has 4 successors, more than there are pages/],
    [
      'more arcs than promised', good, { arcs: '3' },
      /node 2, before bit 13: has 2 successors, which makes more arcs than the 3/,
    ],
    ['fewer arcs than promised', good, { arcs: '5' }, /has 4 arcs, not 5 as its properties say/],
    [
      'a reference beyond the window', good, { windowsize: '1' },
      /node 2, before bit 16: refers 2 pages back, but the window is 1/,
    ],
    ['a reference to before page 0', '011 01', {}, /node 0, before bit 5: refers 1 pages back, to before page 0/],
    ['too many blocks', '011 1 1 011 1  1  011 001 00101', {}, /node 2, .*: has 4 blocks of a list of 2 successors/],
    [
      'blocks beyond the list', '011 1 1 011 1  1  011 001 010 00100', {},
      /has blocks that pass the end of a list of 2 successors/,
    ],
    ['more copied than there are', '011 1 1 011 1  1  010 001 1', {}, /copies 2 successors, but has 1/],
    ['more intervals than successors', '011 1 00100', {}, /has 3 intervals for 2 successors/],
    ['an interval before page 0', '011 1 010 010 1', {}, /has an interval from page -1 to 0, not within 0 to 2/],
    [
      'an interval beyond the last page', '011 1 010 00101 1', {},
      /has an interval from page 2 to 3, not within 0 to 2/,
    ],
    ['intervals of more than there are', '011 1 010 1 010', {}, /has intervals of more than its 2 successors/],
    ['a residual before page 0', '011 1 1 010 1', {}, /node 0, .*: has a residual before page 0/],
    ['a residual beyond the last page', '011 1 1 011 010', {}, /has page 3 as a residual, which is not below 3/],
    ['a residual in an interval', '00100 1 010 1 1 1', {}, /has page 0 as a residual and in an interval/],
    ['a residual that is copied', '011 1 1 011 1  1  011 001 010 010 1 010', {}, /has page 1 both copied and among/],
    [
      'a number beyond all',
      `011 1 1 ${'0'.repeat(45)}${'1'.repeat(60)}`,
      {},
      /has the code of a number that no graph needs/,
    ],
    ['bits behind the end', `${good}1`, {}, /continues for 7 bits after the successors of 3 nodes/],
    ['zeros behind the end, too many', `${good}${'0'.repeat(80)}`, {}, /continues for 87 bits after/],
  ])('%s are refused', async (_, bits, changes, message) => {
    const error = await inputErrorOf(readBvGraph(forged(bits, changes)));
    expect(error).toMatch(message);
    expect(error).toMatch(/^\S+forged\.graph: /);
  });
});

describe('properties are refused', () => {
  test.each<[string, Record<string, string | undefined>, RegExp]>([
    [
      'of another class', { graphclass: 'it.unimi.dsi.webgraph.EFGraph' },
      /graphclass is "it\.unimi\.dsi\.webgraph\.EFGraph"; this program reads/,
    ],
    ['of a later version', { version: '1' }, /version is "1"; this program reads version 0/],
    ['with the bits of each byte reversed', { endianness: 'little' }, /endianness is "little"/],
    [
      'with an unknown flag', { compressionflags: 'OUTDEGREES_DELTA | RESIDUALS_RICE' },
      /compressionflags has "RESIDUALS_RICE"/,
    ],
    [
      'with a code where it may not be', { compressionflags: 'OUTDEGREES_ZETA' },
      /compressionflags has "OUTDEGREES_ZETA"/,
    ],
    ['of no nodes', { nodes: '0' }, /has no nodes/],
    [
      'of more nodes than the format has', { nodes: '10000000000' },
      /nodes is "10000000000"; expected an integer from 0 to 2147483647/,
    ],
    [
      'of more nodes than the file has bits', { nodes: '2000000000' },
      /forged\.graph: has 3 bytes, too few for the 2000000000 nodes/,
    ],
    ['of more arcs than fit', { arcs: '10000000000' }, /arcs is "10000000000"; expected an integer/],
    ['of more arcs than the nodes can have', { arcs: '10' }, /arcs is 10, more than 3 nodes can have/],
    ['of negative arcs', { arcs: '-1' }, /arcs is "-1"/],
    ['with a zeta beyond reason', { zetak: '0' }, /zetak is "0"; expected an integer from 1 to 31/],
    ['that steer a terminal', { windowsize: '\u001b[2J' }, /windowsize is "\\x1b\[2J"/],
    ...(['graphclass', 'version', 'nodes', 'arcs', 'windowsize', 'minintervallength'] as const).map(
      (key): [string, Record<string, undefined>, RegExp] => [
        `without ${key}`,
        { [key]: undefined },
        new RegExp(`forged\\.properties: has no ${key}$`),
      ],
    ),
  ])('%s', async (_, changes, message) => {
    expect(await inputErrorOf(readBvGraph(forged(good, changes)))).toMatch(message);
  });

  test('though not for how they are written, nor for what decoding does not need', async () => {
    forged(good);
    const lines = Object.entries({ ...standard, maxrefcount: 'x' }).map(([key, value]) => ` ${key} : ${value} \r\n`);
    file('forged.properties', lines.join(''));
    expect((await openGraph(join(folder, 'forged'))).arcs).toBe(4);
  });
});

describe('a file is opened', () => {
  test('by its basename or any of its names, and what is missing is named', async () => {
    const graph = weblike(40, 2);
    await writeBvGraph(graph, basename);
    for (const path of [basename, ...['graph', 'properties', 'offsets'].map((ending) => `${basename}.${ending}`)]) {
      const opened = await openGraph(path);
      expect([opened.name, rowsOf(opened)]).toEqual(['written', rowsOf(graph)]);
    }
    rmSync(`${basename}.offsets`);
    expect((await openGraph(basename)).arcs).toBe(graph.arcs);
    const bytes = readFileSync(`${basename}.graph`);
    rmSync(`${basename}.graph`);
    for (const path of [basename, `${basename}.properties`]) {
      expect(await inputErrorOf(openGraph(path))).toMatch(/written\.graph: there is no such file/);
    }
    mkdirSync(`${basename}.graph`);
    expect(await inputErrorOf(openGraph(basename))).toMatch(/written\.graph: is not a file/);
    const alone = file('alone.graph', bytes);
    expect(await inputErrorOf(openGraph(alone))).toMatch(
      /alone\.graph: is not text, and a BVGraph needs \S+alone\.properties beside it/,
    );
    expect(await inputErrorOf(openGraph(join(folder, 'alone')))).toMatch(/alone\.properties: there is no such file/);
  });

  test('as text where it is text, as the framework writes its ASCIIGraph: a blank after every link', async () => {
    const graph = await openGraph(file('text.graph-txt', '4\n1 3 \n\n0 1 2 3 \n\n'));
    expect([graph.name, rowsOf(graph)]).toEqual(['text', [[1, 3], [], [0, 1, 2, 3], []]]);
    expect(rowsOf(await openGraph(file('pairs.graph', '0 1\n1 0\n')))).toEqual([[1], [0]]);
  });
});

describe('a damaged file', () => {
  /** The graph, or the message of the InputError: anything else fails the test. */
  async function outcome(bytes: Uint8Array): Promise<WebGraph | string> {
    writeFileSync(`${basename}.graph`, bytes);
    try {
      const graph = await readBvGraph(basename);
      checkGraph(graph);
      return graph;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return error.message;
    }
  }

  async function bytesOfWritten(parameters: BvGraphOptions): Promise<Uint8Array> {
    rmSync(`${basename}.graph`, { force: true, recursive: true });
    await writeBvGraph(weblike(30, 1), basename, parameters);
    return readFileSync(`${basename}.graph`);
  }

  test('that is truncated, at whatever byte, is refused', async () => {
    const bytes = await bytesOfWritten({});
    for (let length = 0; length < bytes.length; length++) {
      expect(await outcome(bytes.subarray(0, length))).toMatch(
        /too few for the 30 nodes|is truncated: it ends, at bit \d+, within the successors of node \d+ of 30/,
      );
    }
  });

  test('that is altered gives an error or a graph, and nothing else', async () => {
    const draws = new DrawStream(11, 'damage');
    const outcomes = { refused: 0, read: 0 };
    const variants: BvGraphOptions[] = [
      {},
      { codes: { RESIDUALS: 'NIBBLE', BLOCK_COUNT: 'UNARY', REFERENCES: 'DELTA' } },
      { codes: { RESIDUALS: 'GOLOMB', BLOCKS: 'DELTA' } },
    ];
    for (const [variant, parameters] of variants.entries()) {
      const bytes = await bytesOfWritten(parameters);
      for (let round = 0; round < (isFullSweep ? 150 : 38); round++) {
        const bad = Uint8Array.from(bytes);
        const id = 1000 * variant + round;
        for (let flip = 0; flip <= draws.uint32(id, 0) % 3; flip++) {
          const bit = draws.uint32(id, flip + 1) % (8 * bad.length);
          bad[bit >>> 3] ^= 128 >>> (bit & 7);
        }
        const result = await outcome(
          draws.uniform(id, 50) < 0.2 ? bad.subarray(0, draws.uint32(id, 60) % bad.length) : bad,
        );
        outcomes[typeof result === 'string' ? 'refused' : 'read']++;
      }
    }
    // Both kinds came up, or the test shows nothing.
    expect(Math.min(outcomes.refused, outcomes.read)).toBeGreaterThan(tries(8));
  });
});
