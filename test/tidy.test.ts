import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { sweepFiles } from './sweep-files.ts';

// Goal: the house stays as src/README.md draws it. A rule that only people enforce holds until the next hurry.

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

/**
 * The rooms of src/README.md, from the ground up, and the rooms that each may import: only rooms above it in this
 * table. `base` is open to all. A folder that is not here belongs to the room around it.
 */
const mayImport: Record<string, readonly string[]> = {
  base: [],
  'base/threads': ['base'],
  'base/files': ['base'],
  'base/schema': ['base'],
  'base/yaml': ['base', 'base/schema'],
  'base/web': ['base/files'],
  'graphs/graph': [],
  'graphs/graph/growing': ['graphs/graph'],
  // Apart, so that graphology's packages are loaded only by what needs them.
  'graphs/graph/graphology': ['graphs/graph'],
  'graphs/formats': ['base/files', 'base/web', 'graphs/graph', 'graphs/graph/graphology'],
  'graphs/catalogue': ['base/files', 'graphs/graph', 'graphs/formats'],
  'core/queue': ['base/threads'],
  'graphs/rank': ['base/threads', 'graphs/graph'],
  'core/bsp': [],
  'core/world': [],
  'core/settings': ['base/schema'],
  'core/events': ['graphs/graph', 'core/world', 'core/settings'],
  'core/simulation': ['graphs/graph', 'core/world', 'core/settings'],
  'core/live': ['base/threads', 'base/files', 'base/web', 'graphs/formats', 'core/world'],
  search: ['base/files', 'base/threads', 'base/web', 'graphs/graph', 'graphs/rank'],
  'core/policy': ['base/files', 'graphs/graph', 'core/queue', 'graphs/rank', 'core/settings'],
  'core/frontier': ['core/queue', 'core/bsp', 'core/world', 'core/policy'],
  'core/scheduler': ['core/bsp', 'core/world', 'core/events', 'core/frontier'],
  // Nothing, because pages in browsers share it.
  'core/measure/figures': [],
  'core/measure': ['base/files', 'graphs/graph', 'graphs/rank', 'core/world', 'core/settings', 'core/events'],
  // Above `measure`, for Kendall's tau.
  'search/out': ['base/files', 'base/web', 'graphs/formats', 'search'],
  'search/indexing': ['base/threads', 'base/files', 'base/web', 'graphs/formats', 'core/live', 'search'],
  'search/judge': ['graphs/graph', 'graphs/rank', 'core/measure', 'search'],
  'core/statistics': [
    'base/threads', 'graphs/graph', 'graphs/graph/growing', 'core/settings', 'core/events', 'core/measure',
  ],
  'core/engine': [
    'core/statistics',
    'base/threads', 'base/files', 'graphs/graph', 'graphs/formats', 'core/queue', 'graphs/rank', 'core/bsp',
    'core/world', 'core/settings', 'core/events',
    'core/simulation', 'core/policy', 'core/frontier', 'core/scheduler', 'core/measure',
  ],
  'views/report': ['core/settings', 'core/events', 'core/policy', 'core/measure'],
  'views/report/page/save': ['views/report'],
  'views/report/page': ['core/measure/figures', 'views/report', 'views/report/page/save'],
  // `report` for the types of what is shown: a study draws nothing.
  'questions/study': [
    'base/threads', 'base/files', 'base/schema', 'base/yaml', 'graphs/graph', 'graphs/formats', 'core/settings',
    'core/policy', 'core/measure', 'core/measure/figures',
    'core/engine', 'views/report',
  ],
  'views/watch': ['base/files', 'core/world', 'core/settings', 'core/events', 'core/measure', 'core/engine'],
  'views/service': [
    'base/files', 'graphs/graph', 'graphs/formats', 'search', 'core/queue', 'core/world', 'core/settings',
    'core/events', 'core/simulation', 'core/policy',
    'core/frontier', 'core/measure', 'core/measure/figures', 'core/engine', 'views/watch',
  ],
  'views/dashboard': [
    'core/measure/figures', 'views/report/page', 'views/report/page/save', 'views/watch', 'views/service',
  ],
  'questions/facts': ['graphs/graph', 'graphs/graph/graphology', 'core/settings', 'core/measure', 'core/engine'],
  'questions/plan': [
    'base/threads', 'base/yaml', 'graphs/graph', 'graphs/formats', 'core/world', 'core/settings', 'core/events',
    'core/policy', 'core/measure', 'core/engine',
    'questions/study',
  ],
  'questions/compare': [
    'base/files', 'graphs/graph', 'search', 'core/settings', 'core/policy', 'core/measure', 'search/judge',
    'core/statistics', 'core/engine', 'questions/study',
    'views/service',
  ],
  'machines/cluster': ['core/bsp', 'core/world', 'core/events', 'core/frontier', 'core/engine'],
  'machines/cluster/studies': [
    'base/threads', 'base/files', 'graphs/graph', 'graphs/formats', 'graphs/catalogue', 'core/policy', 'core/engine',
    'questions/study', 'questions/plan', 'machines/cluster',
  ],
  'machines/crawl': [
    'base/files', 'graphs/graph', 'graphs/formats', 'graphs/catalogue', 'core/queue', 'core/bsp', 'core/settings',
    'core/events', 'core/live', 'core/policy',
    'core/frontier',
    'core/scheduler', 'core/measure', 'core/statistics', 'core/engine', 'machines/cluster',
  ],
  'machines/cluster/merge': [
    'base/files', 'graphs/graph', 'graphs/formats', 'graphs/catalogue', 'core/settings', 'core/live', 'core/measure',
    'core/engine', 'machines/cluster',
  ],
  // `report` for the types of what is shown: the bench draws nothing.
  'questions/bench': [
    'base/threads', 'base/files', 'graphs/graph', 'graphs/graph/growing', 'core/queue', 'core/engine', 'views/report',
  ],
  cli: [
    'base/files', 'base/schema', 'base/threads', 'base/yaml', 'graphs/graph', 'graphs/formats', 'graphs/catalogue',
    'graphs/rank', 'core/bsp',
    'core/settings', 'core/events', 'core/live', 'search', 'search/out', 'search/indexing', 'search/judge',
    'core/policy', 'core/measure', 'core/measure/figures',
    'core/engine', 'views/report', 'questions/study', 'questions/facts', 'questions/compare',
    'questions/plan', 'machines/cluster', 'machines/cluster/studies', 'machines/crawl',
    'machines/cluster/merge', 'questions/bench', 'views/watch', 'views/service',
  ],
};

