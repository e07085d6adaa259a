import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isDimacs, readDimacs } from '../../../src/questions/bench/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: DIMACS files give their arcs in their order; what is malformed is named by its line.

const { folder } = temporaryFolder();
const path = join(folder, 'some.gr');

async function arcsOf(text: string | Uint8Array): Promise<[number, number][]> {
  await writeFile(path, text);
  const { sources, targets } = await readDimacs(path, 'some');
  return [...sources].map((source, i) => [source, targets[i]]);
}

const roads = 'c roads\n\np sp 3 3\r\na 1 2 1\na 2 1 1\nc in between\na 3 1 7\n';

describe('DIMACS', () => {
  test('shortest paths: arcs in order; lengths are ignored, with a note', async () => {
    expect(await arcsOf(roads)).toEqual([[0, 1], [1, 0], [2, 0]]);
    expect(await isDimacs(path)).toBe(true);
    const { pages, notes, isSynthetic } = await readDimacs(path, 'some');
    expect({ pages, isSynthetic }).toEqual({ pages: 3, isSynthetic: false });
    expect(notes).toEqual(['some: 1 arcs have a length other than 1, which is ignored: distances are counted in links.']);
    expect(await arcsOf(gzipSync(roads))).toHaveLength(3);
    expect(await isDimacs(path)).toBe(true);
  });

  test('edges: each is an arc both ways, and nothing is noted', async () => {
    for (const problem of ['edge', 'col'])
      expect(await arcsOf(`p ${problem} 3 2\ne 1 2\ne 3 2`)).toEqual([[0, 1], [1, 0], [2, 1], [1, 2]]);
    expect((await readDimacs(path, 'some')).notes).toEqual([]);
  });

  test.each([
    ['', 'has no problem line'],
    ['a 1 2 1\n', 'line 1: comes before the problem line: "a 1 2 1"'],
    ['p sp 2 1\np sp 2 1\n', 'line 2: is a second problem line'],
    ['p max 2 1\n', 'line 1: problem must be one of sp, edge, col'],
    ['p sp 2\n', 'line 1: must be "p PROBLEM VERTICES LINES"'],
    ['p sp 2 -1\n', 'line 1: must be "p PROBLEM VERTICES LINES"'],
    ['p sp 2 1 9\n', 'line 1: must be "p PROBLEM VERTICES LINES"'],
    ['p sp 99999999999 1\n', 'line 1: must be "p PROBLEM VERTICES LINES"'],
    ['c\np sp 2 1\na 1 2\n', 'line 3: must be "a FROM TO LENGTH"'],
    ['p sp 2 1\na 1 3 1\n', 'line 2: vertex "3" is not from 1 to 2'],
    ['p sp 2 1\na 0 1 1\n', 'line 2: vertex "0" is not from 1 to 2'],
    ['p sp 2 1\na 1.5 1 1\n', 'line 2: vertex "1.5" is not from 1 to 2'],
    ['p sp 2 1\na 1 2 far\n', 'line 2: length "far" is not a number'],
    ['p sp 2 1\ne 1 2\n', 'line 2: problem sp has lines that begin with a'],
    ['p edge 2 1\na 1 2 1\n', 'line 2: problem edge has lines that begin with e'],
    ['p edge 2 1\ne 1 2 1\n', 'line 2: must be "e ONE OTHER"'],
    ['p sp 2 1\nx 1 2 1\n', 'line 2: must begin with c, p, a or e'],
    ['p sp 2 1\na 1 2 1\na 2 1 1\n', 'line 3: is one more than the 1 lines announced'],
    ['p sp 2 2\na 1 2 1\n', 'ends after 1 of the 2 lines announced'],
  ])('%j is refused', async (text, says) => {
    await expect(arcsOf(text)).rejects.toThrow(`${path}: ${says}`);
  });

  test('other texts are not taken for it', async () => {
    for (const text of ['1 2\n2 1\n', '% p sp 2 1\n', 'p\n', '']) {
      await writeFile(path, text);
      expect(await isDimacs(path), text).toBe(false);
    }
    expect(await isDimacs(join(folder, 'none.gr'))).toBe(false);
    expect(await isDimacs(folder)).toBe(false);
  });
});
