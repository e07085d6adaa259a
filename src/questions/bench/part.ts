import type { WebGraph } from '../../graphs/graph/index.ts';
import type { Column, Shown } from '../../views/report/index.ts';

export type { Axis, Chart, Column, Point, Series, Shown, ShownTable } from '../../views/report/index.ts';

/**
 * A part of `orbweaver bench queues`: one figure or table of the paper, or one question of our own. A part measures,
 * and says how its result is shown; it draws and prints nothing. Texts, CSV files and the HTML report are made from
 * `Shown` alone, for all parts alike, so a new part is one file and one line in `queues.ts`.
 */
export interface Part<Result = unknown> {
  /** As in `--parts`, in `bench.json` and in the names of its files: "figure-9". */
  readonly name: string;
  readonly title: string;
  /** Checks `signal` between its cases, and returns what it has once that is aborted. The result is JSON. */
  measure(context: PartContext): Promise<Result>;
  show(result: Result): Shown;
}

/** Settings that a user may choose; each part uses those that it needs. */
export interface PartSettings {
  /** N, entries in the queue: a part may measure a case for each. */
  readonly entries: readonly number[];
  /** R, entries of a batch: likewise. */
  readonly blocks: readonly number[];
  /** Rounds that count, all sides in turn in each; one more goes before them. */
  readonly rounds: number;
  /** Graphs whose crawls give priority streams. */
  readonly graphs: readonly WebGraph[];
  /** Pages of the synthetic graph that is measured as well. */
  readonly syntheticPages: number;
  /** R of Table 1 and of figure 10, over all slices. */
  readonly tableBlock: number;
  /** Keys that each adversary puts in and takes out. */
  readonly adversaryEntries: number;
  /** Entries that queues in secondary memory hold, and the main memory they may use. */
  readonly pagedEntries: number;
  readonly pagedMemoryBytes: number;
  readonly seed: number;
}

export interface PartContext extends PartSettings {
  readonly signal: AbortSignal;
  /** Reports the current step to the user; lets other work run. */
  readonly report: (text: string) => Promise<void>;
}

/** Columns of a table: names, some with the decimals of their numbers. */
export function columns(...names: readonly (string | readonly [name: string, digits: number])[]): Column[] {
  return names.map((name) => (typeof name === 'string' ? { name } : { name: name[0], digits: name[1] }));
}
