import { grown, InputError, quoted } from '../../../base/index.ts';
import { grownSharedUint32, sharedUint32 } from '../../graph/index.ts';
import { arcLines } from './arc-lines.ts';
import { isNumber, NumberColumns } from './number-columns.ts';

/** How much of a line is stored for an error message about it; lines may be of any length. */
const SHOWN_LINE_BYTES = 4096;
const NONE = -1;

// States of a line, between two bytes.
const REFUSED = 0;
const BEGIN = 1;
const FIRST_ID = 2;
const BETWEEN_IDS = 3;
const AFTER_COMMA = 4;
const SECOND_ID = 5;
/** After the second id of a line that ends there. */
const LINK = 6;
/** After the second id of a line where numbers may follow. */
const LINK_BEFORE_NUMBERS = 7;
const NUMBERS = 8;
const COMMENT = 9;
// After a carriage return: only blanks may follow, before the line ends.
const RETURN = 10;
const RETURN_AFTER_ID = 11;
const RETURN_AFTER_LINK = 12;

/** The next state, by state and byte: 256 times the state, plus the byte; REFUSED if the byte may not follow. */
const next = new Uint8Array(256 * (RETURN_AFTER_LINK + 1));
for (const [state, bytes, to] of [
  [BEGIN, '0123456789', FIRST_ID], [BEGIN, ' \t', BEGIN], [BEGIN, '#%', COMMENT], [BEGIN, '\r', RETURN],
  [BETWEEN_IDS, '0123456789', SECOND_ID], [BETWEEN_IDS, ' \t', BETWEEN_IDS], [BETWEEN_IDS, ',', AFTER_COMMA],
  [BETWEEN_IDS, '\r', RETURN_AFTER_ID],
  [AFTER_COMMA, '0123456789', SECOND_ID], [AFTER_COMMA, ' \t', AFTER_COMMA], [AFTER_COMMA, '\r', RETURN_AFTER_ID],
  [LINK, ' \t', LINK], [LINK, '\r', RETURN_AFTER_LINK],
  [LINK_BEFORE_NUMBERS, ' \t,', NUMBERS], [LINK_BEFORE_NUMBERS, '\r', RETURN_AFTER_LINK],
  [RETURN, ' \t\r', RETURN], [RETURN_AFTER_ID, ' \t\r', RETURN_AFTER_ID],
  [RETURN_AFTER_LINK, ' \t\r', RETURN_AFTER_LINK],
] as const) {
  for (const byte of Buffer.from(bytes)) next[256 * state + byte] = to;
}

/** Number of bytes from which the rest of a file is estimated. */
const MIN_SAMPLE_BYTES = 1 << 16;

interface ArcParserOptions {
  /** The file's name, for messages. */
  readonly file: string;
  /** Ids must be below this; 2^32 by default. */
  readonly idBound?: number | undefined;
  /** The refusal of an id at or above the bound: `... is not one of the 5 pages of pages.tsv`. */
  readonly boundReason?: string | undefined;
  /** 1 if 0 is not a page id; 0 by default. */
  readonly firstId?: 0 | 1 | undefined;
  /** Number of the first line; 1 by default. */
  readonly firstLine?: number | undefined;
  /**
   * How many numbers follow the two ids on every line; 0 by default; `constant`: as many as on the first. They are not
   * stored.
   */
  readonly numbers?: number | 'constant' | undefined;
}

/** A line that does not have the expected form. */
export class LineError extends InputError {}

/**
 * Reads pairs of page ids, one per line, from chunks of bytes cut anywhere.
 *
 * Grammar  a line is empty, a comment (first character `#` or `%`), or two unsigned decimal integers separated by
 *          blanks, tabs or one comma, and as many further numbers (NumberColumns) as `numbers` says. Lines end with LF
 *          or CRLF, which the last may lack.
 * Errors   push and finish throw LineError naming file, line and what was found there.
 * Cost     one pass over the bytes, no strings: about 1 GB/s for lines of the usual form, which a kernel reads
 *          (ArcLines), 150 MB/s for others. 8 to 16 bytes per arc, independent of line lengths.
 */
