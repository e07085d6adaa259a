import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readOwg } from '../../../src/graphs/formats/index.ts';
import { urlOf, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { crawlLive } from '../../../src/machines/crawl/index.ts';
import { readRunEvents, readRunJson, type RunJson } from '../../../src/core/measure/index.ts';
import { openLmdbStore } from '../../../src/core/live/index.ts';
import { orbweaver, type Finished } from '../../cli/command.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../../crawl/loopback.ts';
import { tries } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { splitCrawl, type SplitOptions } from './split-crawl.ts';

// Goal: the folders of N nodes give one crawl, whose graph, record and log are those of the crawl on one machine, on
// however many nodes; and folders that are not those of one crawl are refused in one line that names the fault.

const { folder } = temporaryFolder();
const at = (name: string): string => join(folder, name);
const processors = 5;

let web: Loopback;
/** The folder of a crawl on one machine. */
const one = at('one');

beforeAll(async () => {
  // Some pages fail for good, some for a while.
  const site = graphWeb(syntheticWeb(400, 7), { notFoundShare: 0.05, serverErrorShare: 0.05, latencyMs: 1 });
  web = await loopback(site);
  const crawl = async (path: string, seed: number): Promise<void> => {
    const experiment = { processors, robots: 2, politenessMs: 1, superstepMs: 50, backoffMs: 1, seed };
    await crawlLive(path, { experiment, live: web.live, seeds: urlsOf(site, site.seedPages) });
  };
  await crawl(one, 1);
});
afterAll(async () => web.close());

let folders = 0;
/** Folders of nodes. */
async function nodesOf(nodes: number, options: SplitOptions = {}, crawl = one): Promise<string[]> {
  const paths = Array.from({ length: nodes }, (_, node) => at(`nodes-${folders}/${node}`));
  folders++;
  await splitCrawl(crawl, paths, options);
  return paths;
}

async function merge(out: string, ...paths: string[]): Promise<Finished> {
  return orbweaver(['merge', out, ...paths], folder);
}

/** Links by URL. */
function linksOf(graph: WebGraph): Map<string, string[]> {
  const { pages, outOffsets, outTargets } = graph;
  return new Map(Array.from({ length: pages }, (_, page) => {
    const targets = outTargets.subarray(outOffsets[page], outOffsets[page + 1]);
    return [urlOf(graph, page)!, Array.from(targets, (target) => urlOf(graph, target)!)];
  }));
}

const sortedLines = (path: string): string[] => readFileSync(path, 'utf8').split('\n').sort();

describe('the folders of one crawl', () => {
  test('of one node has the pages, links and events of the crawl, by URL', async () => {
    expect(await merge('whole', one)).toMatchObject({ code: 0, stderr: '' });
    const [before, after] = [await readOwg(join(one, 'graph.owg')), await readOwg(at('whole/graph.owg'))];
    expect(linksOf(after)).toEqual(linksOf(before));
    expect(after.arcs).toBe(before.arcs);
    const bytesOf = (graph: WebGraph): unknown =>
      new Map(Array.from(graph.bytes!, (bytes, page) => [urlOf(graph, page), bytes]));
    expect(bytesOf(after)).toEqual(bytesOf(before));
    expect(Array.from(after.seeds!, (page) => urlOf(after, page)))
      .toEqual(Array.from(before.seeds!, (page) => urlOf(before, page)));
    const names = Array.from({ length: after.hosts.count }, (_, host) => after.hosts.names.at(host));
    expect(names).toEqual([...names].sort());
    expect(after.hosts.ofPage).toEqual(after.hosts.ofPage.slice().sort());

    const [first, whole] = await Promise.all([one, at('whole')].map(async (path) => {
      const run: RunJson = await readRunJson(path);
      return { run, events: await readRunEvents(path, run) };
    }));
    expect(Array.from(whole.events.order, (page) => urlOf(after, page)))
      .toEqual(Array.from(first.events.order, (page) => urlOf(before, page)));
    expect(whole.events.times).toEqual(first.events.times);
    expect(whole.events.rows).toEqual(first.events.rows);
    const equal = [
      'pagesFetched', 'supersteps', 'virtualSeconds', 'bytes', 'failuresByKind', 'pagesPerProcessor', 'ended',
    ] as const;
    for (const name of equal) expect(whole.run.summary[name], name).toEqual(first.run.summary[name]);
    expect(whole.run.summary.quality.pagerankArea).toBeCloseTo(first.run.summary.quality.pagerankArea, 10);
    expect(sortedLines(at('whole/crawl.log'))).toEqual(sortedLines(join(one, 'crawl.log')));
  });

  test.each([
    [2, {}], [3, { ownRowsOnly: true }], [processors, {}],
  ])('of %i nodes give the same bytes', async (nodes, options) => {
    const out = `whole-${nodes}`;
    const paths = await nodesOf(nodes, options);
    // In any order.
    const { code, stdout, stderr } = await merge(out, ...paths.reverse());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Graph, record and report of ${nodes} nodes: ${out}\n`);
    const names = [
      'graph.owg', 'order.u32', 'times.f64', 'failures.csv', 'supersteps.csv', 'pages.csv', 'run.json',
    ];
    for (const name of names)
      expect(readFileSync(at(`${out}/${name}`)).equals(readFileSync(at(`whole/${name}`))), name).toBe(true);
    expect(sortedLines(at(`${out}/crawl.log`))).toEqual(sortedLines(at('whole/crawl.log')));
    const lines = readFileSync(at(`${out}/crawl.log`), 'utf8').split('\n').slice(0, -1);
    const times = lines.map((line) => line.slice(0, 24));
    expect(times).toEqual([...times].sort());
  });

  test('are read like the folder of a crawl', async () => {
    const compared = await orbweaver(['compare', 'whole', 'whole-2'], folder);
    expect(compared).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await orbweaver(['simulate', 'whole', '--json'], folder);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as RunJson<{ processors: number }>).experiment.processors).toBe(processors);
    // An earlier merge is replaced, and nothing else.
    expect(await merge('whole-2', one)).toMatchObject({ code: 0 });
    expect(readdirSync(at('whole-2')).sort()).toEqual([
      'crawl.log', 'curves.csv', 'failures.csv', 'graph.owg', 'order.u32', 'pages.csv', 'report.html', 'run.json',
      'supersteps.csv',
      'times.f64',
    ]);
    expect((await merge(one, one)).stderr).toMatch(/holds .*store.*, which no run of Orbweaver left there/);
    expect(existsSync(join(one, 'store'))).toBe(true);
  });
});

describe('folders that are not those of one crawl', () => {
  let paths: string[];
  beforeAll(async () => { paths = await nodesOf(3); });

  /** The one line of a refusal, after which nothing is left. */
  async function refused(...given: string[]): Promise<string> {
    const { code, stdout, stderr } = await merge('refused', ...given);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(readdirSync(folder).filter((name) => name.startsWith('refused'))).toEqual([]);
    return stderr.trimEnd().replaceAll(`${folder}/`, '');
  }
  const shown = (node: number): string => paths[node].replace(`${folder}/`, '');

  test('nodes that are missing, twice, or of another number', async () => {
    expect(await refused(paths[0], paths[2])).toBe('node 1 of 3 is missing: name the folders of all nodes, each once');
    expect(await refused(paths[1])).toContain('node 0, 2 of 3 is missing');
    expect(await refused(...paths, paths[1])).toBe(`${shown(1)}: is named twice`);
    const again = at('again');
    cpSync(paths[1], again, { recursive: true });
    expect(await refused(...paths, again)).toBe(`again: is node 1 of 3, and so is ${shown(1)}`);
    const two = await nodesOf(2);
    expect(await refused(paths[0], two[1])).toMatch(/^nodes-\d+\/1: is a node of 2, and nodes-\d+\/0 is one of 3$/);
  });

  test('folders that are none, are in use, or whose crawl has not ended', async () => {
    expect(await refused('nowhere')).toBe('nowhere: there is no such folder');
    mkdirSync(at('empty'));
    expect(await refused(...paths.slice(0, 2), at('empty'))).toBe('empty/store: contains no stored crawl');
    const store = await openLmdbStore(join(paths[1], 'store'));
    expect(await refused(...paths)).toContain(`${shown(1)}/store`);
    await store.close();
    renameSync(join(paths[2], 'run.json'), at('run.json'));
    expect(await refused(...paths))
      .toBe(`${shown(2)}: its crawl has not ended; continue it first (orbweaver crawl --resume)`);
    renameSync(at('run.json'), join(paths[2], 'run.json'));
    mkdirSync(join(paths[2], 'record.partial'));
    expect(await refused(...paths)).toContain('has not ended');
    rmSync(join(paths[2], 'record.partial'), { recursive: true });
    expect((await merge('at-last', ...paths)).code).toBe(0);
  });

  test('other settings, other barriers, hosts of another node', async () => {
    const path = join(paths[2], 'run.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"politenessMs": 1,', '"politenessMs": 2,'));
    expect(await refused(...paths)).toBe(
      `${shown(2)}: is not of the crawl of ${shown(0)}: experiment.politenessMs is 1 there and 2 here`,
    );
    writeFileSync(path, text);
    const strange = await nodesOf(3, { id: 'other' });
    expect(await refused(paths[0], strange[1], paths[2])).toMatch(
      /^nodes-\d+\/1: is not the folder of node 1 that nodes-\d+\/0 crawled with$/,
    );
    const later = await nodesOf(3, { laterUs: 1 });
    expect(await refused(paths[0], paths[1], later[2])).toMatch(
      /^nodes-\d+\/2\/supersteps\.csv: superstep 0 ends at \d+ us, and at \d+ us in nodes-\d+\/0: the folders belong to several crawls$/,
    );
    expect(await refused(...await nodesOf(3, { shift: 1 }))).toMatch(
      /^nodes-\d+\/0\/store: has fetched http:\S+, whose host belongs to node [12]: the folders belong to several crawls$/,
    );
  });

  test('records that are not those of their replay hash, or that nobody crawled', async () => {
    const csv = (text: string, row: number, column: number, by: string): string => {
      const lines = text.split('\n');
      const at = 1 + (row % (lines.length - 2));
      lines[at] = lines[at].split(',').with(column, by).join(',');
      return lines.join('\n');
    };
    const numbers = (bytes: Buffer, change: (values: Uint32Array) => void): Buffer => {
      const values = new Uint32Array(bytes.length / 4);
      Buffer.from(values.buffer).set(bytes);
      change(values);
      return Buffer.from(values.buffer);
    };
    const changed = fc.constantFrom<readonly [string, (bytes: Buffer, draw: number) => Buffer | string]>(
      ['order.u32', (bytes) => numbers(bytes, (pages) => { [pages[0], pages[1]] = [pages[1], pages[0]]; })],
      ['order.u32', (bytes) => numbers(bytes, (pages) => { pages[2] = 1e9; })],
      ['times.f64', (bytes) => { bytes.writeDoubleLE(bytes.readDoubleLE(8) - 0.5, 0); return bytes; }],
      ['supersteps.csv', (bytes, draw) => csv(String(bytes), draw, 15, '7777')],
      ['failures.csv', (bytes, draw) => csv(String(bytes), draw, 2, '1000000000')],
      ['failures.csv', (bytes, draw) => csv(String(bytes), draw, 0, '1000000000')],
      ['failures.csv', (bytes, draw) => csv(String(bytes), draw, 4, '1')],
      ['run.json', (bytes) => String(bytes).replace(/"replayHash": "."/, '"replayHash": "x"')
        .replace(/"replayHash": "(?!x)/, '"replayHash": "x')],
    );
    await fc.assert(fc.asyncProperty(changed, fc.nat(2), fc.nat(20), async ([name, change], node, draw) => {
      const path = join(paths[node], name);
      const bytes = readFileSync(path);
      writeFileSync(path, change(Buffer.from(bytes), draw));
      try {
        expect(await refused(...paths)).toContain(shown(node));
      } finally {
        writeFileSync(path, bytes);
      }
    }), { numRuns: tries(160) });
    expect((await merge('at-last', ...paths)).code).toBe(0);
  });

  test('stores and records that are damaged', async () => {
    const cases: readonly (readonly [string, (bytes: Buffer) => Buffer, RegExp])[] = [
      ['store/data.mdb', (bytes) => bytes.subarray(0, bytes.length / 2), /store\/data\.mdb/],
      ['order.u32', (bytes) => bytes.subarray(4), /order\.u32: has \d+ bytes, not/],
      ['run.json', (bytes) => bytes.subarray(0, 100), /run\.json: is not JSON/],
      ['supersteps.csv', (bytes) => bytes.subarray(0, 40), /supersteps\.csv/],
    ];
    for (const [name, damaged, message] of cases) {
      const path = join(paths[1], name);
      const bytes = readFileSync(path);
      writeFileSync(path, damaged(bytes));
      expect(await refused(...paths), name).toMatch(message);
      writeFileSync(path, bytes);
    }
    expect((await merge('at-last', ...paths)).code).toBe(0);
  });
});
