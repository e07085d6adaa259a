import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ByteWriter, ParquetWriter, parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { openFiles, openGraph } from '../../src/graphs/catalogue/index.ts';
import { writeParquet } from '../../src/graphs/formats/parquet/parquet-writer.ts';
import { readScores } from '../../src/graphs/formats/index.ts';
import { runsAreSound, zstdIsSound } from '../../src/graphs/formats/parquet/parquet-guard.ts';
import { buildGraph, checkGraph } from '../../src/graphs/graph/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { partsOf } from '../graph/random-graphs.ts';
import { isFullSweep, tries } from '../sweep.ts';
import { refusedOfDamaged } from './damaged-text.ts';
import { linksOf, placeOf, sourceIdOf } from './page-links.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

const { file, folder } = temporaryFolder();

function table(name: string, columns: Record<string, Omit<ColumnSource, 'name'>>, rowGroupSize = 1000): string {
  const columnData = Object.entries(columns).map(([column, of]): ColumnSource => ({ name: column, ...of }));
  return file(name, new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize })));
}

/** By DuckDB 2.0: range % 2 as source, 1 or 2 as target, of 33 rows; its runs of indices have 256. */
const fromDuckDb =
  'UEFSMRUEFSAVJEwVBBUAAAAQPAAAAAAAAAAAAQAAAAAAAAAVABVQFSQsFUIVBBUGFQYAACgwAgAAAEIBAUGqqqqqAGoBABUEFRAVFEwVBBUAAA' +
  'AIHAEAAAACAAAAFQAVRBUaLBVCFQQVBhUGAAAiHAFB3nvvvQEAZgEAFUAcHAAAHBwAABwcAAAAAAIACAAAAAYAIAACAAACAhAAAAQAAAAYQEAA' +
  'AABBAAAVQBwcAAAcHAAAHBwAAAAEAAQAAAAADABAgAAFAAAAAAAAhAAgAAAAABACACgAABUCGTw1ABgNZHVja2RiX3NjaGVtYRUEABUEJQIYBn' +
  'NvdXJjZSUkABUCJQAYBnRhcmdldCUiABZCGRwZLCYAHBUEGRUEGRgGc291cmNlFQIWQhasARaEASZGJggcGAgBAAAAAAAAABgIAAAAAAAAAAAW' +
  'ABYEGAgBAAAAAAAAABgIAAAAAAAAAAAREQAZLBUEFQAVAgAVABUEFQIAFvYBFV4AACYAHBUCGRUEGRgGdGFyZ2V0FQIWQhaQARZqJroBJowBHB' +
  'gEAgAAABgEAQAAABYAFgQYBAIAAAAYBAEAAAAREQAZLBUEFQAVAgAVABUEFQIAFtQCFV4AABa8AhZCJggW7gEAKChEdWNrREIgdmVyc2lvbiB2' +
  'Mi4wLjEgKGJ1aWxkIDhkNzgxMTRlOTApGSwcAAAcAAAANwEAAFBBUjE=';

const ids = {
  source: { data: [7, 7, 9], type: 'INT32' as const }, target: { data: [9, 7, 8], type: 'INT32' as const },
};

