import { isUtf8 } from 'node:buffer';
import { grown, quoted } from '../../index.ts';

export interface WarcRecord {
  /** The place of the record in its file, in words. */
  readonly where: string;
  /** `response`, `metadata` and so on, in lower case. */
  readonly type: string;
  /** Headers by name in lower case; the first of several with the same name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The first bytes of the block, up to the handler's limit. Valid until the handler returns. */
  readonly block: Uint8Array;
  /** Bytes of the whole block. */
  readonly blockBytes: number;
}

export interface RecordHandler {
  /** Whether the block of a record is wanted. */
  readonly keeps: (type: string) => boolean;
  readonly onRecord: (record: WarcRecord) => void;
  readonly onFault: (where: string, what: string) => void;
  /** Maximum bytes stored per block. */
  readonly blockLimitBytes: number;
}

/** Real headers have a few hundred bytes; long target URIs a few thousand. */
const LONGEST_HEADER_BYTES = 1 << 16;

/**
 * WARC records (ISO 28500; versions 0.17 to 1.1 look alike) from bytes cut anywhere. A broken record is reported to
 * `onFault` and skipped, and reading continues at the next line that begins like a record. So a length that is too
 * small costs only a fault, and one that is too large costs the records it covers: these are searched only if the
 * length leads beyond the end of the file, or the gzip member ends and another one begins like a record.
 *
 * Cost   O(bytes); no byte is examined twice. Memory: a record's block up to its limit, and 64 KiB of header.
 */
export class RecordParser {
  readonly #handler: RecordHandler;
  /** The header, or the line that may begin one. */
  readonly #head = new Uint8Array(LONGEST_HEADER_BYTES);
  #headLength = 0;
  #lineStart = 0;
  #lineAt = 0;
  #block = new Uint8Array(1 << 16);
  #blockLength = 0;
  #remaining = 0;
  #keep = false;
  #record: { type: string; headers: Map<string, string>; blockBytes: number } | undefined;
  #state: 'between' | 'lost' | 'header' | 'block' = 'between';
  #where = '';
  #memberAt: number | undefined;
  /** Bytes of the member, or of the plain file, before those being pushed. */
  #position = 0;
  #plainBytes: number | undefined;

  constructor(handler: RecordHandler) {
    this.#handler = handler;
  }

  /** Call before the first bytes of a plain file of `bytes` bytes. */
  startPlain(bytes: number): void {
    this.#memberAt = undefined;
    this.#position = 0;
    this.#plainBytes = bytes;
  }

  /** Call with the first bytes of a gzip member before they are pushed. A record may span members. */
  startMember(memberAt: number, bytes: Uint8Array): void {
    if (beginsRecord(bytes)) this.#cut('is truncated by the end of its gzip member');
    this.#memberAt = memberAt;
    this.#position = 0;
  }

  /** The record being read is lost to a fault that has been reported. */
  drop(): void {
    this.#state = 'lost';
    this.#headLength = 0;
    this.#lineStart = 0;
  }

