/** Custom properties of `style.ts`: a run keeps its colour in every figure. */
export const distinctRuns = 8;

export interface RunColours {
  readonly line: string;
  /** For text. */
  readonly ink: string;
  /** For surfaces of less weight. */
  readonly pale: string;
  /** For text on a surface of `line`. */
  readonly on: string;
}

export function runColours(index: number, runs: number): RunColours {
  const line = runs > distinctRuns ? 'var(--many)' : `var(--run-${index})`;
  return {
    line,
    ink: `color-mix(in oklab, ${line}, var(--ink) var(--ink-mix))`,
    pale: `color-mix(in oklab, ${line} 38%, var(--raised))`,
    on: `var(--on-${runs > distinctRuns ? 0 : index})`,
  };
}

/** How curves are drawn when there are too many runs to tell apart. */
export function manyRuns({ runs }: { readonly runs: readonly unknown[] }): { unnamed: boolean; faint: boolean } {
  return { unnamed: runs.length > distinctRuns, faint: runs.length > distinctRuns };
}