describe('a Parquet table of links', () => {
  test.each<[string, Parameters<typeof table>[1]]>([
    ['INT32', ids],
    ['INT64', { source: { data: [7n, 7n, 9n], type: 'INT64' }, target: { data: [9n, 7n, 8n], type: 'INT64' } }],
    [
      'other names, other columns, other order',
      {
        weight: { data: [1.5, 2, 3] }, DST_ID: { data: [9, 7, 8], type: 'INT32' },
        'Src Id': { data: [7n, 7n, 9n], type: 'INT64' },
      },
    ],
    [
      'deltas',
      {
        source: { ...ids.source, encoding: 'DELTA_BINARY_PACKED' },
        target: { ...ids.target, encoding: 'DELTA_BINARY_PACKED' },
      },
    ],
    [
      'streams of bytes',
      {
        source: { ...ids.source, encoding: 'BYTE_STREAM_SPLIT' },
        target: { ...ids.target, encoding: 'BYTE_STREAM_SPLIT' },
      },
    ],
  ])('may hold ids as %s', async (_, columns) => {
    for (const rowGroupSize of [1000, 2]) {
      const graph = await openGraph(table('ids', columns, rowGroupSize));
      checkGraph(graph);
      expect(linksOf(graph, sourceIdOf(graph))).toEqual(['7 9', '7 7', '9 8']);
      expect([...(graph.sourceIds ?? [])]).toEqual([7, 8, 9]);
    }
  });

  test.each(['PLAIN', 'DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY'] as const)(
    'may hold URLs or names (%s)',
    async (encoding) => {
      const text = (data: string[]) => ({ data, type: 'STRING' as const, encoding });
      const urls = await openGraph(
        table('urls', {
          from: text(['http://a.org', 'https://b.org/x', 'http://a.org/']),
          to: text(['http://b.org/x', 'mailto:me', 'http://a.org/y']),
        }),
      );
      expect(linksOf(urls, placeOf(urls))).toEqual(['a.org/ b.org/x', 'a.org/ a.org/y']);
      const names = await openGraph(table('names', { from: text(['Zürich', 'Bern']), to: text(['Bern', 'Bern']) }));
      expect(linksOf(names, (page) => names.paths?.at(page))).toEqual(['/Zürich /Bern', '/Bern /Bern']);
      expect(names.hosts.synthetic).toBe(true);
    },
  );

  test('in folders of folders is one graph, as Hive and Spark write them, but no site is taken for such', async () => {
    const part = (path: string, from: number, to: number): void => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      copyFileSync(table('part', {
        source: { data: [from], type: 'INT32' }, target: { data: [to], type: 'INT32' },
      }), join(folder, path));
    };
    part('hive/year=2021/part-0.parquet', 2, 3);
    part('hive/year=2020/month=1/part-0.parquet', 1, 2);
    part('hive/year=2020/month=1/part-1.parquet', 3, 1);
    part('hive/_temporary/part-0.parquet', 9, 9);
    part('hive/year=2020/.part-0.parquet', 9, 9);
    writeFileSync(join(folder, 'hive/_SUCCESS'), '');
    const graph = await openGraph(join(folder, 'hive'));
    expect([graph.name, ...linksOf(graph, sourceIdOf(graph))]).toEqual(['hive', '1 2', '2 3', '3 1']);
    writeFileSync(join(folder, 'hive/year=2021/index.html'), '<a href="/x">x</a>');
    expect((await openGraph(join(folder, 'hive'))).hosts.names.at(0)).toBe('hive.localhost');
    part('plain/links/part-0.parquet', 5, 6);
    expect(linksOf(await openGraph(join(folder, 'plain')))).toEqual(['0 1']);
    const scored = { page: { data: [5, 6], type: 'INT32' as const }, score: { data: [1, 2], type: 'DOUBLE' as const } };
    mkdirSync(join(folder, 'scores/day=1'), { recursive: true });
    copyFileSync(table('scored', scored), join(folder, 'scores/day=1/part-0.parquet'));
    const { scores } = await readScores(join(folder, 'scores'), await openGraph(join(folder, 'plain')));
    expect([...scores]).toEqual([1, 2]);
  });

  test('in several files is one graph', async () => {
    const parts = [
      table('0.parquet', ids),
      table('1.parquet', { src: { data: [8], type: 'INT32' }, dst: { data: [7], type: 'INT32' } }),
    ];
    const graph = await openFiles(parts);
    expect(linksOf(graph!, sourceIdOf(graph!))).toEqual(['7 9', '7 7', '8 7', '9 8']);
    expect(graph?.name).toBe('0 and 1 more');
    mkdirSync(join(folder, 'parts'));
    for (const part of parts) copyFileSync(part, join(folder, 'parts', basename(part)));
    writeFileSync(join(folder, 'parts', '_SUCCESS'), '');
    const whole = await openGraph(join(folder, 'parts'));
    expect([whole.name, linksOf(whole)]).toEqual(['parts', linksOf(graph!)]);
    const texts = table('2.parquet', { src: { data: ['a'], type: 'STRING' }, dst: { data: ['b'], type: 'STRING' } });
    expect(await inputErrorOf(openFiles([...parts, texts]))).toMatch(
      /2\.parquet: row group 0: contains texts, but the files before it contain ids/,
    );
    expect(await inputErrorOf(openFiles([texts, ...parts]))).toMatch(
      /0\.parquet: row group 0: contains ids, but the files before it contain texts/,
    );
  });

  test.each<[string, Parameters<typeof table>[1], RegExp]>([
    [
      'no source', { a: ids.source, target: ids.target },
      /has no column source \(nor src, from, sourceid, \.\.\.\); its columns are "a", "target"/,
    ],
    [
      'numbers with a point', { ...ids, target: { data: [1.5, 2, 3], type: 'DOUBLE' } },
      /column "target" contains DOUBLE; expected integers or texts/,
    ],
    [
      'ids and texts', { ...ids, target: { data: ['a', 'b', 'c'], type: 'STRING' } },
      /one of the columns "source" and "target" contains texts, the other integers/,
    ],
    [
      'a negative id', { ...ids, target: { data: [1, -2, 3], type: 'INT32' } },
      /row group 0: column "target" has -2 in row 1 of its group/,
    ],
    [
      'an id beyond 32 bits', { ...ids, target: { data: [1n, 2n, 2n ** 32n], type: 'INT64' } },
      /column "target" has 4294967296 in row 2/,
    ],
    [
      'a row without a value', { ...ids, target: { data: [1, null, 3], type: 'INT32' } },
      /column "target" has rows without a value/,
    ],
    [
      'text that is not UTF-8',
      {
        source: { data: [Uint8Array.of(97)], type: 'BYTE_ARRAY' },
        target: { data: [Uint8Array.of(0xff)], type: 'BYTE_ARRAY' },
      },
      /column "target" has a text that is not UTF-8 in row 0/,
    ],
    [
      'control characters',
      { source: { data: ['a'], type: 'STRING' }, target: { data: ['\u001b[2J'], type: 'STRING' } },
      /row group 0: row 0: has control characters/,
    ],
    ['no rows', { source: { data: [], type: 'INT32' }, target: { data: [], type: 'INT32' } }, /contains no links/],
  ])('is refused with %s', async (_, columns, message) => {
    expect(await inputErrorOf(openGraph(table('bad', columns)))).toMatch(message);
  });

  test('that claims ten thousand million rows is refused before memory is taken', async () => {
    const writer = new ByteWriter();
    const liar = new ParquetWriter({
      writer,
      schema: [
        { name: 'root', num_children: 2 },
        ...['source', 'target'].map((name) => ({ name, type: 'INT32' as const, repetition_type: 'REQUIRED' as const })),
      ],
    });
    await liar.write({ columnData: [{ name: 'source', data: [1] }, { name: 'target', data: [2] }] });
    liar.row_groups[0].num_rows = 10n ** 10n;
    for (const { meta_data: meta } of liar.row_groups[0].columns) if (meta) meta.num_values = 10n ** 10n;
    await liar.finish();
    expect(await inputErrorOf(openGraph(file('liar.parquet', writer.getBytes().slice())))).toMatch(
      /row group 0: 10000000000 rows are too many for a file of \d+ bytes/,
    );
  });

  test('that is truncated is refused, wherever it is', async () => {
    const whole = readFileSync(table('whole.parquet', ids));
    for (let length = 4; length < whole.length; length += 7) {
      expect(await inputErrorOf(openGraph(file('cut', whole.subarray(0, length))))).toMatch(
        /cut: is not a Parquet file, or is truncated/,
      );
    }
  });
});

