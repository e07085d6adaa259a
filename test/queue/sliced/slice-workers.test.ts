import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createQueue, packEntry, queueKinds, SlicedQueue, ThreadedSlices, type ThreadedSlicesOptions,
} from '../../../src/core/queue/index.ts';
import { AssertionError, DrawStream } from '../../../src/base/index.ts';
import { isFullSweep, sampled } from '../../sweep.ts';

// Goal: T threads do what one does, entry for entry and comparison for comparison; what goes wrong in one reaches the
// caller; and none is left behind.

let open: ThreadedSlices[] = [];
let started: Worker[] = [];
const note = (thread: Worker): void => void started.push(thread);

beforeAll(() => void process.on('worker', note));
afterAll(() => void process.off('worker', note));

function threaded(options: ThreadedSlicesOptions): ThreadedSlices {
  const slices = new ThreadedSlices(options);
  open.push(slices);
  return slices;
}

afterEach(async () => {
  await Promise.all(open.map((slices) => slices.close()));
  expect(started.length).toBeGreaterThan(0);
  // Node's number of a thread that has ended.
  expect(started.every(({ threadId }) => threadId === -1)).toBe(true);
  open = [];
  started = [];
});

const kindsInSlices = queueKinds.flatMap((kind) => [2, 3].map((slices) => ({ kind, slices })));
describe.each(sampled(kindsInSlices, 3))('$kind, T = $slices', ({ kind, slices }) => {
  test('is the approximate sliced queue of one thread', async () => {
    const options = { kind, slices, block: 100, seed: 5 };
    const single = createQueue({ ...options, slicing: 'approximate' });
    if (!(single instanceof SlicedQueue)) throw new Error('more than one slice was asked for');
    const threads = threaded(options);
    const draws = new DrawStream(5, 'threads');
    let made = 0;
    const batch = (count: number): Float64Array =>
      Float64Array.from({ length: count }, () => packEntry(draws.uint32(++made) >>> 2, draws.uint32(made, 1)));
    // Batches below and above the memory that a slice has at first, none, one entry, and more wanted than there is.
    const most = isFullSweep ? 40_000 : 12_000;
    for (const [inserted, extracted] of [
      [0, 3], [1, 0], [10, 4], [900, 500], [9000, 5000], [most, most / 2 + 1], [0, 1], [5, most + 10_000], [2, 9],
    ]) {
      const entries = Float64Array.of(-1, ...batch(inserted), -1);
      single.insertMany(entries, 1, inserted + 1);
      const inserting = threads.insertMany(entries, 1, inserted + 1);
      // The array is the caller's again.
      entries.fill(NaN);
      await inserting;
      const [expected, actual] = [new Float64Array(extracted + 2).fill(-7), new Float64Array(extracted + 2).fill(-7)];
      const count = single.extractTop(extracted, expected);
      expect(await threads.extractTop(extracted, actual)).toBe(count);
      expect(actual).toEqual(expected);
      expect(threads.size).toBe(single.size);
      expect(threads.slices).toEqual(single.slices.map(({ size, comparisons }) => ({ size, comparisons })));
    }
    expect(threads.size).toBe(0);
    expect(Math.min(...threads.slices.map(({ comparisons }) => comparisons.extract))).toBeGreaterThan(0);
  });
});

describe('threads', () => {
  const options = { kind: 'quickheap', slices: 2, block: 1, seed: 1 } as const;
  const entries = Float64Array.of(packEntry(1, 1), packEntry(1, 2), packEntry(1, 3));

  test('many supersteps follow one another', async () => {
    const threads = threaded(options);
    const into = new Float64Array(3);
    for (let superstep = 0; superstep < (isFullSweep ? 3000 : 500); superstep++) {
      await threads.insertMany(entries, 0, 3);
      expect(await threads.extractTop(3, into)).toBe(3);
    }
    expect([...into].sort()).toEqual([...entries].sort());
  });

  test('one call at a time; wrong arguments are refused and change nothing', async () => {
    const threads = threaded(options);
    const first = threads.insertMany(entries, 0, 3);
    await expect(threads.insertMany(entries, 0, 3)).rejects.toThrow(/last call/);
    await expect(threads.extractTop(1, new Float64Array(1))).rejects.toThrow(AssertionError);
    await first;
    await expect(threads.insertMany(entries, 0, 4)).rejects.toThrow(AssertionError);
    await expect(threads.extractTop(-1, entries)).rejects.toThrow(AssertionError);
    await expect(threads.extractTop(3, new Float64Array(2))).rejects.toThrow(AssertionError);
    expect(threads.size).toBe(3);
    expect(await threads.extractTop(5, new Float64Array(3))).toBe(3);
    expect(() => new ThreadedSlices({ ...options, slices: 0 })).toThrow(AssertionError);
  });

  test('closed while at work they finish it, end, and take nothing more', async () => {
    const threads = threaded(options);
    const inserting = threads.insertMany(entries, 0, 3);
    await threads.close();
    await inserting;
    expect(threads.size).toBe(3);
    await expect(threads.insertMany(entries, 0, 3)).rejects.toThrow(/closed/);
    await threads.close();
  });

  test('an error in a thread reaches the call under way and every later one', async () => {
    // No CBT has blocks of no keys: its constructor throws, in the threads.
    const threads = threaded({ ...options, kind: 'cbt', block: 0 });
    const failed = expect(threads.insertMany(entries, 0, 3)).rejects;
    await failed.toThrow(/^slice thread [01]: CBT: a block of 0 entries/);
    await expect(threads.insertMany(entries, 0, 3)).rejects.toThrow(/CBT: a block of 0 entries/);
    await expect(threads.extractTop(0, new Float64Array(1))).rejects.toMatchObject({
      cause: { name: 'AssertionError' },
    });
    await threads.close();
  });

  test('a thread that ends by itself does so too', async () => {
    const threads = threaded(options);
    await threads.insertMany(entries, 0, 3);
    // In this order, so that the thread is asked and cannot answer.
    void started[1].terminate();
    await expect(threads.extractTop(3, new Float64Array(3))).rejects.toThrow(
      /^slice thread 1 has ended \(exit code 1\)$/,
    );
    await expect(threads.insertMany(entries, 0, 3)).rejects.toThrow(/^slice thread 1 has ended \(exit code 1\)$/);
  });
});
