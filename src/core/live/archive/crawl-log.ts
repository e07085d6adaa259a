import { closeSync, ftruncateSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { writeError } from '../../../base/files/index.ts';
import { assert, WorldError } from '../../../base/index.ts';
import type { OutcomeKind } from '../../world/index.ts';
import type { LiveClock } from '../clock.ts';
import type { PageTimes } from '../fetch/answer.ts';

/**
 * The times of a page, microseconds: its robot's begin on the crawl's clock, without the wait for its host; the others
 * since then.
 */
export interface LoggedTimes {
  readonly startUs: number;
  /** Undefined if an open connection was used, or none was made. */
  readonly connectedUs: number | undefined;
  /** Undefined if no answer began. */
  readonly firstByteUs: number | undefined;
  readonly endUs: number;
  /** Its answer is read and stored: its robot is free. */
  readonly storedUs: number;
}

/** The result of a try of a page. Strings are as the network sent them. */
export interface LogLine {
  readonly atMs: number;
  readonly url: string;
  readonly kind: OutcomeKind;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly bytes: number;
  /** Content-Type; '' if there is none. */
  readonly type: string;
  readonly depth: number;
  readonly reason: string;
  /** Digest of the body; '' if it was not stored. */
  readonly digest: string;
  /** The times of the last request; undefined if none was made. */
  readonly times: LoggedTimes | undefined;
  /** How long the host asked not to be contacted, microseconds. */
  readonly pauseUs: number;
  /** The IP address that was asked; undefined if it is not known. */
  readonly address?: string | undefined;
}

/** Limit for types and reasons, which a host can make as long as its headers. */
const FIELD_CHARACTERS = 200;
const CHUNK_BYTES = 1 << 16;

/**
 * `crawl.log`: one line per outcome, for people and their tools; README.md lists its columns. Lines are handed to the
 * system at the end of the turn of the event loop in which they were added, so a killed process loses no more than
 * those; a line torn by a kill is cut off when the log is opened again. The authoritative record of the crawl is the
 * store, not the log.
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

  /** Errors   InputError if the file may not be written; WorldError if the disk fails. */
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

  /** Errors   WorldError if the disk refused lines that were added earlier. */
  add(line: LogLine): void {
    assert(!this.#isClosed, 'nothing is added to a log that is closed');
    if (this.#failure) throw this.#failure;
    if (this.#lines.length === 0) setImmediate(() => { this.#flush(); });
    this.#lines.push(logText(line));
  }

  /** Everything added has then been handed to the system. Errors   WorldError if the disk refused some of it. */
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
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    } catch (error) {
      this.#failure = new WorldError(`${this.#path}: could not be written: ${(error as Error).message}`);
      this.#cut();
    }
  }

  #cut(): void {
    try {
      ftruncateSync(this.#file, wholeLinesEnd(this.#file, fstatSync(this.#file).size));
    } catch {
      // Done when the log is opened again.
    }
  }
}

/** The times of a page whose last request ended, and that is stored now; undefined if there was none. */
export function loggedTimes(
  { startUs, connectedMs, firstByteMs, endMs }: PageTimes, clock: LiveClock,
): LoggedTimes | undefined {
  if (endMs === undefined) return undefined;
  const since = (ms: number): number => clock.usAt(ms) - startUs;
  return {
    startUs, connectedUs: connectedMs && since(connectedMs), firstByteUs: firstByteMs && since(firstByteMs),
    endUs: since(endMs), storedUs: clock.nowUs - startUs,
  };
}

/** The line with its line end: printable ASCII, without blanks within a column. */
export function logText(
  { atMs, url, kind, status, bytes, type, depth, reason, digest, times, pauseUs, address }: LogLine,
): string {
  const columns = [
    new Date(atMs).toISOString(), (status === 0 ? '-' : String(status)).padStart(3), String(bytes).padStart(10),
    kind.padEnd(13), String(depth).padStart(3), escaped(url), field(type), field(digest), field(reason),
    ...[times?.startUs, times?.connectedUs, times?.firstByteUs, times?.endUs, times?.storedUs].map((us) => us ?? '-'),
    pauseUs, address ?? '-',
  ];
  return `${columns.join(' ')}\n`;
}

function field(text: string): string {
  const cut = text.length <= FIELD_CHARACTERS ? text : `${text.slice(0, FIELD_CHARACTERS)}...`;
  return cut === '' ? '-' : escaped(cut.replaceAll('%', '%25'));
}

/** Percent-encodes blanks, control characters and everything that is not ASCII, as UTF-8. */
function escaped(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, (run) => Buffer.from(run).toString('hex').toUpperCase().replace(/../g, '%$&'));
}

/** Length of the file up to the end of its last whole line. */
function wholeLinesEnd(file: number, size: number): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const bytes = readSync(file, chunk, 0, end - start, start);
    const at = chunk.lastIndexOf(10, bytes - 1);
    if (at >= 0 && bytes > 0) return start + at + 1;
    end = start;
  }
  return 0;
}