describe('what we write', () => {
  const draws = new DrawStream(5, 'parquet');
  const arcs = Array.from({ length: 3000 }, (_, i): [number, number] => [
    draws.uint32(i, 0) % 500, draws.uint32(i, 1) % 500,
  ]);
  const graph = buildGraph({
    ...partsOf(500, arcs), sourceIds: Uint32Array.from({ length: 500 }, (_, i) => (i < 250 ? 3 * i : 4294966000 + i)),
  });
  const path = join(folder, 'written.parquet');

  test('is read back, unsigned ids too', async () => {
    await writeParquet(graph, path);
    const back = await openGraph(path);
    expect(linksOf(back, sourceIdOf(back))).toEqual(linksOf(graph, sourceIdOf(graph)));
  });

  const hasPyarrow = spawnSync('python3', ['-c', 'import pyarrow.parquet'], { stdio: 'ignore' }).status === 0;
  test.skipIf(!hasPyarrow)('is read by pyarrow, and what that writes is read here (skipped where Python has no pyarrow)', async () => {
    await writeParquet(graph, path);
    const script = `
import sys, pyarrow as pa, pyarrow.parquet as pq
table = pq.read_table(sys.argv[1])
print(table.schema.field('source').type, table.num_rows, sum(table.column('source').to_pylist()), sum(table.column('target').to_pylist()))
for i, (codec, version) in enumerate((c, v) for c in ['none', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4'] for v in ['1.0', '2.0']):
    pq.write_table(table, sys.argv[1] + '.' + str(i), compression=codec, data_page_version=version, use_dictionary=i % 2 == 0, row_group_size=700)
`;
    const ran = spawnSync('python3', ['-c', script, path], { encoding: 'utf8' });
    const pairs = linksOf(graph, sourceIdOf(graph)).map((link) => link.split(' ').map(Number));
    const sum = (part: 0 | 1): number => pairs.reduce((total, pair) => total + pair[part], 0);
    expect([ran.stderr, ran.stdout.trim()]).toEqual(['', `uint32 ${graph.arcs} ${sum(0)} ${sum(1)}`]);
    for (let i = 0; i < 12; i++) {
      const back = await openGraph(`${path}.${i}`);
      expect(linksOf(back, sourceIdOf(back))).toEqual(linksOf(graph, sourceIdOf(graph)));
    }
  });
});

