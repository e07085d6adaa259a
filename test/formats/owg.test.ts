import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  graphChecksum, breadthFirstOrder, buildGraph, checkGraph, hostsFromNames, reordered, StringTable, type WebGraph,
} from '../../src/graphs/graph/index.ts';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { readOwg, writeOwg } from '../../src/graphs/formats/index.ts';
import { arcLists, partsOf } from '../graph/random-graphs.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';
import { isFullSweep, tries } from '../sweep.ts';

const { file, folder } = temporaryFolder();
const path = join(folder, 'stored.owg');

function full(pages: number, arcs: [number, number][]): WebGraph {
  return buildGraph({
    ...partsOf(pages, arcs),
    hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `höst${page % 3}`)),
    paths: StringTable.from(Array.from({ length: pages }, (_, page) => `/${page}`)),
    bytes: Uint32Array.from({ length: pages }, (_, page) => 100 * page),
    sourceIds: Uint32Array.from({ length: pages }, (_, page) => 7 * page + 1),
    seeds: Uint32Array.of(pages - 1),
  });
}

const small = full(4, [[0, 1], [1, 2], [2, 2], [3, 0]]);

async function bytesOfSmall(): Promise<Buffer> {
  await writeOwg(small, path);
  return readFileSync(path);
}

test('a stored graph comes back equal, over shared memory', async () => {
  await fc.assert(
    fc.asyncProperty(arcLists(), async ({ pages, arcs }) => {
      const rich = full(pages, arcs);
      for (const graph of [rich, reordered(rich, breadthFirstOrder(rich)), buildGraph(partsOf(pages, arcs))]) {
        await writeOwg(graph, path);
        const back = await readOwg(path);
        expect(back).toEqual(graph);
        expect(graphChecksum(back)).toBe(graphChecksum(graph));
        expect(back.outTargets.buffer).toBeInstanceOf(SharedArrayBuffer);
        checkGraph(back);
      }
    }),
    { seed: 8, numRuns: tries(40) },
  );
  expect(readdirSync(folder)).toEqual(['stored.owg']);
});

test('the checksum distinguishes content and leaves the name out', () => {
  const variants: WebGraph[] = [
    small,
    { ...small, hosts: { ...small.hosts, synthetic: true } },
    { ...small, bytes: undefined },
    { ...small, bytes: undefined, sourceIds: small.bytes },
    { ...small, seeds: Uint32Array.of(1) },
    { ...small, outTargets: Uint32Array.of(1, 2, 2, 1) },
    { ...small, paths: StringTable.from(['/0', '/1', '/2', '/x']) },
  ];
  expect(new Set(variants.map((graph) => graphChecksum(graph))).size).toBe(variants.length);
  expect(graphChecksum({ ...small, name: 'other' })).toBe(graphChecksum(small));
  expect(graphChecksum(small)).toMatch(/^[0-9a-f]{64}$/);
});

describe('a damaged file is refused', () => {
  // In turns of three, every bit of a byte is altered somewhere.
  const stride = isFullSweep ? 1 : 3;

  test('with any one byte altered, naming header or section', async () => {
    const good = await bytesOfSmall();
    for (let at = 0; at < good.length; at += stride) {
      const bad = Buffer.from(good);
      bad[at] ^= 1 << (at % 8);
      expect(await inputErrorOf(readOwg(file('altered.owg', bad)))).toMatch(
        /is not a stored graph|header|section [a-z-]+: its checksum/,
      );
    }
  });

  test('with its end missing, at whatever byte', async () => {
    const good = await bytesOfSmall();
    for (let length = 0; length < good.length; length += stride) {
      expect(await inputErrorOf(readOwg(file('short.owg', good.subarray(0, length))))).toMatch(
        /truncated|is not a stored graph/,
      );
    }
    expect(await inputErrorOf(readOwg(file('short.owg', good.subarray(0, -8))))).toMatch(/section seeds: is truncated/);
  });

  test('with bytes behind its end', async () => {
    const long = Buffer.concat([await bytesOfSmall(), Buffer.alloc(8)]);
    expect(await inputErrorOf(readOwg(file('long.owg', long)))).toMatch(/continues for 8 bytes/);
  });

  // A liar who knows the format makes the checksums match.
  async function forged(change: (bytes: Buffer) => void): Promise<string> {
    const bytes = await bytesOfSmall();
    change(bytes);
    const sections = bytes.readUInt32LE(12);
    const end = 32 + 32 * Math.min(sections, 11);
    let at = end + 8;
    for (let entry = 32; entry < end; entry += 32) {
      const length = Math.ceil(Number(bytes.readBigUInt64LE(entry + 16)) / 8) * 8;
      bytes.writeUInt32LE(crc32(bytes.subarray(at, at + length)), entry + 24);
      at += length;
    }
    bytes.writeUInt32LE(crc32(bytes.subarray(0, end)), end);
    return inputErrorOf(readOwg(file('forged.owg', bytes)));
  }

  const header = 32 + 32 * 11 + 8; // The name section, "test", comes first and takes 8 bytes.
  test.each<[string, (bytes: Buffer) => void, RegExp]>([
    ['a name that steers a terminal', (b) => b.writeUInt8(27, header), /section name: has control characters/],
    ['another version', (b) => b.writeUInt32LE(2, 8), /header: has version 2; this program reads version 1/],
    [
      'a lying number of pages', (b) => b.writeUInt32LE(4_000_000_000, 16),
      /section out-offsets: has 20 bytes by the section table but 16000000004/,
    ],
    ['a lying number of arcs', (b) => b.writeUInt32LE(4_000_000_000, 24), /section out-targets: has 16 bytes/],
    ['a lying number of sections', (b) => b.writeUInt32LE(4_000_000_000, 12), /header: has 4000000000 sections/],
    [
      'counts and lengths that lie alike',
      (b) => {
        b.writeUInt32LE(3_000_000_000, 24);
        b.writeBigUInt64LE(12_000_000_000n, 32 + 2 * 32 + 16);
      },
      /section out-targets: is truncated/,
    ],
    [
      'a link to no page', (b) => b.writeUInt32LE(4, header + 8 + 24),
      /section out-targets: element 0 is 4, which is not below 4/,
    ],
    ['offsets that fall', (b) => b.writeUInt32LE(9, header + 8 + 4), /section out-offsets: falls after page 1/],
  ])('with %s, though its checksums match', async (_, change, message) => {
    expect(await forged(change)).toMatch(message);
  });
});

test('is known by its content, and by its ending when that is gone', async () => {
  const good = await bytesOfSmall();
  expect((await openGraph(file('graph.bin', good))).name).toBe('test');
  expect(await inputErrorOf(openGraph(file('not.owg', '0 1\n')))).toMatch(/not.owg: is not a stored graph/);
});

test('writing where nothing can be written is refused and leaves nothing', async () => {
  expect(await inputErrorOf(writeOwg(small, join(folder, 'none', 'g.owg')))).toMatch(/there is no folder/);
  expect(await inputErrorOf(writeOwg(small, folder))).toMatch(/is a folder/);
  expect(readdirSync(dirname(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
});
