import type { WebGraph } from '../graph/index.ts';

/**
 * A part of `orbweaver bench queues`: one figure or table of the paper, or one question of ours. A part measures, and says how its
 * result is to be shown; it draws and prints nothing. Texts, CSV files and the HTML report are made of `Shown` alone, for all parts
 * alike, so that a new part is one file and one line in `queues.ts`.
 */
export interface Part<Result = unknown> {
  /** As in `--parts`, in `bench.json` and in the names of its files: "figure-9". */
  readonly name: string;
  readonly title: string;
  /** Looks at `signal` between its cases, and returns what it has once that is aborted. The result is JSON. */
  measure(context: PartContext): Promise<Result>;
  show(result: Result): Shown;
}

export interface PartContext {
  /** N, entries held: each is a case of its own where a part takes several. */
  readonly entries: readonly number[];
  /** R, entries of a batch: likewise. */
  readonly blocks: readonly number[];
  /** Rounds that count, all sides in turn in each; one more goes before them. */
  readonly rounds: number;
  /** Graphs whose crawls give priority streams. */
  readonly graphs: readonly WebGraph[];
  /** Pages of the synthetic graph that stands beside them. */
  readonly syntheticPages: number;
  /** R of Table 1 and of figure 10, over all slices. */
  readonly tableBlock: number;
  /** Entries that queues in secondary memory hold, and the main memory they may use. */
  readonly pagedEntries: number;
  readonly pagedMemoryBytes: number;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Tells a person what is under way; lets other work run. */
  tell(text: string): Promise<void>;
}

/** What people see of a result, free of any form of output. */
export interface Shown {
  /** What was measured, how, and what the figures say: sentences, computed from the result. */
  readonly paragraphs: readonly string[];
  readonly tables: readonly ShownTable[];
  readonly charts: readonly Chart[];
}

export interface ShownTable {
  /** Of its CSV file, without the ending; the part's name where it has one table only. */
  readonly name: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  /** A cell a column; null where nothing is known. Numbers as they are: output rounds them, a CSV file does not. */
  readonly rows: readonly (readonly (string | number | null)[])[];
}

export interface Column {
  readonly name: string;
  /** Digits after the point where a person reads it; 0 where it is left out. */
  readonly digits?: number;
}

export interface Chart {
  readonly title: string;
  /** Drawn by us, not taken from the web: said beside the title. */
  readonly isSynthetic: boolean;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

export interface Axis {
  readonly label: string;
  readonly scale: 'linear' | 'log';
}

export interface Series {
  /** The same name has the same colour in every chart of a part. */
  readonly name: string;
  readonly points: readonly Point[];
  /** A yardstick, such as what the paper says: drawn thin. */
  readonly isReference?: boolean;
}

export interface Point {
  readonly x: number;
  readonly y: number;
  /** Computed from counted work where it could not be measured: drawn hollow. */
  readonly isModelled?: boolean;
}
