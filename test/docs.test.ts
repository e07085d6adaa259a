import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

// Goal: documents stay true to the tree. A path that no longer exists sends a reader away at the worst moment.

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (name === 'node_modules') return [];
    return statSync(join(root, path)).isDirectory() ? filesBelow(path) : [path];
  });
}

/** All pages but the change log, and the decisions, which are history: they name files as these were then. */
const documents = [
  'README.md', ...['.github', 'src', 'test', 'datasets', 'notebooks'].flatMap((folder) => filesBelow(folder)),
].filter((file) => file.endsWith('.md') && file !== 'src/DECISIONS.md');

/** Folders that the product makes, and that documents name. */
const made = new Set(['store/', 'warc/', 'dist/']);

/** Paths of files of the project in a text, wherever they are, and folders between backquotes. */
function pathsIn(text: string): string[] {
  const files = text.matchAll(/(?<![\w./*@:-])((?:\.{1,2}\/)*[\w.-]+(?:\/[\w.-]+)*\.(?:ts|cpp|md|ipynb))(?![\w/*-])/g);
  const folders = text.matchAll(/`((?:\.{1,2}\/)*[\w.-]+(?:\/[\w.-]+)*\/)`/g);
  return [...files, ...folders].map(([, path]) => path).filter((path) => !made.has(path));
}

/**
 * A path is named as seen from the document's own folder, or from src/, test/ or the top; a name alone, as in a
 * drawing, may be of a file anywhere below the document's folder.
 */
function exists(path: string, document: string): boolean {
  const folder = dirname(document);
  if ([folder, 'src', 'test', '.'].some((base) => existsSync(join(root, base, path)))) return true;
  return !path.includes('/') && folder !== '.' && filesBelow(folder).some((file) => basename(file) === path);
}

/** The files and folders that a document links to, from the top. */
function linksIn(document: string): string[] {
  const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link.replace(/#.*/, ''));
  return links.filter((link) => link !== '' && !/^[a-z]+:/.test(link)).map((link) => join(dirname(document), link));
}

/** What is wrong with the entries of a text that has the form of src/DECISIONS.md. */
function faultsOfDecisions(text: string): string[] {
  const [head, body = ''] = text.split('\n## Entries\n');
  const faults: string[] = [];
  const entries = body.split(/\n(?=### )/).filter((entry) => entry.trim() !== '');
  const status = '(?:in force|(?:partly )?superseded by \\d+|measured again in \\d+)';
  const form = new RegExp(`^### \\d+\\. \\S.*\\n\\n\\d{4}-\\d{2}-\\d{2}, ${status}\\n\\n\\S`);
  const numbers = entries.map((entry) => Number(/^### (\d+)\. /.exec(entry.trim())?.[1]));
  for (const [i, entry] of entries.entries()) {
    const [title, , dated] = entry.trim().split('\n');
    if (!form.test(entry.trim())) faults.push(`${title}: no number, date, status and text`);
    const other = Number(/(?:by|in) (\d+)$/.exec(dated)?.[1] ?? numbers[i]);
    if (!numbers.includes(other)) faults.push(`${numbers[i]}: there is no ${other}`);
  }
  numbers.forEach((number, i) => {
    if (i > 0 && !(number > numbers[i - 1])) faults.push(`${number} is not greater than ${numbers[i - 1]}`);
  });
  const topics = [...head.matchAll(/^- [^:\n]+:((?: \d+,?|\n {2}\d+,?)+)$/gm)];
  const listed = topics.flatMap(([, list]) => list.match(/\d+/g) ?? []).map(Number);
  for (const number of new Set([...numbers, ...listed])) {
    const times = listed.filter((other) => other === number).length;
    if (times !== 1) faults.push(`${number} is listed ${times} times by topic`);
    if (!numbers.includes(number)) faults.push(`${number} is listed by topic and is no entry`);
  }
  return faults;
}

describe('documents', () => {
  test.each(documents)('%s names files that exist', (document) => {
    expect(pathsIn(read(document)).filter((path) => !exists(path, document))).toEqual([]);
  });

  test('a path that does not exist is found', () => {
    const found = pathsIn('see `core/engine/loop.ts`, gone.ts (x/y.cpp) and `nowhere/`, not `*.warc.gz` or https://a.b/c.md');
    expect(found).toEqual(['core/engine/loop.ts', 'gone.ts', 'x/y.cpp', 'nowhere/']);
    expect(found.filter((path) => exists(path, 'src/core/engine/README.md'))).toEqual(['core/engine/loop.ts']);
    expect(exists('trial.ts', 'src/core/engine/README.md')).toBe(true);
    expect(exists('trial.ts', 'src/core/queue/README.md')).toBe(false);
  });

  test.each(documents)('%s links to what exists', (document) => {
    expect(linksIn(document).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('what the npm package has links to what it has', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    const packed = ['README.md', 'LICENSE', ...files.map((file) => file.replace(/\/\*\*.*$/, ''))];
    const isPacked = (path: string): boolean => packed.some((file) => !relative(file, path).startsWith('..'));
    const dead = documents.filter(isPacked).flatMap((document) =>
      linksIn(document).filter((path) => !isPacked(path)).map((path) => `${document}: ${path}`),
    );
    expect(dead).toEqual([]);
  });

  test('lines have at most 120 columns, tables and links apart', () => {
    const wide = [...documents, 'CHANGELOG.md', 'src/DECISIONS.md'].flatMap((document) =>
      read(document)
        .split('\n')
        .filter((line) => line.length > 120 && !/^\||\]\(|^ {4}/.test(line))
        .map((line) => `${document}: ${line}`),
    );
    expect(wide).toEqual([]);
  });

  test('every decision has number, date and status, and is listed once by topic', () => {
    expect(faultsOfDecisions(read('src/DECISIONS.md'))).toEqual([]);
  });

  test('decisions that code and pages refer to are there', () => {
    const numbers = new Set(read('src/DECISIONS.md').match(/^### \d+/gm)?.map((title) => title.slice(4)));
    const files = ['src', 'test', 'notebooks', '.github'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)));
    const cited = [...files, 'vitest.config.ts', 'esbuild.config.js', 'eslint.config.js', 'README.md', 'CHANGELOG.md']
      .filter((path) => /\.(?:tsx?|js|md|yml)$/.test(path) && !path.endsWith('docs.test.ts'))
      .flatMap((path) => [...read(path).matchAll(/[Dd]ecision (\d+)/g)].map(([, number]) => ({ path, number })));
    expect(cited.length).toBeGreaterThan(1);
    expect(cited.filter(({ number }) => !numbers.has(number))).toEqual([]);
  });

  test('faults of decisions are found', () => {
    const text = (topics: string, ...entries: string[]): string => `${topics}\n## Entries\n${entries.join('')}`;
    const good = '\n### 1. A\n\n2026-11-20, in force\n\nText.\n';
    expect(faultsOfDecisions(text('- Topic: 1\n', good))).toEqual([]);
    expect(faultsOfDecisions(text('- Topic: 1\n- Other: 1\n', good))).toEqual(['1 is listed 2 times by topic']);
    expect(faultsOfDecisions(text('- Topic: 1, 2\n', good))).toEqual(['2 is listed by topic and is no entry']);
    expect(faultsOfDecisions(text('- Topic: 1\n', good.replace('2026-11-20, ', '')))).toHaveLength(1);
    expect(faultsOfDecisions(text('- Topic: 1\n', good.replace('in force', 'superseded by 7')))).toEqual([
      '1: there is no 7',
    ]);
  });
});
