import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { IndexWriter, openIndex, type IndexedPage } from '../../../src/search/index.ts';
import { exportIndex, type ExportedDocument } from '../../../src/search/out/index.ts';
import { exportedDocuments } from '../../../src/search/out/exported-documents.ts';
import { writeDocumentTable } from '../../../src/search/out/document-table.ts';
import { mainFile, orbweaver, start } from '../../cli/command.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { anyPages, pageText } from '../any-pages.ts';
import { isFullSweep, sampled } from '../../sweep.ts';

// Goal: other programs read each document of an index once, whatever is in it; a file is whole or not there.

const { folder, file } = temporaryFolder();
const at = (name: string): string => join(folder, name);
const namesOf = (ending: string): string[] => readdirSync(folder).filter((name) => name.includes(ending));

async function indexOf(name: string, pages: readonly IndexedPage[]): Promise<string> {
  const writer = await IndexWriter.open(at(name));
  for (const page of pages) writer.add(page);
  writer.finish();
  writer.close();
  return at(name);
}

/** Exports an index; the file's path. */
async function exported(path: string, name: string): Promise<string> {
  const index = await openIndex(path);
  await exportIndex(index, at(name)).finally(() => { index.close(); });
  return at(name);
}

async function rowsOf(path: string): Promise<unknown[]> {
  return parquetReadObjects({ file: await asyncBufferFromFile(path) });
}

/**
 * The documents of a body of the bulk API, by its reference: lines of JSON, each ended by \n, the last one too; an
 * action, an object with one known key, then its source. An identifier has at most 512 bytes.
 */
function documentsOfBulk(bytes: Buffer): Map<string, ExportedDocument> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.length % 2).toBe(0);
  const documents = new Map<string, ExportedDocument>();
  for (let line = 0; line < lines.length; line += 2) {
    const action = JSON.parse(lines[line]) as Record<string, { _id: string }>;
    expect(Object.keys(action)).toEqual(['index']);
    const { _id: id, ...rest } = action['index'];
    expect([typeof id, rest, documents.has(id)]).toEqual(['string', {}, false]);
    expect(Buffer.byteLength(id)).toBeLessThanOrEqual(512);
    documents.set(id, JSON.parse(lines[line + 1]) as ExportedDocument);
  }
  return documents;
}

const home = pageText(
  ['title', 'An "orb"\\ </script>\u2028'], ['h1', 'Silk\nand web'], ['other', 'one'], ['h5', 'Five'],
  ['other', 'two \0'], ['description', 'of webs'],
);
const hostile: IndexedPage[] = [
  { url: 'http://a.example:81/', text: { ...home, language: 'en', anchors: [
    { url: 'http://b.example/x', text: 'half \ud800 of a pair' }, { url: 'http://a.example:81/', text: 'self' },
  ] } },
  { url: 'http://b.example/copy', text: { ...home, anchors: [{ url: 'http://b.example/x', text: '' }] } },
  { url: 'http://b.example/x', text: { ...pageText(['other', 'to\ud83d, 🕸']), anchors: [
    { url: 'http://a.example:81/', text: 'home' }, { url: 'http://b.example/copy', text: 'copy' },
    { url: 'http://a.example:81/', text: 'home' },
  ] } },
  { url: `http://c.example/${'long/'.repeat(400)}`, text: {
    ...pageText(), anchors: Array.from({ length: 1100 }, (_, i) => ({ url: 'http://b.example/x', text: `text ${i}` })),
  } },
];

