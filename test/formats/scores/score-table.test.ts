import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { readScores, readUrlScores, writeScores, type Scores } from '../../../src/graphs/formats/index.ts';
import { writeParquet } from '../../../src/graphs/formats/parquet/parquet-writer.ts';
import { buildGraph, hostsFromNames, StringTable, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { partsOf } from '../../graph/random-graphs.ts';
import { isFullSweep } from '../../sweep.ts';
import { linksOf } from '../page-links.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { refusedOfDamaged } from '../damaged-text.ts';

// Goal: links go out as Parquet, scores come in as Parquet, and every page gets its own score or the user a message.

const { file, folder } = temporaryFolder();

type Columns = Record<string, Omit<ColumnSource, 'name'>>;

function bytesOf(columns: Columns, rowGroupSize = 1000): Uint8Array {
  const columnData = Object.entries(columns).map(([name, of]): ColumnSource => ({ name, ...of }));
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize }));
}

const ids = (...data: number[]) => ({ data, type: 'INT32' as const });
const texts = (...data: string[]) => ({ data, type: 'STRING' as const });
const scores = (...data: number[]) => ({ data, type: 'DOUBLE' as const });

const three = buildGraph({ ...partsOf(3, [[0, 1], [1, 2]]), name: 'three' });
const withUrls = buildGraph({
  ...partsOf(3, [[0, 1]]), name: 'urls', hosts: hostsFromNames(['a.org', 'a.org', 'c.org']),
  paths: StringTable.from(['/', '/b?q=1', '/']),
});
const ofSource: WebGraph = { ...three, sourceIds: Uint32Array.of(30, 4000000000, 10) };

