import { closeSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { linesBefore, openRegular, type LineBefore } from '../../../../base/files/index.ts';
import { InputError } from '../../../../base/index.ts';
import { failureColumns, recordedKinds } from '../events.ts';
import { readBytes, readNumbers } from '../numbers.ts';
import { lastCut } from './read-incomplete.ts';
import { withFile } from './read-run.ts';

/** A place in the total order of the outcomes of a record. */
export interface OutcomePlace {
  /** Outcomes before it. */
  readonly position: number;
  /** How many of them are fetched pages. */
  readonly pages: number;
  /** Where `failures.csv` ends for the others. */
  readonly failuresBytes: number;
}

export interface RecordedOutcome {
  readonly page: number;
  /** `fetched`, or the kind of the failure. */
  readonly kind: string;
  /** Null of a page fetched: files do not name its processor, the partition does. */
  readonly processor: number | null;
  readonly startedUs: number;
  readonly finishedUs: number;
  /** Its place: all earlier outcomes are before it. */
  readonly place: OutcomePlace;
}

const CHUNK_PAGES = 4096;
const PIECE_BYTES = 1 << 20;
const NEWLINE = 10;

/** The end of a finished record. O(bytes of `failures.csv`). @throws InputError where the files do not fit `pages`. */
export function endOfRecord(folder: string, pages: number): OutcomePlace {
  const path = join(folder, 'failures.csv');
  return withFile(path, (file) => {
    const failuresBytes = fstatSync(file).size;
    let lines = 0;
    for (let from = 0; from < failuresBytes; from += PIECE_BYTES) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, failuresBytes - from));
      readBytes(file, path, piece, from);
      for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) lines++;
    }
    if (lines === 0) throw new InputError(`${path}: has no header; it is damaged`);
    return { position: pages + lines - 1, pages, failuresBytes };
  });
}

/** As far as the record of a run under way is written; undefined before its first superstep. */
export function endOfIncomplete(folder: string): OutcomePlace | undefined {
  const cut = lastCut(folder);
  return cut && {
    position: cut.fetched + cut.failures, pages: cut.fetched, failuresBytes: cut.failuresBytes,
  };
}

/**
 * The outcomes of a record before a place, the last one first. Files are read in pieces, as outcomes are asked for.
 *
 * Errors  InputError naming the file that is missing, damaged or shorter than the place says.
 */
export function* outcomesBefore(folder: string, place: OutcomePlace): Generator<RecordedOutcome, undefined> {
  const files: number[] = [];
  const open = (name: string): number => {
    const file = opened(join(folder, name));
    files.push(file);
    return file;
  };
  try {
    const failures = failuresBefore(open('failures.csv'), join(folder, 'failures.csv'), place.failuresBytes);
    const pages = new PagesBefore(folder, open('order.u32'), open('times.f64'));
    let failure = failures.next().value;
    let { position, pages: pagesLeft } = place;
    let failuresBytes = place.failuresBytes;
    while (position > 0) {
      position--;
      if (failure?.position === position) {
        failuresBytes = failure.begin;
        yield { ...failure.outcome, place: { position, pages: pagesLeft, failuresBytes } };
        failure = failures.next().value;
      } else if (pagesLeft > 0 && (failure === undefined || failure.position < position)) {
        pagesLeft--;
        yield { ...pages.at(pagesLeft), place: { position, pages: pagesLeft, failuresBytes } };
      } else throw new InputError(`${join(folder, 'failures.csv')}: does not fit order.u32; it is damaged`);
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}

function opened(path: string): number {
  try {
    return openRegular(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

interface PlacedFailure {
  readonly position: number;
  readonly begin: number;
  readonly outcome: Omit<RecordedOutcome, 'place'>;
}

function* failuresBefore(file: number, path: string, end: number): Generator<PlacedFailure, undefined> {
  for (const line of linesBefore(file, path, end)) {
    // The header.
    if (line.begin === 0) return;
    yield parsed(line, path);
  }
}

function parsed({ text, begin }: LineBefore, path: string): PlacedFailure {
  const values = text.split(',');
  const of = (column: (typeof failureColumns)[number]): number => Number(values[failureColumns.indexOf(column)]);
  const kind = values[failureColumns.indexOf('kind')];
  const [position, processor, page] = [of('position'), of('processor'), of('page')];
  const [startedUs, finishedUs] = [of('startedUs'), of('finishedUs')];
  const isWhole = values.length === failureColumns.length && [position, processor, page].every(Number.isInteger)
    && Number.isFinite(startedUs) && Number.isFinite(finishedUs)
    && (recordedKinds as readonly string[]).indexOf(kind) > 0;
  if (!isWhole) throw new InputError(`${path}: the row at byte ${begin} is not a failure; the file is damaged`);
  return { position, begin, outcome: { page, kind, processor, startedUs, finishedUs } };
}

/** Pages fetched by their number, read in chunks from the last one back. */
class PagesBefore {
  readonly #folder: string;
  readonly #files: { readonly order: number; readonly times: number };
  readonly #order = new Uint32Array(CHUNK_PAGES);
  readonly #times = new Float64Array(2 * CHUNK_PAGES);
  /** The first page in the chunk. */
  #from = Infinity;

  constructor(folder: string, order: number, times: number) {
    this.#folder = folder;
    this.#files = { order, times };
  }

  at(number: number): Omit<RecordedOutcome, 'place'> {
    if (number < this.#from) this.#read(Math.max(0, number + 1 - CHUNK_PAGES), number + 1);
    const i = number - this.#from;
    const [startedUs, finishedUs] = this.#times.subarray(2 * i, 2 * i + 2);
    return { page: this.#order[i], kind: 'fetched', processor: null, startedUs, finishedUs };
  }

  #read(from: number, to: number): void {
    const { order, times } = this.#files;
    const path = (name: string): string => join(this.#folder, name);
    readNumbers(order, path('order.u32'), this.#order.subarray(0, to - from), 4 * from);
    readNumbers(times, path('times.f64'), this.#times.subarray(0, 2 * (to - from)), 16 * from);
    this.#from = from;
  }
}
