import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  test: {
    // For test/sweep.ts.
    env: mode === 'all' ? { ORBWEAVER_TESTS: 'all' } : {},
    include: ['test/**/*.test.ts'],
    // Tests that start the built command need it built, and built from this source.
    globalSetup: ['test/build.ts'],
    setupFiles: ['test/seed.ts'],
    pool: 'forks',
    // The built command is run as it is, in this process or another.
    server: { deps: { external: [/\/dist\//] } },
    // One file a core: left to itself vitest keeps a core free, which on two cores means one file after the other.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
}));
