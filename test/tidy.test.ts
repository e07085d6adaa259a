import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

// Goal: the house stays as src/README.md draws it. A rule that only a person keeps is kept until the next hurry.

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

/** Folders whose index each folder may import. `std` is open to all. */
const mayImport: Record<string, readonly string[]> = {
  std: [],
  graph: [],
  queue: [],
  'queue/paged': ['queue'],
  bsp: [],
  world: [],
  structure: ['graph'],
  generator: ['graph'],
  dataset: ['graph'],
  'dataset/warc': ['dataset', 'graph'],
  rank: ['graph'],
  incremental: ['graph'],
  simulation: ['graph', 'world'],
  live: ['world', 'graph', 'dataset'],
  crawl: ['live', 'world', 'graph', 'dataset', 'queue', 'bsp', 'scheduler', 'scheduler/policies', 'measure', 'experiment'],
  scheduler: ['queue', 'bsp', 'world'],
  'scheduler/policies': ['queue', 'graph', 'rank'],
  measure: ['graph', 'rank', 'bsp'],
  experiment: ['graph', 'queue', 'bsp', 'world', 'dataset', 'rank', 'incremental', 'simulation', 'scheduler', 'scheduler/policies', 'measure'],
  // `report` for the types of what is shown: a study draws nothing.
  'experiment/study': ['experiment', 'graph', 'dataset', 'rank', 'measure', 'report'],
  report: ['measure'],
  'report/page': ['report'],
  service: ['experiment', 'report', 'live', 'graph', 'dataset', 'world', 'simulation'],
  dashboard: ['report', 'experiment'],
  // `report` for the types of what is shown: the bench draws nothing.
  bench: ['graph', 'queue', 'dataset', 'rank', 'generator', 'experiment', 'measure', 'report'],
  'bench/peers': ['bench'],
  cli: ['graph', 'structure', 'generator', 'queue', 'bsp', 'world', 'dataset', 'rank', 'incremental', 'simulation', 'live', 'crawl', 'scheduler', 'scheduler/policies', 'measure', 'experiment', 'experiment/study', 'report', 'service', 'bench'],
};

/** Folders that are one with the folder they are in: they import what it may, and each other's files. */
const oneFolder = /^(std|live|service)\//;

/** A module of the folder itself, reached by another folder's file, and why that is no breach. */
const open: Record<string, string> = {
  // The browser page is bundled: it takes the plain data types and nothing that needs Node.
  'cli -> live/settings.ts': 'zod alone, for the flags: what speaks HTTP is loaded when a crawl begins',
  'report/page -> report/data.ts': 'types of the data embedded in the report',
  'report/page -> report/shown.ts': 'types of the data embedded in the report of a measurement',
};

/** Files over 400 lines, each with its reason. None may pass 600. */
const long: Record<string, string> = {};

const wordsOnlyAtTheEdge = ['Date.now(', 'performance.now(', 'Math.random(', 'setTimeout(', 'fetch('];
/** `bench/` is there because to measure time is its task; nothing of the product imports it but the command. */
const theEdge = /^(live|cli|service|dashboard|bench)\/|^dataset\/download\.ts$/;

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

const sources = filesBelow(src).filter((file) => /\.(ts|css|html)$/.test(file));

/** The folder of the layout a file belongs to, the deepest that the table names. */
function folderOf(file: string): string {
  let folder = dirname(relative(src, file));
  while (folder !== '.' && !(folder in mayImport)) folder = dirname(folder);
  return folder;
}

