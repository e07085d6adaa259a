import { open } from 'node:fs/promises';
import { bytesOf, readError } from '../../base/files/index.ts';

/** Enough to recognise a file: its first lines, unless they are absurdly long. */
const START_BYTES = 4096;

/** How a file begins. */
export class FileStart {
  readonly path: string;
  /** Its first 4 KiB as stored; fewer if it is shorter. */
  readonly stored: Uint8Array;
  readonly #unpacked: Uint8Array | { readonly fault: unknown };
  #lines: readonly string[] | undefined;

  constructor(path: string, stored: Uint8Array, unpacked: Uint8Array | { readonly fault: unknown }) {
    this.path = path;
    this.stored = stored;
    this.#unpacked = unpacked;
  }

  /** Its first 4 KiB, decompressed if it is gzip. Errors as bytesOf, for gzip that is damaged so early. */
  get bytes(): Uint8Array {
    if (this.#unpacked instanceof Uint8Array) return this.#unpacked;
    throw this.#unpacked.fault;
  }

  get text(): string {
    return Buffer.from(this.bytes).toString('latin1');
  }

  /** The last one may be cut. */
  get lines(): readonly string[] {
    return (this.#lines ??= this.text.split(/\r?\n/));
  }

  /** The lines that are surely whole. */
  get wholeLines(): readonly string[] {
    return this.bytes.length < START_BYTES ? this.lines : this.lines.slice(0, -1);
  }

  /** The first line that is neither blank nor a comment. */
  get firstLine(): string | undefined {
    return this.lines.find((line) => !/^[ \t]*([#%]|$)/.test(line));
  }

  /** XML or HTML, which may be in UTF-16. */
  get isMarkup(): boolean {
    return /^\s*</.test(this.text) || this.bytes[0] === 0xff || this.bytes[0] === 0xfe;
  }

  get isPlainText(): boolean {
    return this.bytes.every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));
  }
}

/** @throws InputError if the file cannot be read; damaged gzip is reported only if `bytes` are requested. */
export async function startOf(path: string): Promise<FileStart> {
  const stored = await storedStart(path);
  try {
    return new FileStart(path, stored, await unpackedStart(path));
  } catch (fault) {
    return new FileStart(path, stored, { fault });
  }
}

async function storedStart(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(new Uint8Array(START_BYTES), 0, START_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw readError(path, error);
  }
}

async function unpackedStart(path: string): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array(0);
  for await (const chunk of bytesOf(path)) {
    start = Buffer.concat([start, chunk.subarray(0, START_BYTES - start.length)]);
    if (start.length === START_BYTES) break;
  }
  return start;
}