export class ArcParser {
  #file: string;
  readonly #idBound: number;
  readonly #boundReason: string;
  readonly #firstId: 0 | 1;
  readonly #takesNumbers: boolean;
  readonly #isConstant: boolean;
  readonly #columns = new NumberColumns();
  readonly #plainLines = arcLines();
  /** idBound, or the bound of ids of 9 digits: fits into 32 bits. */
  readonly #plainBound: number;
  /** Numbers after the ids of each line; NONE until the first line is read, if they must only be constant. */
  #numbers: number;
  /** The line that determined them, if any. */
  #measure: { readonly file: string; readonly line: number } | undefined;
  #sources = new Uint32Array(1 << 12);
  /** Shared memory: a graph of links that ascend uses it as it is. */
  #targets = sharedUint32(1 << 12);
  #arcs = 0;
  #largest = -1;

  // State at the end of a chunk.
  #line: number;
  #state = BEGIN;
  /** The id that is being read, and the line's first id. */
  #value = 0;
  #source = 0;
  /** Beginning of the current line, from earlier chunks. */
  #lineStart: Uint8Array = new Uint8Array(0);
  #lastByte = 10;
  /** Bytes of the current file, bytes read of it, and the arcs before it. */
  #bytesExpected = 0;
  #bytesRead = 0;
  #arcsBefore = 0;

  constructor(options: ArcParserOptions) {
    this.#file = options.file;
    this.#idBound = options.idBound ?? 2 ** 32;
    this.#plainBound = Math.min(this.#idBound, 1e9);
    this.#boundReason = options.boundReason ?? 'is larger than 4294967295, the largest page id';
    this.#firstId = options.firstId ?? 0;
    this.#line = options.firstLine ?? 1;
    this.#isConstant = options.numbers === 'constant';
    this.#numbers = options.numbers === 'constant' ? NONE : options.numbers ?? 0;
    this.#takesNumbers = this.#numbers !== 0;
  }

  /** Arcs read so far, in their order; views that stay valid after finish(). */
  get sources(): Uint32Array {
    return this.#sources.subarray(0, this.#arcs);
  }

  get targets(): Uint32Array {
    return this.#targets.subarray(0, this.#arcs);
  }

  /** Largest id read; -1 before any. */
  get largestId(): number {
    return this.#largest;
  }

  /** Lines so far with numbers after their ids: none, or all with ids. */
  get linesWithNumbers(): number {
    return this.#numbers > 0 ? this.#arcs : 0;
  }

  /** Lines of the current file that have ended, including comments and blank ones. */
  get lines(): number {
    return this.#line - 1;
  }

  /** Sets the size of the next file in bytes, so that memory for its arcs is allocated at once. */
  expect(bytes: number): void {
    this.#bytesExpected = bytes;
    this.#bytesRead = 0;
    this.#arcsBefore = this.#arcs;
  }

