import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** These put another class in the place of a global one, which modules loaded before would not meet. */
const alone = ['test/queue/comparisons.test.ts', 'test/queue/sliced/sliced-comparisons.test.ts', 'test/bench/queues/queues.test.ts'];

/** Threads of the source run what is built of it, which starts sooner. */
const builtThreads = fileURLToPath(new URL('test/built-threads.ts', import.meta.url));

export default defineConfig(({ mode }) => ({
  resolve: { alias: [{ find: /^\.\/thread-module\.ts$/, replacement: builtThreads }] },
  test: {
    // Tests that start the built command need it built, and built from this source.
    globalSetup: ['test/build.ts'],
    // The built command is run as it is, in this process or another.
    server: { deps: { external: [/\/dist\//] } },
    // One file more than cores: some wait for hosts and time-outs most of their time. Left to itself vitest keeps a core free.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Modules are loaded once a process, not once a file: that is a third of a second a file.
      { extends: true, test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: alone, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    // For test/sweep.ts.
    env: mode === 'all' ? { ORBWEAVER_TESTS: 'all' } : {},
    // What is compiled is stored below node_modules/, for the next run.
    experimental: { fsModuleCache: true },
    setupFiles: ['test/seed.ts'],
    pool: 'forks',
    // For what hangs. npm run test:all sets longer ones, since a full sweep on a slow machine takes its time.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
}));
