import { deserialize, serialize } from 'node:v8';
import { superstepColumns, type OutcomeLog, type SuperstepRow } from '../measure/index.ts';
import type { ProcessorState } from '../scheduler/index.ts';
import { InputError } from '../std/index.ts';

/** A live crawl between receiveMessages and run of a superstep. */
export interface CrawlCheckpoint {
  readonly superstep: number;
  /** Where the clocks stand. */
  readonly barrierUs: number;
  readonly processors: readonly ProcessorState[];
  /** Outcomes of each processor so far. */
  readonly logs: readonly OutcomeLog[];
  readonly rows: readonly SuperstepRow[];
}

/** Of the form below; another one is another crawl's. */
const form = 'orbweaver crawl checkpoint 1';

/** Rows go as columns: a row of its own takes five times the room. */
export function encodeCheckpoint({ rows, ...rest }: CrawlCheckpoint): Uint8Array {
  const columns = superstepColumns.map((column) => Float64Array.from(rows, (row) => row[column]));
  return serialize({ form, ...rest, columns });
}

/** @throws InputError where the bytes are none of a checkpoint of this version; `place` says where they lie. */
export function decodeCheckpoint(bytes: Uint8Array, place: string): CrawlCheckpoint {
  const refused = new InputError(`${place}: holds no checkpoint that this version understands`);
  let value: { form?: unknown; columns: Float64Array[] } & Omit<CrawlCheckpoint, 'rows'>;
  try {
    value = deserialize(bytes) as typeof value;
  } catch {
    throw refused;
  }
  if (value.form !== form || value.columns.length !== superstepColumns.length) throw refused;
  const { columns, superstep, barrierUs, processors, logs } = value;
  const rows = Array.from({ length: columns[0].length }, (_, i) =>
    Object.fromEntries(superstepColumns.map((column, j) => [column, columns[j][i]])) as unknown as SuperstepRow);
  return { superstep, barrierUs, processors, logs, rows };
}
