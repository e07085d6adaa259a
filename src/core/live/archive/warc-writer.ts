import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { readdir, rm, truncate, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeError, makeFolder } from '../../../base/files/index.ts';
import { assert, InputError, WorldError } from '../../../base/index.ts';
import type { Answer } from '../fetch/answer.ts';
import { RecordThread } from './record-thread.ts';
import { warcinfoRecord, type WarcFacts } from './warc-records.ts';

/** The end of records: number of the file, and its length after them. */
export interface WarcPlace {
  readonly file: number;
  readonly end: number;
}

/** The records of an answer, as they are being made. */
export interface WarcRecords {
  readonly bytes: Promise<Uint8Array>;
  readonly atMs: number;
}

interface Append {
  readonly bytes: Uint8Array;
  readonly atMs: number;
  readonly resolve: (place: WarcPlace) => void;
  readonly reject: (error: unknown) => void;
}

export interface WarcSettings {
  readonly warcFileBytes: number;
  /** Number of this machine in a crawl of several. */
  readonly node?: number | undefined;
}

/** With the number of the machine, where a crawl has several: their files may lie in one folder. */
export function warcFileName(file: number, node?: number): string {
  const part = node === undefined ? '' : `${node}-`;
  return `crawl-${part}${String(file).padStart(5, '0')}.warc.gz`;
}

/** The number of a file of this machine's; undefined for any other file. */
function fileNumber(name: string, node: number | undefined): number | undefined {
  const number = Number(/([0-9]{5,})\.warc\.gz$/.exec(name)?.[1]);
  return name === warcFileName(number, node) ? number : undefined;
}

/**
 * Writes requests and responses as WARC 1.1: `crawl-00000.warc.gz`, ..., each starting with a warcinfo record; every
 * record is a gzip member. Records are made on a thread (RecordThread) and appended here, all of a turn of the event
 * loop in one write: waiting for another thread to write costs several times as much.
 *
 * Memory   the records that are being written: the caller waits for them.
 */
export class WarcWriter {
  readonly #folder: string;
  readonly #node: number | undefined;
  readonly #fileBytes: number;
  readonly #facts: WarcFacts;
  readonly #thread: RecordThread;
  #number: number;
  /** Undefined until something is written to it. */
  #file: number | undefined;
  #length: number;
  /** Bytes of it that the system has. */
  #written: number;
  #waiting: Append[] = [];
  #failure: WorldError | undefined;
  readonly #open = new Set<Promise<unknown>>();
  #isClosed = false;

  private constructor(
    folder: string, { warcFileBytes, node }: WarcSettings, facts: WarcFacts, { file, end }: WarcPlace,
    thread: RecordThread,
  ) {
    this.#folder = folder;
    this.#node = node;
    this.#fileBytes = warcFileBytes;
    this.#facts = facts;
    this.#thread = thread;
    this.#number = file;
    this.#length = this.#written = end;
  }

  /**
   * Continues after the last records that are known to be stored, and removes whatever follows them, whole or torn;
   * without `last`, everything that a writer left in the folder.
   *
   * Errors   InputError if the folder may not be written, or its files do not match `last`.
   */
  static async open(
    folder: string, settings: WarcSettings, facts: WarcFacts,
    last: WarcPlace = { file: 0, end: 0 }, thread = new RecordThread(),
  ): Promise<WarcWriter> {
    const { node, warcFileBytes } = settings;
    try {
      await makeFolder(folder);
      if (last.end > 0) await cut(join(folder, warcFileName(last.file, node)), last.end);
      for (const name of await readdir(folder)) {
        const number = fileNumber(name, node);
        if (number !== undefined && (number > last.file || last.end === 0)) await rm(join(folder, name));
      }
    } catch (error) {
      throw writeError(join(folder, warcFileName(last.file, node)), error);
    }
    return new WarcWriter(folder, { warcFileBytes, node }, facts, last, thread);
  }

  /** Begins to make the records of an answer, which may be discarded: nothing is written yet. */
  records(answer: Answer, atMs: number): WarcRecords {
    const bytes = this.#thread.records(answer, atMs);
    // Nobody learns whether discarded records were made.
    bytes.catch(() => undefined);
    return { bytes, atMs };
  }

  /**
   * Stores the records of an answer and its request; fulfilled when the system has their bytes, in the order in which
   * they are stored.
   * Errors   WorldError if the disk refuses, now or earlier: then nothing more is written.
   */
  append(records: WarcRecords): Promise<WarcPlace> {
    assert(!this.#isClosed, 'a closed archive must not be written to');
    const appended = this.#append(records);
    this.#open.add(appended);
    const over = (): void => void this.#open.delete(appended);
    appended.then(over, over);
    return appended;
  }

  /** Makes and stores the records of an answer. Errors   as `append`. */
  write(answer: Answer, atMs: number): Promise<WarcPlace> {
    return this.append(this.records(answer, atMs));
  }

  /** Resolves once everything appended is stored or has failed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#open);
    await this.#thread.close();
    this.#closeFile();
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  async #append(records: WarcRecords): Promise<WarcPlace> {
    const { atMs } = records;
    const bytes = await records.bytes;
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => { this.#appendAll(); });
      this.#waiting.push({ bytes, atMs, resolve, reject });
    });
  }

  #appendAll(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      if (this.#failure) throw this.#failure;
      const places = this.#appendTogether(batch);
      batch.forEach(({ resolve }, i) => { resolve(places[i]); });
    } catch (error) {
      this.#failure ??= this.#failed(error);
      for (const { reject } of batch) reject(this.#failure);
    }
  }

  /**
   * The error to report for a failure. The file is cut after its last whole record; if that fails, it is cut when it is
   * opened again.
   */
  #failed(error: unknown): WorldError {
    const path = join(this.#folder, warcFileName(this.#number, this.#node));
    try {
      if (this.#written === 0) rmSync(path, { force: true });
      else if (this.#file !== undefined) ftruncateSync(this.#file, this.#written);
    } catch {
      // Done when the archive is opened again.
    }
    return new WorldError(`${path}: could not be written: ${error instanceof Error ? error.message : String(error)}`);
  }

  #appendTogether(batch: readonly Append[]): WarcPlace[] {
    const places: WarcPlace[] = [];
    let pieces: Uint8Array[] = [];
    const flush = (): void => {
      const bytes = Buffer.concat(pieces);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file!, bytes, at);
      pieces = [];
      this.#written = this.#length;
    };
    for (const { bytes, atMs } of batch) {
      if (this.#length >= this.#fileBytes) {
        flush();
        this.#closeFile();
        this.#number++;
        this.#length = this.#written = 0;
      }
      const name = warcFileName(this.#number, this.#node);
      this.#file ??= openSync(join(this.#folder, name), 'a');
      if (this.#length === 0) {
        const info = warcinfoRecord(name, this.#facts, atMs);
        pieces.push(info);
        this.#length += info.length;
      }
      pieces.push(bytes);
      this.#length += bytes.length;
      places.push({ file: this.#number, end: this.#length });
    }
    flush();
    return places;
  }
}

async function cut(path: string, end: number): Promise<void> {
  await checkWritten(path, end);
  await truncate(path, end);
}

/** @throws InputError for a file that is missing, or has fewer bytes than a crawl wrote to it. */
export async function checkWritten(path: string, end: number): Promise<void> {
  const { size } = await stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new InputError(`${path}: is missing; the crawl wrote ${end} bytes to it`);
    throw error;
  });
  if (size < end) throw new InputError(`${path}: was truncated: it has ${size} bytes; the crawl wrote ${end}`);
}
