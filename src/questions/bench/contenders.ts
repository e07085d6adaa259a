import {
  BinaryHeap, CbtKernel, QuickHeapKernel, queueKinds, WasmCbt, WasmQuickHeap, type QueueKind,
} from '../../core/queue/index.ts';
import { BottomUpHeap } from './literature/bottom-up-heap.ts';
import { PaperCbt } from './literature/paper-cbt.ts';
import { RandomisedQuickHeap } from './literature/randomised-quickheap.ts';

/** The interface that a benchmark needs of a queue: entries in by the batch, the greatest k out, in any order. */
export interface BatchQueue {
  insertMany(entries: Float64Array, from: number, to: number): void;
  extractTop(k: number, into: Float64Array): number;
  /** Comparisons of two keys so far, if the queue counts them. */
  readonly comparisons?: { readonly insert: number; readonly extract: number };
  /** Keys copied inside the structure so far, if the queue counts them. */
  readonly copies?: { readonly total: number };
}

export interface MakeOptions {
  /** Entries per batch. */
  readonly block: number;
  /** Maximum number of entries in the queue. */
  readonly capacity: number;
  readonly seed: number;
}

/** A queue that runs in this process. */
export interface Contender {
  readonly name: string;
  /** A queue of the product. */
  readonly isOurs: boolean;
  readonly make: (options: MakeOptions) => BatchQueue;
}

/**
 * Every kind of `createQueue`, but each queue in its own kernel, so that its memory can be measured and is freed
 * with it.
 */
const makers: Record<QueueKind, (block: number, compareOnly: boolean) => BatchQueue> = {
  quickheap: (block, compareOnly) => new WasmQuickHeap(block, { compareOnly, kernel: new QuickHeapKernel() }),
  cbt: (block, compareOnly) => new WasmCbt(block, { compareOnly, kernel: new CbtKernel() }),
  'binary-heap': () => new BinaryHeap(),
};

/** Our queues as in a crawl, by comparisons alone, in the order of `queueKinds`. */
export const ourContenders: readonly Contender[] = queueKinds.map((kind) => ({
  name: kind,
  isOurs: true,
  make: ({ block }) => makers[kind](block, true),
}));

/** The same for speed: they sort by digits, without comparisons. */
export const kernelContenders: readonly Contender[] = (['quickheap', 'cbt'] as const).map((kind) => ({
  name: `${kind}, radix sort`,
  isOurs: true,
  make: ({ block }) => makers[kind](block, false),
}));

/** The queues that count their comparisons, as figure 8 names them. The last three are the literature's. */
export const countingContenders: readonly Contender[] = [
  ...ourContenders,
  { name: 'randomised quickheap', isOurs: false, make: ({ seed }) => new RandomisedQuickHeap(seed) },
  { name: 'paper cbt', isOurs: false, make: ({ block }) => new PaperCbt(block) },
  { name: 'bottom-up heap', isOurs: false, make: () => new BottomUpHeap() },
];
