import fc from 'fast-check';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildGraph, hostsFromNames, prepare, StringTable } from '../../../../src/graphs/graph/index.ts';
import { logText } from '../../../../src/core/live/archive/crawl-log.ts';
import { CrawledPages } from '../../../../src/views/service/dashboard/graph/crawled.ts';
import { LoggedHosts } from '../../../../src/views/service/dashboard/graph/logged-hosts.ts';
import { nodesOf } from '../../../../src/views/service/dashboard/graph/nodes.ts';
import { GraphPages } from '../../../../src/views/service/dashboard/graph/pages.ts';
import {
  evenly, MAX_LINKS, MAX_NODES, MAX_SUPERSTEPS, sampleOf,
} from '../../../../src/views/service/dashboard/graph/sample.ts';
import { structureOf } from '../../../../src/views/service/dashboard/graph/structure.ts';
import { partsOf } from '../../../graph/random-graphs.ts';
import { smallRun } from '../../../measure/records.ts';
import { temporaryFolder, inputErrorOf } from '../../../temporary-folder.ts';
import { crawls, opened, type Crawl } from './random-crawls.ts';

// Goal: what the graph view shows of a run is what its record and its graph say, counted one by one.

const { folder } = temporaryFolder();

/** Pages known after a superstep: seeds, what pages fetched link to, and whatever had an outcome. */
function knownAfter({ seeds, arcs, supersteps }: Crawl, last: number): Set<number> {
  const known = new Set(seeds);
  for (const { fetched, failed } of supersteps.slice(0, last + 1)) {
    for (const page of [...fetched, ...failed]) known.add(page);
    for (const [from, to] of arcs) if (fetched.includes(from)) known.add(to);
  }
  return known;
}

const fetchedUntil = ({ supersteps }: Crawl, last: number): number[] =>
  supersteps.slice(0, last + 1).flatMap(({ fetched }) => fetched);

test('nodes and links are those of the pages fetched, superstep by superstep', () => {
  fc.assert(fc.property(crawls, (crawl) => {
    const { crawled, run, nodes } = opened(crawl);
    const { supersteps, nodes: drawn, links, counts } = sampleOf(crawled, run, nodes);
    const last = crawl.supersteps.length - 1;
    const hostName = (page: number): string => `h${crawl.hostOf[page]}.example`;
    const known = knownAfter(crawl, last);
    expect(supersteps).toEqual(crawl.supersteps.map((_, i) => i));
    expect(drawn.map(({ name }) => name).sort()).toEqual([...new Set([...known].map(hostName))].sort());
    expect(counts).toMatchObject({ known: drawn.length, links: links.length });
    const fetched = fetchedUntil(crawl, last);
    const crossing = crawl.arcs.filter(([from, to]) => fetched.includes(from) && hostName(from) !== hostName(to));
    for (const node of drawn) {
      const isOwn = (page: number): boolean => hostName(page) === node.name;
      expect(node.fetched).toEqual(supersteps.map((at) => fetchedUntil(crawl, at).filter(isOwn).length));
      expect(node.known).toBe([...known].filter(isOwn).length);
      expect(node.pages).toBe(run.reachable.reduce((sum, one, page) => sum + (isOwn(page) ? one : 0), 0));
      expect(node.failures).toBe(crawl.supersteps.flatMap(({ failed }) => failed).filter(isOwn).length);
      expect(node.since).toBe(supersteps.findIndex((at) => [...knownAfter(crawl, at)].some(isOwn)));
      expect(node.linksOut).toBe(crossing.filter(([from]) => isOwn(from)).length);
      expect(node.linksIn).toBe(crossing.filter(([, to]) => isOwn(to)).length);
    }
    expect(links.reduce((sum, { weight }) => sum + weight, 0)).toBe(crossing.length);
    for (const { from, to, weight, since } of links) {
      const own = crossing.filter(([a, b]) => hostName(a) === drawn[from].name && hostName(b) === drawn[to].name);
      expect(weight).toBe(own.length);
      expect(since).toBe(supersteps.findIndex((at) => own.some(([a]) => fetchedUntil(crawl, at).includes(a))));
    }
  }));
});