describe('a table of scores', () => {
  const read = (columns: Columns, graph: WebGraph, rowGroupSize?: number): Promise<Scores> =>
    readScores(file('scores.parquet', bytesOf(columns, rowGroupSize)), graph);

  test.each<[string, Columns, WebGraph, number[]]>([
    ['page ids', { page: ids(2, 0, 1), score: scores(3, 1, 2) }, three, [1, 2, 3]],
    ['FLOAT', { id: ids(0, 1, 2), rank: { data: [1, 0.5, 0.25], type: 'FLOAT' } }, three, [1, 0.5, 0.25]],
    ['INT64', { 'Page Id': { data: [1n, 0n, 2n], type: 'INT64' }, PageRank: scores(1, 2, -0) }, three, [2, 1, 0]],
    [
      'streams of bytes and other columns',
      { year: ids(1, 1, 1), node: ids(0, 1, 2), value: { ...scores(1, 2, 3), encoding: 'BYTE_STREAM_SPLIT' } }, three,
      [1, 2, 3],
    ],
    ['one value in a dictionary', { page: ids(0, 1, 2), score: scores(0.5, 0.5, 0.5) }, three, [0.5, 0.5, 0.5]],
    [
      'URLs', { url: texts('https://A.org/b?q=1#there', 'c.org', 'http://a.org/'), score: scores(2, 3, 1) }, withUrls,
      [1, 2, 3],
    ],
    [
      'ids of the source', { page: { data: [10n, 30n, 4000000000n], type: 'INT64' }, score: scores(1, 2, 3) }, ofSource,
      [2, 3, 1],
    ],
  ])('may hold %s', async (_, columns, graph, expected) => {
    for (const rowGroupSize of [1000, 2]) {
      const { scores: found, form, pagesLeftOut } = await read(columns, { ...graph }, rowGroupSize);
      expect([...found]).toEqual(expected);
      expect(Object.is(found[2], -0)).toBe(false);
      expect([form, pagesLeftOut]).toEqual(['url' in columns ? 'URLs and scores' : 'page ids and scores', 0]);
    }
  });

  test('by URL may leave pages out, which score 0', async () => {
    const { scores: found, pagesLeftOut } = await read({ page: texts('a.org/'), score: scores(2) }, withUrls);
    expect([...found, pagesLeftOut]).toEqual([2, 0, 0, 2]);
  });

  test.each<[string, Columns, RegExp, WebGraph?]>([
    ['no page', { score: scores(1) }, /has no column page \(nor pageid, id, url, \.\.\.\); its columns are "score"/],
    ['no score', { page: ids(1) }, /has no column score \(nor rank, pagerank, value, \.\.\.\); its columns are "page"/],
    ['no rows', { page: ids(), score: scores() }, /scores\.parquet: contains no scores/],
    [
      'pages as DOUBLE', { page: scores(1), score: scores(1) },
      /column "page" contains DOUBLE; expected page ids or URLs/,
    ],
    ['integers as scores', { page: ids(0), score: ids(1) }, /"score" contains integers; expected DOUBLE or FLOAT/],
    ['texts as scores', { page: ids(0), score: texts('1') }, /"score" contains texts; expected DOUBLE or FLOAT/],
    ['NaN', { page: ids(0, 1, 2), score: scores(1, NaN, 1) }, /row group 0: row 1: the score NaN is not a number/],
    ['a negative score', { page: ids(0), score: scores(-1) }, /row 0: the score -1 is negative; the minimum is 0/],
    ['an infinite score', { page: ids(0), score: scores(Infinity) }, /the score Infinity is larger than 3\.4e38/],
    [
      'no value', { page: ids(0, 1, 2), score: { data: [1, null, 1], type: 'DOUBLE' } },
      /column "score" has rows without a value/,
    ],
    ['only zeros', { page: ids(0, 1, 2), score: scores(0, 0, 0) }, /all scores are 0/],
    ['a page twice', { page: ids(0, 1, 0), score: scores(1, 1, 1) }, /group 0: row 2: page 0 appears a second time/],
    ['an unknown page', { page: ids(3), score: scores(1) }, /row 0: page id 3 is not one of the 3 pages of three$/],
    ['a negative page', { page: ids(-1), score: scores(1) }, /column "page" has -1 in row 0/],
    [
      'a page left out', { page: ids(0, 2), score: scores(1, 1) },
      /has scores for 2 of the 3 pages of three; the first without one is page 1$/,
    ],
    [
      'ids that are not those of the source', { page: ids(10, 2), score: scores(1, 1) },
      /row 1: page id 2 is not one of the 3 pages of three\. A table has the ids of the source/, ofSource,
    ],
    ['an unknown URL', { url: texts('a.org/c'), score: scores(1) }, /0: "a\.org\/c" is not a page of urls/, withUrls],
    [
      'a URL twice', { url: texts('http://a.org/', 'https://a.org'), score: scores(1, 1) },
      /row 1: page 0 appears a second time/, withUrls,
    ],
    [
      'URLs of a graph without', { url: texts('a.org/'), score: scores(1) },
      /three has no URLs; expected a column of page ids/,
    ],
  ])('is refused with %s', async (_, columns, message, graph = three) => {
    expect(await inputErrorOf(read(columns, graph))).toMatch(message);
  });

  test('may be a folder of files, as Spark writes it', async () => {
    const parts = join(folder, 'parts');
    mkdirSync(parts);
    writeFileSync(join(parts, '_SUCCESS'), '');
    expect(await inputErrorOf(readScores(parts, three))).toMatch(/parts: is a folder without Parquet files$/);
    writeFileSync(join(parts, 'part-0.snappy.parquet'), bytesOf({ page: ids(2), score: scores(3) }));
    writeFileSync(join(parts, 'part-1.snappy.parquet'), bytesOf({ page: ids(1, 0), score: scores(2, 1) }));
    expect([...(await readScores(parts, three)).scores]).toEqual([1, 2, 3]);
    writeFileSync(join(parts, 'part-2.snappy.parquet'), bytesOf({ page: ids(1), score: scores(2) }));
    expect(await inputErrorOf(readScores(parts, three))).toMatch(
      /part-2\.snappy\.parquet: row group 0: row 0: page 1 appears a second time/,
    );
  });

  test('that is damaged gives scores or one message', async () => {
    const sound = Buffer.from(bytesOf({ page: ids(0, 1, 2), score: scores(0.1, 0.2, 0.7) })).toString('latin1');
    const refused = await refusedOfDamaged(sound, 100, async (bytes) => {
      const { scores: found } = await readScores(file('damaged.parquet', bytes), three);
      expect(found.every((score) => score >= 0 && score <= 3.5e38)).toBe(true);
      return undefined;
    });
    expect(refused).toBeGreaterThan(0);
  });
});

