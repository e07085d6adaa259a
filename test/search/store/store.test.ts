import Sqlite from 'libsql';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/index.ts';
import {
  IndexWriter, bm25, bm25f, compass, englishStopWords, openIndex,
  type IndexedPage, type IndexOptions, type SearchIndex,
} from '../../../src/search/index.ts';
import { BEGINNING_CHARS } from '../../../src/search/store/index.ts';
import { isFullSweep } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { anyPages, pageText, plainPages } from '../any-pages.ts';
import { MemoryCorpus } from '../memory-corpus.ts';

// Goal: an index on disk is the plain one in memory, whatever it was made by: commits, segments, in one go or several.

const { folder } = temporaryFolder();
let files = 0;
const newPath = (): string => join(folder, `${files++}.index`);
const words = [...Array.from('abcdefgh'), 'unknown'];

interface HowIndexed extends IndexOptions {
  readonly perCommit: number;
  readonly postingsBytes: number;
  readonly maxLinks: number;
}

/** Adds pages, and commits after every few. */
async function indexed(
  path: string, pages: readonly IndexedPage[],
  { perCommit = 7, postingsBytes = 0, maxLinks, ...options }: Partial<HowIndexed> = {},
): Promise<string> {
  const writer = await IndexWriter.open(path, options);
  for (const [i, page] of pages.entries()) {
    writer.add(page);
    if (i % perCommit === 0) writer.commit(postingsBytes);
  }
  writer.finish(undefined, maxLinks);
  writer.close();
  return path;
}

/** All that an index says, as plain values. */
function contents(index: SearchIndex): unknown {
  const { documents, pages, lengths, meanLengths, pageranks, documentOfPage, firstPage } = index;
  return {
    documents, pages, lengths: lengths.map((ofField) => [...ofField]), meanLengths, pageranks,
    documentOfPage, firstPage,
    urls: Array.from({ length: pages }, (_, page) => [index.url(page), index.page(index.url(page)), index.links(page)]),
    titles: Array.from({ length: documents }, (_, document) => index.title(document)),
    words: words.map((word) => [index.frequency(word), index.postings(word), index.anchors(word)]),
  };
}

async function expectEqual(path: string, memory: MemoryCorpus): Promise<void> {
  const reader = await openIndex(path);
  expect(contents(reader)).toEqual(contents(memory));
  for (const ranking of [compass, bm25(), bm25f()])
    for (const query of [['a'], ['b', 'a', 'c'], ['h', 'unknown']])
      expect(ranking.rank(reader, query)).toEqual(ranking.rank(memory, query));
  reader.close();
}

describe('an index on disk is that in memory', () => {
  test.each([
    [1, {}], [2, { perCommit: 1 }], [3, { segments: 4 }], [4, { segments: 3, perCommit: 100 }], [5, { maxLinks: 100 }],
    [6, { maxLinks: 1, segments: 2 }], [7, { postingsBytes: 3000 }], [8, { postingsBytes: Infinity, segments: 2 }],
  ])('of the same pages (%i: %j)', async (seed, options) => {
    const pages = anyPages(seed, 60);
    await expectEqual(await indexed(newPath(), pages, options), new MemoryCorpus(pages));
  });

  test('made in several goes, of which some were finished and one was closed without a commit', async () => {
    const pages = anyPages(7, 60);
    const path = newPath();
    await indexed(path, pages.slice(0, 20));
    const writer = await IndexWriter.open(path);
    expect([writer.pages, writer.hasPage(pages[19].url), writer.hasPage(pages[20].url)]).toEqual([20, true, false]);
    for (const page of pages.slice(20, 30)) writer.add(page);
    writer.commit();
    for (const page of pages.slice(30, 45)) writer.add(page);
    writer.close();
    // What was committed and not finished is not seen.
    await expectEqual(path, new MemoryCorpus(pages.slice(0, 20)));
    await indexed(path, pages, { perCommit: 3 });
    await expectEqual(path, new MemoryCorpus(pages));
    // Nothing new.
    await indexed(path, pages);
    await expectEqual(path, new MemoryCorpus(pages));
  });

  test('made by writers that were each closed after a commit, with postings and without', async () => {
    const pages = anyPages(12, 60);
    const path = newPath();
    for (let page = 0; page < pages.length; page++) {
      const writer = await IndexWriter.open(path, { segments: 2, stopWords: 'none' });
      expect(writer.pages).toBe(page);
      writer.add(pages[page]);
      writer.commit(page % 7 === 3 ? 0 : Infinity);
      writer.close();
    }
    await indexed(path, pages);
    await expectEqual(path, new MemoryCorpus(pages));
  });

  test('with texts that UTF-8 cannot hold, or with lines, whose words are found again', async () => {
    const pages = plainPages('half \ud800 of\ud83d a\npair', 'ÅNGSTRÖM\n\n\u0130x', '', 'long '.repeat(30_000));
    const writer = await IndexWriter.open(newPath());
    for (const page of pages) writer.add(page);
    writer.commit();
    writer.close();
    const path = join(folder, `${files - 1}.index`);
    await indexed(path, []);
    await expectEqual(path, new MemoryCorpus(pages));
  });

  test('with a list of stop words', async () => {
    const pages = anyPages(8, 40, ['a', 'b', 'the', 'of', 'x'.repeat(70)]);
    const path = await indexed(newPath(), pages, { stopWords: 'english' });
    await expectEqual(path, new MemoryCorpus(pages, englishStopWords));
    const reader = await openIndex(path);
    expect([reader.frequency('the').textOrAnchor, reader.frequency('b').text > 0]).toEqual([0, true]);
    expect(reader.stopWords).toBe(englishStopWords);
  });

  test('of no pages, of pages without text, and of pages of one text', async () => {
    await expectEqual(await indexed(newPath(), []), new MemoryCorpus([]));
    for (const pages of [plainPages('', '', 'a'), plainPages('a b', 'a b', 'a b')])
      await expectEqual(await indexed(newPath(), pages), new MemoryCorpus(pages));
  });
});

