import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { readBvGraph } from '../../src/graphs/formats/index.ts';
import { checkGraph, type WebGraph } from '../../src/graphs/graph/index.ts';
import { tries } from '../sweep.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

const { file } = temporaryFolder();

function arcsOf(graph: WebGraph): string[] {
  const arcs: string[] = [];
  for (let page = 0; page < graph.pages; page++) {
    for (let i = graph.outOffsets[page]; i < graph.outOffsets[page + 1]; i++)
      arcs.push(`${page} ${graph.outTargets[i]}`);
  }
  return arcs;
}

const banner = (kind: string): string => `%%MatrixMarket matrix coordinate ${kind}\n`;

describe('a sparse matrix', () => {
  test.each<[string, string, string[]]>([
    ['pattern', `${banner('pattern general')}% made by hand\n\n3 3 2\n1 2\n3 1\n`, ['0 1', '2 0']],
    ['real', `${banner('real general')}3 3 2\n1 2 -1.5e3\n3 1 .25\n`, ['0 1', '2 0']],
    ['complex and without a last line end', `${banner('complex general')}3 3 2\n1 2 0 1\n3 1 2.5 -1`, ['0 1', '2 0']],
    ['symmetric', `${banner('integer symmetric')}3 3 3\n1 1 7\n2 1 7\n3 2 7\n`, ['0 0', '0 1', '1 0', '1 2', '2 1']],
    ['skew-symmetric', `${banner('REAL Skew-Symmetric')}3 3 1\r\n3 1 7\r\n`, ['0 2', '2 0']],
    ['without entries', `${banner('pattern general')}3 3 0\n`, []],
    ["Network Repository's, with one %", '%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n3 1\n', ['0 2', '2 0']],
    ['SMAT', '3 3 2\n0 1 1\n2 0 0.5\n', ['0 1', '2 0']],
  ])('may be %s', async (_, text, arcs) => {
    for (const path of [file('m.mtx', text), file('m.mtx.gz', gzipSync(text))]) {
      const notes: string[] = [];
      const graph = await openGraph(path, { onNote: (note) => notes.push(note) });
      checkGraph(graph);
      expect(graph.pages).toBe(3);
      expect(graph.name).toBe('m');
      expect(arcsOf(graph)).toEqual(arcs);
      expect(graph.sourceIds && [...graph.sourceIds]).toEqual(text.startsWith('%') ? [1, 2, 3] : undefined);
      const saysSo = notes.some((note) => note.includes('values of the matrix are not stored'));
      expect(saysSo).toBe(!text.includes('pattern'));
    }
  });

  test.each<[string, string, RegExp]>([
    ['an array', '%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n', /line 1: an array is a dense matrix/],
    ['an unknown field', banner('quaternion general'), /line 1: the field must be one of pattern/],
    ['an unknown symmetry', banner('real odd'), /line 1: the symmetry must be one of/],
    ['half a banner', '%%MatrixMarket matrix\n', /line 1: expected "matrix coordinate"/],
    ['no sizes', `${banner('real general')}% nothing\n`, /ends before its line of sizes/],
    ['two sizes', `${banner('real general')}%\n5 5\n`, /line 3: expected rows, columns and entries: "5 5"/],
    ['a rectangle', `${banner('real general')}5 6 1\n1 1 1\n`, /line 2: the matrix has 5 rows and 6 columns/],
    [
      'more pages than ids',
      `${banner('pattern general')}10000000000 10000000000 1\n1 2\n`,
      /line 2: 10000000000 rows are more than/,
    ],
    ['more pages than ids, as SMAT', '10000000000 10000000000 1\n0 1 1\n', /line 1: 10000000000 rows are more than/],
    [
      'more pages than entries bear out, as SMAT', '4000000000 4000000000 1\n0 1 1\n',
      /line 1: 4000000000 rows are too many/,
    ],
    [
      'more pages than entries bear out',
      `${banner('pattern general')}4000000000 4000000000 1\n1 2\n`,
      /line 2: 4000000000 rows are too many/,
    ],
    [
      'too few entries',
      `${banner('pattern general')}3 3 10000000000\n1 2\n`,
      /ends after 1 entries; line 2 states 10000000000. Is the file truncated/,
    ],
    ['too many', `${banner('pattern general')}3 3 1\n1 2\n2 3\n`, /has 2 entries; line 2 states 1/],
    [
      'page 0',
      `${banner('pattern general')}300 300 40\n${'100 200\n'.repeat(37)}\n0 1\n`,
      /line 41: page id 0: ids begin at 1/,
    ],
    ['page 0 among values', `${banner('real general')}3 3 2\n1 2 5\n2 0 5\n`, /line 4: page id 0/],
    [
      'a page beyond',
      `${banner('pattern general')}%\n3 3 2\n1 2\n4 1\n`,
      /line 5: page id 4 is larger than 3, the rows of line 3/,
    ],
    [
      'a missing value',
      `${banner('real general')}3 3 1\n1 2\n`,
      /line 3 has 2 fields; expected two page ids and 1 number/,
    ],
    [
      'a value too many',
      `${banner('pattern general')}3 3 1\n1 2 5\n`,
      /line 3 has 3 fields; expected two page ids: "1 2 5"/,
    ],
    ['endless comments', banner('real general') + '% more\n'.repeat(400_000), /has no line of sizes in its first/],
  ])('is refused with %s', async (_, text, message) => {
    expect(await inputErrorOf(openGraph(file('bad.mtx', text)))).toMatch(message);
  });

  test('that is damaged anyhow is read soundly or refused in one message', async () => {
    const text = `${banner('real symmetric')}% a\n9 9 6\n2 1 0.5\n3 1 1e-3\n9 9 4\n4 2 -7\n8 5 1\n6 6 2\n`;
    const refused = await refusedOfDamaged(text, 300, (bytes) => openGraph(file('damaged.mtx', bytes)));
    expect(refused).toBeGreaterThan(tries(100));
    expect(refused).toBeLessThan(300);
  });
});

test('weighted links are no SMAT for beginning with a link of a page to itself', async () => {
  expect(arcsOf(await openGraph(file('self.txt', '1 1 3\n1 2 1\n2 1 4\n')))).toEqual(['0 0', '0 1', '1 0']);
});

const stanford = fileURLToPath(
  new URL('../../../shared/datasets/wb-cs-stanford/wb-cs.stanford.smat.gz', import.meta.url),
);
test.skipIf(!existsSync(stanford))('wb-cs-stanford (skipped where absent: it may not be redistributed) is the same from SMAT, its lines and its BVGraph', async () => {
  const graph = await openGraph(stanford);
  checkGraph(graph);
  const lines = gunzipSync(readFileSync(stanford)).toString('latin1').trim().split('\n');
  expect(lines[0]).toBe(`${graph.pages} ${graph.pages} ${graph.arcs}`);
  expect(graph.pages).toBe(9_914);
  expect(new Set(arcsOf(graph))).toEqual(new Set(lines.slice(1).map((line) => line.split(' ').slice(0, 2).join(' '))));
  const decoded = await readBvGraph(stanford.replace('.smat.gz', ''));
  expect(new Set(arcsOf(decoded))).toEqual(new Set(arcsOf(graph)));
});
