import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { alternate } from '../../src/questions/bench/index.ts';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { checkGraph, defaultSeeds, inDegrees, reach } from '../../src/graphs/graph/index.ts';
import { pageRank } from '../../src/graphs/rank/index.ts';
import { builtScripts } from '../built-scripts.ts';
import { chromiumIsHere, chromiumPath } from '../browser/chromium.ts';
import { benchCrawl } from './crawl/crawl.ts';
import { benchCluster, clusterText } from './commands/cluster.ts';
import { benchDashboard } from './commands/dashboard.ts';
import { composed } from './rank/compose.ts';
import { benchForeign } from './commands/foreign.ts';
import { benchIndexing } from './search/indexing.ts';
import { benchTables } from './search/tables.ts';
import { benchFrontier } from './commands/frontier.ts';
import { benchGrowing } from './growing/growing.ts';
import { sequenceOf } from './growing/sequences.ts';
import { benchLinear, showLinear } from './linear.ts';
import { benchLoad } from './load.ts';
import { redisIsHere } from '../cluster/redis-server.ts';
import { benchWorkers } from './commands/workers.ts';
import { benchProcesses } from './commands/processes.ts';
import { PeerGraph } from './rank/peer-graph.ts';
import { prpackTolerances, runPrpack } from './rank/prpack.ts';
import { benchRank } from './rank/rank.ts';
import {
  benchBuilds, benchProcessors, benchSimulate, breadthFirst, opicCrawl, processorsText,
} from './simulate.ts';
import { benchStatistics } from './growing/statistics.ts';
import { writeSmallWeb } from '../cli/input/small-web.ts';
import { response } from '../formats/warc/warc-archive.ts';
import { docsWeb } from '../docs-web.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Benchmarks run tiny here, so that they never rot; nothing is timed.

const { folder } = temporaryFolder();
writeSmallWeb(join(folder, 'web'));

