import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparedGraphs, OpenedGraphs } from '../../../src/cli/answers/compared/graphs.ts';
import { measuring } from '../../../src/cli/answers/incomplete-runs.ts';
import {
  comparedIn, judge, pairOf, readPair, secondsToPages, type Pair, type PairOrder,
} from '../../../src/questions/compare/index.ts';
import { pageRows, pairTitle, whyNoOrder } from '../../../src/cli/text/findings/compared/pair-files.ts';
import { pairShown } from '../../../src/cli/text/findings/compared/pair-shown.ts';
import { shownText } from '../../../src/cli/text/shown-text.ts';
import { writeOwg } from '../../../src/graphs/formats/index.ts';
import { simulate } from '../../../src/core/engine/index.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { buildGraph, hostsFromNames, reordered, StringTable, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { recordFiles, type RunJson } from '../../../src/core/measure/index.ts';
import { DrawStream } from '../../../src/base/index.ts';
import { namesBelow, newFolder, orbweaver } from '../command.ts';

// Goal: two runs are held against each other page by page, by URL where their graphs number pages differently; and what
// a record says of itself decides which of them is the fact.

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const at = (...names: string[]): string => join(folder, ...names);

const pages = 400;
const settings: ExperimentInput = { policy: 'breadth-first', processors: 2, seedPages: [0] };

/** Pages of nine hosts with six links each, and the same with its pages numbered otherwise. */
function graphs(): { graph: WebGraph; renumbered: WebGraph; order: Uint32Array } {
  const draws = new DrawStream(7, 'pairs');
  const host = (page: number): number => draws.uint32(page, 1) % 9;
  const graph = buildGraph({
    name: 'made', pages, sources: Uint32Array.from({ length: 6 * pages }, (_, arc) => Math.floor(arc / 6)),
    targets: Uint32Array.from({ length: 6 * pages }, (_, arc) => (draws.uint32(arc) % pages)),
    hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `www.${host(page)}.example`)),
    paths: StringTable.from(Array.from({ length: pages }, (_, page) => `/${page}, "x".html`)),
    // Sizes that are not drawn by number.
    bytes: Uint32Array.from({ length: pages }, (_, page) => 5000 + 10 * page),
  });
  const order = Uint32Array.from({ length: pages }, (_, page) => page).sort(
    (a, b) => draws.uint32(a, 2) - draws.uint32(b, 2),
  );
  return { graph, renumbered: reordered(graph, order), order };
}

async function write(name: string, graph: WebGraph, experiment: ExperimentInput): Promise<void> {
  mkdirSync(at(name));
  for (const [file, content] of recordFiles(await simulate(graph, experiment))) writeFileSync(at(name, file), content);
}

/** Why graphs were not there, in all that was paired. */
const missingGraphs = new Map<string, string>();
async function paired(names: readonly string[], ...graphNames: string[]): Promise<Pair> {
  const measure = measuring(new OpenedGraphs(), []);
  const items = pairOf((await Promise.all(names.map((name) => comparedIn(at(name), measure)))).flat())!;
  const { found, missing } = await comparedGraphs(items, graphNames.map((name) => at(name)));
  missing.forEach((why, sha256) => missingGraphs.set(sha256, why));
  return readPair(items, found);
}
const orderOf = (pair: Pair): PairOrder => {
  expect(pair.order).toBeTypeOf('object');
  return pair.order as PairOrder;
};
const reason = ({ order }: Pair): string => ('why' in order ? whyNoOrder(order, missingGraphs) : '');
const said = (pair: Pair): string =>
  shownText({ title: pairTitle(pair), shown: pairShown(pair, judge(pair), missingGraphs) })
    .join('\n')
    .replace(/\s+/g, ' ');

/** Changes a copy of `live`. */
function damaged(file: string, change: (bytes: Buffer) => Buffer | string): string {
  rmSync(at('damaged'), { recursive: true, force: true });
  cpSync(at('live'), at('damaged'), { recursive: true });
  writeFileSync(at('damaged', file), change(readFileSync(at('damaged', file))));
  return 'damaged';
}

// `live` is a record such as a crawl leaves, with its own graph beside it.
beforeAll(async () => {
  const { graph, renumbered, order } = graphs();
  await write('predicted', graph, settings);
  await write('live', renumbered, { ...settings, seedPages: [order.indexOf(0)] });
  await writeOwg(graph, at('made.owg'));
  await writeOwg(renumbered, at('live', 'graph.owg'));
  const record = JSON.parse(readFileSync(at('live', 'run.json'), 'utf8')) as RunJson<object>;
  writeFileSync(
    at('live', 'run.json'),
    JSON.stringify({ ...record, experiment: { ...record.experiment, live: { contact: 'a@b.example' } } }),
  );
});

