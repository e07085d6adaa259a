import { InputError } from '../index.ts';

/** Longest line of a table: URLs are far shorter, and a file without line breaks must not exhaust memory. */
const LONGEST_LINE_BYTES = 1 << 20;

/**
 * Splits chunks of bytes, cut anywhere, into lines: calls `take` with the line's bytes without LF or CRLF (valid only
 * during the call) and its number, from 1. The last line need not end in a line break.
 * Errors   InputError for a line longer than 1 MiB, and any error thrown by `take`.
 */
export function eachLine(
  chunks: AsyncIterable<Uint8Array>, file: string, take: (line: Uint8Array, number: number) => void,
): Promise<void> {
  return eachLineIn(chunks, file, (bytes, start, end, number) => { take(bytes.subarray(start, end), number); });
}

/**
 * The same with each line as bytes[start ... end): a view costs more to make than a short line to read.
 * Errors   as eachLine.
 */
export async function eachLineIn(
  chunks: AsyncIterable<Uint8Array>, file: string,
  take: (bytes: Uint8Array, start: number, end: number, number: number) => void,
): Promise<void> {
  let number = 1;
  const none: Uint8Array = new Uint8Array(0);
  let rest = none;
  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const lineBreak = chunk.indexOf(10, start);
      const end = lineBreak < 0 ? chunk.length : lineBreak;
      if (rest.length + end - start > LONGEST_LINE_BYTES) {
        throw new InputError(`${file}: line ${number} is longer than ${LONGEST_LINE_BYTES} bytes`);
      }
      // A piece that outlives the chunk is copied: the chunk's memory is reused.
      if (rest.length > 0 || lineBreak < 0) rest = Buffer.concat([rest, chunk.subarray(start, end)]);
      if (lineBreak < 0) break;
      if (rest.length > 0) take(rest, 0, withoutReturn(rest, 0, rest.length), number++);
      else take(chunk, start, withoutReturn(chunk, start, end), number++);
      rest = none;
      start = end + 1;
    }
  }
  if (rest.length > 0) take(rest, 0, withoutReturn(rest, 0, rest.length), number);
}

/** The end of a line without its CR. */
function withoutReturn(bytes: Uint8Array, start: number, end: number): number {
  return end > start && bytes[end - 1] === 13 ? end - 1 : end;
}
