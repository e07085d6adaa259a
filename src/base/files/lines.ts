import { InputError } from '../index.ts';

/** Longest line of a table: URLs are far shorter, and a file without line breaks must not exhaust memory. */
const LONGEST_LINE_BYTES = 1 << 20;

/**
 * Splits chunks of bytes, cut anywhere, into lines: calls `take` with the line's bytes without LF or CRLF (valid only
 * during the call) and its number, from 1. The last line need not end in a line break.
 * Errors   InputError for a line longer than 1 MiB, and any error thrown by `take`.
 */
export async function eachLine(
  chunks: AsyncIterable<Uint8Array>, file: string, take: (line: Uint8Array, number: number) => void,
): Promise<void> {
  let number = 1;
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(10, start);
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end);
      if (rest.length + piece.length > LONGEST_LINE_BYTES) {
        throw new InputError(`${file}: line ${number} is longer than ${LONGEST_LINE_BYTES} bytes`);
      }
      // A piece that outlives the chunk is copied: the chunk's memory is reused.
      const line = rest.length > 0 || end < 0 ? Buffer.concat([rest, piece]) : piece;
      if (end < 0) {
        rest = line;
        break;
      }
      take(withoutReturn(line), number++);
      rest = new Uint8Array(0);
      start = end + 1;
    }
  }
  if (rest.length > 0) take(withoutReturn(rest), number);
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === 13 ? line.subarray(0, -1) : line;
}
