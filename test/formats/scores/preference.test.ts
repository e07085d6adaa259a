import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { readPreference } from '../../../src/graphs/formats/index.ts';
import { DrawStream, InputError } from '../../../src/base/index.ts';
import { seedPagesOf } from '../../../src/cli/flags/seed-pages.ts';
import { breadthFirstOrder, reordered } from '../../../src/graphs/graph/index.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { docsWeb } from '../../docs-web.ts';
import { tries } from '../../sweep.ts';

// Goal: the pages that a PageRank prefers are read by id and by URL; whatever is wrong is reported with its line.

const { file } = temporaryFolder();
const clique = await openGraph('clique');

describe('a preference', () => {
  test.each<[string, string | Uint8Array, number[]]>([
    ['ids', '0\n3\n', [1, 0, 0, 1, 0, 0]],
    ['weights', '# page, weight\n5\t2.5\n\n1 1e-3\r\n2   0\n', [0, 1e-3, 0, 0, 0, 2.5]],
    ['gzipped', gzipSync('4 7'), [0, 0, 0, 0, 7, 0]],
  ])('is read: %s', async (name, text, weights) => {
    expect([...(await readPreference(file(`${name}.txt`, text), clique))]).toEqual(weights);
  });

  test('names pages by the ids of the source, where the graph has such', async () => {
    const draws = new DrawStream(44, 'preference');
    for (let round = 0; round < tries(160); round++) {
      const ids = [...new Set(Array.from({ length: 12 }, (_, i) => draws.uint32(round, i) % 40))];
      const text = ids.map((id, i) => `${id} ${ids[(i + 1) % ids.length]}\n`).join('');
      const graph = await openGraph(file('sparse.txt', `# source TAB target\n${text}`));
      const reorderedGraph = reordered(graph, breadthFirstOrder(graph));
      for (const read of [graph, reorderedGraph]) {
        const id = ids[draws.uint32(round, 99) % ids.length];
        const weights = await readPreference(file('ids.txt', `${id} 2\n`), read);
        expect([...weights.keys()].filter((page) => weights[page] > 0).map((page) => read.sourceIds?.[page] ?? page))
          .toEqual([id]);
        expect(seedPagesOf(read, [String(id)])!.map((page) => read.sourceIds?.[page] ?? page)).toEqual([id]);
        const missing = Array.from({ length: 41 }, (_, other) => other).find((other) => !ids.includes(other))!;
        const range = `${Math.min(...ids)} to ${Math.max(...ids)}, as in its source`;
        expect(await inputErrorOf(readPreference(file('ids.txt', `${missing}\n`), read)))
          .toContain(`line 1: "${missing}" is not a page of sparse, whose ids go from ${range}`);
        expect(() => seedPagesOf(read, [String(missing)])).toThrow(`whose page ids are ${range}`);
      }
    }
  });

  test('is read by URL', async () => {
    const graph = docsWeb;
    const url = graph.hosts.names.at(graph.hosts.ofPage[23]) + graph.paths!.at(23);
    const weights = await readPreference(file('urls.txt', `https://${url} 4\n7\n`), graph);
    expect([...weights.keys()].filter((page) => weights[page] > 0)).toEqual([7, 23]);
    expect(weights[23]).toBe(4);
  });

  test.each([
    ['0\n6\n', 'line 2: "6" is not a page of clique, whose ids go from 0 to 5'],
    ['-1\n', 'line 1: "-1" is not a page of clique, whose ids go from 0 to 5'],
    ['example.org\n', 'line 1: "example.org": clique has no URLs; expected a page id from 0 to 5'],
    ['0 1 2\n', 'line 1: "0 1 2": expected a page id or a URL, and optionally a weight'],
    ['0 -1\n', 'line 1: the weight "-1" is not a number from 0 to 1e100'],
    ['0 many\n', 'line 1: the weight "many" is not a number from 0 to 1e100'],
    ['0 1e101\n', 'line 1: the weight "1e101" is not a number from 0 to 1e100'],
    ['1\n# again\n1\n', 'line 3: page 1 appears a second time'],
    ['', 'contains no page with a weight above 0'],
    ['1 0\n', 'contains no page with a weight above 0'],
  ])('is refused: %j', async (text, message) => {
    const path = file('wrong.txt', text);
    expect(await inputErrorOf(readPreference(path, clique))).toBe(`${path}: ${message}`);
  });

  test('whatever a file holds, weights come of it or one InputError', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('0', '5', '9', ' ', '\t', '\n', '#', '.', 'e', '-', 'x', '\u00e9', '\r'), {
          maxLength: 12,
        }),
        async (letters) => {
          try {
            const weights = await readPreference(file('fuzz.txt', letters.join('')), clique);
            expect(weights.every((weight) => weight >= 0 && weight <= 1e100)).toBe(true);
            expect(weights.some((weight) => weight > 0)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(InputError);
          }
        },
      ),
      { numRuns: tries(200) },
    );
  });
});
