import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  buildGraph, copying, copyingDefaults, graphChecksum, hostsFromNames, linksOf, StringTable, type GraphPart,
  type WebGraph,
} from '../../src/graphs/graph/index.ts';
import { AssertionError } from '../../src/base/index.ts';
import { readOwg, readOwgPages, readOwgRows, writeOwg, writeOwgRows } from '../../src/graphs/formats/index.ts';
import { arcLists, partsOf } from '../graph/random-graphs.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';
import { isFullSweep, tries } from '../sweep.ts';

// Goal: a part of a stored graph is that part of the graph, with the checksum of the whole, and with no other links.

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

async function readPart(from: string, isHere: (page: number) => boolean, heard: number[][] = []): Promise<{
  readonly part: GraphPart; readonly sha256: string;
}> {
  const { rows, sha256 } = await readOwgRows(from, isHere, (page, links) => {
    (heard[page] ??= []).push(...links);
  });
  return { part: { ...await readOwgPages(from, { paths: true }), rows }, sha256 };
}

/** Each page has its links if they are wanted, and is refused otherwise. */
function sameRows(part: GraphPart, graph: WebGraph, isHere: (page: number) => boolean): void {
  for (let page = 0; page < graph.pages; page++) {
    if (isHere(page)) expect(linksOf(part, page)).toEqual(linksOf(graph, page).slice());
    else expect(() => linksOf(part, page)).toThrow(AssertionError);
  }
  for (const page of [graph.pages, graph.pages + 40, -1])
    expect(() => linksOf(part, page)).toThrow(`the links of page ${page} are on another node`);
}

test('it has the pages, the wanted links and the checksum of the graph', async () => {
  await fc.assert(
    fc.asyncProperty(arcLists(), fc.integer({ min: 0, max: 511 }), async ({ pages, arcs }, here) => {
      const isHere = (page: number): boolean => (here >>> page & 1) === 1;
      for (const graph of [full(pages, arcs), buildGraph(partsOf(pages, arcs))]) {
        await writeOwg(graph, path);
        const heard: number[][] = [];
        const { part: { rows, ...known }, sha256 } = await readPart(path, isHere, heard);
        const { outOffsets, outTargets, ...rest } = graph;
        expect(known).toEqual(rest);
        expect(sha256).toBe(graphChecksum(graph));
        sameRows({ ...known, rows }, graph, isHere);
        expect(heard.flat()).toEqual([...outTargets]);
        heard.forEach((links, page) => { expect(links).toHaveLength(outOffsets[page + 1] - outOffsets[page]); });
        expect((await readOwgPages(path, { name: 'other', paths: false }))).toMatchObject({ name: 'other', pages });
      }
    }),
    { seed: 9, numRuns: tries(40) },
  );
});

test('links that the pieces of the file cut, on many pages', async () => {
  // A piece has 2^21 links.
  await writeOwgRows(copying({ ...copyingDefaults, pages: 70_001, arcs: 5_000_000, seed: 3 }), path);
  const graph = await readOwg(path);
  const isHere = (page: number): boolean => page % 3 === 1;
  const heard = new Float64Array(graph.pages);
  const { rows, sha256 } = await readOwgRows(path, isHere, (page, links) => { heard[page] += links.length; });
  expect(sha256).toBe(graphChecksum(graph));
  let wrong = 0;
  for (let page = 0; page < graph.pages; page++) {
    const links = linksOf(graph, page);
    if (heard[page] !== links.length || rows.has(page) !== isHere(page)) wrong++;
    else if (isHere(page) && Buffer.compare(bytesOf(rows.of(page)), bytesOf(links)) !== 0) wrong++;
  }
  expect(wrong).toBe(0);
  expect(rows.bytes).toBeLessThan(4 * graph.arcs / 2);
});

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer => (
  Buffer.from(buffer, byteOffset, byteLength)
);

test('with any one byte altered, or cut anywhere, it is refused by header or section', async () => {
  await writeOwg(full(4, [[0, 1], [1, 2], [2, 2], [3, 0]]), path);
  const good = readFileSync(path);
  const stride = isFullSweep ? 1 : 5;
  for (let at = 0; at < good.length; at += stride) {
    const bad = Buffer.from(good);
    bad[at] ^= 1 << at % 8;
    for (const [name, bytes] of [['altered.owg', bad], ['cut.owg', good.subarray(0, at)]] as const)
      expect(await inputErrorOf(readPart(file(name, bytes), () => true)))
        .toMatch(/is not a stored graph|header|section [a-z-]+: /);
  }
});