describe('an export', () => {
  test('has each document once, with all its fields, safely', async () => {
    const path = await indexOf('hostile.index', hostile);
    const documents = documentsOfBulk(readFileSync(await exported(path, 'hostile.ndjson')));
    const [first, second, third] = documents.values();
    expect(first).toEqual({
      url: 'http://a.example:81/', urls: ['http://a.example:81/', 'http://b.example/copy'], host: 'a.example',
      title: 'An "orb"\\ </script>\u2028', headings: ['Silk and web', 'Five'], body: 'one\ntwo \0',
      description: 'of webs', language: 'en', anchors: ['home', 'copy'], pagerank: first.pagerank,
    });
    expect(second).toMatchObject({ body: 'to\ufffd, 🕸', title: '', headings: [], language: '', description: '' });
    expect(second.anchors.slice(0, 2)).toEqual(['half \ufffd of a pair', 'text 0']);
    expect(second.anchors).toHaveLength(1000);
    expect(third).toMatchObject({ url: hostile[3].url, body: '', anchors: [] });
    const { pageranks } = await openIndex(path);
    expect([...documents.values()].map(({ pagerank }) => pagerank)).toEqual([...pageranks]);
    expect([...documents.keys()]).toEqual([...documents.values()].map(
      ({ url }) => createHash('sha256').update(url).digest('hex'),
    ));
    expect(await rowsOf(await exported(path, 'hostile.parquet'))).toEqual([...documents.values()]);
  });

  test('is the same whenever it is made, with little memory too', async () => {
    const path = await indexOf('any.index', anyPages(3, 200));
    for (const ending of ['ndjson', 'parquet']) {
      const bytes = readFileSync(await exported(path, `any.${ending}`));
      expect(readFileSync(await exported(path, `again.${ending}`)).equals(bytes)).toBe(true);
    }
    const index = await openIndex(path);
    const expected = [...documentsOfBulk(readFileSync(at('any.ndjson'))).values()];
    expect(expected).toHaveLength(index.documents);
    expect(new Set(expected.flatMap(({ urls }) => urls)).size).toBe(200);
    for (const maxTexts of [1, 2, 37]) {
      const documents: ExportedDocument[] = [];
      for await (const document of exportedDocuments(index, { maxTexts })) documents.push(document);
      expect(documents).toEqual(expected);
    }
    await writeDocumentTable(at('groups.parquet'), exportedDocuments(index), 500);
    expect(await rowsOf(at('groups.parquet'))).toEqual(expected);
    const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(at('groups.parquet')));
    expect(groups.length).toBeGreaterThan(10);
    index.close();
  });

  test('of no documents is empty', async () => {
    const path = await indexOf('empty.index', []);
    expect(statSync(await exported(path, 'empty.ndjson')).size).toBe(0);
    expect(await rowsOf(await exported(path, 'empty.parquet'))).toEqual([]);
  });

  const python = (code: string): ReturnType<typeof spawnSync> => spawnSync('python3', ['-c', code, at('any.parquet')]);
  test.skipIf(python('import pyarrow.parquet').status !== 0)(
    'is read by pyarrow (skipped where Python has no pyarrow)', () => {
      const { stdout, stderr } = python(
        'import sys, json, pyarrow.parquet as pq; print(json.dumps(pq.read_table(sys.argv[1]).to_pylist()))',
      );
      expect(String(stderr)).toBe('');
      expect(JSON.parse(String(stdout))).toEqual([...documentsOfBulk(readFileSync(at('any.ndjson'))).values()]);
    },
  );
  test.skipIf(python('import duckdb').status !== 0)(
    'is read by DuckDB (skipped where Python has no duckdb)', () => {
      const { stdout } = python(
        'import sys, duckdb; print(duckdb.sql(f"select count(*), sum(len(urls)) from \'{sys.argv[1]}\'").fetchall())',
      );
      const documents = documentsOfBulk(readFileSync(at('any.ndjson'))).size;
      expect(String(stdout).trim()).toBe(`[(${documents}, 200)]`);
    },
  );
});