test('pages have their state, and those around a page are all its links', () => {
  fc.assert(fc.property(crawls, (crawl) => {
    const { crawled, run, nodes } = opened(crawl);
    const pages = new GraphPages(crawled, run, nodes);
    const last = crawl.supersteps.length - 1;
    const known = knownAfter(crawl, last);
    for (let page = 0; page < crawl.pages; page++) {
      const { page: own, to, from } = pages.around(page);
      expect(to.map((one) => one.page).sort()).toEqual(crawl.arcs.filter(([a]) => a === page).map(([, b]) => b).sort());
      expect(from.map((one) => one.page).sort())
        .toEqual(crawl.arcs.filter(([, b]) => b === page).map(([a]) => a).sort());
      expect([own.linksIn, own.linksOut]).toEqual([from.length, to.length]);
      const fetchedIn = crawl.supersteps.findIndex(({ fetched }) => fetched.includes(page));
      const hasFailed = crawl.supersteps.some(({ failed }) => failed.includes(page));
      const foundIn = crawl.supersteps.findIndex((_, i) => knownAfter(crawl, i).has(page));
      const state = fetchedIn >= 0 ? 'fetched' : hasFailed ? 'failed' : known.has(page) ? 'known' : 'unknown';
      expect(own).toMatchObject({
        state, superstep: fetchedIn >= 0 ? fetchedIn : foundIn >= 0 ? foundIn : null,
        failure: state === 'failed' ? 'timeout' : null,
      });
      expect(pages.list({ node: own.node }).pages.map((one) => one.page)).toContain(page);
    }
    const found = pages.list({ find: 'H1.EXAMPLE' });
    expect(found.pages.map((one) => one.page).sort())
      .toEqual(crawl.hostOf.flatMap((host, page) => (host === 1 ? [page] : [])));
  }));
});

test('parts of the bow-tie and ranges of sizes and degrees add up', () => {
  fc.assert(fc.property(crawls, (crawl) => {
    const { crawled, nodes } = opened(crawl);
    const { computed } = structureOf(nodes, crawled);
    const { strong, weak, bowTie, sizes, degrees } = computed!;
    const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
    expect(sum(bowTie.map(({ pages }) => pages))).toBe(crawl.pages);
    expect(sum(bowTie.map(({ fetched }) => fetched))).toBe(crawled.order.length);
    expect(sum(sizes.map((range) => range.strong))).toBe(strong.count);
    expect(sum(sizes.map((range) => range.weak))).toBe(weak.count);
    const linked = new Set(crawl.arcs.map(([from, to]) => [crawl.hostOf[from], crawl.hostOf[to]].join(' ')));
    const hosts = [...new Set(crawl.hostOf)];
    for (const [i, side] of (['out', 'in'] as const).entries()) {
      const own = hosts.map((host) => [...linked].filter((pair) => {
        const ends = pair.split(' ').map(Number);
        return ends[i] === host && ends[0] !== ends[1];
      }).length);
      for (const { least, most, [side]: count } of degrees)
        expect(count).toBe(own.filter((degree) => degree >= least && degree <= most).length);
      expect(sum(degrees.map((range) => range[side]))).toBe(hosts.length);
    }
  }));
});

