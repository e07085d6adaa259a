import type { Load, Spread } from '../alternate.ts';
import type { Kind } from './entrants.ts';

/** One algorithm on one graph. */
export interface GraphbenchCase {
  /** "c100: Algorithm 1". */
  readonly name: string;
  readonly graph: string;
  readonly kind: Kind;
  /** As `--apsp` and `--scc` name it. */
  readonly algorithm: string;
  readonly title: string;
  /** SPAWC's number; null if it has none. */
  readonly number: number | null;
  /** Arcs between two computations of a batch form; 1 otherwise. */
  readonly threshold: number;
  readonly state: 'measured' | 'timed out' | 'refused';
  /** Why, if refused. */
  readonly reason?: string;
  /** Time for all arcs of the sequence; null unless measured. */
  readonly median: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly unit: 'ms';
  /** Runs behind these figures. */
  readonly trials: number;
  /** Whether a run that is not counted went before them; false if that one took most of the time there was. */
  readonly isWarm: boolean;
  readonly usPerArc: number | null;
  /** The structure's bytes in the end, or in the beginning if it timed out; null if unknown. */
  readonly bytes: number | null;
  /** Whether the result in the end is the right one; null if it was not compared. */
  readonly isValid: boolean | null;
  /** The first wrong pair, as a sentence. */
  readonly wrong?: string;
  /** SPAWC's Algorithm 1 on the same graph, and how many times this one's time it takes. */
  readonly versus?: string;
  readonly ratio?: Spread;
  /** With `--print-matrices`: rows of distances, null without a path; or of each page the lowest of its component. */
  readonly matrix?: readonly (readonly (number | null)[])[];
  readonly components?: readonly number[];
}

export interface MeasuredGraph {
  readonly name: string;
  readonly description: string;
  readonly isSynthetic: boolean;
  readonly pages: number;
  readonly arcs: number;
  /** Arcs per ordered pair of different pages. */
  readonly density: number;
}

/** Bytes of the transitive closure of so many pages, as it was measured. */
export interface ClosureSpace {
  readonly pages: number;
  readonly bitBytes: number;
  readonly byteBytes: number;
}

export interface GraphbenchReport {
  readonly machine: string;
  readonly load: Load;
  readonly trials: number;
  readonly timeoutSeconds: number;
  readonly threshold: number;
  readonly graphs: readonly MeasuredGraph[];
  readonly cases: readonly GraphbenchCase[];
  /** Names of cases that an interruption left out. */
  readonly notMeasured: readonly string[];
  /** Figure 12; null if it was not asked for. */
  readonly space: readonly ClosureSpace[] | null;
  readonly notes: readonly string[];
}
