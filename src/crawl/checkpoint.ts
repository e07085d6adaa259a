import { deserialize, serialize } from 'node:v8';
import { superstepColumns, type OutcomeLog, type SuperstepRow } from '../measure/index.ts';
import type { ProcessorState } from '../scheduler/index.ts';
import { InputError, WorldError } from '../base/index.ts';

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

/** Of the form below; forms of older versions had other states of policies. */
const form = 'orbweaver crawl checkpoint 2';
const olderForms: readonly unknown[] = ['orbweaver crawl checkpoint 1'];

/** The system writes less than 2^31 bytes at once, and the store writes a value at once. */
const BYTES_MOST = 2 ** 31 - 2 ** 17;

/**
 * Rows go as columns: a row of its own takes five times the room.
 * @throws WorldError where the store cannot hold it; the crawl can go on from the last that it holds.
 */
export function encodeCheckpoint({ rows, ...rest }: CrawlCheckpoint, bytesMost = BYTES_MOST): Uint8Array {
  const columns = superstepColumns.map((column) => Float64Array.from(rows, (row) => row[column]));
  const bytes = serialized({ form, ...rest, columns });
  if (bytes !== undefined && bytes.length <= bytesMost) return bytes;
  throw new WorldError(
    `the crawl has grown too large for a checkpoint, which is at most ${bytesMost} bytes, and has ended; its record is written. ` +
      'Crawl what is left in several crawls (--allow-domain, --deny-domain)',
  );
}

/** Undefined where it is more than a Buffer holds. */
function serialized(value: unknown): Uint8Array | undefined {
  try {
    return serialize(value);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
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
  if (olderForms.includes(value.form)) {
    throw new InputError(
      `${place}: holds a checkpoint of an older version of Orbweaver; go on with that version, or begin the crawl anew`,
    );
  }
  if (value.form !== form || value.columns.length !== superstepColumns.length) throw refused;
  const { columns, superstep, barrierUs, processors, logs } = value;
  const rows = Array.from({ length: columns[0].length }, (_, i) =>
    Object.fromEntries(superstepColumns.map((column, j) => [column, columns[j][i]])) as unknown as SuperstepRow);
  return { superstep, barrierUs, processors, logs, rows };
}
