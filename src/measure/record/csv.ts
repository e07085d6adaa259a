/** Bytes written before they become text, and the most that an integer takes: 16 digits. */
const blockBytes = 1 << 16;
const integerBytes = 16;

const [zero, comma, newline] = Buffer.from('0,\n');

/**
 * Comma-separated rows under one header line. Every value is a number or a plain word: nothing needs quoting. Integers
 * from 0 on go into a block of bytes digit by digit: a string for each of the million values of a run takes twice the
 * time of all else.
 */
export function csv<Row>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  const block = Buffer.allocUnsafe(blockBytes);
  let used = 0;
  let text = `${columns.join(',')}\n`;
  for (const row of rows) {
    for (const column of columns) {
      const value: unknown = row[column];
      const isCount = typeof value === 'number' && value >= 0 && Number.isSafeInteger(value);
      if (!isCount || used + integerBytes >= blockBytes) {
        text += block.toString('latin1', 0, used);
        used = 0;
      }
      if (isCount) used = writeInteger(block, used, value);
      else text += String(value);
      block[used++] = comma;
    }
    block[used - 1] = newline;
  }
  return text + block.toString('latin1', 0, used);
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
