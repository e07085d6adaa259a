import { expect, test } from 'vitest';
import {
  crawlWorkload, explainedFrom, holdWorkload, paperTable1, queueBenchDefaults, steadySelect, syntheticGraph, table1Part,
  yardsticks, type Part, type Table1Result, type Table1Row,
} from '../../../src/questions/bench/index.ts';
import { PaperCbt } from '../../../src/questions/bench/literature/paper-cbt.ts';
import { createQueue } from '../../../src/core/queue/index.ts';
import { selectTop } from '../../../src/core/queue/sliced/partition.ts';
import { DrawStream } from '../../../src/base/index.ts';
import { comparisonsSeen, Key } from '../../conformance/engine-counts.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: Table 1 counts what slices do, and says why it is not the paper's by what was counted. Everything runs tiny.

type Context = Parameters<Part['measure']>[0];
const context = (more: Partial<Context> = {}): Context => ({
  ...queueBenchDefaults, entries: [4000], rounds: 1, graphs: [syntheticGraph(2500, 1), syntheticGraph(300, 1)],
  tableBlock: 160, signal: new AbortController().signal, report: () => Promise.resolve(), ...more,
});
const { rows, workloads, skipped }: Table1Result = await table1Part.measure(context());
const operations = ['extract', 'insert'] as const;
const rowsOf = (queue: string): Table1Row[] =>
  rows.filter((row) => row.queue === queue && row.workload.includes('even'));

test('a row for each workload, queue and T; yardsticks once; what is too short is said', () => {
  expect(workloads.map(({ isSynthetic }) => isSynthetic)).toEqual([true, true, false]);
  expect(rows).toHaveLength(paperTable1.length * (6 + 4 + 4));
  expect(new Set(rows.map(({ workload }) => workload))).toEqual(new Set(workloads.map(({ name }) => name)));
  expect(rows.filter(({ isYardstick }) => isYardstick)).toHaveLength(2 * paperTable1.length);
  expect(skipped).toEqual([
    'The crawl of synthetic-copying-300, 300 pages, is too short: it has no 12 rounds even at R = 64.',
  ]);
});

test('X is at most Y; one slice is in balance with itself; a round is its extraction and its insertion', () => {
  for (const { slices, block, sliceBlock, rounds, extract, insert, round, entries } of rows) {
    expect(sliceBlock).toBe(Math.ceil(block / slices));
    expect(rounds).toBeGreaterThanOrEqual(10);
    for (const measures of [extract, insert, round]) {
      for (const work of [measures.comparisons, measures.matches, measures.moved]) {
        if (work === null) continue;
        const { efficiency, mean, meanOfMost, least, most } = work;
        expect(efficiency).toBeCloseTo(meanOfMost === 0 ? 1 : mean / meanOfMost, 12);
        expect(least <= mean && mean <= meanOfMost && meanOfMost <= most).toBe(true);
        if (slices === 1) expect(work).toMatchObject({ efficiency: 1, deviation: 0, busiestSlice: 1 });
      }
    }
    expect(round.comparisons.mean).toBeCloseTo(extract.comparisons.mean + insert.comparisons.mean, 6);
    expect(entries.efficiency).toBeLessThanOrEqual(1);
  }
});

test('even shares are R/T each; shares by hash are not', () => {
  for (const { workload, slices, sliceBlock, entries } of rows.filter((row) => row.workload.startsWith('hold'))) {
    if (workload.includes('even')) expect(entries).toMatchObject({ least: sliceBlock, most: sliceBlock });
    else if (slices > 1) expect(entries.least).toBeLessThan(sliceBlock);
  }
});

test('played in full, a CBT has as many matches in every slice, give or take a level', () => {
  for (const queue of [yardsticks.inFull, yardsticks.steady]) {
    for (const { insert, extract, sliceBlock } of rowsOf(queue)) {
      expect(insert.matches!.least).toBe(insert.matches!.most);
      expect(extract.matches!.most - extract.matches!.least).toBeLessThanOrEqual(1);
      // And each selects among all keys of both blocks.
      expect(insert.moved!.mean).toBe(2 * sliceBlock * insert.matches!.mean);
    }
  }
  const cut = rowsOf('paper cbt').filter(({ slices }) => slices === 8)[0];
  const full = rowsOf(yardsticks.inFull).filter(({ slices }) => slices === 8)[0];
  expect(cut.insert.matches!.most).toBe(full.insert.matches!.most);
  expect(cut.insert.matches!.mean).toBeLessThan(full.insert.matches!.mean);
});

