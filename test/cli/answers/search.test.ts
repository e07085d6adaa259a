import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { IndexWriter } from '../../../src/search/index.ts';
import { pageText } from '../../search/any-pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orbweaver, orbweaverProcess } from '../command.ts';

// Goal: a user finds pages at the terminal, and a script as JSON; what cannot be searched is refused in one line.

const { folder, file } = temporaryFolder();
const path = join(folder, 'docs.index');

interface Found {
  readonly total: number;
  readonly ms: number;
  readonly hits: readonly {
    readonly url: string;
    readonly title: string;
    readonly snippet: string;
    readonly score: number;
  }[];
}

beforeAll(async () => {
  const writer = await IndexWriter.open(path);
  for (let i = 0; i < 25; i++) {
    const text = pageText(['title', `Page ${i}`], ['other', `an orb web, ${i}`]);
    writer.add({ url: `http://h${i % 2}.example/${i}`, text });
  }
  const evil = pageText(['title', 'evil\u001b[31m title'], ['other', 'evil <b>words</b> \u202e here']);
  writer.add({ url: 'http://evil.example/', text: evil });
  writer.add({ url: 'http://evil.example/too', text: evil });
  writer.finish();
  writer.close();
});

const search = (...args: string[]): ReturnType<typeof orbweaver> => orbweaver(['search', path, ...args], folder);

describe('orbweaver search', () => {
  test('prints title, URL and snippet of each result', async () => {
    const { code, stdout, stderr } = await search('orb web 7');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.replace(/[\d.]+ ms/, '1 ms')).toContain([
      '25 documents found in 26 documents, 1 ms.', 'Few or no documents have all words; the others have some of them.',
      '', '1. Page 7', '   http://h1.example/7', '   an orb web, 7', '', '2. ',
    ].join('\n'));
    expect(stdout).toContain('\n\nMore results: --page 2\n');
  });

  test('prints JSON, whose pages are all results', async () => {
    const pages = await Promise.all([1, 2, 3].map(async (page) => {
      const { stdout } = await search('orb', '--json', '--page', String(page), '--ranking', 'compass');
      return JSON.parse(stdout) as Found;
    }));
    expect(pages.map(({ total, hits }) => [total, hits.length])).toEqual([[25, 10], [25, 10], [25, 5]]);
    const hits = pages.flatMap((page) => page.hits);
    expect(new Set(hits.map(({ url }) => url)).size).toBe(25);
    expect(hits[0]).toMatchObject({ title: 'Page 0', snippet: 'an orb web, 0' });
    expect(pages[0].ms).toBeGreaterThanOrEqual(0);
  });

  test('explains scores, and suggests a spelling', async () => {
    const { stdout } = await search('orrb', '--explain', '--max-hits', '1');
    expect(stdout).toMatch(/^Nothing found/);
    const pages = await search('pagee', '--explain');
    expect(pages.stdout).toContain('Did you mean: page\n');
    const explained = await search('orb', '--explain', '--max-hits', '1');
    expect(explained.stdout).toMatch(/ = prior \+ sum over words of idf \* tf \/ \(1\.2 \+ tf\)\n {5}prior: /);
  });

  test('makes texts of pages safe for a terminal', async () => {
    const { stdout } = await search('evil');
    expect(stdout).toContain('1. evil\\x1b[31m title\n   http://evil.example/\n   also http://evil.example/too\n');
    expect(stdout).toContain('   evil <b>words</b> \\u202e here\n');
  });

  test('has examples that run', async () => {
    const { stdout } = await search('--help');
    const examples = stdout.split('Examples:\n')[1].split('\n').filter((line) => line.startsWith('  orbweaver'));
    expect(examples.length).toBeGreaterThan(3);
    for (const line of examples) {
      const [, ...args] = (line.match(/'[^']*'|[^ ]+/g) ?? []).map((word) => word.replaceAll('\'', ''));
      expect(await orbweaver(args, folder), line).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test('starts in a process of its own, with the driver of the database', async () => {
    const { code, stdout } = await orbweaverProcess(['search', path, 'site:evil.example words', '--json'], folder);
    expect([code, (JSON.parse(stdout) as Found).total]).toEqual([0, 1]);
  });
});

test.each<[string[], RegExp]>([
  [['missing.index', 'a'], /^missing\.index: no such index; make it with: orbweaver index$/m],
  [['text.index', 'a'], /^text\.index: is not an index made by: orbweaver index$/m],
  [['docs.index', ' '], /^query: is empty; expected a word, a "phrase" or title:word; site: and - narrow these down$/m],
  [['docs.index', 'site:x -y'], /^query: "site:x -y" has no word to look for/m],
  [['docs.index', 'x '.repeat(5000)], /^query: has 10000 characters; at most 2000 are allowed$/m],
  [['docs.index', 'a', '--ranking', 'bm25g'], /^--ranking bm25g: must be one of bm25f, compass, bm25; did you mean bm25f\?$/m],
  [['docs.index', 'a', '--max-hits', '0'], /^--max-hits 0: must be at least 1$/m],
  [['docs.index', 'a', '--page', '0'], /^--page 0: must be at least 1$/m],
])('refuses %j', async (args, says) => {
  file('text.index', 'no index '.repeat(1000));
  const { code, stdout, stderr } = await orbweaver(['search', ...args], folder);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/\n\s+at /);
});
