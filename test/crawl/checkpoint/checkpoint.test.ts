import { deserialize, serialize } from 'node:v8';
import { expect, test } from 'vitest';
import {
  decodeCheckpoint, encodeCheckpoint, type CrawlCheckpoint,
} from '../../../src/machines/crawl/checkpoint/checkpoint.ts';
import { laterColumns, superstepColumns } from '../../../src/core/measure/index.ts';
import type { SuperstepRow } from '../../../src/core/events/index.ts';
import { WorldError } from '../../../src/base/index.ts';

// Goal: a checkpoint that its store could not write is refused before it is written, and says how the crawl can be
// ended.

const checkpoint: CrawlCheckpoint = {
  superstep: 3, barrierUs: 5e6, processors: [], mail: [[], []],
  events: {
    order: Uint32Array.of(1, 3, 9), processors: Uint32Array.of(0, 0, 1), times: Float64Array.of(1, 2, 3, 4, 3, 5),
    failures: [{ position: 1, processor: 0, page: 2, kind: 'timeout', startedUs: 1, finishedUs: 3 }],
    rows: [], crashes: [], changes: [],
  },
};

test('of as many bytes as it may have, it is as it was', () => {
  const { length } = encodeCheckpoint(checkpoint);
  expect(decodeCheckpoint(encodeCheckpoint(checkpoint, length), 'here')).toEqual(checkpoint);
});

test('of an earlier version, whose rows lacked the last columns, it has 0 there', () => {
  const row = Object.fromEntries(superstepColumns.map((column, i) => [column, i + 1])) as unknown as SuperstepRow;
  const rows = [row, { ...row, superstep: 2 }];
  const encoded = encodeCheckpoint({ ...checkpoint, events: { ...checkpoint.events, rows } });
  const { columns, ...rest } = deserialize(encoded) as { columns: Float64Array[] };
  const decoded = (length: number) =>
    decodeCheckpoint(serialize({ ...rest, columns: columns.slice(0, length) }), 'here');
  for (let missing = 0; missing <= laterColumns.length; missing++) {
    const zeros = Object.fromEntries(superstepColumns.slice(columns.length - missing).map((name) => [name, 0]));
    expect(decoded(columns.length - missing).events.rows).toEqual(rows.map((now) => ({ ...now, ...zeros })));
  }
  expect(() => decoded(columns.length - laterColumns.length - 1))
    .toThrow(/^here: does not contain a checkpoint that this version understands$/);
});

test('of one byte more, it is refused', () => {
  const { length } = encodeCheckpoint(checkpoint);
  const refused = (): unknown => encodeCheckpoint(checkpoint, length - 1);
  expect(refused).toThrow(WorldError);
  expect(refused).toThrow(/too large for a checkpoint.*its record is written/);
});

test('more than a Buffer holds is refused, and not an internal error', () => {
  // What the engine throws at 4 GiB, thrown early.
  const tooLarge = {
    get pages(): never {
      throw Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' });
    },
  };
  const processors = [tooLarge as unknown as CrawlCheckpoint['processors'][number]];
  expect(() => encodeCheckpoint({ ...checkpoint, processors })).toThrow(WorldError);
});
