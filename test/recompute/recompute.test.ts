import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { simulate, type GivenScores } from '../../src/core/engine/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import type { PreparedGraph, WebGraph } from '../../src/graphs/graph/index.ts';
import { recordFiles, superstepColumns } from '../../src/core/measure/index.ts';
import { builtScripts } from '../built-scripts.ts';
import { isFullSweep, partOf, sampled } from '../sweep.ts';
import { syntheticWeb } from '../crawl/loopback.ts';
import { compare, recompute } from './recompute.ts';
import { docsWeb, docsWebPrepared, docsWebRanks } from '../docs-web.ts';

const base = mkdtempSync(join(tmpdir(), 'orbweaver-recompute-'));
afterAll(() => rmSync(base, { recursive: true }));
let runs = 0;
const web = syntheticWeb(3000, 1);

/** Writes the record of a run; returns its folder. */
async function record(
  graph: WebGraph | PreparedGraph, input: ExperimentInput, ranks?: Float64Array, scores?: GivenScores,
): Promise<string> {
  const folder = join(base, `run-${runs++}`);
  mkdirSync(folder);
  for (const [name, content] of recordFiles(await simulate(graph, input, { ranks, scores })))
    writeFileSync(join(folder, name), content);
  return folder;
}

describe('every figure of a run is recomputed from its folder and the graph', () => {
  const cases: ExperimentInput[] = [
    { maxPages: 5003 },
    ...(['breadth-first', 'opic', 'pagerank', 'random'] as const).flatMap((policy) =>
      [1, 3, 8].map((processors): ExperimentInput => ({ policy, processors }))),
    { partition: 'lpt' },
    { partition: 'consistent', maxPages: 4000 },
    { partition: 'consistent', partitionPoints: 3, processors: 5, maxPages: 4000 },
    { partition: 'jump', processors: 7, maxPages: 4000 },
    { partition: 'domain', maxPages: 4000 },
    { measures: 'all', maxPages: 3000 },
    { measures: 'all', policy: 'breadth-first', maxPages: 1 },
    { exchange: 'batch', exchangeBatch: 7, messageUs: 20, maxPages: 4000 },
    { exchange: 'batch', policy: 'breadth-first', messageHeaderBytes: 100, pairBytes: 80, maxPages: 4000 },
    { exchange: 'page', messageUs: 0.5, maxPages: 4000 },
    { exchange: 'page', policy: 'random', processors: 3, maxPages: 4000 },
    { maxSeconds: 100 },
    { maxSeconds: 3, policy: 'breadth-first', robots: 16 },
    { superstepMs: 0 },
    { robots: 1, maxPages: 7000 },
    { queue: { kind: 'cbt', block: 32 } },
    { queue: { kind: 'binary-heap' } },
    { queue: { kind: 'quickheap' }, seed: 2 },
    { superstepLimit: 2, processors: 4, maxPages: 3000, pairUs: 0.3, barrierUs: 1, reinsert: 1 },
    { politenessMs: 0, superstepMs: 500, policy: 'random' },
    { network: { preset: 'web' } }, { network: { preset: 'web' }, deniedCost: 'delay', maxPages: 5000 },
    { network: { preset: 'hostile' }, policy: 'breadth-first', maxPages: 3000, retries: 1 },
    { network: { preset: 'hostile', bandwidthModel: 'fixed' }, policy: 'random', maxSeconds: 900, backoffMs: 0 },
  ];
  const tried = sampled(cases, 18);
  test.each(tried.map((input) => [JSON.stringify(input), input] as const))(
    `${isFullSweep ? 'docs-web' : '3,000 pages'}, %s, ${partOf(tried, cases)}`,
    async (_, input) => {
      const folder = isFullSweep ? await record(docsWebPrepared, input, docsWebRanks) : await record(web, input);
      expect(compare(folder, recompute(folder, isFullSweep ? docsWeb : web))).toEqual([]);
      rmSync(folder, { recursive: true });
    },
  );

  test.each([{ statistics: 'exact', maxPages: 300 }, { statistics: 'auto', maxPages: 1000 }] as const)(
    'statistics of the graph fetched, %j',
    async (input) => {
      const folder = await record(web, { ...input, network: { serverErrorShare: 0.1 } });
      const recomputed = recompute(folder, web);
      expect(compare(folder, recomputed)).toEqual([]);
      expect(recomputed.summary['statistics']).toMatchObject({ pages: input.maxPages });
    },
  );

  test('an early end leaves downloads in flight, and the record says how many', async () => {
    const folder = await record(web, { maxSeconds: 10 });
    const { summary } = recompute(folder, web);
    expect(summary).toMatchObject({ ended: 'time limit' });
    expect(summary['pagesInFlight']).toBeGreaterThan(0);
  });

  test.each(sampled([[{ maxPages: 1000 }], [{}], [{ maxSeconds: 10 }]], 3))(
    'the harvest of given scores, %j',
    async (input) => {
      const values = Float64Array.from({ length: web.pages }, (_, page) => (page * 7919) % 101);
      const scores = { file: 'made', values };
      const folder = await record(web, { policy: 'scores', ...input }, undefined, scores);
      expect(compare(folder, recompute(folder, web, values))).toEqual([]);
      expect(compare(folder, recompute(folder, web, values.map((value) => value + 1)))).not.toEqual([]);
    },
  );

  const tiny: ExperimentInput[] = [
    { processors: 1 }, { processors: 3, measures: 'all' }, { processors: 3, policy: 'random', maxPages: 4 },
    { processors: 2, partition: 'lpt' }, { processors: 3, partition: 'domain' }, { processors: 4, partition: 'jump' },
    { processors: 2, superstepLimit: 1, superstepMs: 0 }, { processors: 2, maxSeconds: 0.5 },
    { processors: 2, politenessMs: 0, network: { latencySigma: 0, bandwidthBytesPerSecond: 0 } },
  ];
  test.each(['chain', 'clique', 'cycle', 'star'])(
    '%s, whose hosts are synthetic and whose page sizes are drawn',
    async (name) => {
      const graph = await openGraph(name);
      for (const input of sampled(tiny, 2)) {
        const folder = await record(graph, input);
        expect(compare(folder, recompute(folder, graph)), JSON.stringify(input)).toEqual([]);
      }
    },
  );

  test('a graph with one page', async () => {
    const file = join(base, 'one.txt');
    writeFileSync(file, '1\n\n');
    const graph = await openGraph(file);
    expect(graph.pages).toBe(1);
    for (const processors of [1, 8]) {
      const folder = await record(graph, { processors });
      expect(compare(folder, recompute(folder, graph))).toEqual([]);
    }
  });

  test('a run whose figures look right to the eye can be checked by hand', async () => {
    const folder = await record(await openGraph('star'), { processors: 2 });
    const scriptOf = await builtScripts(base, new URL('./recompute.ts', import.meta.url));
    const script = [fileURLToPath(scriptOf('recompute')), folder];
    const { stdout } = await promisify(execFile)(execPath, script);
    expect(stdout).toContain('summary.quality.pagerankArea');
    expect(stdout).not.toMatch(/^!/m);
    damageText(join(folder, 'run.json'), /"pagesFetched": \d+/, '"pagesFetched": 5');
    await expect(promisify(execFile)(execPath, script)).rejects.toMatchObject({
      code: 1, stdout: expect.stringMatching(/^! summary\.pagesFetched +5 +9$/m) as string,
    });
  });
});

