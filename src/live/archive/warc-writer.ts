import { open, readdir, rm, truncate, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { writeAll, writeError, makeFolder } from '../../base/files/index.ts';
import { assert, InputError, WorldError } from '../../base/index.ts';
import type { Answer } from '../fetch/answer.ts';
import { answerRecords, warcinfoRecord, type WarcFacts } from './warc-records.ts';

/** Where records end: number of the file, and its length after them. */
export interface WarcPlace {
  readonly file: number;
  readonly end: number;
}

interface Append {
  readonly bytes: Buffer;
  readonly atMs: number;
  readonly resolve: (place: WarcPlace) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes a third of the time of zlib's default level, for files that are a sixth larger (200 pages of documentation).
 */
const GZIP_LEVEL = 3;
const FILE_NAME = /^crawl-([0-9]{5,})\.warc\.gz$/;

/**
 * Records up to this size are compressed on the caller's thread: a round trip to another thread costs some 100
 * microseconds.
 */
const MAX_INLINE_BYTES = 16 << 10;

const gzipped = promisify(gzip);

async function compressed(pieces: readonly Buffer[]): Promise<Buffer> {
  const record = Buffer.concat(pieces);
  return record.length <= MAX_INLINE_BYTES
    ? gzipSync(record, { level: GZIP_LEVEL })
    : gzipped(record, { level: GZIP_LEVEL });
}

export function warcFileName(file: number): string {
  return `crawl-${String(file).padStart(5, '0')}.warc.gz`;
}

/**
 * Writes requests and responses as WARC 1.1: `crawl-00000.warc.gz`, ..., each starting with a warcinfo record; every
 * record is a gzip member of its own. Large records are compressed on the system's threads; everything compressed while
 * the last append was running is appended at once.
 *
 * Memory   what is being written: the caller waits for it.
 */
export class WarcWriter {
  readonly #folder: string;
  readonly #fileBytes: number;
  readonly #facts: WarcFacts;
  #number: number;
  /** Undefined until something is written to it. */
  #file: FileHandle | undefined;
  #length: number;
  /** Bytes of it that the system has. */
  #written: number;
  #waiting: Append[] = [];
  #isAppending = false;
  #failure: WorldError | undefined;
  /** Writes that have not finished. */
  readonly #open = new Set<Promise<unknown>>();
  #isClosed = false;

  private constructor(folder: string, fileBytes: number, facts: WarcFacts, { file, end }: WarcPlace) {
    this.#folder = folder;
    this.#fileBytes = fileBytes;
    this.#facts = facts;
    this.#number = file;
    this.#length = this.#written = end;
  }

  /**
   * Continues after the last records that are known to be stored: whatever follows them, whole or torn, is removed.
   * Without `last`, everything that a writer left in the folder is removed.
   *
   * Errors   InputError if the folder may not be written, or its files do not match `last`.
   */
  static async open(
    folder: string, settings: { readonly warcFileBytes: number }, facts: WarcFacts,
    last: WarcPlace = { file: 0, end: 0 },
  ): Promise<WarcWriter> {
    try {
      await makeFolder(folder);
      if (last.end > 0) await cut(join(folder, warcFileName(last.file)), last.end);
      for (const name of await readdir(folder)) {
        const number = FILE_NAME.exec(name)?.[1];
        if (number !== undefined && (Number(number) > last.file || last.end === 0)) await rm(join(folder, name));
      }
    } catch (error) {
      throw writeError(join(folder, warcFileName(last.file)), error);
    }
    return new WarcWriter(folder, settings.warcFileBytes, facts, last);
  }

  /**
   * Stores an answer and its request; fulfilled when the system has their bytes.
   * Errors   WorldError if the disk refuses, now or earlier: then nothing more is written.
   */
  write(answer: Answer, atMs: number): Promise<WarcPlace> {
    assert(!this.#isClosed, 'a closed archive must not be written to');
    const written = this.#write(answer, atMs);
    this.#open.add(written);
    const over = (): void => void this.#open.delete(written);
    written.then(over, over);
    return written;
  }

  /** Resolves once every write has finished or failed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#open);
    await this.#file?.close();
    this.#file = undefined;
  }

  async #write(answer: Answer, atMs: number): Promise<WarcPlace> {
    const records = await Promise.all(answerRecords(answer, atMs).map(compressed));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes: Buffer.concat(records), atMs, resolve, reject });
      if (!this.#isAppending) void this.#appendAll();
    });
  }

  async #appendAll(): Promise<void> {
    this.#isAppending = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#failure) throw this.#failure;
        const places = await this.#append(batch);
        batch.forEach(({ resolve }, i) => resolve(places[i]));
      } catch (error) {
        this.#failure ??= await this.#failed(error);
        for (const { reject } of batch) reject(this.#failure);
      }
    }
    this.#isAppending = false;
  }

  /**
   * The error to report for a failure. The file is cut after its last whole record; if that fails, it is cut when it is
   * opened again.
   */
  async #failed(error: unknown): Promise<WorldError> {
    const path = join(this.#folder, warcFileName(this.#number));
    const cut = this.#written === 0 ? rm(path, { force: true }) : this.#file?.truncate(this.#written);
    await cut?.catch(() => undefined);
    return new WorldError(`${path}: could not be written: ${error instanceof Error ? error.message : String(error)}`);
  }

  /** All records of a file in one write. */
  async #append(batch: readonly Append[]): Promise<WarcPlace[]> {
    const places: WarcPlace[] = [];
    let pieces: Buffer[] = [];
    const flush = async (): Promise<void> => {
      if (pieces.length > 0) await writeAll(this.#file!, Buffer.concat(pieces));
      pieces = [];
      this.#written = this.#length;
    };
    for (const { bytes, atMs } of batch) {
      if (this.#length >= this.#fileBytes) {
        await flush();
        await this.#file?.close();
        this.#file = undefined;
        this.#number++;
        this.#length = this.#written = 0;
      }
      const name = warcFileName(this.#number);
      this.#file ??= await open(join(this.#folder, name), 'a');
      if (this.#length === 0) {
        const info = await compressed(warcinfoRecord(name, this.#facts, atMs));
        pieces.push(info);
        this.#length += info.length;
      }
      pieces.push(bytes);
      this.#length += bytes.length;
      places.push({ file: this.#number, end: this.#length });
    }
    await flush();
    return places;
  }
}

async function cut(path: string, end: number): Promise<void> {
  const { size } = await stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new InputError(`${path}: is missing; the crawl wrote ${end} bytes to it`);
    throw error;
  });
  if (size < end) throw new InputError(`${path}: was truncated: it has ${size} bytes; the crawl wrote ${end}`);
  await truncate(path, end);
}
