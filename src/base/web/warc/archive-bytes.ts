import { open, type FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync, type InflateRaw, type ZlibOptions } from 'node:zlib';
import { readError, EXPANSION_LIMIT, isBomb } from '../../files/index.ts';

/** A piece of an archive's bytes, decompressed. Valid until the next one is requested. */
export interface ArchivePiece {
  readonly bytes: Uint8Array;
  /** Whether these are the first bytes of a gzip member, or of a file that is not gzip. */
  readonly first: boolean;
  /** Offset in the file of the gzip member; 0 in a file that is not gzip. */
  readonly memberAt: number;
  /** Length of the file if it is not gzip, so that a record that leads beyond its end is detected at once. */
  readonly plainBytes?: number | undefined;
}

/** An error in the file at an offset; the pieces continue after it. */
export interface ArchiveFault {
  readonly fault: string;
  readonly memberAt: number;
}

const CHUNK_BYTES = 1 << 16;
/** Compressed bytes that are searched for whole members at once: most pages are small. */
const MEMBERS_BYTES = 1 << 18;
/** Decompressed bytes of a member that is not streamed. */
const SMALL_MEMBER_BYTES = 1 << 20;

const TRAILER_BYTES = 8;

/** Errors after which the rest of a file is skipped: each may waste the decompression of a chunk. */
const MAX_FAULTS = 1000;

/**
 * The bytes of a WARC file in order, gunzipped member by member if it is gzip. Damage costs only the damaged member:
 * its last piece is held back until its checksum is verified, so that a record that fills a member is either whole or
 * absent, and reading continues at the next place that looks like the start of a member.
 *
 * @param endBytes - where reading ends, as if the file did; by default its end.
 * Errors   InputError if the file is missing or cannot be read. Damage is reported as an ArchiveFault among the pieces.
 * Cost     O(bytes); memory: 2 MiB at most, whatever the file holds.
 */
export async function* archiveBytes(
  path: string, expansionLimit: number = EXPANSION_LIMIT, endBytes = Infinity,
): AsyncGenerator<ArchivePiece | ArchiveFault, void, void> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const size = Math.min((await file.stat()).size, endBytes);
    const isGzip = (await readAt(file, 0, 2)).equals(Buffer.from([0x1f, 0x8b]));
    yield* isGzip ? members(file, size, expansionLimit) : plain(file, size, endBytes);
  } catch (error) {
    throw readError(path, error);
  } finally {
    await file?.close();
  }
}

async function* plain(
  file: FileHandle, size: number, endBytes: number,
): AsyncGenerator<ArchivePiece, void, void> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK_BYTES, endBytes - at), at);
    if (bytesRead === 0) return;
    yield { bytes: buffer.subarray(0, bytesRead), first: at === 0, memberAt: 0, plainBytes: size };
    at += bytesRead;
  }
}

async function* members(
  file: FileHandle, size: number, expansionLimit: number,
): AsyncGenerator<ArchivePiece | ArchiveFault, void, void> {
  let faults = 0;
  let searching = false;
  for (let at = 0; at < size; ) {
    const start = at;
    for (const { bytes, length } of smallMembers(await readAt(file, at, Math.min(MEMBERS_BYTES, size - at)))) {
      if (bytes.length > 0) yield { bytes, first: true, memberAt: at };
      at += length;
    }
    if (at > start) {
      searching = false;
      continue;
    }
    const member = memberAt(file, at, expansionLimit);
    let first = true;
    let next = await member.next();
    for (; next.done !== true; next = await member.next()) {
      yield { bytes: next.value, first, memberAt: at };
      first = false;
    }
    const { fault, end } = next.value;
    if (fault === undefined) {
      searching = false;
      at = end;
      continue;
    }
    // A place that only looks like a member, found while searching for the next one, is not an error in the file.
    if (!searching || !first) yield { fault, memberAt: at };
    searching = true;
    const nextPart = await nextMember(file, Math.max(at + 1, end));
    if (++faults === MAX_FAULTS && nextPart < size) {
      yield { fault: `the ${MAX_FAULTS}th fault: the rest of the file is not read`, memberAt: nextPart };
      return;
    }
    at = nextPart;
  }
}

/**
 * The members that begin some bytes, one after the other, up to one that is large, damaged or not all there: that one
 * is streamed, which says what is wrong with it. Streams take a third of a millisecond per member, this a tenth of it.
 */
function* smallMembers(bytes: Buffer): Generator<{ readonly bytes: Uint8Array; readonly length: number }> {
  for (let at = 0; at < bytes.length; ) {
    const header = gzipHeaderBytes(bytes.subarray(at));
    if (header === undefined) return;
    const inflated = inflatedStart(bytes.subarray(at + header));
    if (inflated === undefined) return;
    const end = at + header + inflated.length + TRAILER_BYTES;
    const trailer = bytes.subarray(end - TRAILER_BYTES, end);
    if (!isTrailerOf(trailer, crc32(inflated.bytes), inflated.bytes.length)) return;
    yield { bytes: inflated.bytes, length: end - at };
    at = end;
  }
}