describe('orbweaver export', () => {
  test('reports what it wrote', async () => {
    await indexOf('some.index', anyPages(4, 50));
    const args = ['export', 'some.index', '--out', 'some.ndjson', '--json'];
    const { code, stdout, stderr } = await orbweaver(args, folder);
    expect([code, stderr]).toEqual([0, '']);
    const documents = documentsOfBulk(readFileSync(at('some.ndjson'))).size;
    expect(JSON.parse(stdout)).toEqual({
      index: 'some.index', file: 'some.ndjson', documents, pages: 50, bytes: statSync(at('some.ndjson')).size,
    });
    const text = await orbweaver(['export', 'some.index', '--out', 'some.parquet'], folder);
    expect(text.stdout).toMatch(new RegExp(`^${documents} documents of 50 pages in some\\.parquet, 0\\.\\d MB\n$`));
  });

  test.each<[string, string, string, RegExp]>([
    ['another ending', 'some.index', 'some.json', /^some\.json: must end with \.ndjson \(.*\) or \.parquet \(.*\)\n$/],
    ['no such index', 'missing.index', 'x.ndjson', /^missing\.index: no such index/],
    ['no index', 'text.index', 'x.ndjson', /^text\.index: is not an index made by: orbweaver index\n$/],
    ['a folder that is not there', 'some.index', 'no/x.ndjson', /^--out no\/x\.ndjson: cannot be written: no such/],
    ['the index itself', 'named.ndjson', 'named.ndjson', /^--out named\.ndjson: is the index itself\n$/],
  ])('refuses %s', async (_, index, out, message) => {
    file('text.index', 'no index\n'.repeat(1000));
    writeFileSync(at('named.ndjson'), readFileSync(at('some.index')));
    const { code, stderr } = await orbweaver(['export', index, '--out', out], folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(namesOf('x.ndjson')).toEqual([]);
  });

  test('a damaged text leaves the file that was there', async () => {
    const words = Array.from({ length: 2000 }, (_, i) => `${i * i}`).join(' ');
    const bytes = readFileSync(await indexOf('sound.index', [
      { url: 'http://a.example/', text: pageText(['other', words]) },
    ]));
    let found = 0;
    file('before.ndjson', 'before');
    for (let place = 4096; place < bytes.length; place += 4096) {
      const damaged = Buffer.from(bytes);
      damaged[place + 2000] ^= 0x11;
      file('damaged.index', damaged);
      const { code, stderr } = await orbweaver(['export', 'damaged.index', '--out', 'before.ndjson'], folder);
      if (code === 0) {
        file('before.ndjson', 'before');
        continue;
      }
      found++;
      expect([code, stderr]).toEqual([2, 'damaged.index: is damaged; rebuild it with: orbweaver index\n']);
      expect(readFileSync(at('before.ndjson'), 'utf8')).toBe('before');
    }
    expect(found).toBeGreaterThan(0);
  });

  test.runIf(isFullSweep)('that is stopped leaves nothing', async () => {
    const path = await indexOf('large.index', anyPages(5, 3000));
    const index = await openIndex(path);
    const stop = new AbortController();
    await expect(exportIndex(index, at('stopped.ndjson'), {
      signal: stop.signal, onDocument: (done) => { if (done === 3) stop.abort(new Error('stopped')); },
    })).rejects.toThrow('stopped');
    index.close();
    expect(namesOf('stopped')).toEqual([]);
    const child = start(['export', 'large.index', '--out', 'interrupted.parquet'], folder);
    const ended = once(child, 'exit');
    while (namesOf('interrupted').length === 0 && child.exitCode === null) await new Promise(setImmediate);
    child.kill('SIGINT');
    const [code] = await ended as [number];
    // It may have been done already.
    expect(namesOf('interrupted')).toEqual(code === 0 ? ['interrupted.parquet'] : []);
    expect([0, 130]).toContain(code);
  });

  test.each(sampled(['ndjson', 'parquet'], 2))('on a full disk leaves nothing: %s', async (ending) => {
    const hash = (text: string): string => createHash('md5').update(text).digest('hex');
    await indexOf('full.index', Array.from({ length: 300 }, (_, i) => {
      const words = Array.from({ length: 90 }, (__, k) => hash(`${i} ${k}`));
      return { url: `http://a.example/${i}`, text: pageText(['other', words.join(' ')]) };
    }));
    const { status, stderr } = spawnSync('bash', [
      '-c', 'ulimit -S -f 100; exec "$@"', 'bash', process.execPath, mainFile, 'export', 'full.index', '--out',
      `full.${ending}`,
    ], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toMatch(/^full\.\w+: could not be written: EFBIG/);
    expect(status).toBe(3);
    expect(namesOf(`full.${ending}`)).toEqual([]);
    expect(await inputErrorOf(openIndex(at(`full.${ending}`)))).toContain('no such index');
  });
});