/** Breaches of the import rules in a file's text: the same function judges the product and the test's own examples. */
function breaches(file: string, text: string): string[] {
  const from = folderOf(file);
  if (from === '.') return [];
  const found: string[] = [];
  for (const [, specifier] of text.matchAll(/(?:from|import)\s+'(\.[^']+)'/g)) {
    const target = resolve(dirname(file), specifier);
    const to = folderOf(target);
    const name = `${from} -> ${relative(src, target)}`;
    if (to === from || name in open) continue;
    // A subfolder belongs to its folder, which may import its index.
    const isChild = to.startsWith(`${from}/`) || from.startsWith(`${to}/`);
    if (!isChild && to !== 'std' && !mayImport[from].includes(to)) found.push(`${name}: ${from}/ may not import ${to}/`);
    else if (!isChild && !target.endsWith('/index.ts') && !target.endsWith(join('experiment', 'schema.ts'))) found.push(`${name}: not through its index.ts`);
  }
  return found;
}

describe('the house is tidy', () => {
  test('nothing lies about at the top', () => {
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').map((line) => line.replace(/^\/|\/$/g, ''));
    const named = ['src', 'datasets', 'test', 'notebooks', 'README.md', 'CHANGELOG.md', 'LICENSE', 'package.json', 'package-lock.json',
      'tsconfig.json', 'eslint.config.js', 'vitest.config.ts'];
    const strange = readdirSync(root).filter((name) => !name.startsWith('.') && !named.includes(name) && !ignored.includes(name));
    expect(strange).toEqual([]);
  });

  test('every folder is in the plan', () => {
    const folders = new Set(sources.map((file) => relative(src, dirname(file))).filter((folder) => folder !== ''));
    for (const folder of folders) if (!oneFolder.test(folder)) expect(Object.keys(mayImport)).toContain(folder);
  });

  test('imports go only to the folders named, through their index', () => {
    expect(sources.flatMap((file) => breaches(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  test('the import rules can fail', () => {
    const file = join(src, 'queue', 'cbt.ts');
    expect(breaches(file, "import { x } from '../graph/index.ts';")).toHaveLength(1);
    expect(breaches(join(src, 'rank', 'opic.ts'), "import { x } from '../graph/builder.ts';")).toHaveLength(1);
    expect(breaches(file, "import { x } from '../std/index.ts';")).toEqual([]);
  });

  test('no folder or file is called util, helper, common or misc', () => {
    const banned = /^(utils?|helpers?|common|misc)\b/i;
    const all = [...filesBelow(src), ...filesBelow(join(root, 'test'))].map((file) => relative(root, file));
    expect(all.filter((file) => file.split('/').some((part) => banned.test(part)))).toEqual([]);
  });

  test('files stay short', () => {
    for (const file of sources) {
      const lines = readFileSync(file, 'utf8').split('\n').length;
      const name = relative(src, file);
      expect(lines, name).toBeLessThanOrEqual(600);
      if (lines > 400) expect(Object.keys(long), `${name} has ${lines} lines: split it, or give the reason here`).toContain(name);
    }
  });

  test('clock and chance are values passed in', () => {
    const found = sources.flatMap((file) => {
      const name = relative(src, file);
      if (theEdge.test(name)) return [];
      const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      return wordsOnlyAtTheEdge.filter((word) => new RegExp(`(?<![\\w.#])${word.replace(/[.(]/g, '\\$&')}`).test(text)).map((word) => `${name}: ${word})`);
    });
    expect(found).toEqual([]);
  });

  test('nothing is left open', () => {
    const word = new RegExp(['TO', 'DO|FIX', 'ME|X', 'XX|HA', 'CK'].join(''));
    const tests = filesBelow(join(root, 'test')).filter((file) => file.endsWith('.ts'));
    const found = [...sources, ...tests].filter((file) => word.test(readFileSync(file, 'utf8')));
    expect(found.map((file) => relative(root, file))).toEqual([]);
    const focused = tests.filter((file) => /\b(test|describe|it)\.(only|todo)\(/.test(readFileSync(file, 'utf8')));
    expect(focused.map((file) => relative(root, file))).toEqual([]);
  });

  test('no product code asks whether it is simulated', () => {
    const found = sources.filter((file) => /isSimulat|simulated\s*[:=?]\s*(true|boolean)|isLive\b/.test(readFileSync(file, 'utf8')));
    expect(found.map((file) => relative(src, file))).toEqual([]);
  });
});
