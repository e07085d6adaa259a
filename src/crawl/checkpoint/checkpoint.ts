import { deserialize, serialize } from 'node:v8';
import { superstepColumns, type RunEvents } from '../../measure/index.ts';
import type { SuperstepRow } from '../../events/index.ts';
import type { FrontierState } from '../../frontier/index.ts';
import { InputError, WorldError } from '../../base/index.ts';

/** A live crawl between receiveMessages and run of a superstep. */
export interface CrawlCheckpoint {
  readonly superstep: number;
  /** What the clocks show. */
  readonly barrierUs: number;
  readonly processors: readonly FrontierState[];
  /** All that happened so far. */
  readonly events: RunEvents;
}

const form = 'orbweaver crawl checkpoint 2';
/** Those of older versions had other states of policies. */
const olderForms: readonly unknown[] = ['orbweaver crawl checkpoint 1'];

/** The system writes less than 2^31 bytes at once, and the store writes a value at once. */
const BYTES_MOST = 2 ** 31 - 2 ** 17;

/**
 * Rows go as columns: a row of its own takes five times the room.
 * @throws WorldError where the store cannot hold it; the crawl can go on from the last that it holds.
 */
export function encodeCheckpoint({ events, ...rest }: CrawlCheckpoint, bytesMost = BYTES_MOST): Uint8Array {
  const { rows, ...outcomes } = events;
  const columns = superstepColumns.map((column) => Float64Array.from(rows, (row) => row[column]));
  const bytes = serialized({ form, ...rest, outcomes, columns });
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

/** What a checkpoint holds on disk. */
interface Encoded extends Pick<CrawlCheckpoint, 'superstep' | 'barrierUs' | 'processors'> {
  readonly form?: unknown;
  readonly columns: readonly Float64Array[];
  readonly outcomes: Omit<RunEvents, 'rows'>;
}

/** @throws InputError where the bytes are no checkpoint that this version reads; `place` says where they are. */
export function decodeCheckpoint(bytes: Uint8Array, place: string): CrawlCheckpoint {
  const refused = new InputError(`${place}: holds no checkpoint that this version understands`);
  let value: Encoded;
  try {
    value = deserialize(bytes) as Encoded;
  } catch {
    throw refused;
  }
  if (olderForms.includes(value.form)) {
    throw new InputError(
      `${place}: holds a checkpoint of an older version of Orbweaver; go on with that version, or begin the crawl anew`,
    );
  }
  const { columns, superstep, barrierUs, processors, outcomes } = value;
  if (value.form !== form || columns.length !== superstepColumns.length) throw refused;
  const rows = Array.from({ length: columns[0].length }, (_, i) =>
    Object.fromEntries(superstepColumns.map((column, j) => [column, columns[j][i]])) as unknown as SuperstepRow);
  return { superstep, barrierUs, processors, events: { ...outcomes, rows } };
}