describe('two runs', () => {
  test('one crawl under two numberings is one crawl, by URL, whichever is named first', async () => {
    for (const names of [['predicted', 'live'], ['live', 'predicted']]) {
      const pair = await paired(names, 'made.owg');
      expect(pair).toMatchObject({ isPrediction: true, isByUrl: true });
      expect(pair.sides.map(({ name, label }) => [name, label])).toEqual([
        ['prediction', at('predicted')], ['fact', at('live')],
      ]);
      const { agreement, processors } = orderOf(pair);
      expect(agreement).toMatchObject({ firstOnly: 0, secondOnly: 0, tauB: 1, divergence: null });
      expect(agreement.samePrefix).toBeGreaterThan(0.9 * pages);
      expect((processors as readonly { tauB: number }[]).map(({ tauB }) => tauB)).toEqual([1, 1]);
      const [one, other] = judge(pair)!;
      expect(other.curves.cumulativeRank).toEqual(one.curves.cumulativeRank);
      expect(one.quality.pagerankArea).toBeCloseTo(pair.sides[0].run.summary.quality.pagerankArea, 12);
      expect(said(pair)).toMatch(
        /Both fetched the same \d+ pages\. The order is the same, page by page\..* It was predicted to take ([\d:.]+)( s)?, and took \1( s)?: the same\./,
      );
    }
  });

  test('two pages that changed places are reported by their URLs, and to the processors whose they are', async () => {
    // Pages 100 and 101 of the order, from 0.
    const pair = await paired(
      [
        'predicted',
        damaged('order.u32', (order) =>
          Buffer.concat([
            order.subarray(0, 400), order.subarray(404, 408), order.subarray(400, 404), order.subarray(408),
          ]),
        ),
      ],
      'made.owg',
    );
    const { agreement, processors, nameOf } = orderOf(pair);
    const { common: n, tauB, divergence } = agreement;
    expect(agreement).toMatchObject({ samePrefix: 100, mostDisplacement: 1, meanDisplacement: 2 / n });
    expect(tauB).toBeCloseTo(1 - 4 / (n * (n - 1)), 12);
    const [first, second] = [divergence!.first!, divergence!.second!].map(nameOf);
    expect(first).toMatch(/^www\.\d\.example\/\d+,%20%22x%22\.html$/);
    expect(said(pair)).toContain(
      `The first 100 pages are the same: as page 101, prediction fetched ${first}, fact fetched ${second}.`,
    );
    expect(said(pair)).toContain("Kendall's tau-b of the common pages is 0.9999 (");
    // The two are of one processor, or each of its own, whose orders are then as before.
    expect((processors as readonly { tauB: number }[]).filter((one) => one.tauB < 1).length).toBeLessThanOrEqual(1);
    const rows = [...pageRows(pair, orderOf(pair))]
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => /^("[^"]*"|\w+),(\w*),(\w*),/.exec(line)!.slice(1));
    expect(rows).toHaveLength(n + 1);
    expect(rows.filter(([, one, other]) => one !== other).map(([page]) => page)).toEqual([
      'page',
      `"${first}"`,
      `"${second}"`,
    ]);
  });

  test('are the same by number where they crawled one graph, which need not be at hand', async () => {
    await write('other', graphs().graph, { ...settings, policy: 'random', seed: 3, maxPages: 200 });
    for (const named of [[], ['made.owg']]) {
      const pair = await paired(['predicted', 'other'], ...named);
      expect(pair).toMatchObject({ isPrediction: false, isByUrl: false });
      const { agreement: { common, firstOnly, secondOnly, tauB }, processors, nameOf } = orderOf(pair);
      expect([common, secondOnly]).toEqual([200, 0]);
      expect(firstOnly).toBeGreaterThan(100);
      expect(tauB).toBeLessThan(0.9);
      expect(nameOf(3)).toMatch(named.length === 0 ? /^page 3$/ : /^www\.\d\.example\/3,/);
      if (named.length === 0) expect(processors).toEqual({ why: 'no graph' });
      else expect(processors).toHaveLength(2);
      expect(secondsToPages(pair.sides)[1].map((one) => one.pages)).toEqual([100, 180, 200]);
    }
  });

  test('a page that the predicted graph lacks is worth nothing, and is said', async () => {
    const { graph } = graphs();
    const paths = StringTable.from(
      Array.from({ length: pages }, (_, page) => (page % 40 === 7 ? `/new-${page}` : graph.paths!.at(page))),
    );
    const changed = { ...graph, name: 'changed', paths };
    await write('changed', changed, settings);
    await writeOwg(changed, at('changed', 'graph.owg'));
    const pair = await paired(['predicted', 'changed'], 'made.owg');
    const fetched = [...pair.sides[1].events.order].filter((page) => page % 40 === 7).length;
    expect(orderOf(pair).agreement).toMatchObject({ firstOnly: fetched, secondOnly: fetched });
    expect(said(pair)).toContain(`${fetched} pages of ${at('changed')} are not in it and count as 0`);
    const [one, other] = judge(pair)!;
    expect(other.quality.pagerankArea).toBeLessThan(one.quality.pagerankArea);
  });

  test('without the graph of one, figures alone are compared, and it is said what to give', async () => {
    const pair = await paired(['predicted', 'live']);
    expect(reason(pair)).toBe('the graph made is not available, and without it no page has a URL (name it with --graph)');
    expect(judge(pair)).toBeUndefined();
    expect(said(pair)).toMatch(/Their orders are not compared: .* Seconds until that many pages were fetched/);
    renameSync(at('live', 'graph.owg'), at('elsewhere.owg'));
    expect(orderOf(await paired(['predicted', 'live'], 'elsewhere.owg', 'made.owg')).agreement.tauB).toBe(1);
    renameSync(at('elsewhere.owg'), at('live', 'graph.owg'));
    await writeOwg({ ...graphs().graph, name: 'third', seeds: Uint32Array.of(1) }, at('third.owg'));
    await expect(paired(['predicted', 'live'], 'third.owg')).rejects.toThrow(
      /^--graph .*third\.owg: is not a graph that these runs crawled$/,
    );
  });

  test.each([
    [
      'order.u32', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -4), bytes.subarray(0, 4)]),
      /order\.u32: names page \d+ twice$/,
    ],
    [
      'order.u32', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -4), Buffer.of(255, 255, 255, 255)]),
      /order\.u32: contains pages that the graph does not have$/,
    ],
    ['order.u32', (bytes: Buffer) => bytes.subarray(4), /order\.u32: has \d+ bytes, not the \d+ of \d+ pages$/],
    ['graph.owg', (bytes: Buffer) => bytes.subarray(0, 100), undefined],
  ])('a record whose %s is damaged is reported (%#)', async (file, change, message) => {
    const pair = paired(['predicted', damaged(file, change)], 'made.owg');
    if (message === undefined) expect(reason(await pair)).toMatch(/^the graph made is not available/);
    else await expect(pair).rejects.toThrow(message);
  });

  test('what an older record does not contain is left out', async () => {
    const older = damaged('run.json', (bytes) => {
      const {
        summary: {
          ended, pagesFetched, quality: { pagerankArea },
        },
        ...record
      } = JSON.parse(bytes.toString()) as RunJson;
      return JSON.stringify({ ...record, summary: { ended, pagesFetched, quality: { pagerankArea } } });
    });
    const pair = await paired(['predicted', older], 'made.owg');
    expect(orderOf(pair)).toMatchObject({
      processors: { why: 'not recorded' }, agreement: { tauB: 1 },
    });
    expect(said(pair)).toMatch(/ robots busy 0\.\d{3} - - /);
  });
});

