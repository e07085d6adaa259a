import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { urlOf } from '../../../src/graphs/graph/index.ts';
import { IndexWriter } from '../../../src/search/index.ts';
import { newFolder, orbweaver, printedBy } from '../command.ts';
import { writeSmallWeb } from './small-web.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: compare --index judges the orders of runs by an index of their graph, and refuses one of another graph.

const folder = newFolder();
writeSmallWeb(join(folder, 'web'));
const web = await openGraph(join(folder, 'web'));

interface Document {
  readonly effectiveness: {
    readonly hasOwnRanks: boolean;
    readonly queries: { readonly seed: number; readonly maxQueries: number };
    readonly fewSeeds: readonly { readonly policy: string; readonly seeds: number }[];
    readonly horizonPages: number;
    readonly pages: number;
    readonly sets: readonly {
      readonly set: string;
      readonly measure: string;
      readonly queries: number;
      readonly policies: readonly { readonly policy: string; readonly points: readonly { readonly mean: number }[] }[];
      readonly means: readonly (readonly (readonly number[])[])[];
      readonly agreement: readonly unknown[];
    }[];
    readonly gathered: readonly { readonly policy: string; readonly ranks: readonly number[] }[];
  };
}

/** The words of a page's path: unlike those of most others. */
const nameOf = (page: number): string => (urlOf(web, page) ?? '').replace(/[^a-z0-9]+/gi, ' ');

/** An index of the graph's first pages, whose links call a page by the words of its path. */
async function writeIndex(name: string, pages: number, extraUrl?: string): Promise<void> {
  const path = join(folder, name);
  if (existsSync(path)) rmSync(path);
  const writer = await IndexWriter.open(path);
  for (let page = 0; page < pages; page++) {
    const targets = [...web.outTargets.subarray(web.outOffsets[page], web.outOffsets[page + 1])];
    writer.add({
      url: `http://${urlOf(web, page) ?? ''}`,
      text: {
        runs: [{ field: 'title', text: nameOf(page) }, { field: 'other', text: `page ${page} ${nameOf(page)}` }],
        language: '', isCut: false,
        anchors: targets.map((target) => ({ url: `http://${urlOf(web, target) ?? ''}`, text: nameOf(target) })),
      },
    });
  }
  if (extraUrl !== undefined)
    writer.add({
      url: extraUrl, text: { runs: [{ field: 'other', text: 'x' }], language: '', isCut: false, anchors: [] },
    });
  writer.commit();
  writer.finish();
  writer.close();
}

beforeAll(async () => {
  const simulated = (out: string, ...flags: string[]): Promise<string> =>
    printedBy(['simulate', 'web', ...flags, '--statistics', 'off', '--out', out], folder);
  await writeIndex('docs.index', 400);
  await writeIndex('other.index', 40, 'http://elsewhere.example/');
  for (const policy of ['breadth-first', 'pagerank', 'random'])
    await simulated(policy, '--policy', policy);
  for (const seed of isFullSweep ? ['2', '3', '4', '5'] : [])
    await simulated(`random-${seed}`, '--policy', 'random', '--seed', seed);
}, 240_000);