/** What deflated bytes at the beginning of others become, and their length; undefined unless small and sound. */
function inflatedStart(bytes: Buffer): { readonly bytes: Uint8Array; readonly length: number } | undefined {
  try {
    const options: ZlibOptions = { info: true, maxOutputLength: SMALL_MEMBER_BYTES };
    // With `info` it returns this; its types do not say so.
    const { buffer, engine } = inflateRawSync(bytes, options) as unknown as { buffer: Buffer; engine: InflateRaw };
    return { bytes: buffer, length: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** Whether these are the checksum and the length (RFC 1952) of what a member has. */
function isTrailerOf(trailer: Buffer, crc: number, length: number): boolean {
  return trailer.length === TRAILER_BYTES && trailer.readUInt32LE(0) === crc &&
    trailer.readUInt32LE(4) === length % 2 ** 32;
}

/**
 * The bytes of the member at an offset; returns where it ends, or what is wrong with it and where to continue the
 * search.
 */
async function* memberAt(
  file: FileHandle, at: number, expansionLimit: number,
): AsyncGenerator<Uint8Array, { fault?: string; end: number }, void> {
  const header = gzipHeaderBytes(await readAt(file, at, CHUNK_BYTES));
  if (header === undefined) return { fault: 'no gzip member begins here', end: at };
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
  // A failure on either side reaches the loop below through the destroyed inflate, so the callback does nothing.
  pipeline(
    Readable.from(bytesFrom(file, at + header), { objectMode: true, highWaterMark: 1 }), inflate, () => undefined,
  );
  let lastPiece: Uint8Array | undefined;
  let crc = 0;
  let length = 0;
  try {
    for await (const chunk of inflate as AsyncIterable<Uint8Array>) {
      if (lastPiece) yield lastPiece;
      lastPiece = chunk;
      crc = crc32(chunk, crc);
      length += chunk.length;
      if (isBomb(inflate.bytesWritten, length, expansionLimit)) {
        return {
          fault: `the gzip member grows more than ${expansionLimit} times: not read further`,
          end: at + header + inflate.bytesWritten,
        };
      }
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'Z_DATA_ERROR' && code !== 'Z_BUF_ERROR') throw error;
    const how = code === 'Z_BUF_ERROR' ? 'is truncated' : 'is damaged';
    return { fault: `the gzip member ${how}`, end: at + header + inflate.bytesWritten };
  } finally {
    inflate.destroy();
  }
  const end = at + header + inflate.bytesWritten;
  const trailer = await readAt(file, end, TRAILER_BYTES);
  if (trailer.length < TRAILER_BYTES) return { fault: 'the gzip member is truncated', end };
  if (!isTrailerOf(trailer, crc, length))
    return { fault: 'the gzip member is damaged: its checksum does not match', end };
  if (lastPiece) yield lastPiece;
  return { end: end + TRAILER_BYTES };
}

async function* bytesFrom(file: FileHandle, from: number): AsyncGenerator<Buffer, void, void> {
  for (let at = from; ; ) {
    const chunk = await readAt(file, at, CHUNK_BYTES);
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}

/**
 * The first offset from `from` on where a gzip member may begin; a value far beyond the end of the file if there is
 * none.
 */
async function nextMember(file: FileHandle, from: number): Promise<number> {
  for (let at = from; ; ) {
    const chunk = await readAt(file, at, CHUNK_BYTES);
    for (let i = chunk.indexOf(0x1f); i >= 0; i = chunk.indexOf(0x1f, i + 1)) {
      if (chunk[i + 1] === 0x8b && chunk[i + 2] === 8 && (chunk[i + 3] & 0xe0) === 0) return at + i;
    }
    if (chunk.length < CHUNK_BYTES) return Infinity;
    at += chunk.length - 3; // A member's start may span two chunks.
  }
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/**
 * Length of the gzip header (RFC 1952) that `bytes` begin with; undefined if it is not one, or does not end within
 * them.
 */
export function gzipHeaderBytes(bytes: Uint8Array): number | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8 || (bytes[3] & 0xe0) !== 0) return undefined;
  const flags = bytes[3];
  let length = 10;
  if ((flags & 4) !== 0) length += 2 + (bytes[length] | (bytes[length + 1] << 8));
  for (const width of [8, 16]) {
    if ((flags & width) === 0) continue;
    const zero = bytes.indexOf(0, length);
    if (zero < 0) return undefined;
    length = zero + 1;
  }
  if ((flags & 2) !== 0) length += 2;
  return length <= bytes.length ? length : undefined;
}
