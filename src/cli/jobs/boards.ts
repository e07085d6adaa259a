import type { Interval } from '../../core/measure/index.ts';
import {
  objectiveOf, Standings, type Plan, type PlanRequest, type Standing, type TrialsDone,
} from '../../questions/plan/index.ts';
import { maxCandidates, type Candidate, type JobBoard, type Measure } from '../../views/watch/index.ts';
import { counted, decimal, grouped, percent } from '../text/figures.ts';
import { answerInWords, costInWords, setUpInWords } from '../text/findings/plan-words.ts';
import { cellFigures, StudyCells, withInterval, type Study, type StudyProgress } from '../../questions/study/index.ts';
import type { SweepRow, TimedGoal, TimedRow, TunedTrial } from '../../core/engine/index.ts';

export class PlanBoard {
  readonly #standings: Standings;
  readonly #request: PlanRequest;
  #plan: Plan | undefined;

  constructor(request: PlanRequest) {
    this.#request = request;
    this.#standings = new Standings(objectiveOf(request));
  }

  hear(trial: TrialsDone): void {
    this.#standings.hear(trial);
  }

  finish(plan: Plan): void {
    this.#plan = plan;
    this.#standings.decide(plan.best.setUp);
  }

  readonly board = (): JobBoard => {
    const standings = this.#standings.list();
    const listed = standings.slice(0, maxCandidates);
    return {
      noun: 'set-up', measures: measuresOf(this.#request), unlisted: standings.length - listed.length,
      candidates: listed.map(({ setUp, state, runs, gathered, cost, seconds }) => ({
        name: setUpInWords(setUp), at: null, standing: state, runs, estimates: [gathered, cost, seconds],
      })),
      answer: this.#answer(standings),
    };
  };

  #answer(standings: readonly Standing[]): string | null {
    if (this.#plan !== undefined) return answerInWords(this.#plan).join(' ');
    const best = standings.find(({ state }) => state === 'best');
    return best === undefined ? null : `The best so far: ${setUpInWords(best.setUp)}${this.#worth(best)}.`;
  }

  #worth({ gathered, cost }: Standing): string {
    const sure = (value: Interval | null): string =>
      (value === null || value.low === null ? 'one run of the search' : '95 % interval over fresh seeds');
    if (this.#request.goals.length === 0) return `; it gathers ${percent(gathered?.mean ?? 0)} (${sure(gathered)})`;
    if (cost === null) return '; it does not meet the goal';
    return `; it costs ${costInWords({ request: this.#request }, { cost })} (${sure(cost)})`;
  }
}

function measuresOf({ goals, prices }: PlanRequest): readonly Measure[] {
  const gathered = goals.length > 0 ? 'share of the goal' : 'rank gathered';
  return [
    { name: gathered, form: 'share', better: 'more', limit: null },
    {
      name: prices.areMoney ? 'cost, at the given prices' : 'cost, machine-hours', form: 'number', better: 'less',
      limit: null,
    },
    { name: 'time', form: 'seconds', better: 'less', limit: null },
  ];
}

export class StudyBoard {
  readonly #cells: StudyCells;
  #answer: string | undefined;

  constructor(study: Study) {
    this.#cells = new StudyCells(study);
  }

  hear({ ended }: Pick<StudyProgress, 'ended'>): void {
    if (ended !== undefined) this.#cells.add(ended);
  }

  finish(answer: string): void {
    this.#answer = answer;
  }

  readonly board = (): JobBoard => {
    const cells = this.#cells.list();
    const listed = cells.slice(0, maxCandidates);
    const [best] = cells;
    const hasBest = cells.length > 0 && !best.isOracle;
    return {
      noun: 'cell', measures, unlisted: cells.length - listed.length,
      candidates: listed.map(({ name, isOracle, runs, means }, i) => ({
        name: isOracle ? `${name} (knows the ranks beforehand)` : name, at: null, runs, estimates: means,
        standing: hasBest && i === 0 ? 'best' : 'in',
      })),
      answer: this.#answer ?? (hasBest && best.means[0] !== null
        ? `The best so far, per page: ${best.name}, PageRank area ${withInterval(best.means[0], 3)} ` +
          `over ${counted(best.runs, 'run')}.`
        : null),
    };
  };
}