describe('a crawl\'s table of scores by URL', () => {
  const read = (columns: Columns): Promise<ReadonlyMap<string, number>> =>
    readUrlScores(file('crawl.parquet', bytesOf(columns)));

  test('has canonical URLs as keys, and page ids beside them are ignored', async () => {
    const found = await read({ page: ids(0, 1), url: texts('http://A.org', 'a.org/b'), score: scores(1, 2) });
    expect([...found]).toEqual([['a.org/', 1], ['a.org/b', 2]]);
  });

  test.each<[string, Columns, RegExp]>([
    ['page ids alone', { page: ids(0), score: scores(1) }, /has no column of texts, and a crawl needs scores by URL/],
    ['a URL twice', { url: texts('a.org', 'http://a.org/'), score: scores(1, 1) }, /1: "a\.org\/" appears a second/],
    ['another scheme', { url: texts('ftp://a.org/'), score: scores(1) }, /row 0: "ftp:.*" is not a URL of http/],
    ['NaN', { url: texts('a.org'), score: scores(NaN) }, /row 0: the score NaN is not a number/],
  ])('is refused with %s', async (_, columns, message) => {
    expect(await inputErrorOf(read(columns))).toMatch(message);
  });
});

describe('out and in again', () => {
  const pages = fc.integer({ min: 1, max: 40 });
  const drawn = pages.chain((count) => fc.record({
    arcs: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { minLength: 1, maxLength: 80 }),
    values: fc.array(fc.double({ min: 0, max: 3e38, noNaN: true }), { minLength: count, maxLength: count })
      .filter((values) => values.some((value) => value > 0)),
    sourceIds: fc.option(
      fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { minLength: count, maxLength: count }),
      { nil: undefined },
    ),
    hasUrls: fc.boolean(),
  }));

  test('any graph has its links, and each page its score, to the bit', async () => {
    await fc.assert(fc.asyncProperty(drawn, async ({ arcs, values, sourceIds, hasUrls }) => {
      const graph = buildGraph({
        ...partsOf(values.length, arcs), sourceIds: sourceIds && Uint32Array.from(sourceIds),
        ...(hasUrls && {
          hosts: hostsFromNames(values.map((_, page) => `h${page % 3}.org`)),
          paths: StringTable.from(values.map((_, page) => `/${page}`)),
        }),
      });
      const given = Float64Array.from(values);
      const [links, ranks] = ['links.parquet', 'ranks.parquet'].map((name) => join(folder, name));
      await writeScores(ranks, graph, given);
      expect(await readScores(ranks, graph)).toEqual({ scores: given, form: 'page ids and scores', pagesLeftOut: 0 });
      await writeParquet(graph, links, { urls: hasUrls });
      const back = await openGraph(links);
      expect(back.arcs).toBe(graph.arcs);
      // A graph that is read from its links numbers its pages anew; a table of the same ids or URLs finds them.
      const known = new Set([...graph.outTargets, ...arcs.map(([source]) => source)]);
      if (hasUrls) {
        const byUrl = await readUrlScores(ranks);
        expect([...byUrl.values()]).toEqual(values);
      } else if (known.size === graph.pages) {
        expect([...(await readScores(ranks, back)).scores].sort()).toEqual([...values].sort());
      }
    }), { numRuns: isFullSweep ? 200 : 25 });
  });
});

const readers = ['pyarrow', 'duckdb'].map((name) => ({
  name, isThere: spawnSync('python3', ['-c', `import ${name}`], { stdio: 'ignore' }).status === 0,
}));

