/** Custom properties of `style.ts`: a run keeps its colour in every figure. */
export const distinctRuns = 8;

export interface RunColours {
  readonly line: string;
  /** For text. */
  readonly ink: string;
  /** For surfaces of less weight. */
  readonly pale: string;
}

export function runColours(index: number, runs: number): RunColours {
  const line = runs > distinctRuns ? 'var(--many)' : `var(--run-${index})`;
  return {
    line,
    ink: `color-mix(in oklab, ${line}, var(--ink) var(--ink-mix))`,
    pale: `color-mix(in oklab, ${line} 38%, var(--raised))`,
  };
}