/** The wings of src/README.md, and the wings that each may import: only those above it. */
const wings: Record<string, readonly string[]> = {
  base: [],
  graphs: ['base'],
  core: ['base', 'graphs'],
  search: ['base', 'graphs', 'core'],
  views: ['base', 'graphs', 'core', 'search'],
  questions: ['base', 'graphs', 'core', 'search', 'views'],
  machines: ['base', 'graphs', 'core', 'questions'],
  cli: ['base', 'graphs', 'core', 'search', 'views', 'questions', 'machines'],
};

/** A file reached by another room past its index, and why that is no breach. */
const open: Record<string, string> = {
  'cli -> graphs/catalogue/fetched.ts': 'folders and records, for the help: what reads graphs is loaded to open one',
  'cli -> questions/plan/ladders.ts': 'limits and settings, for the help: what simulates is loaded when a plan is made',
  'questions/plan -> questions/study/run/run-context.ts': 'what a thread loads alone: what analyses studies is not loaded there',
  // The browser page is bundled: it takes the plain data types and nothing that needs Node.
  'cli -> core/live/settings.ts': 'zod alone, for the flags: what speaks HTTP is loaded when a crawl begins',
  'cli -> machines/cluster/redis-url.ts': 'URLs without passwords: what speaks to Redis is loaded when a command does',
  'core/policy -> core/queue/entry.ts': 'the arithmetic of keys: the queues themselves are loaded when a crawl begins',
  'views/service -> core/live/store/lmdb.ts': 'what holds for every store in lmdb: what speaks HTTP is not needed for it',
  'views/service -> core/live/store/rows.ts': 'checksums of rows',
  'cli -> views/service/frontier/index.ts': 'gRPC, which is loaded for the commands of frontiers alone',
  'views/service -> views/watch/contract.ts': 'types of what a run sends, which the page reads too',
  'views/dashboard -> views/report/page/saved.ts': 'gives the reader a file, and needs nothing',
  'views/dashboard -> views/report/page/format.ts': 'the forms of numbers, which need nothing',
  'views/dashboard -> views/watch/contract.ts': 'types of what a run sends',
  'views/dashboard -> views/service/dashboard/api.ts': 'types of what the server answers',
  'views/dashboard -> views/service/dashboard/graph/api.ts': 'types of what the server answers',
  'views/dashboard -> views/service/dashboard/timeline/api.ts': 'types of what the server answers',
  'views/dashboard -> views/service/dashboard/logs/api.ts': 'types of what the server answers',
  'views/report/page/save -> views/report/colours.ts': 'the colours of pages and files, which need nothing',
  'views/report/page/save -> views/report/csv-text.ts': 'the form of tables, which needs nothing',
  'views/report/page -> views/report/data.ts': 'types of the data embedded in the report',
  'views/report/page -> views/report/shown.ts': 'types of the data embedded in the report of a measurement',
  'core/statistics -> core/measure/interval.ts': 'arithmetic: the thread of statistics reads no records',
};

