import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { isOfMachines } from './test/machines.ts';
import { sweepFiles } from './test/sweep-files.ts';

/**
 * Run from the source, each in a process of its own: these put another class in the place of a global one, which
 * modules loaded before would not meet, or compile C++ that is beside the source alone.
 */
const alone = [
  'test/queue/comparisons.test.ts', 'test/queue/sliced/sliced-comparisons.test.ts', 'test/bench/queues/queues.test.ts',
  'test/bench/queues/paged-drain.test.ts',
];

const [source, built] = ['src', 'dist'].map((name) => fileURLToPath(new URL(`${name}/`, import.meta.url)));

/**
 * Tests name modules of `src/`, and run what test/build.ts has built of them, as the commands and threads that they
 * start do: a process loads and compiles each module once, and nothing needs to be transformed. Only what has no build
 * of its own, such as the report's page, is loaded from `src/`.
 */
const runTheBuild: Plugin = {
  name: 'run the build',
  enforce: 'pre',
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith('.')) return undefined;
    const file = join(dirname(importer), id);
    if (!file.startsWith(source)) return undefined;
    const module = join(built, file.slice(source.length)).replace(/\.ts$/, '.js');
    return existsSync(module) ? module : undefined;
  },
};

/**
 * Mode `all` has the files whose cases are others than under `npm test`, mode `machines` has the files that
 * test/machines.ts selects, mode `everything` has all, and `npm test` has all but machines. With ORBWEAVER_SWEEPS=later
 * the files of mode `all` are left to that mode, which runs each of their tests.
 */
function filesIn(mode: string): string[] {
  const sweeps = sweepFiles();
  if (mode === 'all') return sweeps;
  const later = new Set(process.env['ORBWEAVER_SWEEPS'] === 'later' ? sweeps : []);
  return readdirSync(new URL('test', import.meta.url), { recursive: true }).map((path) => `test/${String(path)}`)
    .filter((file) => file.endsWith('.test.ts') && !later.has(file))
    .filter((file) => mode === 'everything' || isOfMachines(file) === (mode === 'machines'));
}

export default defineConfig(({ mode }) => ({
  test: {
    // Tests that start the built command need it built, and built from this source.
    globalSetup: ['test/build.ts'],
    // The built command is run as it is, in this process or another.
    server: { deps: { external: [/\/dist\//] } },
    // One file more than cores: some wait for hosts and time-outs most of their time, but clusters are busy. Left to
    // itself vitest keeps a core free.
    maxWorkers: availableParallelism() + (mode === 'machines' ? 0 : 1),
    projects: [
      // Modules are loaded once a process, not once a file: that is a third of a second a file.
      {
        extends: true, plugins: [runTheBuild],
        test: { name: 'shared', include: filesIn(mode), exclude: alone, isolate: false },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone.filter((file) => filesIn(mode).includes(file)) },
      },
    ],
    // For test/sweep.ts.
    env: mode === 'all' ? { ORBWEAVER_TESTS: 'all' } : {},
    // What is compiled is stored below node_modules/, for the next run.
    experimental: { fsModuleCache: true },
    setupFiles: ['test/seed.ts'],
    pool: 'forks',
    // For what hangs. npm run test:all sets longer ones, since a full sweep on a slow machine takes its time.
    testTimeout: 60_000,
    // Decision 293: what passes at its second try is printed with (retry x1).
    retry: process.env['CI'] === undefined ? 0 : 1,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
  },
}));
