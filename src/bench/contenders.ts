import { CbtKernel, createQueue, QuickHeapKernel, queueKinds, WasmCbt, WasmQuickHeap } from '../queue/index.ts';
import { BottomUpHeap } from './bottom-up-heap.ts';

/** What a benchmark asks of a queue, ours or not: entries in by the batch, the greatest k out, in any order. */
export interface BatchQueue {
  insertMany(entries: Float64Array, from: number, to: number): void;
  extractTop(k: number, into: Float64Array): number;
  /** Comparisons of two keys made so far, where the queue counts them. */
  readonly comparisons?: { readonly insert: number; readonly extract: number };
  /** Keys copied inside the structure so far, where the queue counts them. */
  readonly moved?: { readonly total: number };
}

export interface MakeOptions {
  /** Entries a batch will have. */
  readonly block: number;
  /** Most entries that will be held at once. */
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

/** Our queues, in the order of `queueKinds`: a kind that is added there is measured here. */
export const ourContenders: readonly Contender[] = queueKinds.map((kind) => ({
  name: kind,
  isOurs: true,
  make: ({ block, seed }) => createQueue({ kind, block, seed }),
}));

/** The kernels, each queue in an instance of its own, so that its memory goes with it. They sort by digits, which are no comparisons. */
export const kernelContenders: readonly Contender[] = [
  { name: 'quickheap kernel', isOurs: true, make: ({ block }) => new WasmQuickHeap(block, { kernel: new QuickHeapKernel() }) },
  { name: 'cbt kernel', isOurs: true, make: ({ block }) => new WasmCbt(block, { kernel: new CbtKernel() }) },
];

/** The kernels without sorting by digits: their counts can be held against those of any queue that compares. */
export const compareOnlyContenders: readonly Contender[] = [
  {
    name: 'quickheap kernel, comparisons only', isOurs: true,
    make: ({ block }) => new WasmQuickHeap(block, { kernel: new QuickHeapKernel(), compareOnly: true }),
  },
  {
    name: 'cbt kernel, comparisons only', isOurs: true,
    make: ({ block }) => new WasmCbt(block, { kernel: new CbtKernel(), byComparison: true }),
  },
];

/** The queues that count their comparisons: those of figure 8, by their names. */
export const countingContenders: readonly Contender[] = [
  ...ourContenders,
  { name: 'bottom-up heap', isOurs: false, make: () => new BottomUpHeap() },
];
