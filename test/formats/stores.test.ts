import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { stores, writeEdgeList } from '../../src/graphs/formats/index.ts';
import { buildGraph, checkGraph, hostsFromNames, StringTable, type WebGraph } from '../../src/graphs/graph/index.ts';
import { arcLists, partsOf } from '../graph/random-graphs.ts';
import { linksOf, placeOf, sourceIdOf } from './page-links.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

const { folder } = temporaryFolder();

/** Graphs with links, with URLs, sizes and seed pages or without, with ids of a source or without. */
function graphs(): fc.Arbitrary<WebGraph> {
  const drawn = fc.tuple(arcLists(), fc.boolean(), fc.boolean()).filter(([{ arcs }]) => arcs.length > 0);
  return drawn.map(([{ pages, arcs }, hasUrls, isSparse]) => {
    const each = <T>(of: (page: number) => T): T[] => Array.from({ length: pages }, (_, page) => of(page));
    return buildGraph({
      ...partsOf(pages, arcs),
      ...(hasUrls && {
        hosts: hostsFromNames(each((page) => `h${page % 3}.org`)),
        paths: StringTable.from(each((page) => `/%C3%A9?${page}`)),
        bytes: Uint32Array.from(each((page) => 7 * page)),
        seeds: Uint32Array.of(pages - 1),
      }),
      ...(isSparse && { sourceIds: Uint32Array.from(each((page) => 3 * page + 1)) }),
    });
  });
}

const ways = stores.flatMap((store) => store.endings.flatMap((ending) =>
  [false, true].slice(0, store.urls ? 2 : 1).map((urls) => ({ store, ending, urls }))));

describe.each(ways)(
  'what is written as $ending (URLs: $urls)', ({ store, ending, urls }) => {
    test('has the same links when it is read, and reports what it left out', async () => {
      const path = join(folder, `written${ending}`);
      await fc.assert(
        fc.asyncProperty(graphs(), async (graph) => {
          const left = store.leaves(graph, { urls });
          if (urls && graph.hosts.synthetic) {
            expect(await inputErrorOf(store.write(graph, path, { urls }))).toMatch(
              /^test: has no URLs; its links can only be stored by page ids/,
            );
            return;
          }
          await store.write(graph, path, { urls });
          const back = await openGraph(path);
          checkGraph(back);
          const keeps = (what: string): boolean => !left.includes(what);
          const keepsHosts = keeps('hosts') && !graph.hosts.synthetic;
          const nameOf = (of: WebGraph) =>
            keepsHosts ? placeOf(of) : keeps('ids of the source') ? sourceIdOf(of) : undefined;
          // By URL, a page's links are together but pages stand as they are mentioned.
          const order = (links: string[]): string[] => (urls || !keeps('the order of links') ? links.sort() : links);
          expect(order(linksOf(back, nameOf(back)))).toEqual(order(linksOf(graph, nameOf(graph))));
          const alone = left.some((what) => /^\d+ pages? without links$/.test(what));
          expect(back.pages === graph.pages).toBe(!alone);
          if (keeps('sizes')) expect(back.bytes).toEqual(graph.bytes);
          if (keeps('seed pages')) expect(back.seeds).toEqual(graph.seeds);
          expect(back.hosts.synthetic).toBe(!keepsHosts);
        }),
        { numRuns: 10 },
      );
      expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
    });
  },
);

test('a long edge list is gzipped piece by piece, and is one text', async () => {
  const pages = 450;
  const graph = buildGraph({
    name: 'everything', pages,
    // As long as ids may be, for a long text of few links.
    sourceIds: Uint32Array.from({ length: pages }, (_, page) => 4e9 + page),
    sources: Uint32Array.from({ length: pages * pages }, (_, i) => Math.floor(i / pages)),
    targets: Uint32Array.from({ length: pages * pages }, (_, i) => i % pages),
  });
  const path = join(folder, 'long.tsv.gz');
  await writeEdgeList(graph, path);
  const packed = readFileSync(path);
  expect(packed.indexOf(Buffer.from([0x1f, 0x8b, 8]), 3)).toBeGreaterThan(0);
  const lines = gunzipSync(packed).toString().split('\n');
  const links = pages ** 2;
  expect([lines[0], lines.length]).toEqual([`# ${pages} pages, ${links} links: source TAB target`, links + 2]);
  expect((await openGraph(path)).arcs).toBe(graph.arcs);
});