const measures: readonly Measure[] = cellFigures.map(({ name, title, better }) => ({
  name: name === 'virtualSeconds' ? 'virtual time' : title, better, limit: null,
  form: name === 'virtualSeconds' ? 'seconds' : name === 'rankGathered' ? 'share' : 'number',
}));

export type TuneGoal = 'stale' | TimedGoal;
type Trial = TunedTrial<SweepRow | TimedRow>;

export class TuneBoard {
  readonly #goal: TuneGoal;
  readonly #epsilon: number;
  readonly #processors: number;
  readonly #trials: Trial[] = [];
  #result: { readonly r: number | null; readonly answer: string } | undefined;

  constructor(goal: TuneGoal, epsilon: number, processors: number) {
    this.#goal = goal;
    this.#epsilon = epsilon;
    this.#processors = processors;
  }

  hear(trial: Trial): void {
    this.#trials.push(trial);
  }

  finish(superstepLimit: number | null, answer: string): void {
    this.#result = { r: superstepLimit, answer };
  }

  readonly board = (): JobBoard => {
    const best = this.#best();
    const candidates = [...this.#trials]
      .sort((a, b) => this.#order(a) - this.#order(b) || (a.row.r ?? 0) - (b.row.r ?? 0))
      .map((trial) => this.#candidate(trial, trial === best));
    const listed = candidates.slice(0, maxCandidates);
    const measures = this.#goal === 'stale' ? [error(this.#epsilon), area, supersteps]
      : this.#goal === 'rank' ? [rank, time, supersteps] : [time, rank, supersteps];
    return {
      noun: 'trial', measures, candidates: listed, unlisted: candidates.length - listed.length,
      answer: this.#result?.answer ?? this.#soFar(best),
    };
  };

  /** Trials of other numbers of processors come last. */
  #order({ processors }: Trial): number {
    return processors === this.#processors ? 0 : processors;
  }

  #candidate({ processors, row }: Trial, isBest: boolean): Candidate {
    const isOwn = processors === this.#processors;
    const figures = 'stale' in row ? [row.stale, row.area, row.supersteps]
      : this.#goal === 'rank' ? [row.rankGathered, row.virtualSeconds, row.supersteps]
        : [row.virtualSeconds, row.rankGathered, row.supersteps];
    const limit = row.r === null ? 'the rule without a limit' : `R_x ${grouped(row.r)}`;
    return {
      name: isOwn ? limit : `${limit}, ${counted(processors, 'processor')}`, at: isOwn ? row.r : null,
      standing: isBest ? 'best' : this.#holds(row) ? 'in' : 'out', runs: 1,
      estimates: figures.map((mean) => ({ mean, low: null, high: null })),
    };
  }

  #holds(row: SweepRow | TimedRow): boolean {
    return !('stale' in row) || row.stale <= this.#epsilon;
  }

  #best(): Trial | undefined {
    const trials = this.#trials.filter(({ processors, row }) => processors === this.#processors && row.r !== null);
    if (this.#result !== undefined) return trials.find(({ row }) => row.r === this.#result?.r);
    const value = ({ row }: Trial): number => 'stale' in row ? (this.#holds(row) ? row.r : 0)
      : this.#goal === 'rank' ? row.rankGathered : -row.virtualSeconds;
    // With an error, an R_x only counts while every smaller one holds too.
    const least = Math.min(...trials.filter(({ row }) => !this.#holds(row)).map(({ row }) => row.r!));
    return trials.filter(({ row }) => row.r! < least).sort((a, b) => value(b) - value(a)).at(0);
  }

  #soFar(best: Trial | undefined): string | null {
    if (best === undefined) return null;
    const { r } = best.row;
    return 'stale' in best.row
      ? `So far every R_x that was tried up to ${grouped(r!)} holds: its error is ${decimal(best.row.stale, 4)}.`
      : `The best so far: R_x ${grouped(r!)}.`;
  }
}

const error = (epsilon: number): Measure =>
  ({ name: 'error of the order', form: 'number', better: 'less', limit: epsilon });
const area: Measure = { name: 'PageRank area', form: 'number', better: 'more', limit: null };
const rank: Measure = { name: 'rank gathered', form: 'share', better: 'more', limit: null };
const time: Measure = { name: 'virtual time', form: 'seconds', better: 'less', limit: null };
const supersteps: Measure = { name: 'supersteps', form: 'number', better: 'less', limit: null };
