import { createReadStream, type Dirent } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputError } from '../index.ts';
import { EXPANSION_LIMIT, isBomb } from './expansion.ts';

const CHUNK_BYTES = 1 << 20;
/** Compressed bytes per read: zlib's thread waits where one ends, so there are few. */
const COMPRESSED_CHUNK_BYTES = 1 << 22;

export interface BytesOptions {
  /** Maximum expansion ratio of compressed data, checked once the output exceeds 64 MiB; 250 by default. */
  readonly expansionLimit?: number | undefined;
  /** Called while a file is read, with the number of decompressed bytes so far. */
  readonly onBytes?: ((path: string, bytes: number) => void) | undefined;
}

/**
 * The bytes of a file in order, gunzipped if the file starts with a gzip header (one member or several), without a
 * leading UTF-8 byte order mark. A chunk is valid until the next one is requested: its memory is reused.
 *
 * Errors   InputError if the file is missing, a folder or unreadable, or its gzip data is truncated, corrupt or a bomb.
 * Cost     one read per MiB; gunzip runs on zlib's thread. Memory: a few chunks, whatever the size of the file.
 */
export async function* bytesOf(
  path: string, { expansionLimit = EXPANSION_LIMIT, onBytes }: BytesOptions = {},
): AsyncGenerator<Uint8Array, void, void> {
  let first = true;
  let bytes = 0;
  try {
    for await (const chunk of (await isGzip(path)) ? gunzipped(path, expansionLimit) : plain(path)) {
      if (chunk.length === 0) continue;
      onBytes?.(path, (bytes += chunk.length));
      yield first && startsWithMark(chunk) ? chunk.subarray(3) : chunk;
      first = false;
    }
  } catch (error) {
    throw readError(path, error);
  }
}

/** The entries of a folder. @throws InputError if it cannot be read. */
export async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw codeOf(error) === 'ENOTDIR' ? new InputError(`${folder}: is not a folder`) : readError(folder, error);
  });
}

/**
 * The names of the regular files in a folder, and of links to such, ascending. A pipe or a device is left out, whatever
 * its name: whoever reads it may wait for ever. @throws InputError if the folder cannot be read.
 */
export async function fileNamesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await entriesOf(folder)) if (await isFile(folder, entry)) names.push(entry.name);
  return names.sort();
}

async function isFile(folder: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return stat(join(folder, entry.name)).then((stats) => stats.isFile(), () => false);
}

/** Text of numbers, links and URLs is rarely smaller than this share of itself when it is compressed. */
const MAX_TEXT_EXPANSION = 16;

/**
 * About how many bytes bytesOf will yield: the size of the file, or what its gzip data say of their last member, within
 * reason, since anyone may have written it there. 0 if the file is missing.
 */
export async function textBytes(path: string): Promise<number> {
  try {
    const { size } = await stat(path);
    if (!(await isGzip(path)) || size < 4) return size;
    const file = await open(path);
    try {
      const trailer = Buffer.alloc(4);
      await file.read(trailer, 0, 4, size - 4);
      return Math.min(trailer.readUInt32LE(), MAX_TEXT_EXPANSION * size);
    } finally {
      await file.close();
    }
  } catch {
    return 0;
  }
}

/** The raw bytes of a file, chunk by chunk, each valid until the next one is requested. Errors as bytesOf. */
export async function* rawBytesOf(path: string): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* plain(path);
  } catch (error) {
    throw readError(path, error);
  }
}

/** The InputError for a file system or zlib failure at `path`; any other error is returned unchanged. */
export function readError(path: string, error: unknown): unknown {
  if (isMissing(error)) return new InputError(`${path}: there is no such file`);
  switch (codeOf(error)) {
    case 'EISDIR':
      return new InputError(`${path}: is a folder, not a file`);
    case 'EACCES':
    case 'EPERM':
      return new InputError(`${path}: may not be read (permission denied)`);
    case 'Z_BUF_ERROR':
      return new InputError(`${path}: its gzip data are truncated`);
    case 'Z_DATA_ERROR':
    case 'Z_NEED_DICT':
      return new InputError(`${path}: its gzip data are damaged`);
    default:
      // Other system errors on this file (an I/O error, too many open files) are not internal errors.
      return error instanceof Error && 'syscall' in error
        ? new InputError(`${path}: cannot be read: ${error.message}`)
        : error;
  }
}

/** Whether the file system reported that nothing has this name. */
export function isMissing(error: unknown): boolean {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENAMETOOLONG':
    case 'ELOOP':
    case 'ERR_INVALID_ARG_VALUE': // A name with a zero byte in it.
      return true;
    default:
      return false;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const head = new Uint8Array(2);
    await file.read(head, 0, 2, 0);
    return head[0] === 0x1f && head[1] === 0x8b;
  } finally {
    await file.close();
  }
}

async function* plain(path: string): AsyncGenerator<Uint8Array, void, void> {
  const file = await open(path);
  try {
    // The next chunk is read on another thread while this one is in use.
    let [buffer, spare] = [new Uint8Array(CHUNK_BYTES), new Uint8Array(CHUNK_BYTES)];
    let ahead = file.read(buffer, 0, CHUNK_BYTES, null);
    try {
      for (;;) {
        const { bytesRead } = await ahead;
        if (bytesRead === 0) return;
        [buffer, spare] = [spare, buffer];
        ahead = file.read(buffer, 0, CHUNK_BYTES, null);
        yield spare.subarray(0, bytesRead);
      }
    } finally {
      // A caller that stops early leaves a read in progress.
      await ahead.catch(() => undefined);
    }
  } finally {
    await file.close();
  }
}

async function* gunzipped(path: string, expansionLimit: number): AsyncGenerator<Uint8Array, void, void> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // A failure on either side reaches the loop below through the destroyed gunzip, so the callback does nothing.
  pipeline(createReadStream(path, { highWaterMark: COMPRESSED_CHUNK_BYTES }), gunzip, () => undefined);
  let output = 0;
  for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
    output += chunk.length;
    if (isBomb(gunzip.bytesWritten, output, expansionLimit)) {
      throw new InputError(
        `${path}: its gzip data grow more than ${expansionLimit} times: ${gunzip.bytesWritten} bytes became ${output}. ` +
          'Is it a gzip bomb? --expansion-limit raises what is allowed',
      );
    }
    // V8 treats Buffer as another class, and parsers that see both become slower on either.
    yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
  }
}

function startsWithMark(chunk: Uint8Array): boolean {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
}
