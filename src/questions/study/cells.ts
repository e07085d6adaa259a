import { interval, type Interval } from '../../core/measure/index.ts';
import { labelOf } from './analysis.ts';
import { figure, type Figure } from './figures.ts';
import type { StudyOutcome } from './run/run-study.ts';
import type { Study } from './study-file.ts';

/** A combination of values, its seeds together, while the study goes on. */
export interface StudyCell {
  readonly name: string;
  /** It knows beforehand what a crawler cannot know: a yardstick, which wins nothing. */
  readonly isOracle: boolean;
  readonly runs: number;
  /** One for each of `cellFigures`; null where a run never got that far. */
  readonly means: readonly (Interval | null)[];
}

/** The first decides which cell is the best. */
export const cellFigures: readonly Figure[] =
  [figure('pagerankArea'), figure('rankGathered'), figure('virtualSeconds')];

/** The cells of a study's grid that have a finished run. Memory: three numbers per run. */
export class StudyCells {
  readonly #study: Study;
  readonly #cells = new Map<string, { readonly at: readonly number[]; readonly values: (number | null)[][] }>();

  constructor(study: Study) {
    this.#study = study;
  }

  add(outcome: StudyOutcome): void {
    const at = outcome.at.map((position, i) => (this.#study.axes[i].name === 'seed' ? 0 : position));
    const key = at.join(' ');
    let cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, (cell = { at, values: cellFigures.map(() => []) }));
    for (const [i, { of }] of cellFigures.entries()) cell.values[i].push(of(outcome));
  }

  /** The best first, yardsticks last. */
  list(): StudyCell[] {
    const cells = [...this.#cells.values()].map(({ at, values }): StudyCell => ({
      name: this.#nameOf(at), isOracle: this.#isOracle(at), runs: values[0].length,
      means: values.map((list) => (list.includes(null) ? null : interval(list as number[]))),
    }));
    const worth = ({ isOracle, means: [first] }: StudyCell): number => (isOracle ? -2 : first?.mean ?? -1);
    return cells.sort((a, b) => worth(b) - worth(a));
  }

  #nameOf(at: readonly number[]): string {
    const { axes } = this.#study;
    const varied = axes.flatMap((axis, i) =>
      (axis.name !== 'seed' && axis.values.length > 1 ? [labelOf(axis, axis.values[at[i]])] : []));
    return varied.length === 0 ? 'the base experiment' : varied.join(', ');
  }

  #isOracle(at: readonly number[]): boolean {
    const { axes, policies } = this.#study;
    const policy = axes.findIndex(({ name }) => name === 'policy');
    return policy >= 0 && policies.factsOf(axes[policy].values[at[policy]])?.isOracle === true;
  }
}
