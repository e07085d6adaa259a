import { decimalText, DrawStream, InputError } from '../../base/index.ts';
import { shippedPolicies } from '../../core/policy/index.ts';
import type { Experiment, ExperimentInput, Settings } from '../../core/settings/index.ts';
import { maxRuns } from './schema.ts';
import type { Axis, Study } from './study-file.ts';

/** A run of a study: its value on each axis, and the resulting experiment. */
export interface PlannedRun {
  /** Position on each axis, in their order. */
  readonly at: readonly number[];
  readonly experiment: Experiment;
}

/**
 * The runs of a study, in the order of the grid, each made on request: a grid of a million takes the memory of its
 * axes.
 */
export class Grid {
  readonly axes: readonly Axis[];
  /** Runs of the study. */
  readonly count: number;
  /** Points of the whole grid. */
  readonly points: number;
  readonly #base: ExperimentInput;
  readonly #settings: Settings;
  /** Points drawn, ascending; undefined if the study is the whole grid. */
  readonly #drawn: readonly number[] | undefined;

  /** Errors   InputError if there are more than 1,000,000 runs, or a sample is larger than its grid. */
  constructor(study: Pick<Study, 'axes' | 'base' | 'sample'> & Partial<Study>) {
    const { axes, base, sample, policies } = study;
    this.axes = axes;
    this.#settings = (policies ?? shippedPolicies).settings;
    this.#base = base;
    this.points = axes.reduce((product, { values }) => product * values.length, 1);
    const product = axes.map(({ name, values }) => `${values.length} of ${name}`).join(' x ');
    if (sample === undefined) {
      if (this.points > maxRuns) {
        throw new InputError(
          `the study has ${decimalText(this.points, 0)} runs (${product}); at most ${decimalText(maxRuns, 0)} are allowed: leave values out, or draw a sample`,
        );
      }
      this.count = this.points;
      return;
    }
    if (sample.runs > this.points)
      throw new InputError(
        `a sample of ${sample.runs} runs is more than the grid has: ${this.points}${product === '' ? '' : ` (${product})`}`,
      );
    if (!Number.isSafeInteger(this.points))
      throw new InputError(`the grid has ${this.points} points, too many to draw from; leave values out`);
    this.#drawn = drawn(sample.runs, this.points, sample.seed);
    this.count = sample.runs;
  }

  /** Errors   InputError if values that are each in range contradict each other. */
  run(index: number): PlannedRun {
    const at = this.positions(index);
    return {
      at,
      experiment: experimentAt(
        this.#base, this.axes.map(({ name, values }, axis) => [name, values[at[axis]]]), this.#settings,
      ),
    };
  }

  /** Position of a run on each axis. */
  positions(index: number): number[] {
    let point = this.#drawn === undefined ? index : this.#drawn[index];
    const at: number[] = [];
    for (const { values } of [...this.axes].reverse()) {
      at.unshift(point % values.length);
      point = Math.floor(point / values.length);
    }
    return at;
  }
}

/**
 * `count` of 0 ... points-1, without duplicates, ascending; every set is equally likely (Floyd's algorithm: Bentley,
 * CACM 30(9), 1987). O(count log count).
 */
function drawn(count: number, points: number, seed: number): number[] {
  const stream = new DrawStream(seed, 'study-sample');
  const sample = new Set<number>();
  for (let last = points - count; last < points; last++) {
    const candidate = Math.floor(stream.uniform(last - (points - count)) * (last + 1));
    sample.add(sample.has(candidate) ? last : candidate);
  }
  return [...sample].sort((a, b) => a - b);
}

/** The base with these values, each at its dotted path. Errors   InputError if they contradict each other. */
export function experimentAt(
  base: ExperimentInput, values: readonly (readonly [name: string, value: unknown])[], settings: Settings,
): Experiment {
  const input = structuredClone(base) as Record<string, unknown>;
  for (const [name, value] of values) put(input, name.split('.'), value);
  return settings.parseExperiment(input);
}

function put(into: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[name] = value;
  else put((into[name] ??= {}) as Record<string, unknown>, rest, value);
}