/** Files over 400 lines, each with its reason. None may pass 600. */
const long: Record<string, string> = {
  'core/queue/paged/page-file.ts': 'one structure and its invariants',
  'core/queue/paged/paged-cbt.ts': 'one structure and its invariants',
};

/**
 * Folders with one entry per command, policy or format, and the rooms themselves: these may have more than 14 entries.
 */
const wide = ['.', 'cli', 'formats', 'policy', 'core/policy', 'graphs/formats', 'cli/actions', 'cli/commands'];

/** Functions over 70 lines, each with its reason. */
const longFunctions: Record<string, string> = {
  'questions/facts/graph-facts.ts: factsOf': 'a list of facts, in the order of the document',
  'graphs/graph/structure/components.ts: strongComponents': "one pass of Tarjan's algorithm, without recursion",
  'core/measure/record/verify-run.ts: verifyRun': 'a list of checks of a few lines each',
  'views/report/page/chart/chart.ts: curves': 'one chart, as a description of its marks',
};

const wordsOnlyAtTheEdge = ['Date.now(', 'performance.now(', 'Math.random(', 'setTimeout(', 'fetch('];
/** `bench/` is there because to measure time is its task; nothing of the product imports it but the command. */
const theEdge =
  /^(core\/live|cli|views\/service|views\/dashboard|questions\/bench|machines\/cluster)\/|^graphs\/catalogue\/download\.ts$/;

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

const isScript = (file: string): boolean => /\.tsx?$/.test(file);

const sources = filesBelow(src).filter((file) => /\.(tsx?|css|html)$/.test(file));

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
    if (to !== 'base' && !mayImport[from].includes(to)) found.push(`${name}: ${from}/ may not import ${to}/`);
    else if (!target.endsWith('/index.ts')) found.push(`${name}: not through its index.ts`);
  }
  return found;
}

/** Files that a file imports by a relative path, types too. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+\.tsx?)'/g)].map(([, specifier]) =>
    resolve(dirname(file), specifier),
  );
}

/** Groups of nodes that reach each other (Tarjan 1972), each sorted. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const number = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): void => {
    number.set(node, number.size);
    low.set(node, number.get(node)!);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!number.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) !== number.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(group.sort());
  };
  for (const node of graph.keys()) if (!number.has(node)) visit(node);
  return found;
}

function foldersBelow(folder: string): string[] {
  const inside = readdirSync(folder).map((name) => join(folder, name)).filter((path) => statSync(path).isDirectory());
  return [folder, ...inside.flatMap(foldersBelow)];
}

/**
 * Lines of more than 120 columns. A text is easier to read, and to find, in one piece, so lines that are mostly one
 * text, or within a text of many lines, do not count; nor do rows of tables.
 */
