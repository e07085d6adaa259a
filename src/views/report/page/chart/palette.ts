/** Custom properties of `style.ts`: a run has the same colour in every figure. */
export const distinctRuns = 8;

export interface RunColours {
  readonly line: string;
  /** The colour of text. */
  readonly ink: string;
  /** The colour of less prominent surfaces. */
  readonly pale: string;
  /** The colour of text on a surface in `line`. */
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
