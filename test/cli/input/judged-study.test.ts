import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { urlOf } from '../../../src/graphs/graph/index.ts';
import { openIndex } from '../../../src/search/index.ts';
import { Judge } from '../../../src/search/judge/index.ts';
import { newFolder, orbweaver, printedBy } from '../command.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: study --index judges each run by an index of the pages of its graph, and refuses what it cannot judge before
// anything is run.

const folder = newFolder();
const pages = 60;

/** Pages of a word each, whose title alone finds them; the first links to all others, from the last to the second. */
beforeAll(async () => {
  mkdirSync(join(folder, 'site'), { recursive: true });
  for (let page = 0; page < pages; page++) {
    const to = page > 0 ? [(page + 1) % pages] : Array.from({ length: pages - 1 }, (_, i) => pages - 1 - i);
    const links = to.map((target) => `<a href="p${target}.html">next</a>`).join('\n');
    writeFileSync(join(folder, 'site', `p${page}.html`), `<title>word${page}</title>word${page}\n${links}`);
  }
  await printedBy(['import', 'site', '--out', 'site.owg'], folder);
  await printedBy(['index', 'site', '--out', 'site.index'], folder);
  const study = (name: string, policies: string, seeds: string): void => {
    writeFileSync(join(folder, name), `graph: site.owg
experiment: { seedPages: [0], robots: 1, politenessMs: 0 }
axes: { policy: [${policies}], seed: [${seeds}] }
`);
  };
  study('study.yaml', 'breadth-first, random, depth-first, pagerank', '1, 2, 3, 4, 5');
  study('few.yaml', 'breadth-first, random', '1, 2');
}, 60_000);

interface Document {
  readonly runs: readonly { readonly seed: number; readonly values: readonly unknown[] }[];
  readonly combinations: readonly { readonly label: string }[];
  readonly effectiveness: {
    readonly horizonPages: number;
    readonly prefixes: readonly number[];
    readonly gathered: readonly { readonly policy: string }[];
    readonly sets: readonly {
      readonly set: string;
      readonly measure: string;
      readonly policies: readonly { readonly policy: string; readonly points: readonly { readonly mean: number }[] }[];
      readonly means: readonly (readonly (readonly number[])[])[];
      readonly agreement: readonly unknown[];
    }[];
  };
}

const judged = ['study', 'study.yaml', '--index', 'site.index', '--cache', 'cache'];

