import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { alternate } from '../../src/bench/index.ts';
import { openGraph } from '../../src/catalogue/index.ts';
import { defaultSeeds, reach } from '../../src/graph/index.ts';
import { pageRank } from '../../src/rank/index.ts';
import { builtScripts } from '../built-scripts.ts';
import { isFullSweep } from '../sweep.ts';
import { benchCrawl } from './crawl/crawl.ts';
import { gapbsSweeps, type GapbsScore } from './gapbs.ts';
import { benchLinear, showLinear } from './linear.ts';
import { benchLoad } from './load.ts';
import { benchProcesses } from './processes.ts';
import { benchRank } from './rank.ts';
import {
  benchBuilds, benchProcessors, benchSimulate, breadthFirst, opicCrawl, processorsText,
} from './simulate.ts';
import { writeSmallWeb } from '../cli/input/small-web.ts';
import { docsWeb } from '../docs-web.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Benchmarks run tiny here, so that they never rot; nothing is timed.

const { folder } = temporaryFolder();
writeSmallWeb(join(folder, 'web'));

describe('benchmarks', () => {
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
      expect(ratio?.median).toBeGreaterThan(0);
    }
  });

  test('processes: every command ends well', async () => {
    const { cases } = benchProcesses({ graph: 'star', opened: await openGraph('star'), rounds: 1, python: 'python3' });
    const names = cases.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['node -e 0', 'simulate --help']));
    for (const { cpuMs, clockRatio } of cases) {
      expect(cpuMs.median).toBeGreaterThan(0);
      expect(clockRatio.median).toBeGreaterThan(0);
    }
  });

  test('processors: processes of few and many, beside the fewest', async () => {
    const report = await benchProcessors('star', 1, [2, 300]);
    expect(report.cases.map(({ processors }) => processors)).toEqual([2, 300]);
    for (const { cpuSeconds, peakBytes, timeRatio, memoryRatio } of report.cases)
      expect(Math.min(cpuSeconds.min, peakBytes.min, timeRatio.median, memoryRatio.median)).toBeGreaterThan(0);
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
    for (const { median } of cases) expect(median).toBeGreaterThan(0);
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
      expect(cpuUsPerPage.median).toBeGreaterThan(0);
      expect(byCpu.median).toBeGreaterThan(0);
    }
  });

  test('load: every side has the arcs of the graph, or the bench throws', async () => {
    const { cases } = await benchLoad(await openGraph('clique'), 1);
    expect(cases.map(({ name }) => name.replace(/, \d+ bytes/, ''))).toEqual(
      expect.arrayContaining(['text', 'text, gzipped', 'BVGraph', 'stored graph']),
    );
    for (const { median } of cases) expect(median).toBeGreaterThan(0);
  });

  // GAPBS as it is shipped counts in f32, and stands still some 2e-6 from the ranks of docs-web.
  test("rank: GAPBS's loop comes near the ranks, in f32 not very", () => {
    const graph = docsWeb;
    const { ranks } = pageRank(graph, { tolerance: 1e-12 });
    const sweeps = (score: GapbsScore): (number | undefined)[] => gapbsSweeps(graph, score, 0.85, ranks, [1e-4, 1e-8]);
    expect(sweeps('f64')).toEqual([25, 54]);
    if (isFullSweep) expect(sweeps('f32')).toEqual([25, undefined]);
  });

  test('rank: what is not GAPBS is reported', async () => {
    const graph = await openGraph('star');
    for (const gapbs of [{ f32: '/no/such/pr' }, { f64: process.execPath }]) {
      await expect(benchRank(graph, 1, { gapbs, threads: 1, brief: true })).rejects.toThrow(
        "is not GAPBS's pr, or failed",
      );
    }
  });

  test('sides run in turn, after a round that is not counted', async () => {
    const calls: string[] = [];
    const side = (name: string) => ({ name, run: () => calls.push(name) });
    const { cases } = await alternate([side('a'), side('b')], 2);
    expect(calls).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(cases).toHaveLength(2);
  });
});
