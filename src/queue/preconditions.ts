import { assert } from '../std/index.ts';

/** What every queue asks of insertMany's arguments: 0 <= from <= to <= length, integers. */
export function assertBatch(entries: Float64Array, from: number, to: number): void {
  assert(
    Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= entries.length,
    () => `insertMany of [${from}, ${to}) from an array of ${entries.length}: 0 <= from <= to <= length must hold`,
  );
}

/** What every queue asks of extractTop's arguments. Returns the number of entries that will leave, min(k, size). */
export function assertExtraction(k: number, size: number, into: Float64Array): number {
  assert(Number.isInteger(k) && k >= 0, () => `extractTop(${k}): k must be an integer >= 0`);
  const leaving = Math.min(k, size);
  assert(leaving <= into.length, () => `extractTop(${k}) of ${size} entries into an array of only ${into.length}`);
  return leaving;
}
