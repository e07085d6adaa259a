import { isUtf8 } from 'node:buffer';
import { InputError, quoted } from '../../base/index.ts';
import { bytesOf, eachLine, type BytesOptions } from '../../base/files/index.ts';

/** Throws an InputError that names a place, and a fault there. */
export type Fail = (what: string) => never;

/** Fails in `place`, such as a file, or a file and a line. */
export function failIn(place: string): Fail {
  return (what) => {
    throw new InputError(`${place}: ${what}`);
  };
}

/** The characters of bytes in UTF-8. */
export function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

/**
 * Passes the lines of a file, plain or gzipped, to `take`, with a way to refuse each: the message names file and line,
 * and quotes the line. The bytes are valid during the call only.
 * Errors   as eachLine.
 */
export function eachByteLine(
  path: string, options: BytesOptions, take: (line: Uint8Array, fail: Fail, number: number) => void,
): Promise<void> {
  return eachLine(bytesOf(path, options), path, (line, number) => {
    take(line, (what) => failIn(`${path}: line ${number}`)(`${what}: ${quoted(line)}`), number);
  });
}

/** Passes the lines of a text to `take`, as eachByteLine does. Refuses lines that are not UTF-8. */
export function eachTextLine(
  path: string, options: BytesOptions, take: (text: string, fail: Fail, number: number) => void,
): Promise<void> {
  return eachByteLine(path, options, (line, fail, number) => {
    if (!isUtf8(line)) fail('is not UTF-8');
    take(utf8(line), fail, number);
  });
}

/** Passes the lines that are neither empty nor comments (`#`, in any encoding) to `take`, as eachTextLine does. */
export function eachDataLine(
  path: string, options: BytesOptions, take: (text: string, fail: Fail, number: number) => void,
): Promise<void> {
  return eachByteLine(path, options, (line, fail, number) => {
    if (line.length === 0 || line[0] === 35) return;
    if (!isUtf8(line)) fail('is not UTF-8');
    take(utf8(line), fail, number);
  });
}