test('what is more than .02 off the paper is explained, and nothing else', () => {
  for (const row of rows) {
    const off = operations.filter(
      (operation) => Math.abs(row[operation].comparisons.efficiency - row.paper[operation]) > explainedFrom,
    );
    expect(row.explanations).toHaveLength(off.length);
  }
  expect(rows.some(({ explanations }) => explanations.length > 0)).toBe(true);
  const { tables, paragraphs } = table1Part.show({ rows, workloads, skipped });
  expect(tables.at(-1)?.rows).toHaveLength(rows.flatMap(({ explanations }) => explanations).length);
  for (const { columns, rows: lines } of tables) for (const line of lines) expect(line).toHaveLength(columns.length);
  expect(paragraphs.join('\n')).not.toMatch(/NaN|undefined|Infinity/);
});

test('the same again; aborted, it returns what it has', async () => {
  const small = { entries: [400], tableBlock: 40, graphs: [] };
  const once = await table1Part.measure(context(small));
  expect(await table1Part.measure(context(small))).toEqual(once);
  const controller = new AbortController();
  const report = (text: string): Promise<void> => {
    if (text.endsWith('T = 2')) controller.abort();
    return Promise.resolve();
  };
  const cut = await table1Part.measure(context({ ...small, signal: controller.signal, report }));
  expect(cut.rows).toEqual(once.rows.slice(0, 2));
  expect(() => table1Part.show(cut)).not.toThrow();
});

test('workloads do the same to every queue: the same entries leave', async () => {
  const crawl = await crawlWorkload(syntheticGraph(2500, 1), 160);
  if (typeof crawl === 'string') throw new Error(crawl);
  for (const workload of [holdWorkload({ entries: 900, block: 80, rounds: 10, sharing: 'hash', seed: 2 }), crawl]) {
    const { block } = workload;
    const left = [
      createQueue({ kind: 'binary-heap', block, seed: 1 }), new PaperCbt(block), new PaperCbt(block, { inFull: true }),
      new PaperCbt(block, { inFull: true, select: steadySelect(4) }),
    ].map((queue) => {
      const batches: number[][] = [];
      const extractTop = queue.extractTop.bind(queue);
      queue.extractTop = (k, into) => {
        const taken = extractTop(k, into);
        batches.push([...into.subarray(0, taken)].sort((a, b) => b - a));
        return taken;
      };
      for (const { operation } of workload.steps(queue, 1)) if (operation === 'insert') queue.checkInvariants();
      return batches;
    });
    expect(left[0].length).toBeGreaterThan(10);
    for (const batches of left) expect(batches).toEqual(left[0]);
  }
});

test('steady selection selects, counts as the engine does, and varies less than quickselect', () => {
  const draws = new DrawStream(1, 'keys');
  const rounds = isFullSweep ? 45 : 25;
  const costs = [steadySelect(1), selectTop].map((select) => Array.from({ length: rounds }, (_, round) => {
    const values = Float64Array.from({ length: 4000 }, (__, i) => draws.uint32(4000 * round + i) % 50_000);
    const keys = [...values].map((value) => new Key(value));
    const n = 1 + (round < 5 ? [0, 1, 1999, 3998, 3999][round] : 1999);
    comparisonsSeen();
    const comparisons = select(keys as unknown as Float64Array, 0, 4000, n);
    expect(comparisons).toBe(comparisonsSeen());
    const found = keys.map(Number);
    const sorted = [...values].sort((a, b) => b - a);
    expect(found[n - 1]).toBe(sorted[n - 1]);
    expect(found.slice(0, n).sort((a, b) => b - a)).toEqual(sorted.slice(0, n));
    expect(found.sort((a, b) => b - a)).toEqual(sorted);
    return comparisons;
  }).slice(5));
  const [steady, quick] = costs.map((all) => {
    const mean = all.reduce((sum, one) => sum + one) / all.length;
    return Math.sqrt(all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / all.length) / mean;
  });
  expect(steady).toBeLessThan(0.7 * quick);
});
