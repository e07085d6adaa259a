import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOwg, storedGraphFacts } from '../../../src/graphs/formats/index.ts';
import { graphChecksum, prepare, urlOf } from '../../../src/graphs/graph/index.ts';
import { pagesHereAlone, writeCrawledGraph } from '../../../src/core/live/archive/crawled-graph.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { ELSEWHERE, type LinkBeyond, type NewPage, type Visit } from '../../../src/core/live/store/crawl-store.ts';
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

/** The id in the store of a page of the graph. */
const idOf = (here: number) => (page: number): number => (page < here ? page : ELSEWHERE + page - here);

test('a random store is read back as the graph of its pages, those of other machines last', async () => {
  const path = join(folder, 'graph.owg');
  const random = fc.tuple(
    fc.array(newPage, { minLength: 0, maxLength: 30 }), fc.array(newPage, { minLength: 0, maxLength: 30 }),
  ).chain(([pages, elsewhere]) =>
    fc.record({
      pages: fc.constant(pages), elsewhere: fc.constant(elsewhere),
      visits: fc.dictionary(
        fc.constantFrom(...pages.map((_, page) => String(page)), ...(pages.length === 0 ? [''] : [])),
        fc.record({
          links: fc.uniqueArray(fc.nat(Math.max(0, pages.length + elsewhere.length - 1)), { maxLength: 8 }),
          // Which of them led beyond the limits at first; of each, whether its page is known now.
          beyond: fc.array(fc.constantFrom('no', 'once', 'still'), { minLength: 8, maxLength: 8 }),
          bytes: fc.constantFrom(0, 7, 2 ** 31, 2 ** 40),
        }),
        { maxKeys: pages.length },
      ),
      seeds: fc.subarray(pages.map((_, page) => page)),
    }),
  );
  await fc.assert(fc.asyncProperty(random, async ({ pages: here, elsewhere, visits, seeds }) => {
    const store = new MemoryStore({});
    await store.note({ firstPage: 0, pages: here, firstElsewhere: ELSEWHERE, elsewhere });
    const pages = [...here, ...elsewhere];
    const rows = pages.map((): number[] => []);
    const bytes = pages.map(() => 0);
    for (const [page, { links, beyond, bytes: received }] of Object.entries(visits)) {
      const id = idOf(here.length);
      const visit: Visit = {
        page: Number(page), kind: 'fetched', bytes: received, waitUs: 0, finishedAtUs: 1,
        links: Uint32Array.from(links.filter((_, i) => beyond[i] === 'no'), id), digest: '', warc: undefined,
      };
      const linksBeyond = links.flatMap((link, place): LinkBeyond[] => (
        beyond[place] === 'no' ? [] : [{ place, to: beyond[place] === 'once' ? id(link) : 'http://beyond/' }]
      ));
      await store.note({ firstPage: here.length, pages: [], visit, beyond: new Map([[visit.page, linksBeyond]]) });
      rows[visit.page] = links.filter((_, i) => beyond[i] !== 'still');
      bytes[visit.page] = Math.min(received, 2 ** 32 - 1);
    }
    // Also where hosts were numbered before.
    for (let times = 0; times < 2; times++) await writeCrawledGraph(store, path, seeds);
    const graph = await readOwg(path);
    const { pages: count, arcs, hosts: { count: hostCount } } = graph;
    expect(await storedGraphFacts(path))
      .toEqual({ pages: count, arcs, hosts: hostCount, sha256: graphChecksum(prepare(graph)) });
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
    expect([...graph.seeds!]).toEqual(seeds);
    await writeCrawledGraph(pagesHereAlone(store), path, []);
    const alone = await readOwg(path);
    expect(here.map((_, page) => (
      [...alone.outTargets.subarray(alone.outOffsets[page], alone.outOffsets[page + 1])]
    ))).toEqual(rows.slice(0, here.length).map((row) => row.filter((target) => target < here.length)));
    expect(Array.from({ length: alone.pages }, (_, page) => urlOf(alone, page))).toEqual(urls.slice(0, here.length));
    expect([alone.hosts.count, [...alone.bytes!]])
      .toEqual([new Set(here.map(({ url }) => new URL(url).host)).size, bytes.slice(0, here.length)]);
  }), { numRuns: 50 });
});

test('hosts of other machines, more than are in memory at a time, are numbered once and in order', async () => {
  const store = new MemoryStore({});
  const path = join(folder, 'hosts.owg');
  const page = (host: string, i: number): NewPage => ({ url: `https://${host}/${i}`, depth: 1, redirects: 0 });
  const hostOf = (i: number): string => (i % 11 === 0 ? 'here' : `h${i % 17_000}`);
  const elsewhere = Array.from({ length: 30_000 }, (_, i) => page(hostOf(i), i));
  await store.note({ firstPage: 0, pages: [page('here', 0), page('too', 0)] });
  for (const end of [12_000, 30_000]) {
    const first = store.elsewhereCount;
    await store.note({
      firstPage: 2, pages: [], firstElsewhere: ELSEWHERE + first, elsewhere: elsewhere.slice(first, end),
    });
    await writeCrawledGraph(store, path, []);
    const { hosts: { count, names, ofPage } } = await readOwg(path);
    const expected = [...new Set(['here', 'too', ...elsewhere.slice(0, end).map((_, i) => hostOf(i))])];
    expect(Array.from({ length: count }, (_, host) => names.at(host))).toEqual(expected);
    const numbers = new Map(expected.map((host, number) => [host, number]));
    expect([...ofPage.subarray(2)]).toEqual(elsewhere.slice(0, end).map((_, i) => numbers.get(hostOf(i))));
  }
});
