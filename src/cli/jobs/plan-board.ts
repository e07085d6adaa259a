import type { Interval } from '../../core/measure/index.ts';
import {
  objectiveOf, Standings, type Plan, type PlanRequest, type Standing, type TrialsDone,
} from '../../questions/plan/index.ts';
import { maxCandidates, type JobBoard, type Measure } from '../../views/watch/index.ts';
import { percent } from '../text/figures.ts';
import { answerInWords, costInWords, setUpInWords } from '../text/findings/plan-words.ts';

export class PlanBoard {
  readonly #standings: Standings;
  readonly #request: PlanRequest;
  #plan: Plan | undefined;

  constructor(request: PlanRequest) {
    this.#request = request;
    this.#standings = new Standings(objectiveOf(request));
  }

  hear(done: TrialsDone): void {
    this.#standings.hear(done);
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
