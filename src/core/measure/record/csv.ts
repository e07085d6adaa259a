import { InputError } from '../../../base/index.ts';

/** Bytes gathered before they are handed on, and the most that an integer takes: 16 digits. */
const blockBytes = 1 << 16;
const integerBytes = 16;

const [zero, nine, comma, newline] = Buffer.from('09,\n');

/**
 * Comma-separated rows under one header line. Every value is a number or a plain word: nothing needs quoting. Integers
 * from 0 on are written digit by digit: a string for each of the million values of a run takes twice the time of all
 * else. Holds one block of bytes.
 */
export class CsvWriter<Row> {
  readonly #columns: readonly (keyof Row & string)[];
  readonly #write: (bytes: Buffer) => void;
  readonly #block = Buffer.allocUnsafe(blockBytes);
  #used = 0;

  /** @param write receives the bytes, which are good until it returns. */
  constructor(columns: readonly (keyof Row & string)[], write: (bytes: Buffer) => void) {
    this.#columns = columns;
    this.#write = write;
    this.#used = this.#block.write(`${columns.join(',')}\n`);
  }

  add(row: Row): void {
    const block = this.#block;
    const rowBytes = this.#columns.length * (integerBytes + 1);
    this.#makeRoom(rowBytes);
    for (const column of this.#columns) {
      const value: unknown = row[column];
      // Most values are 0.
      if (value === 0) block[this.#used++] = zero;
      else if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value))
        this.#used = writeInteger(block, this.#used, value);
      else {
        const text = Buffer.from(String(value));
        this.#makeRoom(text.length + rowBytes);
        this.#used += text.copy(block, this.#used);
      }
      block[this.#used++] = comma;
    }
    block[this.#used - 1] = newline;
  }

  /** Hands on the gathered bytes. */
  flush(): void {
    if (this.#used > 0) this.#write(this.#block.subarray(0, this.#used));
    this.#used = 0;
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= blockBytes) return;
    this.flush();
  }
}

/** All rows under their header, as one text. */
export function csv<Row>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  let text = '';
  const writer = new CsvWriter<Row>(columns, (bytes) => { text += bytes.toString(); });
  for (const row of rows) writer.add(row);
  writer.flush();
  return text;
}

/** Writes the digits of an integer of 0 ... 2^53 - 1 from `at` on; returns the place behind them. */
function writeInteger(bytes: Uint8Array, at: number, value: number): number {
  let end = at + 1;
  for (let bound = 10; bound <= value; bound *= 10) end++;
  for (let i = end - 1; i >= at; i--) {
    const tens = Math.floor(value / 10);
    bytes[i] = zero + (value - 10 * tens);
    value = tens;
  }
  return end;
}

/**
 * The rows of a file that CsvWriter wrote, perhaps with more columns, in any order.
 * @param path for messages.
 * @param words columns that hold words; all others hold numbers.
 * @param later columns that files of earlier versions do not have: 0 there.
 * @throws InputError if a column is missing or a row is malformed.
 */
export function readCsv<Row>(
  bytes: Buffer, path: string, columns: readonly (keyof Row & string)[], words: readonly (keyof Row & string)[] = [],
  later: readonly (keyof Row & string)[] = [],
): Row[] {
  const headerEnd = bytes.indexOf(newline);
  const header = bytes.toString('utf8', 0, Math.max(0, headerEnd)).split(',');
  const missing = columns.find((column) => !header.includes(column) && !later.includes(column));
  if (missing !== undefined)
    throw new InputError(`${path}: has no column ${missing}; it was written by another version`);
  const isWord = header.map((column) => (words as readonly string[]).includes(column));
  const isWanted = header.map((column) => (columns as readonly string[]).includes(column));
  // Copying a row that has all fields takes half the time of a row that grows field by field.
  const empty: Record<string, unknown> = Object.fromEntries(columns.map((column) => [column, 0]));
  const rows: Row[] = [];
  for (let at = headerEnd + 1; at < bytes.length;) {
    const row = { ...empty };
    for (let i = 0; i < header.length; i++) {
      const separator = i + 1 < header.length ? comma : newline;
      const from = at;
      let value = 0;
      let byte = bytes[at];
      for (; byte >= zero && byte <= nine; byte = bytes[++at]) value = 10 * value + byte - zero;
      const isInteger = byte === separator && at > from && at - from < integerBytes && !isWord[i];
      if (!isInteger) {
        while (at < bytes.length && bytes[at] !== comma && bytes[at] !== newline) at++;
        const text = bytes.toString('utf8', from, at);
        value = Number(text);
        if (bytes[at] !== separator || text === '' || (!isWord[i] && Number.isNaN(value)))
          throw new InputError(`${path}:${rows.length + 2}: is not a row of ${header.length} values`);
        if (isWord[i]) row[header[i]] = text;
      }
      if (isWanted[i] && !isWord[i]) row[header[i]] = value;
      at++;
    }
    rows.push(row as Row);
  }
  return rows;
}
