import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { replayHash, superstepColumns, type Failure, type RunEvents } from '../../src/core/measure/index.ts';
import { outcomeKinds } from '../../src/core/world/index.ts';
import { smallRun } from './records.ts';

const hash = (events: RunEvents): string => replayHash(events);
const plain = hash(smallRun());

test('is SHA-256 over the fields in their order', () => {
  const u32 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  }));
  const f64 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes;
  }));
  const parts = [
    u32(0, 4, 0), f64(0, 100), u32(0, 7, 3), f64(5, 120), u32(1, 9, 0), f64(0, 150), u32(1, 2, 0), f64(160, 300),
    f64(200), u32(4), f64(400), u32(0),
  ];
  expect(plain).toBe(createHash('sha256').update(Buffer.concat(parts)).digest('hex'));
});

describe('changes with', () => {
  test.each(['order', 'processors', 'times'] as const)('each entry of %s', (name) => {
    for (let i = 0; i < smallRun()[name].length; i++) {
      const run = smallRun();
      run[name][i] += 1;
      expect(hash(run), `${name}[${i}]`).not.toBe(plain);
    }
  });

  test.each([
    ['position', 2], ['processor', 1], ['page', 8], ['kind', 'notFound'], ['startedUs', 6], ['finishedUs', 121],
  ] satisfies [keyof Failure, unknown][])('%s of a failure', (field, value) => {
    const run = smallRun();
    run.failures = [{ ...run.failures[0], [field]: value }];
    expect(hash(run)).not.toBe(plain);
  });

  test('every kind of outcome', () => {
    const hashes = outcomeKinds.slice(1).map((kind) => {
      const run = smallRun();
      run.failures = [{ ...run.failures[0], kind }];
      return hash(run);
    });
    expect(new Set(hashes).size).toBe(outcomeKinds.length - 1);
  });

  test('the barrier time and the pairs of each superstep', () => {
    for (const superstep of [0, 1]) {
      for (const column of ['barrierUs', 'pairsSent'] as const) {
        const run = smallRun();
        run.rows = run.rows.map((row) => (row.superstep === superstep ? { ...row, [column]: row[column] + 1 } : row));
        expect(hash(run), `${column} of superstep ${superstep}`).not.toBe(plain);
      }
    }
  });
});

test('depends on no other column, and not on who sent the pairs', () => {
  for (const column of superstepColumns) {
    if (['superstep', 'barrierUs', 'pairsSent'].includes(column)) continue;
    const run = smallRun();
    run.rows = run.rows.map((row) => ({ ...row, [column]: row[column] + 1 }));
    expect(hash(run), column).toBe(plain);
  }
  const run = smallRun();
  run.rows = run.rows.map((row) => ({ ...row, pairsSent: row.superstep === 0 ? 2 : 0 }));
  expect(hash(run)).toBe(plain);
});

test('runs longer than one chunk of memory are hashed whole', () => {
  const pages = 10_000;
  const long = (): RunEvents => ({
    ...smallRun(), failures: [], order: Uint32Array.from({ length: pages }, (_, i) => i),
    processors: new Uint32Array(pages), times: new Float64Array(2 * pages),
  });
  const hashes = [0, 4095, 4096, 8191, 8192, 9999].map((page) => {
    const run = long();
    run.order[page] = 77_777;
    return hash(run);
  });
  expect(new Set([...hashes, hash(long())]).size).toBe(7);
});
