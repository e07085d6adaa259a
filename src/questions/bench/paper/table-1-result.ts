/**
 * What the paper's Table 1 says: T, then X/Y of extract-top and of insert-many, in seconds on its machine, R = 8000.
 */
export const paperTable1 = [
  { slices: 1, extract: 1, insert: 1 },
  { slices: 2, extract: 0.99, insert: 0.98 },
  { slices: 4, extract: 0.98, insert: 0.97 },
  { slices: 8, extract: 0.95, insert: 0.93 },
] as const;

/** What one operation cost the slices, in one unit, over all rounds that count. */
export interface Work {
  /** X: mean over slices and rounds. */
  readonly mean: number;
  /** Y: mean over rounds of the most that any slice did. */
  readonly meanOfMost: number;
  /** X/Y; 1 where nothing was done. */
  readonly efficiency: number;
  /** The least and the most that one slice did in one round. */
  readonly least: number;
  readonly most: number;
  /** Standard deviation of a slice from the others of its round, as a share of the mean. */
  readonly deviation: number;
  /** Work of the slice that did most over all rounds, as a share of the mean slice's. */
  readonly busiestSlice: number;
  /** Share of (slice, round) in which it cost nothing. */
  readonly freeShare: number;
}

/** The same work in each unit that the queue counts. */
export interface Measures {
  readonly comparisons: Work;
  /** Two blocks of R/T keys each: nearest to what a machine reads and writes whatever the keys are. */
  readonly matches: Work | null;
  /** Keys copied: a CBT's those selected among, a QuickHeap kernel's all. */
  readonly moved: Work | null;
}

export interface Table1Row {
  readonly workload: string;
  readonly queue: string;
  /** Asks what makes the difference; no queue to be used. */
  readonly isYardstick: boolean;
  readonly slices: number;
  /** R, and of one slice R/T. */
  readonly block: number;
  readonly sliceBlock: number;
  readonly rounds: number;
  readonly extract: Measures;
  readonly insert: Measures;
  /** Extraction and insertion as one: what bounds a speed-up where threads meet once a round. */
  readonly round: Measures;
  /** Entries put in, by slice. */
  readonly entries: Work;
  readonly paper: { readonly extract: number; readonly insert: number; };
  /** Why a figure in comparisons is more than `explainedFrom` off the paper's, by the counts; one a figure. */
  readonly explanations: readonly string[];
}

export interface Table1Result {
  readonly workloads: readonly { readonly name: string; readonly isSynthetic: boolean; readonly note: string; }[];
  readonly rows: readonly Table1Row[];
  /** Graphs whose crawls are too short, and why. */
  readonly skipped: readonly string[];
}

export const yardsticks = {
  inFull: 'paper cbt, matches in full', steady: 'paper cbt, in full, steady selection',
} as const;
