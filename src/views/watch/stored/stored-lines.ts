import { appendFileSync, closeSync, fstatSync, readSync } from 'node:fs';
import { linesBefore, openRegular } from '../../../base/files/index.ts';
import { InputError } from '../../../base/index.ts';
import { parsed } from '../lines.ts';

/** Bytes that wait to be written, about. */
const MAX_WAITING = 1 << 16;
const NEWLINE = 10;

/**
 * A file of a run that is watched, which grows by lines of JSON. It is for those who look on: where it cannot be
 * written, the run goes on without it.
 */
export class StoredLines {
  readonly #path: string;
  #waiting = '';
  #hasFailed = false;

  /** An existing file grows: its crawl is resumed. */
  constructor(path: string) {
    this.#path = path;
    // A process that was killed may have left a part of a line.
    if (endsWithinLine(path)) this.#waiting = '\n';
  }

  add(line: object): void {
    this.#waiting += `${JSON.stringify(line)}\n`;
    if (this.#waiting.length >= MAX_WAITING) this.flush();
  }

  /** Writes what waits: it then outlives the process. */
  flush(): void {
    const lines = this.#waiting;
    this.#waiting = '';
    if (lines === '' || this.#hasFailed) return;
    try {
      appendFileSync(this.#path, lines);
    } catch {
      this.#hasFailed = true;
    }
  }
}

/** A line of such a file, and where it begins. */
export interface StoredLine {
  readonly value: unknown;
  readonly begin: number;
}

/**
 * The lines of such a file that end at or before `end`, by default its own end, the last one first. Lines that are no
 * JSON are left out: a process was killed while it wrote them. Empty where there is no such file.
 *
 * Errors  InputError where it cannot be read.
 */
export function* storedLinesBefore(path: string, end = Infinity): Generator<StoredLine, undefined> {
  const file = opened(path);
  if (file === undefined) return;
  try {
    for (const { text, begin } of linesBefore(file, path, Math.min(end, fstatSync(file).size))) {
      const value = parsed(text);
      if (value !== undefined) yield { value, begin };
    }
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number | undefined {
  try {
    return openRegular(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new InputError(`${path}: cannot be read (${code})`);
  }
}

function endsWithinLine(path: string): boolean {
  try {
    const file = openRegular(path);
    try {
      const { size } = fstatSync(file);
      const last = Buffer.alloc(1);
      return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