describe('compare --index', () => {
  test('shows how well searchers are served by each run, and writes it', async () => {
    const runs = ['breadth-first', 'pagerank', 'random'];
    const { code, stdout: text, stderr } =
      await orbweaver(['compare', ...runs, '--index', 'docs.index', '--out', 'compared'], folder);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: random draws at random and is judged over 1 seed; 5 or more show how much its figures vary\n',
    });
    expect(text).toContain('How well searchers are served');
    expect(text).toContain('MRR@10, titles, searched without titles');
    const { effectiveness } = JSON.parse(readFileSync(join(folder, 'compared', 'compare.json'), 'utf8')) as Document;
    expect(effectiveness.pages).toBe(400);
    expect(effectiveness.sets.map(({ set, measure }) => `${set} ${measure}`)).toContain('uniform reciprocalRank');
    for (const { policies, queries, agreement } of effectiveness.sets) {
      expect(queries).toBeGreaterThan(0);
      expect(policies.map(({ policy }) => policy)).toEqual(runs);
      // All runs fetched what they could reach: the same pages in the end, found equally well.
      expect(new Set(policies.map(({ points }) => points[6].mean)).size).toBe(1);
      expect(agreement).toHaveLength(7);
      for (const { points } of policies)
        for (const { mean } of points) expect(mean).toBeLessThanOrEqual(1);
    }
    expect(effectiveness.gathered[1].ranks[3]).toBeGreaterThan(effectiveness.gathered[0].ranks[3]);
    const report = readFileSync(join(folder, 'compared', 'report.html'), 'utf8');
    expect(report).toContain('How well searchers are served');
    expect(report).toContain('Caution: random draws at random');

    // A row per set, measure, policy and share.
    const [names, ...rows] = readFileSync(join(folder, 'compared', 'effectiveness.csv'), 'utf8').trim().split('\n');
    expect(names).toBe('set,measure,queries,policy,share,pages,gathered,mean,low,high');
    expect(rows).toHaveLength(effectiveness.sets.length * runs.length * 7);
    const [{ set, measure, policies }] = effectiveness.sets;
    const row = rows.find((one) => one.startsWith(`${set},${measure},`) && one.includes(',pagerank,0.1,'))!;
    expect(Number(row.split(',')[7])).toBe(policies[1].points[3].mean);
    const agreements = readFileSync(join(folder, 'compared', 'agreement.csv'), 'utf8').trim().split('\n');
    expect(agreements).toHaveLength(1 + effectiveness.sets.length * 7);
  });

  test.runIf(isFullSweep)('runs that differ in their seed alone are one policy; the same run twice is not two seeds', async () => {
    const runs = ['random', 'random-2', 'pagerank', 'random-3', 'random-4', 'random-5'];
    const few = ['--index', 'docs.index', '--max-queries', '40', '--json'];
    const { effectiveness } = JSON.parse(await printedBy(['compare', ...runs, ...few], folder)) as Document;
    expect(effectiveness.gathered.map(({ policy }) => policy)).toEqual(['random', 'pagerank']);
    expect(effectiveness.fewSeeds).toEqual([]);
    for (const { means, policies } of effectiveness.sets) {
      expect(means.map((orders) => orders.length)).toEqual([5, 1]);
      const drawn = means[0].map((order) => order[3]);
      expect(policies[0].points[3].mean).toBeCloseTo(drawn.reduce((sum, mean) => sum + mean, 0) / 5, 12);
    }
    const { stdout, stderr } = await orbweaver(['compare', 'random', 'random', 'random-2', ...few], folder);
    expect((JSON.parse(stdout) as Document).effectiveness.fewSeeds.map(({ seeds }) => seeds)).toEqual([2, 1]);
    expect(stderr.match(/^warning: /gm)).toHaveLength(2);
  });

  test('by other queries, fewer of them, and the PageRank of what was fetched', async () => {
    const judged = async (...more: string[]): Promise<Document['effectiveness']> =>
      (JSON.parse(await printedBy(
        ['compare', 'pagerank', '--index', 'docs.index', '--max-queries', '60', '--json', ...more], folder,
      )) as Document).effectiveness;
    const [usual, drawn, own] = [await judged(), await judged('--query-seed', '2'), await judged('--fetched-ranks')];
    expect([usual.queries, drawn.queries]).toEqual([{ seed: 1, maxQueries: 60 }, { seed: 2, maxQueries: 60 }]);
    expect([usual.hasOwnRanks, own.hasOwnRanks]).toEqual([false, true]);
    const points = ({ sets }: Document['effectiveness']): unknown => sets.map(({ policies }) => policies);
    expect(points(drawn)).not.toEqual(points(usual));
    for (const { queries } of usual.sets) expect(queries).toBeLessThanOrEqual(60);
    // After all pages, those fetched are those of the index, and what links they have is the same.
    for (const [i, { policies: [{ points: of }] }] of usual.sets.entries())
      expect(own.sets[i].policies[0].points[6].mean).toBeCloseTo(of[6].mean, 1);
  });

  test('of a single run, by another ranking, and the same figures again', async () => {
    const args = ['compare', 'pagerank', '--index', 'docs.index', '--ranking', 'bm25', '--max-queries', '60', '--json'];
    const first = await printedBy(args, folder);
    expect((JSON.parse(first) as Document).effectiveness.sets.length).toBeGreaterThan(0);
    expect(await printedBy(args, folder)).toBe(first);
    expect(await printedBy(args.slice(0, -1), folder)).toContain('How well searchers are served');
  });

  test.each([
    [['random', '--index', 'other.index'],
      'other.index: is an index of another graph than web: 1 of its 41 pages is not in the graph, for example ' +
      'http://elsewhere.example/'],
    [['random', '--index', 'none.index'], 'none.index'],
    [['random', '--index', 'random/run.json'], 'random/run.json'],
    [['random'], '1 run to compare; name two or more'],
    [['random', 'pagerank', '--ranking', 'best', '--index', 'docs.index'], 'bm25f, compass, bm25'],
    [['random', '--index', 'docs.index', '--max-queries', '9'], '--max-queries 9: must be at least 10'],
    [['random', '--index', 'docs.index', '--query-seed', '-1'], '--query-seed -1: must be at least 0'],
    [['random', 'pagerank', '--fetched-ranks'],
      '--fetched-ranks: says how an index judges runs; name the index with --index'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await orbweaver(['compare', ...args], folder);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
