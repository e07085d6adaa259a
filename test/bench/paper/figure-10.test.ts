import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  figure10Part, paperThreads, queueBenchDefaults, type Figure10Result, type Part,
} from '../../../src/questions/bench/index.ts';
import { LoadThreads } from '../../../src/questions/bench/slices/slice-load-threads.ts';
import { LoadKeys, SliceLoad } from '../../../src/questions/bench/slices/slice-load.ts';
import { entryKey } from '../../../src/core/queue/index.ts';
import { AssertionError } from '../../../src/base/index.ts';

// Goal: figure 10 starts threads that do their rounds and end, and models with counts that are those of slices. Times
// are not looked at.

const started: Worker[] = [];
const note = (thread: Worker): void => void started.push(thread);
let result: Figure10Result;

const context: Parameters<Part['measure']>[0] = {
  ...queueBenchDefaults, entries: [200], rounds: 1, graphs: [], tableBlock: 80,
  signal: new AbortController().signal, report: () => Promise.resolve(),
};

beforeAll(async () => {
  process.on('worker', note);
  result = await figure10Part.measure(context);
});
afterAll(() => {
  process.off('worker', note);
  expect(started.length).toBeGreaterThan(0);
  // Node's number of a thread that has ended.
  expect(started.every(({ threadId }) => threadId === -1)).toBe(true);
});

test('measured on the cores there are, modelled for the T of the paper; what holds too few batches is said', () => {
  expect(result.skipped).toEqual(['Not measured: R = 80 with N = 200, since fewer than ten batches would be held.']);
  expect(result.cases.map(({ entries, block }) => [entries, block])).toEqual([[200, 10]]);
  const [{ measured, modelled }] = result.cases;
  expect(new Set(measured.map(({ mode }) => mode))).toEqual(new Set(['free-running', 'barrier', 'ThreadedSlices']));
  expect(Math.max(...measured.map(({ threads }) => threads))).toBe(Math.min(result.cores, 10));
  for (const { nsPerElement, speedUp, threads, mode } of measured) {
    expect(nsPerElement.min).toBeGreaterThanOrEqual(0);
    expect(speedUp.min <= speedUp.median && speedUp.median <= speedUp.max).toBe(true);
    if (threads === 1 && mode !== 'ThreadedSlices') expect(speedUp.median).toBe(1);
  }
  const counts = modelled.filter(({ queue }) => queue === 'cbt').map(({ slices }) => slices);
  expect(counts).toEqual(paperThreads.filter((slices) => slices <= 10));
  for (const { slices, speedUp, meanOfSlice, meanOfBusiest, busiestOverall } of modelled) {
    expect(meanOfSlice <= busiestOverall && busiestOverall <= meanOfBusiest + 1e-9).toBe(true);
    if (slices === 1) expect(speedUp).toEqual({ barrier: 1, 'free-running': 1 });
  }
});

test('shown: only what is modelled is hollow, and nothing is above 8 on the paper\'s machine', () => {
  const { charts, tables, paragraphs } = figure10Part.show(result);
  expect(charts).toHaveLength(2);
  for (const { series } of charts) {
    for (const { name, points } of series)
      for (const { isModelled } of points) expect(isModelled === true).toBe(name.endsWith('modelled'));
    const bound = series.find(({ name }) => name === 'ideal on 8 CPUs');
    expect(Math.max(...(bound?.points ?? []).map(({ y }) => y))).toBe(8);
  }
  for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
  expect(paragraphs.join('\n')).not.toMatch(/NaN|undefined|Infinity/);
});

test('one core, or a run that was aborted: it still says something', async () => {
  const [one] = result.cases;
  const single = {
    ...result, cores: 1, load: { before: 0, after: 1 },
    cases: [{ ...one, measured: one.measured.filter(({ threads }) => threads === 1) }],
  };
  expect(figure10Part.show(single).paragraphs.join('\n')).toContain('two threads not measured');
  // Held against the aims only where threads had the cores to themselves.
  const said = [0, 9].map((before) =>
    figure10Part.show({ ...result, cores: 2, load: { before, after: 2 } }).paragraphs.join('\n'),
  );
  expect(said.map((text) => /aim 1\.7/.test(text))).toEqual([result.cores > 1, false]);
  expect(said.map((text) => text.includes('MORE THAN THE CORES'))).toEqual([false, true]);
  const aborted = await figure10Part.measure({ ...context, signal: AbortSignal.abort() });
  expect(aborted.cases).toEqual([]);
  expect(() => figure10Part.show(aborted)).not.toThrow();
});

test.each(['quickheap', 'cbt'] as const)('%s: a load keeps its size, and its keys fall as what leaves does', (kind) => {
  const options = { entries: 1000, batch: 50, batches: 80, seed: 1, slice: 0 };
  const load = new SliceLoad(kind, { ...options, compareOnly: true });
  const prepared = load.prepare(80);
  for (let at = 0; at < prepared.length; at += 50) load.run(prepared, at);
  expect(load.queue.size).toBe(1000);
  // After four turns over, the front is where the next batch would begin, within a few batches.
  const into = new Float64Array(1);
  load.queue.extractTop(1, into);
  load.dispose();
  const keys = new LoadKeys({ ...options, batches: 81 });
  const later = keys.next(81);
  const front = Math.max(...later.subarray(80 * 50).map(entryKey));
  const fall = (Math.max(...later.subarray(0, 50).map(entryKey)) - front) / 80;
  expect(Math.abs(entryKey(into[0]) - front)).toBeLessThan(8 * fall);
  expect(() => keys.next(1)).toThrow(AssertionError);
});

test('what is thrown in a thread ends all of them and reaches the caller', async () => {
  const options = { kind: 'cbt', threads: 2, entries: 10, block: 1, batches: 1, seed: 1 } as const;
  await expect(LoadThreads.start(options)).rejects.toThrow('a block of 0 entries');
});