  push(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length;)
      i = this.#state === 'block' ? this.#takeBlock(bytes, i) : this.#takeLine(bytes, i);
    this.#position += bytes.length;
  }

  finish(): void {
    this.#cut('is truncated by the end of the file');
  }

  #cut(how: string): void {
    const { onFault } = this.#handler;
    const of = this.#record?.blockBytes ?? 0;
    if (this.#state === 'block') onFault(this.#where, `${how}: ${this.#remaining} of its ${of} bytes are missing`);
    if (this.#state === 'header') onFault(this.#where, `${how}, within its header`);
    this.drop();
    this.#state = 'between';
  }

  #takeLine(bytes: Uint8Array, from: number): number {
    const newline = bytes.indexOf(10, from);
    const end = newline < 0 ? bytes.length : newline + 1;
    if (this.#headLength === this.#lineStart) this.#lineAt = this.#position + from;
    const room = LONGEST_HEADER_BYTES - this.#headLength;
    if (end - from > room && this.#state === 'header') {
      this.#handler.onFault(this.#where, `its header is longer than ${LONGEST_HEADER_BYTES} bytes`);
      this.drop();
      return end;
    }
    // Outside a header only the start of a line matters.
    const piece = bytes.subarray(from, Math.min(end, from + room));
    this.#head.set(piece, this.#headLength);
    this.#headLength += piece.length;
    if (newline >= 0) this.#lineDone();
    return end;
  }

  #lineDone(): void {
    const line = this.#head.subarray(this.#lineStart, this.#headLength);
    const isBlank = line.subarray(0, -1).every((byte) => byte === 13);
    if (beginsRecord(line)) {
      if (this.#state === 'header') this.#handler.onFault(this.#where, 'its header is broken off by the next record');
      this.#head.copyWithin(0, this.#lineStart, this.#headLength);
      this.#headLength = line.length;
      this.#lineStart = line.length;
      this.#where = `record at ${this.#place(this.#lineAt)}`;
      this.#state = 'header';
    } else if (this.#state !== 'header') {
      if (!isBlank && this.#state === 'between') {
        this.#handler.onFault(this.#place(this.#lineAt), `no record begins here, but ${quoted(line.subarray(0, 40))}`);
        this.#state = 'lost';
      }
      this.#headLength = 0;
      this.#lineStart = 0;
    } else if (isBlank) this.#headerDone();
    else this.#lineStart = this.#headLength;
  }

  #headerDone(): void {
    const headers = headersOf(this.#head.subarray(0, this.#headLength));
    const blockAt = this.#lineAt + this.#headLength - this.#lineStart;
    this.drop();
    const type = (headers.get('warc-type') ?? '').toLowerCase();
    const length = headers.get('content-length') ?? '';
    const blockBytes = /^[0-9]{1,15}$/.test(length) ? Number(length) : NaN;
    let fault: string | undefined;
    if (type === '') fault = 'names no WARC-Type';
    else if (Number.isNaN(blockBytes)) fault = `its Content-Length is ${quoted(length)}`;
    else if (this.#plainBytes !== undefined && blockAt + blockBytes > this.#plainBytes) {
      fault = `its Content-Length of ${length} leads beyond the end of the file`;
    }
    if (fault !== undefined) {
      this.#handler.onFault(this.#where, fault);
      return;
    }
    this.#record = { type, headers, blockBytes };
    this.#remaining = blockBytes;
    this.#blockLength = 0;
    this.#keep = this.#handler.keeps(type);
    this.#state = 'block';
    if (blockBytes === 0) this.#blockDone();
  }

  #takeBlock(bytes: Uint8Array, from: number): number {
    const length = Math.min(this.#remaining, bytes.length - from);
    if (this.#keep) {
      const added = Math.min(length, this.#handler.blockLimitBytes - this.#blockLength);
      this.#block = grown(this.#block, this.#blockLength + added);
      this.#block.set(bytes.subarray(from, from + added), this.#blockLength);
      this.#blockLength += added;
    }
    this.#remaining -= length;
    if (this.#remaining === 0) this.#blockDone();
    return from + length;
  }

  #blockDone(): void {
    this.#state = 'between';
    if (this.#record)
      this.#handler.onRecord({
        ...this.#record, where: this.#where, block: this.#block.subarray(0, this.#blockLength),
      });
  }

  #place(at: number): string {
    return this.#memberAt === undefined ? `byte ${at}` : `byte ${at} of the gzip member at byte ${this.#memberAt}`;
  }
}

/** `WARC/` and a digit. */
export function beginsRecord(bytes: Uint8Array): boolean {
  return (
    bytes.length > 5 &&
    bytes[0] === 87 &&
    bytes[1] === 65 &&
    bytes[2] === 82 &&
    bytes[3] === 67 &&
    bytes[4] === 47 &&
    bytes[5] >= 48 &&
    bytes[5] <= 57
  );
}

/** Headers behind a first line, in WARC and HTTP alike. Lines that are not headers are skipped. */
export function headersOf(head: Uint8Array): Map<string, string> {
  const headers = new Map<string, string>();
  const lines = rawHeaderLines(head);
  for (let i = 0; i < lines.length; i += 2) {
    const name = lines[i].toLowerCase();
    if (!headers.has(name)) headers.set(name, textOf(lines[i + 1]));
  }
  return headers;
}

/** The same as names and values by turns, one character per octet. A folded value is one line. */
export function rawHeaderLines(head: Uint8Array): string[] {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1');
  const lines: string[] = [];
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/).slice(1)) {
    const colon = line.indexOf(':');
    const name = withoutBlanks(line.slice(0, Math.max(0, colon)));
    if (name !== '') lines.push(name, withoutBlanks(line.slice(colon + 1)));
  }
  return lines;
}

/** Old archives have names in Latin-1; every octet is then a letter, and nothing fails. */
function textOf(octets: string): string {
  const bytes = Buffer.from(octets, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : octets;
}

/** Without the blanks and tabs around it: `trim` would also drop octets that are blanks in Latin-1. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 9 || code === 13 || code === 32;
}
