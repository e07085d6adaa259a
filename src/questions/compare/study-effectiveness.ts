import { assert, InputError } from '../../base/index.ts';
import { judgedShares } from '../../search/judge/index.ts';
import type { Experiment } from '../../core/settings/index.ts';
import {
  experimentAt, Grid, type Analysis, type ResultColumn, type Study, type StudyOutcome, type StudyResult,
} from '../study/index.ts';
import { drawsAtRandom, minSeeds, type JudgedRuns, type RunsEffectiveness } from './effectiveness.ts';

/** @throws InputError for a study in which a policy that draws at random has fewer than `minSeeds` seeds. */
export function checkStudySeeds(study: Study): void {
  const grid = new Grid(study);
  const seedsOf = new Map<string, { readonly experiment: Experiment; seeds: number }>();
  for (let index = 0; index < grid.count; index++) {
    const { at, experiment } = grid.run(index);
    const key = at.filter((_, axis) => study.axes[axis].name !== 'seed').join(' ');
    const members = seedsOf.get(key);
    if (members === undefined) seedsOf.set(key, { experiment, seeds: 1 });
    else members.seeds++;
  }
  for (const { experiment, seeds } of seedsOf.values()) {
    if (seeds >= minSeeds || !drawsAtRandom(experiment)) continue;
    throw new InputError(
      `axes.seed: policy ${experiment.policy} draws at random, and has ${seeds} ${seeds === 1 ? 'seed' : 'seeds'} in ` +
        `this study; to be judged by an index it needs ${minSeeds} or more`,
    );
  }
}

/** The orders of a study's runs, to be judged: each combination is one policy. The study was run `withOrders`. */
export function studyOrders({ study }: StudyResult, { combinations }: Analysis): JudgedRuns[] {
  const experimentOf = ({ at }: StudyOutcome): Experiment => experimentAt(
    study.base, study.axes.map(({ name, values }, axis) => [name, values[at[axis]]]), study.policies.settings,
  );
  return combinations.map(({ subject, setting, outcomes }) => {
    const experiment = experimentOf(outcomes[0]);
    const name = [subject, setting].filter((text) => text !== '').join(', ') || experiment.policy;
    return {
      name, experiment,
      runs: outcomes.map((outcome) => {
        assert(outcome.order !== undefined, 'a study that is judged has orders');
        return { label: `${name}, seed ${outcome.seed}`, order: outcome.order, experiment: experimentOf(outcome) };
      }),
    };
  });
}

/** What each run of a study comes to after each share of the pages, beside `resultColumns`. */
export function effectivenessColumns(
  { outcomes }: StudyResult, { combinations }: Analysis, { sets }: RunsEffectiveness,
): ResultColumn[] {
  const rowOf = new Map(outcomes.map((outcome, row) => [outcome, row]));
  return sets.flatMap(({ set, measure, means }) => judgedShares.map((share, prefix): ResultColumn => {
    const values = new Array<number | null>(outcomes.length).fill(null);
    combinations.forEach((combination, policy) => combination.outcomes.forEach((outcome, i) => {
      values[rowOf.get(outcome)!] = means[policy][i][prefix];
    }));
    return { name: `effectiveness.${set}.${measure}.after${100 * share}Percent`, values };
  }));
}

/** How well searchers are served after each share of the pages, a row per set, measure, policy and share. */
export function effectivenessTable({ sets, prefixes, gathered }: RunsEffectiveness): ResultColumn[] {
  const rows = sets.flatMap(({ set, measure, queries, policies }) => policies.flatMap(({ policy, points }, i) =>
    points.map(({ mean, low, high }, prefix) => ({
      set, measure, queries, policy, share: judgedShares[prefix], pages: prefixes[prefix],
      gathered: gathered[i].ranks[prefix], mean, low, high,
    }))));
  return columnsOf(rows);
}

/** Kendall's tau-b between each measure and the PageRank gathered, a row per set, measure and share. */
export function agreementTable({ sets, prefixes }: RunsEffectiveness): ResultColumn[] {
  const rows = sets.flatMap(({ set, measure, queries, policies, agreement }) => agreement.map((at, prefix) => ({
    set, measure, queries, policies: policies.length, share: judgedShares[prefix], pages: prefixes[prefix],
    tau: at && at.mean, low: at && at.low, high: at && at.high,
  })));
  return columnsOf(rows);
}

/** All rows have the names of the first. */
function columnsOf(rows: readonly Readonly<Record<string, string | number | null>>[]): ResultColumn[] {
  return Object.keys(rows[0] ?? {}).map((name) => ({ name, values: rows.map((row) => row[name]) }));
}
