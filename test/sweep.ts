/**
 * What the long sweeps of the tests try: all cases under `npm run test:all` (vitest.config.ts sets the variable), a
 * fixed part of them under `npm test`, so that it ends in minutes. `npm test` has each kind of check;
 * `npm run test:all` runs the files that import this one (sweep-files.ts). Tests that take long, of a kind that
 * `npm test` has another one of, are `test.runIf(isFullSweep)`.
 */
export const isFullSweep = process.env['ORBWEAVER_TESTS'] === 'all';

/** All cases in the full sweep; otherwise the first and every `stride`-th after it. */
export function sampled<T>(cases: readonly T[], stride: number): readonly T[] {
  return isFullSweep ? cases : cases.filter((_, i) => i % stride === 0);
}

/** All cases in the full sweep; otherwise the first of each kind. */
export function oneOfEach<T>(cases: readonly T[], kindOf: (one: T) => unknown): readonly T[] {
  if (isFullSweep) return cases;
  const kinds = new Set<unknown>();
  return cases.filter((one) => {
    const kind = kindOf(one);
    const isFirst = !kinds.has(kind);
    kinds.add(kind);
    return isFirst;
  });
}

/** How often a property is tried: `count` times in the full sweep, otherwise a sixteenth as often. */
export function tries(count: number): number {
  return isFullSweep ? count : Math.ceil(count / 16);
}

/** For the title of a test: which part of its cases is tried. */
export function partOf(tried: readonly unknown[], cases: readonly unknown[]): string {
  return tried.length === cases.length
    ? 'all cases'
    : `${tried.length} of ${cases.length} cases; npm run test:all tries all`;
}

/** What one types to repeat a failure of drawn cases. */
export function replayCommand(seed: number, tests: string): string {
  return `ORBWEAVER_SEED=${seed} npx vitest run ${isFullSweep ? '--mode all ' : ''}${tests}`;
}
