import { open, readFile, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  GRAPH_FILE_MAGIC, INFINITE, isGraphFile, readGraphFile, sequenceOfArcs, spawcGraph, writeGraphFile,
  type ArcSequence,
} from '../../../src/questions/bench/index.ts';
import { lengthsOf } from '../../conformance/growing.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: a graph file of SPAWC says what was written, byte by byte as README.md has it, and no other file is believed.

const { folder } = temporaryFolder();
const path = join(folder, 'some.g');

const drawn = fc.integer({ min: 1, max: 12 }).chain((pages) => fc.record({
  pages: fc.constant(pages),
  name: fc.string({ maxLength: 20, unit: 'grapheme' }).filter((text) => !text.includes('\0')),
  arcs: fc.array(fc.tuple(fc.nat(pages - 1), fc.nat(pages - 1)), { maxLength: 30 }),
}));

function sequence(given: { name: string; pages: number; arcs: readonly (readonly [number, number])[] }): ArcSequence {
  return sequenceOfArcs({ ...given, description: 'drawn', isSynthetic: true });
}

/** The file of sc3 by hand: 4 vertices, 6 edges, 2 components. */
function sc3File(): Buffer {
  const words = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
  return Buffer.concat([
    Buffer.from('GRAPHBENCH'), Buffer.from('sc3\0'), words(4, 6, 2),
    words(0, 1, 1, 2, 1, 0, 1, 2, 1, 2, 0, 1, INFINITE, INFINITE, INFINITE, 0),
    words(0, 0, 0, 1),
    Buffer.of(0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0),
    words(0, 1, 1, 2, 2, 3, 2, 0, 1, 0, 0, 2),
  ]);
}

describe('the graph file', () => {
  test('of sc3 is what README.md says, byte by byte', async () => {
    await writeGraphFile(path, spawcGraph('sc3'));
    expect(await readFile(path)).toEqual(sc3File());
    expect(await isGraphFile(path)).toBe(true);
    expect(await isGraphFile(folder)).toBe(false);
    expect(await isGraphFile(join(folder, 'none.g'))).toBe(false);
  });

  test('is read as it was written: name, arcs in order, and the results of plain searches', async () => {
    await fc.assert(fc.asyncProperty(drawn, async ({ name, pages, arcs }) => {
      await writeGraphFile(path, sequence({ name, pages, arcs }));
      const read = await readGraphFile(path);
      expect(read).toMatchObject({ name, pages, isSynthetic: false });
      expect([...read.sources].map((source, i) => [source, read.targets[i]])).toEqual(arcs);
      const lengths = lengthsOf(pages, arcs);
      const { distances, components } = read.stored!;
      expect([...distances].map((links) => (links === INFINITE ? Infinity : links))).toEqual(lengths.flat());
      expect([...components]).toEqual(lengths.map((row, page) =>
        row.findIndex((length, other) => length < Infinity && lengths[other][page] < Infinity)));
    }), { numRuns: 30 });
  });

  test('with other numbers of components says the same', async () => {
    const bytes = sc3File();
    // Labels of the four vertices: any below 4, as long as equal ones are equal.
    const at = 14 + 12 + 64;
    [3, 3, 3, 2].forEach((label, i) => bytes.writeUInt32LE(label, at + 4 * i));
    await writeFile(path, bytes);
    expect([...(await readGraphFile(path)).stored!.components]).toEqual([0, 0, 0, 3]);
  });

  test('cut anywhere, or with a byte more, is refused', async () => {
    const bytes = sc3File();
    for (let length = 0; length < bytes.length; length++) {
      await writeFile(path, bytes.subarray(0, length));
      await expect(readGraphFile(path), `${length} bytes`).rejects.toThrow(
        length < 10 ? /does not begin with GRAPHBENCH/ : /some\.g: is truncated: /);
    }
    await writeFile(path, Buffer.concat([bytes, Buffer.of(0)]));
    await expect(readGraphFile(path)).rejects.toThrow(
      'goes on after its end: 4 vertices and 6 edges take 170 bytes; it has 171');
  });

  const at = { counts: 14, labels: 90, adjacency: 106, arcs: 122 };
  test.each<[string, (bytes: Buffer) => unknown, string]>([
    ['another magic', (bytes) => bytes.write('graph'), `does not begin with ${GRAPH_FILE_MAGIC}`],
    ['counts far beyond its length', (bytes) => bytes.fill(0xff, at.counts, at.counts + 8),
      'is truncated: 4294967295 vertices and 4294967295 edges take'],
    ['a wrong number of components', (bytes) => bytes.writeUInt32LE(3, at.counts + 8),
      'its head says 3 components, its list has 2'],
    ['a component out of range', (bytes) => bytes.writeUInt32LE(4, at.labels + 8),
      'component of vertex 2: 4 is not below 4'],
    ['an adjacency without an edge', (bytes) => bytes.writeUInt8(1, at.adjacency + 3),
      'adjacency of 0 -> 3 is 1, but its edges have none'],
    ['an edge without adjacency', (bytes) => bytes.writeUInt8(0, at.adjacency + 1),
      'adjacency of 0 -> 1 is 0, but its edges have this one'],
    ['an adjacency of 2', (bytes) => bytes.writeUInt8(2, at.adjacency + 1), 'adjacency of 0 -> 1 is 2'],
    ['a tail out of range', (bytes) => bytes.writeUInt32LE(4, at.arcs + 8), 'edge 2 of 6: its tail 4 is not below 4'],
    ['a head out of range', (bytes) => bytes.writeUInt32LE(9, at.arcs + 4), 'edge 1 of 6: its head 9 is not below 4'],
    ['a name that is not UTF-8', (bytes) => bytes.writeUInt8(0xff, 10), 'its name, from byte 10, is not UTF-8'],
  ])('with %s is refused', async (_, damage, says) => {
    const bytes = sc3File();
    damage(bytes);
    await writeFile(path, bytes);
    await expect(readGraphFile(path)).rejects.toThrow(`${path}: ${says}`);
  });

  test('with a name without end is refused', async () => {
    await writeFile(path, `GRAPHBENCH${'x'.repeat(5000)}`);
    await expect(readGraphFile(path)).rejects.toThrow('its name has no NUL within 1024 bytes');
  });

  test('of the right length for more than fits memory is refused before anything is allocated', async () => {
    const pages = 300_000;
    const file = await open(path, 'w');
    try {
      const head = Buffer.from('GRAPHBENCH\0............');
      [pages, 0, pages].forEach((count, i) => head.writeUInt32LE(count, 11 + 4 * i));
      await file.write(head);
      // A file with a hole: it takes no room.
      await file.truncate(head.length + 5 * pages * pages + 4 * pages);
    } finally {
      await file.close();
    }
    await expect(readGraphFile(path)).rejects.toThrow(/reading its 450001200023 bytes takes \d+/);
  });

  test('is not written with a name that it cannot have', async () => {
    const other = join(folder, 'unwritten.g');
    for (const name of ['a\0b', 'x'.repeat(1025)]) {
      await expect(writeGraphFile(other, sequence({ name, pages: 1, arcs: [] }))).rejects.toThrow(
        'name: must have at most 1024 bytes, and no NUL');
    }
    expect(readdirSync(folder)).not.toContain('unwritten.g');
  });
});