// Each reads links, counts links by target, and writes the shares as scores.
const scripts: Record<string, string> = {
  pyarrow: `
import sys, pyarrow as pa, pyarrow.compute as pc, pyarrow.parquet as pq
links = pq.ParquetFile(sys.argv[1])
print(links.num_row_groups, links.metadata.num_rows, [str(field.type) for field in links.schema_arrow])
counted = links.read().group_by('target').aggregate([('source', 'count')])
score = pc.divide(pc.cast(counted['source_count'], pa.float64()), links.metadata.num_rows)
pq.write_table(pa.table({'page': counted['target'], 'score': score}), sys.argv[2])`,
  duckdb: `
import sys, duckdb
print(*duckdb.sql(f"select count(distinct row_group_id) from parquet_metadata('{sys.argv[1]}')").fetchall()[0],
      *duckdb.sql(f"select count(*) from '{sys.argv[1]}'").fetchall()[0],
      [str(type).lower().replace('uinteger', 'uint32') for type in duckdb.sql(f"from '{sys.argv[1]}'").types])
duckdb.sql(f"""copy (select target as page, count(*) / sum(count(*)) over () as score from '{sys.argv[1]}'
               group by target) to '{sys.argv[2]}' (format parquet)""")`,
};

describe.skipIf(!readers[1].isThere)('DuckDB (skipped where Python lacks it)', () => {
  test('writes links and scores that are read as they were, whatever fills its last runs', async () => {
    const sizes = [1, 2, 7, 8, 9, 31, 33, 200, 255, 256, 257, 1000, 5000];
    const nameOf = { ids: '', urls: "'http://h' || " };
    const cases = sizes.flatMap((size) => ['V1', 'V2'].flatMap((version) =>
      (['ids', 'urls'] as const).map((kind) => ({
        size, version, kind, path: join(folder, `${size}-${version}-${kind}`),
      }))));
    const copies = cases.map(({ size, version, kind, path }) => {
      const [name, to] = [nameOf[kind], `(format parquet, parquet_version ${version})`];
      const pages = [11, 3].map((modulus) =>
        `select ${name}(range % ${modulus}) as page, (1 + range % ${modulus})::double as score from range(${size})`);
      return `
duckdb.sql("""copy (select ${name}(range % 11) as source, ${name}(range % 3) as target from range(${size}))
  to '${path}.parquet' ${to}""")
duckdb.sql("""copy (${pages.join(' union ')}) to '${path}.scores.parquet' ${to}""")`;
    });
    const { stderr } = spawnSync('python3', ['-c', `import duckdb\n${copies.join('')}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    for (const { size, kind, path } of cases) {
      const graph = await openGraph(`${path}.parquet`);
      const idOf = (page: number): number => kind === 'ids' ? graph.sourceIds?.[page] ?? page
        : Number(graph.hosts.names.at(graph.hosts.ofPage[page]).slice(1));
      const links = Array.from({ length: size }, (_, i) => `${i % 11} ${i % 3}`);
      expect(linksOf(graph, idOf).sort(), path).toEqual([...new Set(links)].sort());
      const { scores: found } = await readScores(`${path}.scores.parquet`, graph);
      expect([...found], path).toEqual(Array.from(found, (_, page) => 1 + idOf(page)));
    }
  });
});

describe.each(readers)('$name', ({ name, isThere }) => {
  test.skipIf(!isThere)('reads links in row groups, and writes scores (skipped where Python lacks it)', async () => {
    // A ring and its chords: more links than a row group has.
    const count = 150_000;
    const arcs = [1, 7].flatMap((step) =>
      Array.from({ length: count }, (_, page): [number, number] => [page, (page + step) % count]));
    const sourceIds = Uint32Array.from({ length: count }, (_, page) => 2 ** 32 - 1 - page);
    const graph = buildGraph({ ...partsOf(count, arcs), sourceIds });
    const [links, ranks] = ['out.parquet', 'in.parquet'].map((part) => join(folder, `${name}-${part}`));
    await writeParquet(graph, links);
    const { stdout, stderr } = spawnSync('python3', ['-c', scripts[name], links, ranks], { encoding: 'utf8' });
    expect([stderr, stdout.trim()]).toEqual(['', "2 300000 ['uint32', 'uint32']"]);
    const { scores: found } = await readScores(ranks, graph);
    for (const score of found) expect(score).toBeCloseTo(1 / count, 12);
  });
});