test('a sample is bounded: the hosts with the most pages fetched, and the strongest links between them', () => {
  const hosts = 600;
  const arcs = Array.from({ length: hosts }, (_, page) =>
    Array.from({ length: 8 }, (_unused, i): [number, number] => [page, (page * 7 + i * 11 + 1) % hosts])).flat();
  const pages = hosts + 50;
  const crawl: Crawl = {
    pages, arcs: [...arcs, ...Array.from({ length: 50 }, (_, i): [number, number] => [i, hosts + i])],
    // Hosts 550 to 599 have a second page.
    hostOf: Array.from({ length: pages }, (_, page) => (page < hosts ? page : page - 50)), seeds: [0],
    supersteps: Array.from({ length: 325 }, (_, i) => ({ fetched: [i, i + 325], failed: [] })),
  };
  const { crawled, run, nodes } = opened(crawl);
  const sample = sampleOf(crawled, run, nodes);
  expect([sample.nodes.length, sample.links.length, sample.supersteps.length])
    .toEqual([MAX_NODES, MAX_LINKS, MAX_SUPERSTEPS]);
  expect(sample.counts).toMatchObject({ known: hosts });
  expect(sample.counts.links).toBeGreaterThan(MAX_LINKS);
  expect(sample.nodes.slice(0, 50).every(({ fetched }) => fetched.at(-1) === 2)).toBe(true);
  expect(sample.nodes[50].fetched.at(-1)).toBe(1);
  expect(sample.supersteps.at(-1)).toBe(324);
  expect(sample.links.every(({ weight }, i) => i === 0 || weight <= sample.links[i - 1].weight)).toBe(true);
  expect(evenly(5, 100)).toEqual([0, 1, 2, 3, 4]);
  expect(evenly(0, 100)).toEqual([]);
});

test('a graph with few hosts is shown by its directories', () => {
  const paths = ['/', '/a', '/docs/x', '/docs/y/z', '/docs', '/'];
  const hosts = hostsFromNames([...Array<string>(5).fill('one.example'), 'two.example']);
  const graph = prepare(buildGraph({ ...partsOf(6, [[0, 2], [2, 3]]), hosts, paths: StringTable.from(paths) }));
  const { nodesAre, graph: { graph: { hosts: { names, ofPage, count } } }, hostOf } = nodesOf(graph);
  expect(nodesAre).toBe('directories');
  const [root, docs] = ['one.example/', 'one.example/docs/'];
  expect([...ofPage].map((node) => names.at(node))).toEqual([root, root, docs, docs, root, 'two.example/']);
  expect([count, [...hostOf]]).toEqual([3, [0, 0, 1]]);
  expect(nodesOf(prepare(buildGraph(partsOf(6, [])))).nodesAre).toBe('hosts');
});

describe('of damaged or strange input', () => {
  test('a record that names pages beyond the graph is refused, with the name of the file', () => {
    const { run } = opened({ pages: 9, arcs: [], hostOf: Array<number>(9).fill(0), seeds: [0], supersteps: [] });
    expect(() => new CrawledPages(smallRun(), run))
      .toThrow(/^order\.u32: names page 9, but the graph has pages 0 to 8/);
    const [failure] = smallRun().failures;
    const failing = { ...smallRun(), order: Uint32Array.of(1, 2, 3), failures: [{ ...failure, page: 12 }] };
    expect(() => new CrawledPages(failing, run)).toThrow(/^failures\.csv: names page 12/);
  });

  test('a log is read on from where it was read to, and torn or strange lines are left out', async () => {
    const path = join(folder, 'crawl.log');
    const line = (url: string, kind: 'fetched' | 'timeout' | 'robotsFetched'): string => logText({
      atMs: 0, url, kind, status: 200, bytes: 12, type: 'text/html', depth: 1, reason: '', digest: '', times: undefined,
      pauseUs: 0,
    });
    const whole = line('http://a.example/x', 'fetched');
    writeFileSync(path, line('http://a.example/', 'robotsFetched') + whole + line('https://b.example:81/?q', 'timeout')
      + 'nonsense\n' + whole.slice(0, 40));
    const log = new LoggedHosts(path);
    await log.read();
    const seen = (): unknown[] => log.nodes(() => 7).map(({ name, fetched, failures, processor }) =>
      [name, fetched, failures, processor]);
    expect(seen()).toEqual([['a.example', [1], 0, 7], ['b.example:81', [0], 1, 7]]);
    appendFileSync(path, whole.slice(40) + line('http://<script>.example/', 'fetched'));
    await log.read();
    expect(seen()).toEqual([
      ['a.example', [2], 0, 7], ['b.example:81', [0], 1, 7], ['<script>.example', [1], 0, 7],
    ]);
    expect(await inputErrorOf(new LoggedHosts(join(folder, 'none')).read()))
      .toMatch(/none: cannot be read \(ENOENT\)$/);
  });
});