describe('a reader', () => {
  test('sees one finish until it is refreshed, while pages are added and finished', async () => {
    const pages = anyPages(9, 60);
    const path = newPath();
    const writer = await IndexWriter.open(path);
    for (const page of pages.slice(0, 30)) writer.add(page);
    writer.finish();
    const reader = await openIndex(path, { cacheBytes: 0 });
    const before = contents(reader);
    for (const page of pages.slice(30)) writer.add(page);
    writer.commit();
    expect(reader.refresh()).toBe(false);
    expect(contents(reader)).toEqual(before);
    writer.finish();
    expect(contents(reader)).toEqual(before);
    expect(reader.refresh()).toBe(true);
    expect(contents(reader)).toEqual(contents(new MemoryCorpus(pages)));
    reader.close();
    writer.close();
  });

  test('knows texts, hosts, the pages of a document and frequent words', async () => {
    const title = pageText(['title', 'Web'], ['other', 'Größe\nweb']);
    const path = await indexed(newPath(), [
      { url: 'http://a.example/1', text: { ...title, language: 'de' } }, { url: 'http://b.example:81/', text: title },
      { url: 'http://a.example/2', text: pageText(['other', 'web search']) },
    ]);
    const reader = await openIndex(path);
    expect(reader.text(0)).toEqual({ language: 'de', runs: [title.runs[0], { field: 'other', text: 'Größe web' }] });
    expect([reader.title(0), reader.title(1)]).toEqual(['Web', '']);
    expect([...reader.pagesOf(0), -1, ...reader.pagesOf(1)]).toEqual([0, 1, -1, 2]);
    expect([...reader.hostOfPage].map((host) => reader.hosts[host])).toEqual(['a.example', 'b.example', 'a.example']);
    expect([...reader.vocabulary()]).toEqual([['web', 2]]);
  });

  test.each([-3, -2, -1, 0, 1, 2])('the beginning of a long text, which ends within a character: %i', async (shift) => {
    const [first, second] = ['a'.repeat(BEGINNING_CHARS / 2 + shift), '😀'.repeat(BEGINNING_CHARS)];
    const text = { ...pageText(['other', first], ['other', second], ['title', 'Last']), language: 'de' };
    const reader = await openIndex(await indexed(newPath(), [{ url: 'http://a.example/', text }]));
    expect(reader.text(0)).toEqual({ language: 'de', runs: text.runs });
    const { language, runs } = reader.beginning(0);
    expect([language, runs.length, runs[0].text]).toEqual(['de', 2, first]);
    expect(runs[1].text).toBe(second.slice(0, runs[1].text.length));
    // Besides the texts: the language, two numbers of fields and two ends of lines.
    const chars = 'de'.length + first.length + runs[1].text.length + 4;
    expect([BEGINNING_CHARS, BEGINNING_CHARS - 1]).toContain(chars);
    expect(reader.title(0)).toBe('Last');
    reader.close();
  });
});

