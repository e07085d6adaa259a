import { closeSync, existsSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { openRegular, readRegular } from '../../../../base/files/index.ts';
import { checkText, IdIndex, InputError, wrongArgument } from '../../../../base/index.ts';
import { withEarlierDefaults } from '../../../settings/index.ts';
import type { RunJson } from '../record.ts';
import { readCsv } from '../csv.ts';
import {
  failureColumns, givenUpColumns, HOSTS_GIVEN_UP_FILE, laterColumns, recordedKinds, superstepColumns, type Failure,
  type HostGivenUpRow, type RunEvents, type SuperstepRow,
} from '../events.ts';
import { readNumbers } from '../numbers.ts';
import { checkFormat } from '../run-record.ts';

/**
 * The content of `run.json` in a folder of `simulate --out`.
 *
 * @param folder - path of the folder.
 * @returns settings and figures of the run.
 * @throws InputError if there is no such file, or it is not the record of a run.
 */
export async function readRunJson<E>(folder: string): Promise<RunJson<E>> {
  checkText('folder', folder);
  const path = join(folder, 'run.json');
  let run: unknown;
  try {
    run = JSON.parse((await bytesOf(path)).toString('utf8'));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${path}: is not JSON (${(error as Error).message})`);
  }
  const parsed = minimum.safeParse(run);
  if (parsed.success) checkFormat(parsed.data.format, path);
  if (parsed.success) {
    const record = run as RunJson<E>;
    return { ...record, experiment: withEarlierDefaults(record.experiment) };
  }
  const [issue] = parsed.error.issues;
  throw new InputError(`${path}: is not a record of a run: ${issue.path.join('.') || 'the whole'}: ${issue.message}`);
}

/** The fields that every use of a run needs; all others may be of another version. */
const minimum = z.looseObject({
  version: z.string(),
  format: z.int().optional(),
  replayHash: z.string(),
  experiment: z.looseObject({ seed: z.int() }),
  dataset: z.looseObject({ name: z.string(), sha256: z.string() }),
  summary: z.looseObject({
    ended: z.string(), pagesFetched: z.int().min(0), quality: z.looseObject({ pagerankArea: z.number() }),
  }),
});

/**
 * What happened in the run whose record lies in `folder`, as far as recorded. Files do not name the processor of
 * a page; what failed is read by `readFailures`.
 *
 * @param folder - path of the folder.
 * @param run - the result of `readRunJson` for the same folder.
 * @returns the events; the caller owns the arrays. Processors at rest have no rows: `everyRow` fills them in.
 * @throws InputError if a file is missing, truncated or of another version, or a page was fetched twice.
 */
export async function readRunEvents(
  folder: string, run: RunJson,
): Promise<Pick<RunEvents, 'order' | 'times' | 'rows'>> {
  checkText('folder', folder);
  if ((run as RunJson | undefined)?.summary === undefined)
    throw wrongArgument('run', 'what readRunJson returns', run);
  const { experiment, summary: { pagesFetched } } = run;
  const order = numbersIn(join(folder, 'order.u32'), pagesFetched, 4, (count) => new Uint32Array(count));
  checkPages(order, join(folder, 'order.u32'));
  const times = numbersIn(join(folder, 'times.f64'), pagesFetched, 16, (count) => new Float64Array(2 * count));
  checkTimes(times, join(folder, 'times.f64'));
  const path = join(folder, 'supersteps.csv');
  const rows = readCsv<SuperstepRow>(await bytesOf(path), path, superstepColumns, [], laterColumns);
  checkRows(rows, experiment, path);
  return { order, times, rows };
}

/** The numbers of all pages. The size is checked before there is memory for as many pages as the record claims. */
function numbersIn<T extends Uint32Array | Float64Array>(
  path: string, pages: number, pageBytes: number, make: (pages: number) => T,
): T {
  return withFile(path, (file) => {
    const { size } = fstatSync(file);
    if (size === pageBytes * pages) return readNumbers(file, path, make(pages));
    throw new InputError(`${path}: has ${size} bytes, not the ${pageBytes * pages} of ${pages} pages`);
  });
}

/**
 * The outcomes that brought no page, of the run whose record lies in `folder`.
 *
 * @param run - the result of `readRunJson` for the same folder.
 * @throws InputError if the file is missing, damaged or of another version.
 */
export async function readFailures(folder: string, { summary: { pagesFetched } }: RunJson): Promise<Failure[]> {
  const path = join(folder, 'failures.csv');
  const failures = readCsv<Failure>(await bytesOf(path), path, failureColumns, ['kind']);
  checkFailures(failures, pagesFetched, path);
  return failures;
}

/**
 * The hosts that a crawl gave up, without their ids; none if it has no `hosts-given-up.csv`.
 * @throws InputError if a row is malformed.
 */
export async function readHostsGivenUp(folder: string): Promise<Omit<HostGivenUpRow, 'host'>[]> {
  const path = join(folder, HOSTS_GIVEN_UP_FILE);
  return existsSync(path) ? readCsv<HostGivenUpRow>(await bytesOf(path), path, givenUpColumns, ['name', 'reason']) : [];
}

/** @throws InputError where a failure is none, or stands where no outcome can. */
export function checkFailures(failures: readonly Failure[], fetched: number, path: string): void {
  for (const [i, { kind, position, page, processor }] of failures.entries()) {
    const isKnown = (recordedKinds as readonly string[]).indexOf(kind) > 0;
    const isInOrder = [position, page, processor].every(Number.isSafeInteger)
      && position > (failures[i - 1]?.position ?? -1) && position <= fetched + i;
    if (!isKnown || !isInOrder)
      throw new InputError(
        `${path}:${i + 2}: ${isKnown ? 'is out of order' : 'names no kind of failure'}; it is damaged`,
      );
  }
}

/** @throws InputError where a page was fetched twice. */
export function checkPages(order: Uint32Array, path: string): void {
  const fetched = new IdIndex();
  order.forEach((page, i) => {
    if (fetched.add(page) < i) throw new InputError(`${path}: names page ${page} twice`);
  });
}

/** @throws InputError where times cannot be, or pages are out of the order in which they finished. */
export function checkTimes(times: Float64Array, path: string): void {
  for (let i = 0; i < times.length; i += 2) {
    const isInOrder = i === 0 || times[i + 1] >= times[i - 1];
    if (!(times[i] >= 0 && times[i] <= times[i + 1] && times[i + 1] < Infinity && isInOrder))
      throw new InputError(`${path}: page ${i / 2} of the order has times that cannot be; the file is damaged`);
  }
}

/** @throws InputError where a row is of a superstep, a processor or a moment that cannot be. */
export function checkRows(rows: readonly SuperstepRow[], experiment: unknown, path: string): void {
  const { processors = Infinity } = { ...(experiment as { readonly processors?: number } | null) };
  rows.forEach(({ superstep, processor, barrierUs }, i) => {
    const isThere = Number.isSafeInteger(superstep) && superstep >= 0 && barrierUs >= 0 && barrierUs < Infinity
      && Number.isSafeInteger(processor) && processor >= 0 && processor < processors;
    if (!isThere)
      throw new InputError(
        `${path}:${i + 2}: has superstep ${superstep}, processor ${processor} and barrier ${barrierUs}, which cannot ` +
          'be; the file is damaged',
      );
  });
}

/** Opens a file of a record for `read`. @throws InputError where there is none. */
export function withFile<T>(path: string, work: (file: number) => T): T {
  let file: number;
  try {
    file = openRegular(path);
  } catch (error) {
    throw unread(path, error);
  }
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/** Node has no longer buffers that become a text. */
const MAX_TEXT_BYTES = 2 ** 31 - 1;

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readRegular(path, MAX_TEXT_BYTES);
  } catch (error) {
    throw unread(path, error);
  }
}

function unread(path: string, error: unknown): InputError {
  if (error instanceof InputError) return error;
  const { code } = error as NodeJS.ErrnoException;
  return new InputError(`${path}: ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code ?? String(error)})`}`);
}