test('a damaged table gives a graph or one message', async () => {
  const text = { data: Array.from({ length: 40 }, (_, i) => `name ${i % 7}`), type: 'STRING' as const };
  const many = { data: Array.from({ length: 60 }, (_, i) => (i * 7) % 11), type: 'INT32' as const };
  let refused = 0;
  const rounds = isFullSweep ? 100 : 200;
  for (const columns of [
    { source: many, target: many }, { source: text, target: { ...text, encoding: 'DELTA_BYTE_ARRAY' as const } },
    { source: { ...many, encoding: 'DELTA_BINARY_PACKED' as const }, target: many },
  ]) {
    const sound = readFileSync(table('sound', columns, 30)).toString('latin1');
    refused += await refusedOfDamaged(sound, rounds, (bytes) => openGraph(file('damaged.parquet', bytes)));
  }
  expect(refused).toBeGreaterThan(tries(rounds));
  expect(refused).toBeLessThan(3 * tries(rounds));
});

describe('before a page is decoded', () => {
  test('a last run that DuckDB has filled up is read', async () => {
    const graph = await openGraph(file('duckdb.parquet', Buffer.from(fromDuckDb, 'base64')));
    expect(linksOf(graph).sort()).toEqual(['0 1', '0 2', '1 1', '1 2']);
  });

  test('its runs are counted', () => {
    const sound = (bytes: number[], width: number, count: number): boolean =>
      runsAreSound(Uint8Array.from(bytes), 0, width, count);
    expect(sound([20, 1], 1, 10)).toBe(true); // Ten times one value.
    expect(sound([20, 1], 1, 9)).toBe(false); // More than there are.
    expect(sound([20, 1], 1, 11)).toBe(false); // Fewer.
    expect(sound([3, 0xff], 1, 5)).toBe(true); // A group of eight, filled up.
    expect(sound([5, 0xff, 0xff], 1, 5)).toBe(true); // A group more, whose bytes are there.
    expect(sound([5, 0xff], 1, 5)).toBe(false); // They are not.
    expect(sound([65, ...new Array<number>(64).fill(0xff)], 2, 200)).toBe(true); // A run of 256.
    expect(sound([65, ...new Array<number>(63).fill(0xff)], 2, 200)).toBe(false);
    expect(sound([65], 0, 200)).toBe(false);
    expect(sound([20, 1, 3, 7], 1, 15)).toBe(true);
    expect(sound([0xfe, 0xff, 0xff, 0xff, 0x0f, 1], 1, 10)).toBe(false); // Two thousand million values in six bytes.
    expect(sound([0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], 0, 10)).toBe(false);
    expect(sound([0, 0, 0, 0], 1, 2)).toBe(false); // Runs of none.
  });

  test('its zstd blocks are added up', () => {
    const frame = (blocks: number): Uint8Array => {
      const bytes = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
      // A run of 128 KiB in four bytes.
      for (let i = 0; i < blocks; i++) {
        const header = ((1 << 17) << 3) | (1 << 1) | (i === blocks - 1 ? 1 : 0);
        bytes.push(header & 255, (header >> 8) & 255, (header >> 16) & 255, 7);
      }
      return Uint8Array.from(bytes);
    };
    expect(zstdIsSound(frame(10))).toBe(true);
    expect(zstdIsSound(frame(3000))).toBe(false);
    expect(zstdIsSound(frame(10).subarray(0, 20))).toBe(false);
    expect(zstdIsSound(Uint8Array.of(1, 2, 3))).toBe(false);
  });
});