  push(chunk: Uint8Array): void {
    const length = chunk.length;
    const idBound = this.#idBound;
    let state = this.#state;
    let value = this.#value;
    this.#plainLines?.begin(chunk);
    let i = this.#lastByte === 10 ? this.#pushPlainLines(0) : 0;
    let lineStart = i;
    while (i < length) {
      switch (state) {
        case FIRST_ID:
        case SECOND_ID:
          for (let digit = chunk[i] - 48; digit >= 0 && digit <= 9; digit = chunk[++i] - 48) {
            value = value * 10 + digit;
            if (value >= idBound) this.#failAtId(chunk, i, lineStart);
          }
          if (i >= length) break; // The id may go on in the next chunk.
          if (state === FIRST_ID) {
            this.#source = value;
            state = BETWEEN_IDS;
          } else {
            this.#add(this.#source, value);
            state = this.#numbers === 0 ? LINK : LINK_BEFORE_NUMBERS;
          }
          break;
        case NUMBERS:
          i = this.#columns.push(chunk, i);
          break;
        case COMMENT:
          i = chunk.indexOf(10, i);
          if (i < 0) i = length;
          break;
      }
      if (i >= length) break;
      const byte = chunk[i];
      if (byte === 10) {
        if (!this.#mayEnd(state)) this.#fail(chunk, lineStart);
        this.#line++;
        state = BEGIN;
        i = this.#pushPlainLines(i + 1);
        lineStart = i;
        continue;
      }
      state = next[256 * state + byte];
      if (state === REFUSED) this.#fail(chunk, lineStart);
      if (state === FIRST_ID || state === SECOND_ID) value = 0;
      else i++;
      if (state === NUMBERS) this.#columns.start(byte);
    }
    this.#state = state;
    this.#value = value;
    this.#keep(chunk, lineStart);
    this.#bytesRead += length;
    if (length > 0) this.#lastByte = chunk[length - 1];
  }

  /** Ends the last line. Call after the last push of a file. */
  finish(): void {
    if (this.#lastByte !== 10) this.push(Uint8Array.of(10));
  }

  /** Continues with another file; call after finish(). */
  startFile(file: string): void {
    this.#file = file;
    this.#line = 1;
  }

  /**
   * Reads lines of the usual form (see ArcLines) from position `i`, where a line begins; returns the position of the
   * first line that has another form or is too near the chunk's end. Only for speed: push() reads any remaining line in
   * the same way.
   */
  #pushPlainLines(i: number): number {
    const lines = this.#plainLines;
    if (lines === undefined || this.#numbers > 0) return i;
    const first = this.#arcs;
    let largest = Math.max(0, this.#largest);
    for (let count = 0; (count = lines.take(i, this.#plainBound, largest)) > 0; ) {
      i = lines.end;
      largest = lines.largest;
      const arcs = this.#arcs;
      this.#arcs = arcs + count;
      if (this.#arcs > this.#sources.length) this.#grow(this.#arcs - 1, i);
      copy(lines.sources, count, this.#sources, arcs);
      copy(lines.targets, count, this.#targets, arcs);
    }
    if (this.#arcs === first) return i;
    this.#learn(0);
    this.#largest = largest;
    if (this.#firstId === 1) this.#refuseZeros(first);
    this.#line += this.#arcs - first;
    return i;
  }

  /** Makes room for arc `arcs`, `at` bytes into the chunk: for the whole file, at the bytes per arc so far. */
  #grow(arcs: number, at: number): void {
    const bytes = this.#bytesRead + at;
    const isSample = bytes >= MIN_SAMPLE_BYTES;
    const more = isSample ? (arcs - this.#arcsBefore) * Math.max(0, this.#bytesExpected / bytes - 1) : 0;
    const room = arcs + 1 + Math.ceil(1.02 * more);
    this.#sources = grown(this.#sources, room);
    this.#targets = grownSharedUint32(this.#targets, room);
  }

  /** Looks for 0 among the ids of arc `first` and later arcs. The current line is the line of arc `first`. */
  #refuseZeros(first: number): void {
    const zeros = [this.#sources, this.#targets]
      .map((ids) => ids.subarray(first, this.#arcs).indexOf(0))
      .filter((at) => at >= 0);
    if (zeros.length === 0) return;
    this.#line += Math.min(...zeros);
    throw this.#error('page id 0: ids begin at 1');
  }

  /** Whether a line may end in a state: there is no link, or one with as many numbers as there should be. */
  #mayEnd(state: number): boolean {
    switch (state) {
      case BEGIN:
      case COMMENT:
      case RETURN:
        return true;
      case LINK:
      case LINK_BEFORE_NUMBERS:
      case RETURN_AFTER_LINK:
        this.#learn(0);
        return this.#numbers === 0;
      case NUMBERS:
        if (!this.#columns.mayEnd) return false;
        this.#learn(this.#columns.count);
        return this.#columns.count === this.#numbers;
      default:
        return false;
    }
  }

  /** Makes the count of the first line the count of all lines. */
  #learn(count: number): void {
    if (this.#numbers !== NONE) return;
    this.#numbers = count;
    this.#measure = { file: this.#file, line: this.#line };
  }

  #add(source: number, target: number): void {
    const arcs = this.#arcs;
    if (arcs === this.#sources.length) this.#grow(arcs, 0);
    this.#sources[arcs] = source;
    this.#targets[arcs] = target;
    if (source > this.#largest) this.#largest = source;
    if (target > this.#largest) this.#largest = target;
    this.#arcs = arcs + 1;
    if (this.#firstId === 1) this.#refuseZeros(arcs);
  }

  #keep(chunk: Uint8Array, lineStart: number): void {
    if (lineStart > 0) this.#lineStart = new Uint8Array(0);
    const room = SHOWN_LINE_BYTES - this.#lineStart.length;
    const rest = chunk.subarray(lineStart, lineStart + room);
    if (rest.length === 0) return;
    const extended = new Uint8Array(this.#lineStart.length + rest.length);
    extended.set(this.#lineStart);
    extended.set(rest, this.#lineStart.length);
    this.#lineStart = extended;
  }

  /**
   * The current line from its start, as far as this chunk and SHOWN_LINE_BYTES show it; `lineStart` is its position in
   * the chunk.
   */
  #lineText(chunk: Uint8Array, lineStart: number): { text: Uint8Array; whole: boolean } {
    this.#keep(chunk, lineStart);
    const end = this.#lineStart.indexOf(10);
    const text = end < 0 ? this.#lineStart : this.#lineStart.subarray(0, end);
    return { text: text.at(-1) === 13 ? text.subarray(0, -1) : text, whole: end >= 0 };
  }

  #failAtId(chunk: Uint8Array, at: number, lineStart: number): never {
    let start = at;
    while (start > lineStart && chunk[start - 1] >= 48 && chunk[start - 1] <= 57) start--;
    let end = at;
    while (end < chunk.length && end - start < 100 && chunk[end] >= 48 && chunk[end] <= 57) end++;
    // An id cut by the edge of a chunk is shown as part of its line.
    if (start === 0 && this.#lineStart.length > 0) {
      throw this.#error(`page id in ${quoted(this.#lineText(chunk, lineStart).text)} ${this.#boundReason}`);
    }
    throw this.#error(`page id ${shownId(new TextDecoder().decode(chunk.subarray(start, end)))} ${this.#boundReason}`);
  }

  #fail(chunk: Uint8Array, lineStart: number): never {
    const { text, whole } = this.#lineText(chunk, lineStart);
    const line = new TextDecoder('latin1').decode(text).replace(/^[ \t]+|[ \t]+$/g, '');
    const fields = line === '' ? [] : line.split(/[ \t]*,[ \t]*|[ \t]+/);
    const odd =
      fields.slice(0, 2).find((field) => !/^[0-9]+$/.test(field)) ?? fields.slice(2).find((field) => !isNumber(field));
    const isId = !this.#takesNumbers || fields.slice(0, 2).some((field) => field === odd);
    if (odd !== undefined && isId && /^-[0-9]+$/.test(odd))
      throw this.#error(`page id ${shownId(odd)} is negative; expected ${this.#expected}`);
    if (odd !== undefined)
      throw this.#error(
        `${quoted(odd)} in ${quoted(text)} is not a ${isId ? 'page id' : 'number'}; expected ${this.#expected}`,
      );
    const count = whole ? `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}` : 'more than two fields';
    const { file, line: first } = this.#measure ?? { file: '', line: 0 };
    if (first === 0 || fields.length < 2)
      throw this.#error(`has ${count}; expected ${this.#expected}: ${quoted(text)}`);
    const there = `line ${first}${file === this.#file ? '' : ` of ${file}`}`;
    throw this.#error(
      `has ${count} where ${there} has ${2 + this.#numbers}; expected as many on every line: ${quoted(text)}`,
    );
  }

  get #expected(): string {
    if (this.#isConstant || this.#numbers === 0) return 'two page ids';
    return `two page ids and ${this.#numbers} ${this.#numbers === 1 ? 'number' : 'numbers'}`;
  }

  #error(message: string): LineError {
    return new LineError(`${this.#file}: line ${this.#line}${message.startsWith('has ') ? ' ' : ': '}${message}`);
  }
}

/** If lines of several forms alternate, they arrive singly, and a view of each would cost more than the line. */
function copy(ids: Uint32Array, count: number, to: Uint32Array, at: number): void {
  if (count < 32) for (let i = 0; i < count; i++) to[at + i] = ids[i];
  else to.set(ids.subarray(0, count), at);
}

function shownId(text: string): string {
  return text.length <= 30 ? text : `${text.slice(0, 30)}...`;
}