test('the time of a prediction is measured by the crawl, both times that it is said', async () => {
  const pair = await paired(['predicted', 'live'], 'made.owg');
  const [predicted, { run, ...live }] = pair.sides;
  const virtualSeconds = 1.5 * predicted.run.summary.virtualSeconds;
  const late = { ...live, run: { ...run, summary: { ...run.summary, virtualSeconds } } };
  const text = said({ ...pair, sides: [predicted, late] });
  expect(text).toContain("its time is off by 33.3 % of the crawl's");
  expect(text).toContain('the prediction is 33.3 % less than the crawl took.');
});

test('orbweaver compare writes the pair on one page, with the places of each page beside it, and may replace it', async () => {
  for (let time = 0; time < 2; time++) {
    const { code, stdout, stderr } = await orbweaver(
      ['compare', 'live', 'predicted', '--graph', 'made.owg', '--out', 'out', '--json'], folder,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { pair } = JSON.parse(stdout) as { pair: object };
    expect(pair).toMatchObject({
      title: 'Prediction and fact', pagesMatchedBy: 'URL', order: { tauB: 1, divergence: null },
      sides: [{ label: 'predicted' }, { label: 'live' }],
    });
  }
  // Whether it came true is what a prediction is compared for; settings of one kind of run say nothing of that.
  const { stdout } = await orbweaver(['compare', 'live', 'predicted', '--graph', 'made.owg'], folder);
  expect(stdout).toMatch(/^Prediction and fact\n═+\n\nThe prediction beside the crawl: its time is off by [\d.]+ % of the crawl's, 100.0 % of\s+the/);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/Not listed: \d+ settings that only a simulation has, \d+ only a live crawl\./);
  expect(stdout).not.toMatch(/^ {2}(network|live)\./m);
  expect(namesBelow(at('out'))).toEqual(['compare.json', 'pages.csv', 'report.html']);
  const html = readFileSync(at('out', 'report.html'), 'utf8');
  const data = JSON.parse(/id="report-data">(.*?)<\/script>/s.exec(html)![1]) as {
    parts: { title: string }[];
    runs: { label: string }[];
  };
  expect([data.parts.map(({ title }) => title), data.runs.map(({ label }) => label)]).toEqual([
    ['Prediction and fact', 'What differs'], ['prediction', 'fact'],
  ]);
});
