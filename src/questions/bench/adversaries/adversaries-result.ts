import type { PriorityQueue } from '../../../core/queue/index.ts';

/** One queue under one adversary. An element is a key put in and taken out. */
export interface AdversaryRow {
  readonly adversary: string;
  readonly block: number;
  readonly queue: string;
  readonly comparisonsPerElement: number;
  /** The most pivots, blocks or levels after any batch. */
  readonly mostParts: number;
  readonly unit: PriorityQueue['structure']['unit'];
  /** Of the dearest batch, one call in or out. */
  readonly worstBatchComparisons: number;
  /** Keys copied inside the structure by the batch that copied most; null where they are not counted. */
  readonly worstBatchMoved: number | null;
  /** Generation of keys apart. One reading: noisy. */
  readonly nsPerElement: number;
}

export interface AdversariesResult {
  readonly entries: number;
  readonly rows: readonly AdversaryRow[];
}

/**
 * The two rules that bound a QuickHeap's pivots, and what bounds its work otherwise. The first is what the others are
 * held against.
 */
export const joinRule = 'quickheap';

export const coinRule = 'randomised quickheap';
