import { fstatSync, lstatSync, statSync } from 'node:fs';
import { changesSchema, withEarlierDefaults } from '../../../settings/index.ts';
import { join } from 'node:path';
import * as z from 'zod';
import { linesBefore } from '../../../../base/files/index.ts';
import { InputError } from '../../../../base/index.ts';
import type { SuperstepRow } from '../../../events/index.ts';
import { readCsv } from '../csv.ts';
import { JOURNAL_FILE, STARTED_FILE, type JournalLine } from '../disk-record.ts';
import { failureColumns, laterColumns, superstepColumns, type Failure, type RunEvents } from '../events.ts';
import { readBytes, readNumbers } from '../numbers.ts';
import { checkFailures, checkPages, checkRows, checkTimes, withFile } from './read-run.ts';
import type { RunOrigin } from '../record.ts';
import { checkFormat, type RunHeader } from '../run-record.ts';

/** What a run left that did not come to its end. */
export interface IncompleteRun<E = unknown> extends RunHeader<E>, RunOrigin {
  readonly folder: string;
  /** The last superstep that is in it. */
  readonly superstep: number;
  /** Up to that superstep, as if the run had ended there; files do not name the processor of a page. */
  readonly events: Omit<RunEvents, 'processors'>;
}

/** Whether the folder holds a journal, even as a bad link: the record of a run that still runs or was killed. */
export function isIncomplete(folder: string): boolean {
  try {
    return lstatSync(join(folder, JOURNAL_FILE), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // No folder.
  }
}

/** Whether the record of a run that was killed has a superstep. */
export function hasSuperstep(folder: string): boolean {
  const path = join(folder, JOURNAL_FILE);
  return withFile(path, (file) => linesBefore(file, path, fstatSync(file).size).next().done !== true);
}

/**
 * Reads the record of a run that was killed, up to its last superstep of which every file holds all; files may end
 * anywhere after that.
 * @throws InputError naming the file, where no superstep is whole, or a file is damaged or of another version.
 */
export function readIncomplete<E>(folder: string): IncompleteRun<E> {
  const path = (name: string): string => join(folder, name);
  const header = readHeader<E>(path(STARTED_FILE));
  const lengths = ['order.u32', 'times.f64', 'failures.csv', 'supersteps.csv'].map((name) =>
    statSync(path(name), { throwIfNoEntry: false })?.size ?? 0);
  const isThere = ({ fetched, failuresBytes, superstepsBytes }: JournalLine): boolean =>
    [4 * fetched, 16 * fetched, failuresBytes, superstepsBytes].every((bytes, i) => bytes <= lengths[i]);
  const lines = journalLines(path(JOURNAL_FILE));
  while (lines.length > 0 && !isThere(lines[lines.length - 1])) lines.pop();
  const last = lines.at(-1);
  if (last === undefined)
    throw new InputError(
      `${folder}: the run was ended before its first superstep was recorded; there is nothing to read`,
    );
  return { ...header, folder, superstep: last.superstep, events: readEvents(path, lines, last, header) };
}

/** The journal's last whole line: all files are there up to it. Undefined before the first superstep. */
export function lastCut(folder: string): JournalLine | undefined {
  const path = join(folder, JOURNAL_FILE);
  return withFile(path, (file) => {
    const line = linesBefore(file, path, fstatSync(file).size).next().value;
    return line && parsedLine(line.text, `${path}: its last line`);
  });
}

/** The facts that an unfinished run recorded as it began. @throws InputError as readIncomplete. */
export function readStarted<E>(folder: string): RunHeader<E> & RunOrigin {
  return readHeader(join(folder, STARTED_FILE));
}

const count = z.int().min(0);

const startedSchema = z.looseObject({
  version: z.string(),
  format: z.int().optional(),
  command: z.string().optional(),
  graph: z.string().optional(),
  scores: z.string().optional(),
  origins: z.object({ superstepLimit: z.string(), pending: z.string() }),
  dataset: z.looseObject({ name: z.string(), pages: count, arcs: count, sha256: z.string() }).optional(),
  experiment: z.looseObject({
    seed: z.int(), processors: z.int().min(1), robots: z.int().min(1), superstepLimit: z.number().optional(),
    politenessMs: z.number(), seedPages: z.array(count),
  }),
});

function readHeader<E>(path: string): RunHeader<E> & RunOrigin {
  let value: unknown;
  try {
    value = JSON.parse(withFile(path, (file) => allOf(file, path)).toString());
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${path}: is not JSON (${(error as Error).message})`);
  }
  const parsed = startedSchema.safeParse(value);
  if (parsed.success) {
    checkFormat(parsed.data.format, path);
    const header = value as RunHeader<E> & RunOrigin;
    return { ...header, experiment: withEarlierDefaults(header.experiment) };
  }
  const [issue] = parsed.error.issues;
  throw new InputError(
    `${path}: is not the start of a record: ${issue.path.join('.') || 'the whole'}: ${issue.message}`,
  );
}

const lineSchema = z.object({
  superstep: count, fetched: count, failures: count, failuresBytes: count, superstepsBytes: count,
  unobserved: z.array(count).optional(),
  crashes: z.array(z.object({
    superstep: count, processor: count, atUs: z.number(), resumedUs: z.number(),
  })).optional(),
  changes: changesSchema.optional(),
});

/** Whole lines; the last may have been cut while it was written. */
function journalLines(path: string): JournalLine[] {
  const text = withFile(path, (file) => allOf(file, path)).toString();
  return text.slice(0, text.lastIndexOf('\n') + 1).trimEnd().split('\n').filter(Boolean)
    .map((line, i) => parsedLine(line, `${path}:${i + 1}`));
}

function parsedLine(line: string, place: string): JournalLine {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch {
    throw new InputError(`${place}: is not a line of a journal; it is damaged, or of another version`);
  }
}

function readEvents(
  path: (name: string) => string, lines: readonly JournalLine[], last: JournalLine, { experiment }: RunHeader,
): IncompleteRun['events'] {
  const numbers = <T extends Uint32Array | Float64Array>(name: string, into: T): T =>
    withFile(path(name), (file) => readNumbers(file, path(name), into));
  const text = (name: string, bytes: number): Buffer =>
    withFile(path(name), (file) => readBytes(file, path(name), Buffer.allocUnsafe(bytes)));
  const rowsPath = path('supersteps.csv');
  const failuresPath = path('failures.csv');
  const rowsText = text('supersteps.csv', last.superstepsBytes);
  const rows = readCsv<SuperstepRow>(rowsText, rowsPath, superstepColumns, [], laterColumns);
  checkRows(rows, experiment, rowsPath);
  const failures =
    readCsv<Failure>(text('failures.csv', last.failuresBytes), failuresPath, failureColumns, ['kind']);
  if (failures.length !== last.failures)
    throw new InputError(
      `${failuresPath}: has ${failures.length} rows where there were ${last.failures}; it is damaged`,
    );
  checkFailures(failures, last.fetched, failuresPath);
  const previous = lines.at(-2);
  const sinceOutcome = previous === undefined ? 0 : previous.fetched + previous.failures;
  const events = observed({
    order: numbers('order.u32', new Uint32Array(last.fetched)),
    times: numbers('times.f64', new Float64Array(2 * last.fetched)),
    failures, rows,
    crashes: lines.flatMap(({ crashes }) => crashes ?? []),
    changes: lines.flatMap(({ changes }) => changes ?? []),
  }, (last.unobserved ?? []).map((at) => sinceOutcome + at));
  checkPages(events.order, path('order.u32'));
  checkTimes(events.times, path('times.f64'));
  if (events.rows.reduce((sum, { pages }) => sum + pages, 0) !== events.order.length)
    throw new InputError(`${rowsPath}: its rows do not add up to the ${events.order.length} pages of order.u32`);
  return events;
}

/** Leaves out the outcomes at these positions, which ascend: the scheduler never observed them. */
function observed(events: IncompleteRun['events'], unobserved: readonly number[]): IncompleteRun['events'] {
  if (unobserved.length === 0) return events;
  const rest = new Set(unobserved);
  const { order, times, failures } = events;
  const remaining: Failure[] = [];
  let [pages, next, failed] = [0, 0, 0];
  const end = order.length + failures.length;
  for (let position = 0; position < end; position++) {
    const isFailure = failed < failures.length && failures[failed].position === position;
    if (isFailure) {
      const failure = failures[failed++];
      if (!rest.has(position)) remaining.push({ ...failure, position: pages + remaining.length });
      continue;
    }
    const page = next++;
    if (rest.has(position)) continue;
    order[pages] = order[page];
    times.copyWithin(2 * pages, 2 * page, 2 * page + 2);
    pages++;
  }
  return { ...events, order: order.subarray(0, pages), times: times.subarray(0, 2 * pages), failures: remaining };
}

function allOf(file: number, path: string): Buffer {
  return readBytes(file, path, Buffer.allocUnsafe(fstatSync(file).size));
}