describe('what is no such index is refused', () => {
  const refusal = async (path: string, options?: IndexOptions): Promise<string> => {
    const read = await openIndex(path).then(() => '', (error: unknown) => String(error));
    const written = await IndexWriter.open(path, options).then((writer) => {
      writer.close();
      return '';
    }, (error: unknown) => String(error));
    return [read, written].map((message) => message.replaceAll(path, 'PATH')).join('; ');
  };

  test('a name that is too long, and one that leads to itself', async () => {
    const loop = newPath();
    symlinkSync(loop, loop);
    for (const path of [loop, join(folder, 'x'.repeat(300))])
      expect(await refusal(path)).toMatch(/^(Input|World)Error: PATH: .*; (Input|World)Error: PATH: /);
  });

  test('no file, a folder, another file, another database, another version', async () => {
    const missing = join(folder, 'there is none.index');
    await expect(openIndex(missing)).rejects.toThrow('no such index; make it with: orbweaver index');
    expect(existsSync(missing)).toBe(false);
    const path = newPath();
    mkdirSync(path, { recursive: true });
    expect(await refusal(path)).toMatch(/^InputError: PATH: is not an index; it is a folder.*; InputError: PATH: cannot be/);
    const text = newPath();
    writeFileSync(text, 'no index\n'.repeat(1000));
    expect(await refusal(text)).toBe(
      'InputError: PATH: is not an index made by: orbweaver index; InputError: PATH: is not an index made by: orbweaver index',
    );
    expect(readFileSync(text, 'utf8')).toBe('no index\n'.repeat(1000));
    // SQLite takes so short a file for an empty database.
    writeFileSync(text, 'x');
    expect(await refusal(text)).toMatch(/; InputError: PATH: is not an index made by: orbweaver index$/);
    expect(readFileSync(text, 'utf8')).toBe('x');
    const other = newPath();
    new Sqlite(other).exec('CREATE TABLE t(a)');
    const bytes = readFileSync(other);
    expect(await refusal(other)).toMatch(/^InputError: PATH: is a database, but no.*; InputError: PATH: is a data/);
    expect(readFileSync(other).equals(bytes)).toBe(true);
    const newer = await indexed(newPath(), anyPages(1, 3));
    new Sqlite(newer).exec('PRAGMA user_version = 9');
    expect(await refusal(newer)).toMatch(/^InputError: PATH: has format 9; this version .* reads format 5; rebuild it with: orbweaver index; InputError/);
    expect(await refusal(join(folder, 'missing', 'a.index'))).toContain('check that its folder exists');
  });

  test('an empty file is new to writers, and no index to readers; nor is one that was not finished', async () => {
    const path = newPath();
    writeFileSync(path, '');
    await expect(openIndex(path)).rejects.toThrow('is empty; expected an index made by: orbweaver index');
    const writer = await IndexWriter.open(path);
    writer.add(plainPages('a')[0]);
    writer.commit();
    await expect(openIndex(path)).rejects.toThrow('is not finished; to finish it, run the same command again');
    writer.close();
  });

  test('a second writer, and options other than those of the index', async () => {
    const path = newPath();
    const writer = await IndexWriter.open(path, { segments: 2, stopWords: 'english' });
    await expect(IndexWriter.open(path)).rejects.toThrow('is being written by another process; wait for it');
    writer.finish();
    await expect(IndexWriter.open(path)).rejects.toThrow('is being written by another process; wait for it');
    writer.close();
    expect(await refusal(path)).toBe('; ');
    expect(await refusal(path, { segments: 3 })).toBe('; InputError: PATH: was made with segments 2, not 3');
    expect(await refusal(path, { stopWords: 'none' })).toBe(
      '; InputError: PATH: was made with stopWords english, not none',
    );
    for (const segments of [0, 1.5, 1025, NaN])
      await expect(IndexWriter.open(path, { segments })).rejects.toThrow('expected an integer from 1 to 1024');
  });

  test.each([
    "arrays SET bytes = 5 WHERE name = 'title'", "postings SET code = 'x'", "anchors SET documents = 'x'",
    'anchors SET code = 1.5', 'documents SET text = 7', 'documents SET rest = 7',
    "facts SET value = 'x' WHERE name = 'pages'",
  ])('a value of another type: %s', async (change) => {
    const path = await indexed(newPath(), anyPages(12, 30));
    new Sqlite(path).exec(`UPDATE ${change}`);
    const read = async (): Promise<void> => {
      const reader = await openIndex(path);
      for (const word of words) reader.postings(word);
      for (const word of words) reader.anchors(word);
      reader.text(0);
    };
    await expect(read()).rejects.toThrow('is damaged; rebuild it with: orbweaver index');
  });

  test('whatever byte is damaged, postings and statistics are those of the index, or it is refused', async () => {
    const pages = anyPages(10, 60);
    const sound = await indexed(newPath(), pages);
    const memory = new MemoryCorpus(pages);
    const statistics = ({ lengths, pageranks, firstPage, documentOfPage }: SearchIndex): unknown =>
      [lengths.map((ofField) => [...ofField]), pageranks, firstPage, documentOfPage];
    const bytes = readFileSync(sound);
    const path = newPath();
    let [found, looked] = [0, 0];
    for (let at = 100; at < bytes.length; at += isFullSweep ? 61 : 1999) {
      const damaged = Buffer.from(bytes);
      damaged[at] ^= 0x55;
      writeFileSync(path, damaged);
      looked++;
      try {
        const reader = await openIndex(path);
        // The key of a row can be damaged too: then it is not found.
        for (const word of words) {
          const { documents } = reader.postings(word);
          if (documents.length > 0) expect(reader.postings(word), `byte ${at}`).toEqual(memory.postings(word));
          if (reader.anchors(word).documents.length > 0) expect(reader.anchors(word)).toEqual(memory.anchors(word));
        }
        expect(statistics(reader), `byte ${at}`).toEqual(statistics(memory));
        for (let document = 0; document < reader.documents; document++) reader.text(document);
        reader.close();
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        expect(error.message, `byte ${at}`).toMatch(/is damaged|is not an index|is not finished|has format/);
        found++;
      }
    }
    expect(found).toBeGreaterThan(looked / 10);
    copyFileSync(sound, path);
    writeFileSync(path, bytes.subarray(0, bytes.length / 2));
    expect(await refusal(path)).toMatch(/^InputError: PATH: is damaged/);
  });
});