function tooWide(text: string): number {
  const withoutTexts = text.replace(/`(?:\\.|[^`\\])*`/g, (literal) => literal.replace(/[^\n]+/g, '``'));
  const [lines, bare] = [text.split('\n'), withoutTexts.split('\n')];
  return lines.filter((line, at) => {
    if (line.length <= 120 || /\|.*\|/.test(line)) return false;
    const texts = line.match(/(['"/])(?:\\.|(?!\1).)*\1/g) ?? [];
    return Math.min(bare[at]?.length ?? Infinity, line.length - Math.max(0, ...texts.map((one) => one.length))) > 60;
  }).length;
}

/** "file: name" of each function of more than 70 lines. */
function longFunctionsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  // Shorter than a long function: nothing to look for.
  if (text.split('\n').length < 70) return [];
  const { Latest: languageVersion } = ts.ScriptTarget;
  const { ParseNone: jsDocParsingMode } = ts.JSDocParsingMode;
  const source = ts.createSourceFile(file, text, { languageVersion, jsDocParsingMode });
  const found: string[] = [];
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (lineAt(node.end) - lineAt(node.pos) < 70) return;
    if (ts.isFunctionLike(node) && 'body' in node && lineAt(node.end) - lineAt(node.getStart(source)) >= 70) {
      found.push(`${relative(src, file)}: ${node.name?.getText(source) ?? 'a function without a name'}`);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

describe('the house is tidy', () => {
  test('nothing lies about at the top', () => {
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
      .split('\n')
      .map((line) => line.replace(/^\/|\/$/g, ''));
    const named = [
      'src', 'datasets', 'test', 'notebooks', 'README.md', 'CHANGELOG.md', 'LICENSE', 'package.json',
      'package-lock.json', 'tsconfig.json', 'esbuild.config.js', 'eslint.config.js', 'vitest.config.ts',
    ];
    const strange = readdirSync(root).filter(
      (name) => !name.startsWith('.') && !named.includes(name) && !ignored.includes(name),
    );
    expect(strange).toEqual([]);
  });

  test('every room is in the table, and imports rooms above it alone', () => {
    const rooms = Object.keys(mayImport);
    for (const file of sources) if (dirname(file) !== src) expect(rooms, file).toContain(folderOf(file));
    for (const [at, room] of rooms.entries())
      for (const other of mayImport[room]) expect(rooms.slice(0, at), room).toContain(other);
  });

  test('each room is in a wing, and wings import those above them alone', () => {
    const wingOf = (path: string): string => path.split('/')[0];
    const names = Object.keys(wings);
    expect(readdirSync(src).filter((name) => !name.includes('.')).sort()).toEqual([...names].sort());
    for (const [at, wing] of names.entries()) {
      for (const other of wings[wing]) expect(names.slice(0, at), wing).toContain(other);
      expect(existsSync(join(src, wing, 'README.md')), wing).toBe(true);
    }
    const crossings = Object.entries(mayImport).flatMap(([room, others]) =>
      others.map((other) => [wingOf(room), wingOf(other)] as const)).filter(([from, to]) => from !== to);
    expect(crossings.filter(([from, to]) => !wings[from].includes(to))).toEqual([]);
    for (const wing of names) {
      const used = crossings.filter(([from]) => from === wing).map(([, to]) => to);
      // base's errors and collections are open to all.
      expect(wings[wing].filter((other) => other !== 'base' && !used.includes(other)), wing).toEqual([]);
    }
  });

  test('the table allows nothing that no file does', () => {
    const imported = new Map(Object.keys(mayImport).map((room) => [room, new Set<string>()]));
    for (const file of sources)
      for (const target of importsOf(file)) imported.get(folderOf(file))?.add(folderOf(target));
    const idle = Object.entries(mayImport).flatMap(([room, others]) =>
      others.filter((other) => !imported.get(room)!.has(other)).map((other) => `${room} -> ${other}`),
    );
    expect(idle).toEqual([]);
  });

  test('no circle of files import each other', () => {
    expect(
      circles(new Map(sources.filter(isScript).map((file) => [file, importsOf(file)]))),
    ).toEqual([]);
    expect(circles(new Map([['a', ['b']], ['b', ['c', 'd']], ['c', ['a']], ['d', []]]))).toEqual([['a', 'b', 'c']]);
  });

  test('npm run test:all runs the tests that have more cases in it, whatever they import the sweep by', () => {
    const found = sweepFiles();
    for (const name of ['graph/graphology', 'policy/given-scores', 'live/urls/known-urls'])
      expect(found).toContain(`test/${name}.test.ts`);
    expect(found).not.toContain('test/docs.test.ts');
    // A test that read the variable itself would be left out.
    const readers = filesBelow(join(root, 'test')).filter((file) =>
      isScript(file) && readFileSync(file, 'utf8').includes('ORBWEAVER_' + 'TESTS'));
    expect(readers.map((file) => relative(root, file))).toEqual(['test/sweep.ts']);
  });

  // Modules are loaded once a process: the hooks would run for the first test file alone, and leave processes behind.
  test('what tests share has no hooks of its own', () => {
    const shared = filesBelow(join(root, 'test')).filter((file) => isScript(file) && !file.endsWith('.test.ts'));
    const found = shared.filter((file) => /^(?:before|after)(?:Each|All)\(/m.test(readFileSync(file, 'utf8')));
    expect(found.map((file) => relative(root, file))).toEqual([]);
  });

  test('folders have at most 14 entries', () => {
    for (const top of ['src', 'test']) {
      const folders = foldersBelow(join(root, top))
        .filter((folder) => readdirSync(folder).length > 14)
        .map((folder) => relative(join(root, top), folder) || '.');
      expect(folders.filter((folder) => !wide.includes(folder)), top).toEqual([]);
    }
  });

  test('lines have at most 120 columns, texts of messages and tables apart', () => {
    const files = [...sources, ...filesBelow(join(root, 'test'))].filter(isScript);
    const found = files.filter((file) => tooWide(readFileSync(file, 'utf8')) > 0);
    expect(found.map((file) => relative(root, file))).toEqual([]);
    expect(tooWide(`${'x'.repeat(50)}('${'y'.repeat(80)}');`)).toBe(0);
    expect(tooWide(`${'x'.repeat(121)}('');`)).toBe(1);
  });

  test('functions have at most 70 lines', () => {
    const found = sources.filter(isScript).flatMap((file) => longFunctionsOf(file));
    expect(found.filter((name) => !(name in longFunctions))).toEqual([]);
    expect(Object.keys(longFunctions).filter((name) => !found.includes(name)), 'no longer too long').toEqual([]);
  });

  test('imports go only to the folders named, through their index', () => {
    expect(sources.flatMap((file) => breaches(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  test('the import rules can fail', () => {
    const file = join(src, 'core', 'queue', 'cbt.ts');
    expect(breaches(file, "import { x } from '../../graphs/graph/index.ts';")).toHaveLength(1);
    expect(breaches(join(src, 'graphs', 'rank', 'opic.ts'), "import { x } from '../graph/builder.ts';")).toHaveLength(1);
    expect(breaches(file, "import { x } from '../../base/index.ts';")).toEqual([]);
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
      if (lines > 400)
        expect(Object.keys(long), `${name} has ${lines} lines: split it, or give the reason here`).toContain(name);
    }
  });

  test('clock and chance are values passed in', () => {
    const found = sources.flatMap((file) => {
      const name = relative(src, file);
      if (theEdge.test(name)) return [];
      const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      return wordsOnlyAtTheEdge
        .filter((word) => new RegExp(`(?<![\\w.#])${word.replace(/[.(]/g, '\\$&')}`).test(text))
        .map((word) => `${name}: ${word})`);
    });
    expect(found).toEqual([]);
  });

  // A wait that must not happen is made longer than a test may take; the rest is counted.
  test('no test asserts that so little time has passed', () => {
    const late = /expect\([^;]*(?:performance|Date)\.now\(\)[^;]*\)\.(?:not\.toBeGreater|toBeLess)Than/;
    const files = filesBelow(join(root, 'test')).filter(isScript);
    const found = files.filter((file) => late.test(readFileSync(file, 'utf8')));
    expect(found.map((file) => relative(root, file))).toEqual([]);
    expect(late.test('expect(performance.' + 'now() - began).toBeLessThan(5000);')).toBe(true);
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
    const found = sources.filter((file) =>
      /isSimulat|simulated\s*[:=?]\s*(true|boolean)|isLive\b/.test(readFileSync(file, 'utf8')),
    );
    expect(found.map((file) => relative(src, file))).toEqual([]);
  });
});
