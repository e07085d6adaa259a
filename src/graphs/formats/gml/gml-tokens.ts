import { isUtf8 } from 'node:buffer';
import { InputError, quoted } from '../../../base/index.ts';

/** A file with an endless text or word must not fill the memory. */
const LONGEST_TOKEN_BYTES = 1 << 20;

const NOTHING = new Uint8Array(0);
const [LF, QUOTE, HASH, OPEN, CLOSE] = [10, 34, 35, 91, 93];
const isBlank = new Uint8Array(256);
for (const byte of [9, LF, 11, 12, 13, 32]) isBlank[byte] = 1;
const endsWord = isBlank.slice();
for (const byte of [QUOTE, HASH, OPEN, CLOSE]) endsWord[byte] = 1;

/** `word`: a key or a number. */
export type GmlToken = '[' | ']' | 'word' | 'text';

/**
 * Splits GML into tokens, from chunks of bytes cut anywhere: brackets, words, and texts in quotes, without these and
 * with their character references resolved. `#` begins a comment up to the end of its line.
 * Errors   push and finish throw InputError with file and line for a text that does not end, is longer than 1 MiB, is
 *          not UTF-8, or has control characters other than blanks; and whatever `take` throws.
 */
export class GmlTokens {
  /** The line on which the last token begins. */
  line = 1;
  readonly #file: string;
  readonly #take: (token: GmlToken, text: string) => void;
  #inside: 'word' | 'text' | 'comment' | undefined;
  /** The part of the current token from earlier chunks, and the line ends in it. */
  #begun: Uint8Array = NOTHING;
  #lineEnds = 0;

  constructor(file: string, take: (token: GmlToken, text: string) => void) {
    this.#file = file;
    this.#take = take;
  }

  push(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; )
      i = this.#inside === undefined ? this.#begin(chunk, i) : this.#continue(chunk, i);
  }

  finish(): void {
    if (this.#inside === 'text') this.fail('a text does not end. Is the file truncated?');
    this.push(Uint8Array.of(32)); // A space ends the current token, but no line.
  }

  fail(what: string): never {
    throw new InputError(`${this.#file}: line ${this.line}: ${what}`);
  }

  /** Processes the byte between two tokens at position `i`; returns the position at which to continue. */
  #begin(chunk: Uint8Array, i: number): number {
    const byte = chunk[i];
    if (byte === LF) this.line++;
    if (isBlank[byte] === 1) return i + 1;
    if (byte === OPEN || byte === CLOSE) this.#take(byte === OPEN ? '[' : ']', '');
    else this.#inside = byte === QUOTE ? 'text' : byte === HASH ? 'comment' : 'word';
    return this.#inside === 'word' ? i : i + 1;
  }

  /** Continues the current token with the bytes from position `i` on. */
  #continue(chunk: Uint8Array, i: number): number {
    const inside = this.#inside;
    let end = i;
    if (inside === 'word') while (end < chunk.length && endsWord[chunk[end]] === 0) end++;
    else end = chunk.indexOf(inside === 'text' ? QUOTE : LF, i);
    const isWhole = end >= 0 && end < chunk.length;
    if (!isWhole) end = chunk.length;
    const bytes = inside === 'comment' ? NOTHING : this.#joined(chunk.subarray(i, end));
    this.#begun = NOTHING;
    // An incomplete text must be copied: the chunk's memory is reused.
    if (!isWhole) this.#begun = bytes.slice();
    if (!isWhole) return end;
    this.#inside = undefined;
    if (inside === 'comment') return end;
    this.#take(inside === 'text' ? 'text' : 'word', inside === 'text' ? this.#textOf(bytes) : latin1(bytes));
    this.line += this.#lineEnds;
    this.#lineEnds = 0;
    return inside === 'text' ? end + 1 : end;
  }

  /** The token including `piece`. */
  #joined(piece: Uint8Array): Uint8Array {
    if (this.#begun.length + piece.length > LONGEST_TOKEN_BYTES)
      this.fail(`a ${String(this.#inside)} is longer than ${LONGEST_TOKEN_BYTES} bytes`);
    for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1)) this.#lineEnds++;
    return this.#begun.length === 0 ? piece : Buffer.concat([this.#begun, piece]);
  }

  #textOf(bytes: Uint8Array): string {
    if (!isUtf8(bytes)) this.fail(`a text is not UTF-8: ${quoted(bytes)}`);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
    const resolved = text.includes('&') ? text.replace(REFERENCE, resolve) : text;
    if (/[^\P{Cc}\t\r\n]/u.test(resolved)) this.fail(`a text has control characters: ${quoted(resolved)}`);
    return resolved;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

const REFERENCE = /&(amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});/g;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A character reference's character; the reference itself if it is unknown. */
function resolve(reference: string, name: string): string {
  if (!name.startsWith('#')) return entities[name];
  const code = name[1] === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : reference;
}