function damageText(file: string, what: RegExp, by: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(what);
  writeFileSync(file, text.replace(what, by));
}

describe('damage is found', () => {
  const [sound, ofConstantKeys] = [0, 1].map((i) => join(base, `sound-${i}`));
  beforeAll(async () => {
    const input = { processors: 3, maxPages: 1500 };
    renameSync(await record(web, input), sound);
    renameSync(await record(web, { ...input, policy: 'breadth-first' }), ofConstantKeys);
  });
  const damaged = (file: string, damage: (bytes: Buffer) => void): string[] => {
    const folder = join(base, `damaged-${runs++}`);
    cpSync(sound, folder, { recursive: true });
    const bytes = readFileSync(join(folder, file));
    damage(bytes);
    writeFileSync(join(folder, file), bytes);
    return compare(folder, recompute(folder, web));
  };

  test('none where there is none', () => {
    expect(damaged('order.u32', () => undefined)).toEqual([]);
  });

  test.each([0, 1, 2, 3])('byte %i of an entry of order.u32', (place) => {
    const differences = damaged('order.u32', (bytes) => (bytes[4 * 700 + place] ^= 1));
    expect(differences).toContainEqual(expect.stringMatching(/^replayHash: /));
  });

  test('two times exchanged', () => {
    const differences = damaged('times.f64', (bytes) => {
      const [one, other] = [bytes.readDoubleLE(16 * 10), bytes.readDoubleLE(16 * 900)];
      expect(one).not.toBe(other);
      bytes.writeDoubleLE(other, 16 * 10);
      bytes.writeDoubleLE(one, 16 * 900);
    });
    expect(differences).toContainEqual(expect.stringMatching(/^replayHash: /));
  });

  test('two pages of one processor exchanged', () => {
    expect(damaged('order.u32', (bytes) => bytes.subarray(0, 40).swap64())).not.toEqual([]);
  });

  // Of these, only `limits` is made.
  const ofLimits = ['saturatedUs', 'waitUs', 'restingUs', 'sampledPages', 'sampledIdle', 'transferUs', 'throttledUs'];
  const columns = superstepColumns.filter((column) => !ofLimits.includes(column));
  test.each(sampled(columns, 8))('one more in a cell of column %s', (column) => {
    const folder = join(base, `cell-${column}`);
    // How many keys follow is recomputed where none can.
    cpSync(column === 'rekeyed' ? ofConstantKeys : sound, folder, { recursive: true });
    const file = join(folder, 'supersteps.csv');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => line.split(','));
    const at = superstepColumns.indexOf(column);
    // The structure of the queue enters by its maximum alone; of all other columns any row will do.
    const values = lines.slice(1).map((cells) => Number(cells[at]));
    const row = column === 'queueStructure' ? values.indexOf(Math.max(...values)) + 1 : Math.floor(lines.length / 2);
    lines[row][at] = String(Number(lines[row][at]) + 1);
    writeFileSync(file, `${lines.join('\n')}\n`);
    expect(compare(folder, recompute(folder, web))).not.toEqual([]);
  });

  test.each([
    [/"ended": "page limit"/, '"ended": "frontier dry"', 'summary.ended'],
    [/"replayHash": "./, '"replayHash": "g', 'replayHash'],
    [/"bound": 0\.(\d{7})/, '"bound": 0.0000001', 'summary.quality.bound'],
    [/"crossingLinks": /, '"crossingLinks": 1', 'summary.partition.crossingLinks'],
    [/"lowerBoundHost": "/, '"lowerBoundHost": "x', 'summary.lowerBoundHost'],
    [/"arcs": /, '"arcs": 1', 'dataset.arcs'],
  ])('run.json: %s', (what, by, name) => {
    const folder = join(base, `json-${runs++}`);
    cpSync(sound, folder, { recursive: true });
    damageText(join(folder, 'run.json'), what, by);
    const differences = compare(folder, recompute(folder, web));
    expect(differences.map((difference) => difference.split(':')[0])).toEqual([name]);
  });
});
