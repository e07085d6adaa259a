import { readSync } from 'node:fs';
import { InputError } from '../../../base/index.ts';

const isBigEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

/** The bytes of a typed array as little-endian, whatever this machine's order: a view of it, or a swapped copy. */
export function littleEndian(values: Uint32Array | Float64Array): Uint8Array {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return isBigEndian ? swapped(Buffer.from(bytes), values.BYTES_PER_ELEMENT) : bytes;
}

/**
 * Fills `values` with the little-endian numbers of an open file from byte `from` on.
 * @param path for messages.
 * @throws InputError where the file is shorter.
 */
export function readNumbers<T extends Uint32Array | Float64Array>(
  file: number, path: string, values: T, from = 0,
): T {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  readBytes(file, path, bytes, from);
  if (isBigEndian) swapped(bytes, values.BYTES_PER_ELEMENT);
  return values;
}

/** Fills `bytes` from an open file, from its byte `from` on. @throws InputError where the file is shorter. */
export function readBytes(file: number, path: string, bytes: Buffer, from = 0): Buffer {
  for (let offset = 0; offset < bytes.length;) {
    const count = readSync(file, bytes, offset, Math.min(bytes.length - offset, 1 << 30), from + offset);
    if (count === 0) throw new InputError(`${path}: has ${from + offset} bytes, not ${from + bytes.length}; it is cut`);
    offset += count;
  }
  return bytes;
}

function swapped(bytes: Buffer, size: number): Buffer {
  return size === 4 ? bytes.swap32() : bytes.swap64();
}