describe('benchmarks', () => {
  test('frontier: every URL that was put is handed out', async () => {
    const { cases } = await benchFrontier(300, 1);
    expect(cases.map(({ name }) => name)).toEqual([
      'PutURLs, a bare gRPC server', 'PutURLs, the frontier', 'GetURLs, a bare gRPC server', 'GetURLs, the frontier',
    ]);
  });

  test('simulate, two builds: they make the same crawl', async () => {
    const { cases } = await benchBuilds('star', 1, fileURLToPath(new URL('../../', import.meta.url)));
    expect(cases.map(({ name }) => name.replace(/ in .*/, ''))).toEqual([
      'this build', 'this build, three sinks that count', 'the build',
    ]);
  });

  test('simulate: every side crawls the same pages', async () => {
    const graph = await openGraph(join(folder, 'web'));
    const { seeds } = defaultSeeds(graph);
    const { count } = reach(graph, seeds);
    expect(breadthFirst(graph, seeds)).toBe(count);
    expect(opicCrawl(graph, seeds)).toBe(count);
    const { cases } = await benchSimulate(graph, 1);
    expect(cases.map(({ name }) => name)).toContain('bare OPIC crawl in exact order');
    for (const { ratio, versus } of cases.slice(1)) {
      expect(versus).toBe('whole simulation');
      expect(ratio?.median).toBeGreaterThanOrEqual(0);
    }
  });

  test('statistics: every side has its figure', async () => {
    const { cases } = await benchStatistics(join(folder, 'web'), 1);
    expect(cases.map(({ name }) => name)).toContain('simulation, statistics auto');
    expect(cases.filter(({ name }) => name.endsWith('per arc')).length).toBeGreaterThanOrEqual(3);
    for (const { median } of cases) expect(median).toBeGreaterThanOrEqual(0);
  });

  test.skipIf(!redisIsHere)('workers: every side runs the whole study', async () => {
    const heard: string[] = [];
    const { cases } = await benchWorkers(join(folder, 'web'), 1, (text) => heard.push(text));
    const names = ['this process, one thread', 'one worker', '2 workers'];
    expect(cases.map(({ name }) => name)).toEqual(names);
    expect(heard.map((text) => text.replace(/, \d+ s/, ''))).toEqual(
      [...names, ...names].map((name, i) => `${i + 1} of 6 studies: ${name}`),
    );
    for (const { ratio } of cases.slice(1)) expect(ratio?.median).toBeGreaterThanOrEqual(0);
  });

  test.skipIf(!redisIsHere)('cluster: nodes pass their supersteps together', async () => {
    const report = await benchCluster({ seconds: 0.01, rounds: 1, nodes: [1, 2], processors: [2, 4], pairs: [0, 30] });
    expect(report.cases.map(({ nodes, processors, pairs }) => [nodes, processors, pairs])).toEqual([
      [1, 2, 0], [2, 2, 0], [1, 2, 30], [2, 2, 30], [1, 4, 0], [2, 4, 0], [1, 4, 30], [2, 4, 30],
    ]);
    for (const { ms, cpuMs, supersteps } of report.cases) {
      expect(Math.min(ms.median, cpuMs.median)).toBeGreaterThanOrEqual(0);
      expect(supersteps).toBeGreaterThanOrEqual(5);
    }
    expect(clusterText(report)).toMatch(/ 4 +30 /);
  });

  test('foreign: pages of other machines, in memory and in the store', async () => {
    const { cases } = await benchForeign(500, 1);
    expect(cases.map(({ name }) => name.trim())).toEqual(['in memory', 'in the store'].flatMap((where) => [
      `${where}: memory per page`, 'at most while graph.owg is written', 'its first mention, stored',
      'found again some time later',
    ]));
    for (const { median, unit } of cases) if (unit === 'us') expect(median).toBeGreaterThanOrEqual(0);
  });

  test('indexing: the index of a folder, and of an archive, beside parsing the files', async () => {
    const web = join(folder, 'html');
    mkdirSync(web, { recursive: true });
    for (const name of ['a', 'b'])
      writeFileSync(join(web, `${name}.html`), `<title>${name}</title><a href=b.html>b</a>`);
    const archive = join(folder, 'a.warc');
    writeFileSync(archive, response('http://a.test/', '<title>a</title>'));
    const { cases } = await benchIndexing([web], 1, [archive]);
    expect(cases.map(({ name }) => name)).toEqual(['parsing 2 files', 'indexing them', `indexing ${archive}`]);
    for (const { median } of cases) expect(median).toBeGreaterThanOrEqual(0);
  });

  test('tables: every way to store postings gives the same results', async () => {
    const { cases } = await benchTables(300, 1, () => undefined);
    expect(cases.filter(({ name }) => name.endsWith('built'))).toHaveLength(3);
    for (const { median } of cases) expect(median).toBeGreaterThanOrEqual(0);
  });

  test('processes: every command ends well', async () => {
    const { cases } = benchProcesses({ graph: 'star', opened: await openGraph('star'), rounds: 1, python: 'python3' });
    const names = cases.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['node -e 0', 'simulate --help']));
    for (const { cpuMs, clockRatio } of cases) {
      expect(Math.min(cpuMs.median, clockRatio.median)).toBeGreaterThanOrEqual(0);
    }
  });

  test('processors: processes of few and many, beside the fewest', async () => {
    const report = await benchProcessors('star', 1, [2, 300]);
    expect(report.cases.map(({ processors }) => processors)).toEqual([2, 300]);
    for (const { cpuSeconds, peakBytes, timeRatio, memoryRatio } of report.cases)
      expect(Math.min(cpuSeconds.min, peakBytes.min, timeRatio.median, memoryRatio.median)).toBeGreaterThanOrEqual(0);
    expect(processorsText(report)).toMatch(/ 300 processors .* MB at most/);
  });

  test('linear: graphs have the arcs asked for, and both sides fetch what can be reached', async () => {
    const reported: number[] = [];
    const cases = await benchLinear([1000, 2000], 1, ({ arcs }) => reported.push(arcs));
    expect(reported).toEqual([1000, 2000]);
    expect(cases.map(({ pages }) => pages)).toEqual([100, 200]);
    for (const { pages, pagesFetched } of cases) {
      expect(pagesFetched).toBeGreaterThan(0);
      expect(pagesFetched).toBeLessThanOrEqual(pages);
    }
    const { charts: [{ series: [whole, , reference] }], tables: [{ rows }] } = showLinear(cases);
    expect(whole.points.map(({ x }) => x)).toEqual([1000, 2000]);
    // The reference passes through the middle case, with slope 1.
    expect(reference.points[1].y).toBeCloseTo(whole.points[1].y, 12);
    expect(reference.points[0].y).toBeCloseTo(whole.points[1].y / 2, 12);
    expect(rows.map((row) => row[0])).toEqual([1000, 2000]);
  });

  test('rank: every side comes to the error asked for, or the bench throws', async () => {
    const { cases } = await benchRank(await openGraph('star'), 1, { gapbs: {}, threads: 2, brief: false });
    const names = cases.map(({ name }) => name);
    expect(names).toContain('1e-8: graphology-metrics');
    expect(names.filter((name) => name.includes('2 threads'))).toHaveLength(3);
    for (const { median } of cases) expect(median).toBeGreaterThanOrEqual(0);
  });

  test('crawl: every side has the pages asked for', async () => {
    const scriptOf = await builtScripts(folder, new URL('./crawl/server.ts', import.meta.url));
    const { cases } = await benchCrawl({
      graph: join(folder, 'web'), rounds: 1, pages: 10, hosts: 4, connections: 4,
      server: fileURLToPath(scriptOf('server')),
    });
    expect(cases.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['bare undici Pool.request', 'crawl by default']),
    );
    for (const { name, pages, cpuUsPerPage, byCpu } of cases) {
      expect(pages, name).toBe(10);
      expect(cpuUsPerPage.median).toBeGreaterThanOrEqual(0);
      expect(byCpu.median).toBeGreaterThanOrEqual(0);
    }
  });

  const skipped = chromiumIsHere() ? '' : `; skipped: no browser at ${chromiumPath}`;
  test.skipIf(!chromiumIsHere()).each([
    ['whole simulations', false], ['whole live crawls', true],
  ])(`dashboard: a page that draws, and %s${skipped}`, async (_, isLive) => {
    const { isPinned, page, runs } = await benchDashboard({
      graph: 'star', isLive, rounds: 1, supersteps: 20, processors: 2, seconds: 1, pins: false,
    });
    expect(isPinned).toBe(false);
    expect(Math.min(page.scripting, page.firstPaintMs.median, page.heapBytes)).toBeGreaterThanOrEqual(0);
    expect(runs.map(({ name }) => name)).toEqual([
      'alone', '--watch, nobody looks', '--watch, shown by a dashboard', 'alone, beside a dashboard of another run',
    ]);
    for (const { seconds, speed } of runs) expect(Math.min(seconds.median, speed.median)).toBeGreaterThanOrEqual(0);
  });

  test('growing: every side comes to the same, or the bench throws', async () => {
    const { machine, cases } = await benchGrowing('a30', 1);
    expect(machine).toMatch(/; a30: 30 pages, 37 arcs$/);
    const names = cases.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['insertion', 'closure-8', 'closure-64']));
    expect(names.filter((name) => name === 'pruned')).toHaveLength(2);
    expect(names.filter((name) => name === 'pruned-closure')).toHaveLength(5);
    for (const { median } of cases) expect(median).toBeGreaterThanOrEqual(0);
  });

  test("growing: SPAWC's cubic and complete graphs, and the first pages of a graph", async () => {
    const sizes = await Promise.all(['a300', 'a900', 'a1500', 'c100', 'star:3', 'star'].map(async (name) => {
      const { pages, arcs } = await sequenceOf(name);
      expect(new Set(arcs.map(String)).size, name).toBe(arcs.length);
      for (const page of arcs.flat()) expect(page < pages, name).toBe(true);
      return [pages, arcs.length];
    }));
    expect(sizes.slice(0, 4)).toEqual([[300, 397], [900, 1197], [1500, 1997], [100, 9900]]);
    expect(sizes[4][0]).toBe(3);
    const star = await openGraph('star');
    expect(sizes[5]).toEqual([star.pages, star.arcs]);
  });

  test('load: every side has the arcs of the graph, or the bench throws', async () => {
    const { cases } = await benchLoad(await openGraph('clique'), 1);
    expect(cases.map(({ name }) => name.replace(/, \d+ bytes/, ''))).toEqual(
      expect.arrayContaining(['text', 'text, gzipped', 'BVGraph', 'stored graph']),
    );
    for (const { median } of cases) expect(median).toBeGreaterThanOrEqual(0);
  });

  test('rank: what is not GAPBS is reported', async () => {
    const graph = await openGraph('star');
    for (const gapbs of [{ f32: '/no/such/pr' }, { f64: process.execPath }]) {
      await expect(benchRank(graph, 1, { gapbs, threads: 1, brief: true })).rejects.toThrow(
        "is not GAPBS's pr, or failed",
      );
    }
  });

  test('rank: what does not run PRPACK is reported', async () => {
    const graph = await openGraph('star');
    const options = { gapbs: {}, prpack: process.execPath, threads: 1, brief: true };
    await expect(benchRank(graph, 1, options)).rejects.toThrow('does not run PRPACK, or failed');
  });

  test('rank: PRPACK is asked for the loosest tolerance that comes to the error', () => {
    const graph = docsWeb;
    const { ranks: converged } = pageRank(graph, { tolerance: 1e-12 });
    const peer = new PeerGraph(graph);
    // Errs by a tenth of what it is asked for, and says what a run of 3 and 4 ms would.
    const executable = join(folder, 'peer.sh');
    const stored = join(folder, 'converged');
    writeFileSync(stored, converged);
    writeFileSync(executable, `#!${process.execPath}
      const fs = require('node:fs'), [graph, tolerance, runs, out] = process.argv.slice(2);
      const ranks = new Float64Array(Uint8Array.from(fs.readFileSync(${JSON.stringify(stored)})).buffer);
      ranks[0] += tolerance / 20; ranks[1] -= tolerance / 20;
      fs.writeFileSync(out, ranks);
      for (let run = 0; run < runs; run++) console.log('preprocessing 3 compute 4');`, { mode: 0o755 });
    try {
      expect(runPrpack(executable, peer, 1e-6, 3)).toEqual({ preprocessingMs: 3, computeMs: 4 });
      const [tolerance] = prpackTolerances(executable, peer, converged, [1e-6]);
      expect(tolerance).toBeGreaterThan(5e-6);
      expect(tolerance).toBeLessThanOrEqual(1e-5);
    } finally {
      peer.dispose();
    }
  });

  test('compose: copies with the degrees of the originals, some links between them, equal every time', () => {
    const whole = composed([docsWeb, docsWeb], 2 * docsWeb.arcs, 0.1);
    checkGraph(whole);
    expect(whole.name).toContain('composed of 2 copies');
    expect(whole.arcs).toBe(2 * docsWeb.arcs);
    const inDegree = inDegrees(docsWeb);
    expect(inDegrees(whole)).toEqual(Uint32Array.of(...inDegree, ...inDegree));
    const copyOf = (page: number): number => Math.floor(page / docsWeb.pages);
    let between = 0;
    for (let page = 0; page < whole.pages; page++) {
      const links = whole.outTargets.subarray(whole.outOffsets[page], whole.outOffsets[page + 1]);
      const original = page % docsWeb.pages;
      expect(links.length).toBe(docsWeb.outOffsets[original + 1] - docsWeb.outOffsets[original]);
      for (const target of links) if (copyOf(target) !== copyOf(page)) between++;
    }
    // Half of the pairs drawn are of one copy.
    expect(between / whole.arcs).toBeGreaterThan(0.04);
    expect(between / whole.arcs).toBeLessThan(0.05);
    // Millions of targets, which toEqual would look at one by one.
    const again = composed([docsWeb, docsWeb], 2 * docsWeb.arcs, 0.1);
    expect(Buffer.compare(bytesOf(again.outTargets), bytesOf(whole.outTargets))).toBe(0);
  });

  test('sides run in turn, after a round that is not counted', async () => {
    const calls: string[] = [];
    const side = (name: string) => ({ name, run: () => calls.push(name) });
    const { cases } = await alternate([side('a'), side('b')], 2);
    expect(calls).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(cases).toHaveLength(2);
  });
});

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