describe('study --index', () => {
  test('gives each run its figures, and each policy its curve', async () => {
    const text = await printedBy([...judged, '--out', 'judged'], folder);
    expect(text).toContain('How well searchers are served');
    // It is part of the answer, before any table.
    const [, answer] = /\nThe answer\n═+\n((?:.+\n|\n(?! ))*)/.exec(text)!;
    expect(answer).toMatch(/(gathers? PageRank fastest|none is faster)[^]*searchers are served best/);
    expect(text.match(/searchers are served best/g)).toHaveLength(1);
    expect(answer.replace(/\s+/g, ' ')).toContain('pagerank is not counted: it knows the ranks beforehand.');
    expect(answer).not.toContain('under pagerank');
    expect(answer.replace(/\s+/g, ' ')).toMatch(/(within the noise of the best|does as well), at 95 % confidence/);
    const { effectiveness, combinations } =
      JSON.parse(readFileSync(join(folder, 'judged', 'study.json'), 'utf8')) as Document;
    expect(effectiveness.prefixes).toEqual([1, 1, 3, 6, 12, 30, 60]);
    expect(effectiveness.gathered.map(({ policy }) => policy)).toEqual(combinations.map(({ label }) => label));

    // A title finds its page at the first place as soon as that was fetched.
    const index = await openIndex(join(folder, 'site.index'));
    const { drawn } = new Judge(index, { seed: 1, maxQueries: 2000 });
    const targets = drawn.sets.titles.judge.map((query) => index.url(index.firstPage[query.targets[0]]));
    index.close();
    const set = effectiveness.sets.find((one) => one.set === 'titles' && one.measure === 'successAt1')!;
    await printedBy(['simulate', 'site.owg', '--policy', 'random', '--seed', '4', '--seed-page', '0', '--robots', '1',
      '--politeness-ms', '0', '--out', 'four'], folder);
    const graph = await openGraph(join(folder, 'site.owg'));
    const bytes = readFileSync(join(folder, 'four', 'order.u32'));
    const order = Array.from({ length: pages }, (_, i) => `http://${urlOf(graph, bytes.readUInt32LE(4 * i))!}`);
    const found = effectiveness.prefixes.map((prefix) =>
      targets.filter((url) => order.slice(0, prefix).includes(url)).length / targets.length);
    expect(new Set(found).size).toBeGreaterThan(3);
    const random = combinations.findIndex(({ label }) => label === 'random');
    expect(set.means[random]).toHaveLength(5);
    for (const [i, mean] of set.means[random][3].entries()) expect(mean).toBeCloseTo(found[i], 12);
    expect(set.policies.map(({ points }) => points[6].mean)).toEqual([1, 1, 1, 1]);

    const [head, ...rows] = readFileSync(join(folder, 'judged', 'results.csv'), 'utf8').trim().split('\n')
      .map((line) => line.split(','));
    const at = (name: string): number => head.indexOf(name);
    const row = rows.find((cells) => cells[at('policy')] === 'random' && cells[at('seed')] === '4')!;
    expect(Number(row[at('effectiveness.titles.successAt1.after20Percent')])).toBeCloseTo(found[4], 12);
    const curves = readFileSync(join(folder, 'judged', 'effectiveness.csv'), 'utf8').trim().split('\n');
    expect(curves[0]).toBe('set,measure,queries,policy,share,pages,gathered,mean,low,high');
    const [curve] = curves.filter((line) => /^titles,successAt1,.*,breadth-first,0\.1,6,/.test(line));
    const breadthFirst = set.policies.find(({ policy }) => policy === 'breadth-first')!;
    expect(Number(curve.split(',')[7])).toBe(breadthFirst.points[3].mean);
    const agreement = readFileSync(join(folder, 'judged', 'agreement.csv'), 'utf8').trim().split('\n');
    expect(agreement[0]).toBe('set,measure,queries,policies,share,pages,tau,low,high');
    expect(agreement).toHaveLength(1 + 7 * effectiveness.sets.length);
    const report = readFileSync(join(folder, 'judged', 'report.html'), 'utf8');
    expect(report).toContain('How well searchers are served');
    expect(report).toContain('orbweaver study study.yaml --index site.index');
  });

  test('the same again from the cache; runs without an order are not taken from there', async () => {
    const first = await printedBy([...judged, '--json'], folder);
    // Into the folder of the first test, which it replaces.
    const text = await printedBy([...judged, '--threads', '2', '--out', 'judged'], folder);
    expect(text).toContain('20 runs of 20 from the cache');
    expect(await printedBy([...judged, '--json'], folder)).toBe(first);
    await printedBy(['study', 'study.yaml', '--cache', 'plain'], folder);
    expect(await printedBy([...judged.slice(0, -1), 'plain'], folder)).toContain('0 runs of 20 from the cache');
  });

  test.runIf(isFullSweep)('of the folder of a crawl, by the graph in it', async () => {
    mkdirSync(join(folder, 'crawl'), { recursive: true });
    copyFileSync(join(folder, 'site.owg'), join(folder, 'crawl', 'graph.owg'));
    // By these the folder is known; the settings are those of the study.
    for (const name of ['run.json', 'crawl.log']) writeFileSync(join(folder, 'crawl', name), '');
    const ofFolder = await printedBy([...judged, '--graph', 'crawl', '--json'], folder);
    const ofFile = await printedBy([...judged, '--graph', 'crawl/graph.owg', '--json'], folder);
    const [one, other] = [ofFolder, ofFile].map((text) => JSON.parse(text) as Document);
    expect(one).toMatchObject({ graph: 'crawl', dataset: { name: 'crawl' } });
    for (const name of ['runs', 'combinations', 'effectiveness'] as const) expect(one[name]).toEqual(other[name]);
  });

  test.runIf(isFullSweep)('in shares, which gather what is judged', async () => {
    for (const share of ['1/2', '2/2'])
      await printedBy(['study', 'study.yaml', '--index', 'site.index', '--cache', 'shared', '--shard', share], folder);
    expect(await printedBy([...judged.slice(0, -1), 'shared'], folder)).toContain('20 runs of 20 from the cache');
  });

  test.each([
    [['few.yaml', '--index', 'site.index'],
      'axes.seed: policy random draws at random, and has 2 seeds in this study; to be judged by an index it needs 5 ' +
      'or more'],
    [['study.yaml', '--graph', 'star', '--index', 'site.index'],
      'site.index: is an index of another graph than star: 60 of its 60 pages are not in the graph, for example '],
    [['study.yaml', '--index', 'none.index'], 'none.index'],
    [['study.yaml', '--index', 'study.yaml'], 'study.yaml'],
    [['study.yaml', '--max-queries', '100'],
      '--max-queries: says how an index judges runs; name the index with --index'],
    [['study.yaml', '--index', 'site.index', '--ranking', 'best'],
      '--ranking best: must be one of bm25f, compass, bm25'],
  ])('%j is refused before anything is run', async (args, message) => {
    const { code, stderr } = await orbweaver(['study', ...args, '--cache', 'refused', '--out', 'refused-out'], folder);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    const left = ['refused', 'refused-out', 'refused-out.partial'].filter((name) => existsSync(join(folder, name)));
    expect(left).toEqual([]);
  });
});
