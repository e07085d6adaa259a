import { deserialize, serialize } from 'node:v8';
import { laterColumns, superstepColumns, type RunEvents } from '../../../core/measure/index.ts';
import type { SuperstepRow } from '../../../core/events/index.ts';
import type { SavedMail } from '../../../core/bsp/index.ts';
import type { OpenRequest } from '../../../core/live/index.ts';
import type { ProcessorState } from '../../../core/scheduler/index.ts';
import { InputError, WorldError } from '../../../base/index.ts';

/** A processor of a live crawl, and the downloads that it waits for. */
export interface SavedProcessor extends ProcessorState {
  readonly id: number;
  readonly downloads: readonly OpenRequest[];
}

/** A live crawl as a superstep begins, exactly: downloads are open, messages and outcomes under way. */
export interface CrawlCheckpoint {
  readonly superstep: number;
  readonly barrierUs: number;
  readonly processors: readonly SavedProcessor[];
  readonly mail: SavedMail;
  readonly events: RunEvents;
}

const form = 'orbweaver crawl checkpoint 4';
const olderForm = /^orbweaver crawl checkpoint [123]$/;

/** The system writes less than 2^31 bytes per call, and the store writes a value in one call. */
const MAX_BYTES = 2 ** 31 - 2 ** 17;

/**
 * Rows are stored as columns: separate rows would take five times the space.
 * @throws WorldError if it is too large for the store; the crawl can resume from the last stored one.
 */
export function encodeCheckpoint({ events, ...rest }: CrawlCheckpoint, maxBytes = MAX_BYTES): Uint8Array {
  const { rows, ...outcomes } = events;
  const columns = superstepColumns.map((column) => Float64Array.from(rows, (row) => row[column]));
  const bytes = serialized({ form, ...rest, outcomes, columns });
  if (bytes !== undefined && bytes.length <= maxBytes) return bytes;
  throw new WorldError(
    `the crawl has grown too large for a checkpoint, which is at most ${maxBytes} bytes, and has ended; its record is written. ` +
      'Crawl the rest in several crawls (--allow-domain, --deny-domain)',
  );
}

/** Undefined if it is too large for a Buffer. */
function serialized(value: unknown): Uint8Array | undefined {
  try {
    return serialize(value);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}

interface Encoded extends Omit<CrawlCheckpoint, 'events'> {
  readonly form?: unknown;
  readonly columns: readonly Float64Array[];
  readonly outcomes: Omit<RunEvents, 'rows'>;
}

/** @throws InputError if the bytes are not a checkpoint that this version reads; `place` says where they are. */
export function decodeCheckpoint(bytes: Uint8Array, place: string): CrawlCheckpoint {
  const refused = new InputError(`${place}: does not contain a checkpoint that this version understands`);
  let value: Encoded;
  try {
    value = deserialize(bytes) as Encoded;
  } catch {
    throw refused;
  }
  if (typeof value.form === 'string' && olderForm.test(value.form)) {
    throw new InputError(
      `${place}: contains a checkpoint of an older version of Orbweaver; continue with that version, or start the crawl again`,
    );
  }
  const { columns, superstep, barrierUs, processors, mail, outcomes } = value;
  // Columns that came later are the last ones.
  const missing = superstepColumns.length - columns.length;
  if (value.form !== form || missing < 0 || missing > laterColumns.length) throw refused;
  const rows = Array.from({ length: columns[0].length }, (_, i) => {
    const values = superstepColumns.map((column, j) => [column, columns.at(j)?.[i] ?? 0]);
    return Object.fromEntries(values) as SuperstepRow;
  });
  return { superstep, barrierUs, processors, mail, events: { ...outcomes, rows } };
}
