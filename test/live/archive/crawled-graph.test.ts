import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOwg } from '../../../src/formats/index.ts';
import { writeCrawledGraph } from '../../../src/live/archive/crawled-graph.ts';
import { MemoryStore } from '../../../src/live/store/memory-store.ts';
import type { NewPage, Visit } from '../../../src/live/store/crawl-store.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const { folder } = temporaryFolder();

const newPage: fc.Arbitrary<NewPage> = fc.record({
  url: fc
    .tuple(
      fc.constantFrom('http:', 'https:'), fc.constantFrom('a.example', 'b.example', 'b.example:8080', '[::1]'),
      fc.webPath(), fc.webQueryParameters(),
    )
    .map(([scheme, host, path, query]) => new URL(`${scheme}//${host}${path}${query === '' ? '' : '?'}${query}`).href),
  depth: fc.nat(2),
  redirects: fc.nat(1),
});

test('a random store is read back as the graph of its pages, by id', async () => {
  const path = join(folder, 'graph.owg');
  const random = fc.array(newPage, { minLength: 0, maxLength: 30 }).chain((pages) =>
    fc.record({
      pages: fc.constant(pages),
      visits: fc.dictionary(
        fc.constantFrom(...pages.map((_, page) => String(page)), ...(pages.length === 0 ? [''] : [])),
        fc.record({
          links: fc.uniqueArray(fc.nat(Math.max(0, pages.length - 1)), { maxLength: 8 }),
          bytes: fc.constantFrom(0, 7, 2 ** 31, 2 ** 40),
        }),
        { maxKeys: pages.length },
      ),
    }),
  );
  await fc.assert(fc.asyncProperty(random, async ({ pages, visits }) => {
    const store = new MemoryStore({});
    await store.note({ firstPage: 0, pages });
    const rows = pages.map((): number[] => []);
    const bytes = pages.map(() => 0);
    for (const [page, { links, bytes: received }] of Object.entries(visits)) {
      const visit: Visit = {
        page: Number(page), kind: 'fetched', bytes: received, waitUs: 0, finishedAtUs: 1,
        links: Uint32Array.from(links), digest: '', warc: undefined,
      };
      await store.note({ firstPage: pages.length, pages: [], visit });
      rows[visit.page] = links;
      bytes[visit.page] = Math.min(received, 2 ** 32 - 1);
    }
    await writeCrawledGraph(store, path);
    const graph = await readOwg(path);
    expect(graph.name).toBe('graph');
    expect(
      pages.map((_, page) => [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])]),
    ).toEqual(rows);
    expect([...graph.bytes!]).toEqual(bytes);
    const urls = pages.map(({ url }) => url.replace(/^[a-z]+:\/\//, ''));
    expect(pages.map((_, page) => graph.hosts.names.at(graph.hosts.ofPage[page]) + graph.paths!.at(page))).toEqual(
      urls,
    );
    const hosts = [...new Set(pages.map(({ url }) => new URL(url).host))];
    expect(hosts.map((_, host) => graph.hosts.names.at(host))).toEqual(hosts);
    expect(graph.hosts.count).toBe(hosts.length);
    expect([...graph.seeds!]).toEqual(
      pages.flatMap(({ depth, redirects }, page) => (depth + redirects === 0 ? [page] : [])),
    );
  }), { numRuns: 50 });
});
