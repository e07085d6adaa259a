import type { Interval } from '../../../core/measure/index.ts';
import { freshInterval } from '../finals/fresh-seeds.ts';
import { bestOf, isMet, trialCost, type Objective } from '../objective.ts';
import { isSame } from '../search.ts';
import type { SetUp, Trial, TrialsDone } from './trials.ts';

/** A set-up in a plan that is being made. */
export interface Standing {
  readonly setUp: SetUp;
  readonly state: 'in' | 'out' | 'best';
  readonly runs: number;
  /** Share of the rank, or of the goal, that it has gathered: in its last round, its whole run, or on fresh seeds. */
  readonly gathered: Interval | null;
  /** Null until a run has met the goal. */
  readonly cost: Interval | null;
  readonly seconds: Interval | null;
}

interface Entry {
  readonly setUp: SetUp;
  isOut: boolean;
  runs: number;
  raced: Trial | undefined;
  /** With all the time, under the seed of the search. */
  whole: Trial | undefined;
  /** On fresh seeds. */
  readonly fresh: Trial[];
}

const places: Readonly<Record<Standing['state'], number>> = { best: 0, in: 1, out: 2 };

/** Who is still in the race of a plan, as its trials end: made of what the plan reports, and without effect on it. */
export class Standings {
  readonly #objective: Objective;
  readonly #entries: Entry[] = [];
  #requests: TrialsDone['requests'] = [];
  #answer: SetUp | undefined;

  constructor(objective: Objective) {
    this.#objective = objective;
  }

  hear({ phase, requests, ended }: Pick<TrialsDone, 'phase' | 'requests' | 'ended'>): void {
    // The same set-ups under other circumstances.
    if (phase === 'what if') {
      for (const entry of this.#entries) entry.isOut ||= entry.fresh.length === 0;
      return;
    }
    // Every call names all requests of its phase, so a list seen before needs no look-up.
    if (requests !== this.#requests) {
      this.#requests = requests;
      const entries = requests.map(({ setUp }) => this.#entryOf(setUp));
      for (const entry of this.#entries) entry.isOut ||= entry.whole === undefined && !entries.includes(entry);
    }
    if (ended !== undefined) this.#add(this.#entryOf(ended.setUp), ended);
  }

  /** The plan has its answer: whatever else was still in is out. */
  decide(best: SetUp): void {
    this.#answer = best;
    for (const entry of this.#entries) entry.isOut = true;
  }

  /** The best first, those that are out last. */
  list(): Standing[] {
    const best = this.#best();
    return this.#entries.map((entry): Standing => ({
      setUp: entry.setUp, state: entry === best ? 'best' : entry.isOut ? 'out' : 'in', runs: entry.runs,
      ...this.#estimates(entry),
    })).sort((a, b) => places[a.state] - places[b.state] || this.#compare(a, b));
  }

  #compare(a: Standing, b: Standing): number {
    const [costA, costB] = [a.cost, b.cost].map((cost) => cost?.mean ?? Number.MAX_VALUE);
    const byCost = this.#objective.kind === 'rank' ? 0 : costA - costB;
    return byCost || (b.gathered?.mean ?? -1) - (a.gathered?.mean ?? -1);
  }

  #add(entry: Entry, trial: Trial): void {
    entry.runs++;
    if (trial.phase === 'finalists') entry.fresh.push(trial);
    else if (trial.phase.startsWith('race, round')) entry.raced = trial;
    else entry.whole = trial;
  }

  #best(): Entry | undefined {
    const answer = this.#answer;
    if (answer !== undefined) return this.#entryOf(answer);
    const whole = this.#entries.flatMap(({ whole: trial }) => trial ?? []);
    const best = whole.length === 0 ? undefined : bestOf(this.#objective, whole);
    return this.#entries.find(({ whole: trial }) => trial !== undefined && trial === best);
  }

  #estimates({ raced, whole, fresh }: Entry): Pick<Standing, 'gathered' | 'cost' | 'seconds'> {
    const last = fresh.length > 0 ? fresh : [whole ?? raced].flatMap((trial) => trial ?? []);
    const of = (trials: readonly Trial[], figure: (trial: Trial) => number): Interval | null =>
      (trials.length === 0 ? null : freshInterval(this.#objective, trials.map(figure)));
    const areMet = (fresh.length > 0 || whole !== undefined) && last.every((trial) => isMet(this.#objective, trial));
    return {
      gathered: of(last, ({ rank, progress }) => (this.#objective.kind === 'rank' ? rank : progress)),
      cost: areMet ? of(last, (trial) => trialCost(this.#objective, trial)) : null,
      seconds: areMet ? of(last, ({ seconds }) => seconds) : null,
    };
  }

  #entryOf(setUp: SetUp): Entry {
    let entry = this.#entries.find((candidate) => isSame(candidate.setUp, setUp));
    if (entry === undefined) {
      entry = { setUp, isOut: false, runs: 0, raced: undefined, whole: undefined, fresh: [] };
      this.#entries.push(entry);
    }
    return entry;
  }
}
