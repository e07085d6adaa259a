import type { BenchCase } from '../alternate.ts';
import type { Absent } from '../peers/javascript.ts';

/** One queue at one N and R: ns an element (one entry out and one in). */
export interface HoldCase extends BenchCase {
  readonly queue: string;
  readonly isOurs: boolean;
  readonly entries: number;
  readonly block: number;
  readonly operations: number;
  /** Median over the rounds of the longest batch. */
  readonly worstBatchMs: number;
  /** null where comparisons are not counted. */
  readonly comparisonsPerElement: number | null;
  readonly worstBatchComparisons: number | null;
  readonly firstBatchComparisons: number | null;
  /** null where moved keys are not counted. */
  readonly worstBatchMoved: number | null;
  readonly bytesPerEntry: number;
}

export interface HoldBench {
  /** Compiler and flags of the C++ peer; null where it is absent. */
  readonly compiler: string | null;
  /** The same of the peer in Rust. */
  readonly rustCompiler: string | null;
  readonly cases: readonly HoldCase[];
  /** Peers that could not take part. */
  readonly absent: readonly Absent[];
  /** Why an N and R was not measured: sentences. */
  readonly skipped: readonly string[];
}
