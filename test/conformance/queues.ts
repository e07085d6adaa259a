import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BottomUpHeap } from '../../src/questions/bench/literature/bottom-up-heap.ts';
import { PaperCbt } from '../../src/questions/bench/literature/paper-cbt.ts';
import { RandomisedQuickHeap } from '../../src/questions/bench/literature/randomised-quickheap.ts';
import {
  createPagedQueue, createQueue, LazyQueue, LoggedQueue, queueKinds, WasmCbt, WasmQuickHeap, type PagedQueueOptions,
} from '../../src/core/queue/index.ts';
import { BucketQuickHeap } from '../queue/twins/bucket-quickheap.ts';
import { SortedCbt } from '../queue/twins/sorted-cbt.ts';
import type { Candidate } from './queue.ts';

/** Files of the paged queues; `removeFiles` when all is done. */
const folder = mkdtempSync(join(tmpdir(), 'queues-'));
let files = 0;
export const removeFiles = (): void => rmSync(folder, { recursive: true });

const paged = (options: Omit<PagedQueueOptions, 'path'>) => () =>
  createPagedQueue({ ...options, path: join(folder, `${files++}.owq`) });
/** Two to eight keys a page and the least memory allowed: a few dozen entries are more than it holds. */
const small = { pageBytes: 64, cacheBytes: 12 * 64 };

/** What a crawl uses, in one queue and in exact slices. */
const ofKinds: readonly Candidate[] = queueKinds.flatMap((kind) => [
  {
    name: `${kind}, made with its first entry`,
    block: 4,
    make: () => new LazyQueue(() => createQueue({ kind, block: 4, seed: 0 })),
  },
  { name: `${kind}, logged`, block: 4, make: () => new LoggedQueue(createQueue({ kind, block: 4, seed: 0 })) },
  ...[4, 100].map((block) => ({
    name: `${kind}, R = ${block}`,
    block,
    make: () => createQueue({ kind, block, seed: 0 }),
  })),
  {
    name: `${kind}, not by comparisons alone`,
    block: 4,
    make: () => createQueue({ kind, block: 4, seed: 0, compareOnly: false }),
  },
  ...[2, 3, 8].map((slices) => ({
    name: `${kind} in ${slices} exact slices`,
    block: 6,
    make: () => createQueue({ kind, block: 6, seed: 1, slices }),
  })),
]);

const cbts: readonly Candidate[] = [1, 2, 3, 8, 32, 1000].flatMap((block) => [
  { name: `cbt twin, R = ${block}`, block, make: () => new SortedCbt(block) },
  { name: `cbt kernel, R = ${block}`, block, make: () => new WasmCbt(block) },
  {
    name: `cbt kernel, R = ${block}, by comparisons alone`,
    block,
    make: () => new WasmCbt(block, { compareOnly: true }),
  },
]);

/** With runs of 4 entries the suite's short scripts split, join and meet equal entries on every level. */
const quickheaps: readonly Candidate[] = [4, 16, 1024].flatMap((shortestRun) => [
  { name: `quickheap twin, F = ${shortestRun}`, block: 10, make: () => new BucketQuickHeap(1, { shortestRun }) },
  { name: `quickheap kernel, F = ${shortestRun}`, block: 10, make: () => new WasmQuickHeap(1, { shortestRun }) },
  {
    name: `quickheap kernel, F = ${shortestRun}, by comparisons alone`, block: 10,
    make: () => new WasmQuickHeap(1, { shortestRun, compareOnly: true }),
  },
]);

const inFiles: readonly Candidate[] = [
  { name: 'paged cbt, 8 keys a block, one page', block: 8, make: paged({ kind: 'cbt', ...small }) },
  {
    name: 'paged cbt, 3 keys a block of two pages', block: 3,
    make: paged({ kind: 'cbt', block: 3, pageBytes: 16, cacheBytes: 8 * 32 }),
  },
  {
    name: 'paged cbt, one key a block', block: 1,
    make: paged({ kind: 'cbt', block: 1, pageBytes: 16, cacheBytes: 8 * 16 }),
  },
  { name: 'paged quickheap, 8 keys a page', block: 8, make: paged({ kind: 'quickheap', ...small }) },
  {
    name: 'paged quickheap, 2 keys a page', block: 4,
    make: paged({ kind: 'quickheap', pageBytes: 16, cacheBytes: 12 * 16, seed: 5 }),
  },
  ...(['cbt', 'quickheap'] as const).map((kind) => ({
    name: `paged ${kind} in 3 exact slices`,
    block: 9,
    make: () =>
      createQueue({ kind, block: 9, seed: 1, slices: 3, memoryBytes: 3 * 12 * 64, path: join(folder, `${files++}`) }),
  })),
  {
    name: 'paged quickheap, 40 pages', block: 8, make: paged({ kind: 'quickheap', pageBytes: 64, cacheBytes: 40 * 64 }),
  },
];

const literature: readonly Candidate[] = [
  ...[1, 3, 8].map((block) => ({ name: `paper cbt, R = ${block}`, block, make: () => new PaperCbt(block) })),
  ...[0, 2 ** 53 - 1].map((seed) => ({
    name: `randomised quickheap, seed ${seed}`,
    block: 4,
    make: () => new RandomisedQuickHeap(seed),
  })),
  { name: 'bottom-up heap', block: 4, make: () => new BottomUpHeap() },
];

/** Every priority queue there is, in every form of it. */
export const candidates: readonly Candidate[] = [...ofKinds, ...cbts, ...quickheaps, ...inFiles, ...literature];
