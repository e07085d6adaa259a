import { readSync } from 'node:fs';
import { InputError } from '../index.ts';

/** A line of a file, without its end. */
export interface LineBefore {
  readonly text: string;
  /** Its first byte. */
  readonly begin: number;
}

const PIECE_BYTES = 1 << 16;
/** No file of ours has a longer line. */
const MAX_LINE_BYTES = 1 << 20;
const NEWLINE = 10;

/**
 * The lines of an open file that end at or before `end`, the last one first. What follows the last newline is no line:
 * it is still being written. Reads 64 KB at a time, as they are asked for.
 *
 * @param path for messages. Errors  InputError where a line is longer than 1 MB.
 */
export function* linesBefore(file: number, path: string, end: number): Generator<LineBefore, undefined> {
  /** Bytes from `at` on that are read and not yet given. */
  let rest: Buffer = Buffer.alloc(0);
  let at = end;
  let isCut = true;
  while (at > 0 || rest.length > 0) {
    const to = isCut ? rest.length : rest.length - 1;
    const newline = rest.subarray(0, to).lastIndexOf(NEWLINE);
    if (newline === -1 && at > 0) {
      if (rest.length > MAX_LINE_BYTES) throw new InputError(`${path}: has a line of over 1 MB; it is damaged`);
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, at));
      at -= piece.length;
      readPiece(file, path, piece, at);
      rest = Buffer.concat([piece, rest]);
      continue;
    }
    if (!isCut) yield { text: rest.toString('utf8', newline + 1, to), begin: at + newline + 1 };
    rest = rest.subarray(0, newline + 1);
    isCut = false;
  }
}

function readPiece(file: number, path: string, piece: Buffer, at: number): void {
  for (let filled = 0; filled < piece.length;) {
    const count = readSync(file, piece, filled, piece.length - filled, at + filled);
    if (count === 0) throw new InputError(`${path}: ends before byte ${at + piece.length}; it is cut`);
    filled += count;
  }
}
