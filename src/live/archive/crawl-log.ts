import { closeSync, ftruncateSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { writeError } from '../../base/files/index.ts';
import { assert, WorldError } from '../../base/index.ts';
import type { OutcomeKind } from '../../world/index.ts';

/** What became of one try of a page. Strings are as the network gave them. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly url: string;
  readonly kind: OutcomeKind;
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly bytes: number;
  /** Content-Type; '' where there was none. */
  readonly type: string;
  readonly depth: number;
  /** In words; '' where there is nothing to say. */
  readonly reason: string;
  /** Of the body; '' where it was not taken. */
  readonly digest: string;
}

/** Of types and reasons, which a host may make as long as its headers. */
const FIELD_CHARACTERS = 200;
const CHUNK_BYTES = 1 << 16;

/**
 * `crawl.log`: a line an outcome, for people and their tools; README.md tells its columns. Lines go to the system at
 * the end of the turn of the event loop that they were added in, so that a killed process loses no more than those; a
 * line torn by that is cut when the log is opened again. The store, not the log, says what was crawled.
 *
 * Memory   the lines of a turn.
 */
export class CrawlLog {
  readonly #path: string;
  readonly #file: number;
  #lines: string[] = [];
  #failure: WorldError | undefined;
  #isClosed = false;

  private constructor(path: string, file: number) {
    this.#path = path;
    this.#file = file;
  }

  /** Errors   InputError where the file may not be written; WorldError where the disk fails. */
  static open(path: string): Promise<CrawlLog> {
    return new Promise((resolve) => {
      try {
        const file = openSync(path, 'a+');
        const { size } = fstatSync(file);
        const end = wholeLinesEnd(file, size);
        if (end < size) ftruncateSync(file, end);
        resolve(new CrawlLog(path, file));
      } catch (error) {
        throw writeError(path, error);
      }
    });
  }

  /** Errors   WorldError where the disk refused lines that were added earlier. */
  add(line: LogLine): void {
    assert(!this.#isClosed, 'nothing is added to a log that is closed');
    if (this.#failure) throw this.#failure;
    if (this.#lines.length === 0) setImmediate(() => { this.#flush(); });
    this.#lines.push(logText(line));
  }

  /** Everything added is with the system then. Errors   WorldError where the disk refused some of it. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#isClosed) {
        this.#flush();
        this.#isClosed = true;
        closeSync(this.#file);
      }
      if (this.#failure) throw this.#failure;
      resolve();
    });
  }

  #flush(): void {
    if (this.#isClosed || this.#lines.length === 0) return;
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    if (this.#failure) return;
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      this.#failure = new WorldError(`${this.#path}: could not be written: ${(error as Error).message}`);
      this.#cut();
    }
  }

  /** Leaves whole lines alone. */
  #cut(): void {
    try {
      ftruncateSync(this.#file, wholeLinesEnd(this.#file, fstatSync(this.#file).size));
    } catch {
      // It is done when the log is opened again.
    }
  }
}

/** The line, its end included: printable ASCII without blanks in each column. */
export function logText({ atMs, url, kind, status, bytes, type, depth, reason, digest }: LogLine): string {
  const columns = [
    new Date(atMs).toISOString(), (status === 0 ? '-' : String(status)).padStart(3), String(bytes).padStart(10),
    kind.padEnd(13), String(depth).padStart(3), escaped(url), field(type), field(digest), field(reason),
  ];
  return `${columns.join(' ')}\n`;
}

function field(text: string): string {
  const cut = text.length <= FIELD_CHARACTERS ? text : `${text.slice(0, FIELD_CHARACTERS)}...`;
  return cut === '' ? '-' : escaped(cut.replaceAll('%', '%25'));
}

/** Blanks, control characters and all that is not ASCII percent-encoded, as UTF-8. */
function escaped(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, (run) => Buffer.from(run).toString('hex').toUpperCase().replace(/../g, '%$&'));
}

/** Length of the file up to the end of its last whole line. */
function wholeLinesEnd(file: number, size: number): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const read = readSync(file, chunk, 0, end - start, start);
    const at = chunk.lastIndexOf(10, read - 1);
    if (at >= 0 && read > 0) return start + at + 1;
    end = start;
  }
  return 0;
}
