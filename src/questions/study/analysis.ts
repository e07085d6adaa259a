import { interval, isBeyondNoise, pairedDifference, type Interval } from '../../core/measure/index.ts';
import type { ExperimentInput } from '../../core/settings/index.ts';
import { figure, figures, timeFigure, type Figure, type FigureName } from './figures.ts';
import type { StudyOutcome, StudyResult } from './run/run-study.ts';
import type { Axis } from './study-file.ts';

/** Runs that differ only in their seed. */
export interface Combination {
  /** Position on each axis; 0 on the axis of seeds. */
  readonly at: readonly number[];
  /** Names of its value on the compared axis, and of its other values; '' if there is none. */
  readonly subject: string;
  readonly setting: string;
  /** Policies are compared, and this one knows beforehand what a crawler cannot know: a yardstick. */
  readonly isOracle: boolean;
  /** Policies are compared, and this one did not come with Orbweaver. */
  readonly isAdded: boolean;
  /** The lowest seed first. */
  readonly outcomes: readonly StudyOutcome[];
  /** Mean over the seeds with its 95 % t-interval; null if a run never got that far. */
  readonly means: Readonly<Record<FigureName, Interval | null>>;
  /**
   * No other combination is as good in area, time and pairs, and better in one, beyond the noise of the seeds; those
   * that know the ranks beforehand do not count.
   */
  readonly isOnFront: boolean;
}

/** A subject compared with the best of its setting, seed by seed: both met the same network. */
export interface Comparison {
  readonly setting: string;
  readonly figure: FigureName;
  readonly best: string;
  readonly other: string;
  readonly seeds: number;
  /** Other minus best. */
  readonly difference: Interval;
}

/** The effect of an axis on a figure. */
export interface Effect {
  readonly axis: string;
  readonly figure: FigureName;
  /** Sum of squares between the axis' values relative to the total, 0 ... 1: its main effect. */
  readonly share: number;
  /** Lowest and highest mean over all runs of a value of the axis, with these values. */
  readonly low: { readonly value: string; readonly mean: number };
  readonly high: { readonly value: string; readonly mean: number };
}

export interface Analysis {
  /**
   * The axis whose values are compared: the policy, otherwise the first that is not the seed; undefined if there is
   * none.
   */
  readonly subject: Axis | undefined;
  readonly settings: readonly string[];
  /** R_x and the target of pending jobs, where all runs fix them; undefined where they follow the default rules. */
  readonly fixed: Pick<ExperimentInput, 'superstepLimit' | 'pending'>;
  /** The order is the grid's. */
  readonly combinations: readonly Combination[];
  /** The figures by which runs are judged, and the one that is used for time. */
  readonly figures: readonly Figure[];
  readonly time: Figure;
  readonly comparisons: readonly Comparison[];
  readonly effects: readonly Effect[];
}

/** Conclusions beyond the table. O(combinations^2) for the front. */
export function analyse(result: Pick<StudyResult, 'study' | 'outcomes'>): Analysis {
  const { study: { axes, policies, base: { superstepLimit, pending } }, outcomes } = result;
  const varied = axes.filter(({ name, values }) => name !== 'seed' && values.length > 1);
  const subject = varied.find(({ name }) => name === 'policy') ?? varied.at(0);
  const nameOf = (at: readonly number[], which: (axis: Axis) => boolean): string => axes
    .flatMap((axis, i) => (varied.includes(axis) && which(axis) ? [labelOf(axis, axis.values[at[i]])] : [])).join(', ');

  const time = timeFigure(outcomes);
  const [first, ...others] = figures;
  const judged = [first, time, ...others.filter((other) => other !== time)];
  const groups = grouped(outcomes, ({ at }) =>
    at.map((position, i) => (axes[i].name === 'seed' ? 0 : position)).join(' '),
  );
  const plain = [...groups].map(([key, members]) => {
    const at = key === '' ? [] : key.split(' ').map(Number);
    const policy = subject?.name === 'policy' ? subject.values[at[axes.indexOf(subject)]] : undefined;
    const facts = policies.factsOf(policy);
    return {
      at, isOracle: facts?.isOracle === true, isAdded: facts?.isShipped === false,
      subject: nameOf(at, (axis) => axis === subject), setting: nameOf(at, (axis) => axis !== subject),
      outcomes: [...members].sort((a, b) => a.seed - b.seed),
      means: Object.fromEntries(judged.map(({ name, of }) => [name, meanOf(members, of)])) as Combination['means'],
    };
  });
  const objectives = [figure('pagerankArea'), time, figure('pairsPerPage')];
  // A yardstick would win everywhere, and shows nothing that a crawler could reach.
  const front = new Set(frontOf(contenders(plain), objectives));
  const combinations = plain.map((member) => ({ ...member, isOnFront: front.has(member) }));
  const settings = [...new Set(combinations.map(({ setting }) => setting))];
  return {
    subject,
    settings,
    fixed: { ...(superstepLimit !== undefined && { superstepLimit }), ...(pending !== undefined && { pending }) },
    combinations,
    time,
    figures: judged.filter(({ of }) => outcomes.some((outcome) => of(outcome) !== null)),
    comparisons: settings.flatMap((setting) =>
      [figure('pagerankArea'), time].flatMap((by) => {
        const members = combinations.filter((member) => member.setting === setting);
        const best = ranked(contenders(members), by).at(0);
        return best === undefined ? [] : compared(best, ranked(members.filter((member) => member !== best), by), by);
      }),
    ),
    effects: judged.flatMap((by) => axes.flatMap((axis, i) => effectOf(axis, i, by, outcomes))),
  };
}

/**
 * "16 processors" would need grammar; "processors 16" does not. Policies and similar values appear without the axis.
 */
export function labelOf({ name, values }: Axis, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const short = text.length > 40 ? `${text.slice(0, 37)}...` : text;
  return values.every((item) => typeof item === 'string') ? short : `${name} ${short}`;
}

function meanOf(outcomes: readonly StudyOutcome[], of: Figure['of']): Interval | null {
  const values = outcomes.map(of);
  return values.includes(null) ? null : interval(values as number[]);
}

/** What is compared of a combination: its runs by ascending seed, and their means. */
type Compared = Pick<Combination, 'outcomes' | 'means'>;

/**
 * Those that no other dominates. What is within the noise counts as equal, so that three may dominate each other in a
 * circle; where nothing would be left, any difference of the means counts. O(members^2).
 */
function frontOf<T extends Compared>(members: readonly T[], objectives: readonly Figure[]): T[] {
  const undominated = (isBetter: IsBetter): T[] => members.filter((member) =>
    !members.some((other) => other !== member && dominates(other, member, objectives, isBetter)));
  const front = undominated(isBetterBeyondNoise);
  return front.length > 0 ? front : undominated(isBetterByMean);
}

type IsBetter = (member: Compared, other: Compared, by: Figure) => boolean;

/** As good in each, and better in one. */
function dominates(
  member: Compared, other: Compared, objectives: readonly Figure[], isBetter: IsBetter,
): boolean {
  return objectives.some((by) => isBetter(member, other, by)) && !objectives.some((by) => isBetter(other, member, by));
}

/** What never got that far is worst. */
function isBetterByMean({ means }: Compared, { means: others }: Compared, { name, better }: Figure): boolean {
  const [value, other] = [means[name]?.mean, others[name]?.mean];
  if (value === undefined || other === undefined) return value !== undefined;
  return better === 'more' ? value > other : value < other;
}

/** The same, if the difference is neither rounding nor noise. */
function isBetterBeyondNoise(member: Compared, other: Compared, by: Figure): boolean {
  return isBetterByMean(member, other, by) && !areTied(member, other, by);
}

/**
 * Whether two differ by rounding errors alone or, seed by seed, within the noise of the seeds. One seed shows no noise:
 * then any difference counts.
 */
export function areTied(member: Compared, other: Compared, { name, of }: Figure): boolean {
  const [value, others] = [member.means[name], other.means[name]];
  if (value === null || others === null) return value === others;
  if (Math.abs(value.mean - others.mean) <= 1e-9 * Math.max(Math.abs(value.mean), Math.abs(others.mean))) return true;
  const differences: number[] = [];
  for (let i = 0, j = 0; i < member.outcomes.length && j < other.outcomes.length;) {
    const [a, b] = [member.outcomes[i], other.outcomes[j]];
    if (a.seed === b.seed) differences.push(of(a)! - of(b)!);
    if (a.seed <= b.seed) i++;
    if (b.seed <= a.seed) j++;
  }
  return differences.length > 1 && !isBeyondNoise(interval(differences));
}

/** Those of `members` in which the figure is known, best first. */
export function ranked(members: readonly Combination[], { name, better }: Figure): Combination[] {
  const reached = members.filter(({ means }) => means[name] !== null);
  return reached.sort((a, b) => (better === 'more' ? -1 : 1) * (a.means[name]!.mean - b.means[name]!.mean));
}

/** Combinations that a real crawler could use: without policies that know the ranks beforehand. */
export function contenders<T extends Pick<Combination, 'isOracle'>>(members: readonly T[]): T[] {
  return members.filter(({ isOracle }) => !isOracle);
}

/** Each of `others` against `best`, on the seeds that both have. */
export function compared(best: Combination, others: readonly Combination[], by: Figure): Comparison[] {
  const bySeed = ({ outcomes }: Combination): Map<number, number> =>
    new Map(outcomes.map((outcome) => [outcome.seed, by.of(outcome)!]));
  const values = bySeed(best);
  return others.flatMap((other) => {
    const paired = pairedDifference(values, bySeed(other));
    return paired === undefined
      ? []
      : [{ setting: best.setting, figure: by.name, best: best.subject, other: other.subject, ...paired }];
  });
}

/** One-way analysis of variance: the sum of squares between the values of an axis, over the sum for all runs. */
function effectOf(axis: Axis, position: number, { name, of }: Figure, outcomes: readonly StudyOutcome[]): Effect[] {
  const levels = axis.values.map((): number[] => []);
  for (const outcome of outcomes) {
    const value = of(outcome);
    if (value === null) return [];
    levels[outcome.at[position]].push(value);
  }
  const means = levels.flatMap((values, i) =>
    values.length === 0 ? [] : [{ value: labelOf(axis, axis.values[i]), mean: mean(values), count: values.length }],
  );
  if (means.length < 2) return [];
  const all = levels.flat();
  const whole = mean(all);
  const total = all.reduce((sum, value) => sum + (value - whole) ** 2, 0);
  const between = means.reduce((sum, level) => sum + level.count * (level.mean - whole) ** 2, 0);
  const [low, high] = [Math.min, Math.max].map((pick) =>
    means.find((level) => level.mean === pick(...means.map((each) => each.mean)))!,
  );
  const ends = { low: { value: low.value, mean: low.mean }, high: { value: high.value, mean: high.mean } };
  // If values are equal, any difference is rounding.
  return [
    {
      axis: axis.name, figure: name, share: total <= 1e-18 * whole ** 2 * all.length ? 0 : Math.min(1, between / total),
      ...ends,
    },
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function grouped<T>(items: readonly T[], by: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const members = groups.get(by(item));
    if (members === undefined) groups.set(by(item), [item]);
    else members.push(item);
  }
  return groups;
}

/** A point of a curve over seeds: pages or seconds, and the share of the rank gathered by then. */
export interface MeanPoint {
  readonly at: number;
  readonly rank: Interval;
}

/**
 * The curve of a combination by pages or by seconds: at each point the mean over its seeds with its interval; undefined
 * if not all have a curve. A seed that has ended stays at its last share.
 */
export function meanCurve({ outcomes }: Combination, by: 'pages' | 'seconds'): MeanPoint[] | undefined {
  const curves = outcomes.flatMap(({ curve }) => (curve === undefined ? [] : [curve]));
  const points = Math.min(...curves.map(({ pages }) => pages.length));
  if (curves.length < outcomes.length || points === 0) return undefined;
  return Array.from({ length: points }, (_, i) => {
    const at = mean(curves.map((curve) => curve[by][Math.ceil(((i + 1) * curve.pages.length) / points) - 1]));
    const { mean: rank, low, high } = interval(curves.map((curve) => rankAt(curve[by], curve.rank, at)));
    // No share is below 0 or above 1, whatever the seeds' spread.
    const [least, most] = [low === null ? null : Math.max(0, low), high === null ? null : Math.min(1, high)];
    return { at, rank: { mean: rank, low: least, high: most } };
  });
}

/** The share at `at`, on the line between the points around it, which begins at nothing. */
function rankAt(places: readonly number[], rank: readonly number[], at: number): number {
  const next = places.findIndex((place) => place >= at);
  if (next < 0) return rank.at(-1)!;
  const [fromPlace, fromRank] = next === 0 ? [0, 0] : [places[next - 1], rank[next - 1]];
  const part = places[next] === fromPlace ? 1 : (at - fromPlace) / (places[next] - fromPlace);
  return fromRank + part * (rank[next] - fromRank);
}

/**
 * Mean over settings, seed by seed, for one subject: the interval shows the variation between seeds. Null if a run
 * never got that far.
 */
export function overSettings(members: readonly Combination[], { of }: Figure): Interval | null {
  const values = members.flatMap(({ outcomes }) => outcomes.map(of));
  if (values.includes(null)) return null;
  const bySeed = seedMeans(members, of);
  return interval(bySeed.size === 0 ? [mean(values as number[])] : [...bySeed.values()]);
}

/** Other minus best, averaged over the settings that both have, seed by seed; undefined if no seed has them all. */
export function differenceOverSettings(
  best: readonly Combination[], others: readonly Combination[], { of }: Figure,
): Interval | undefined {
  const common = (members: readonly Combination[], beside: readonly Combination[]): Map<number, number> =>
    seedMeans(members.filter(({ setting }) => beside.some((member) => member.setting === setting)), of);
  return pairedDifference(common(best, others), common(others, best))?.difference;
}

/** The mean of each seed that met every setting: in a sample, others are not comparable with it. */
function seedMeans(members: readonly Combination[], of: Figure['of']): Map<number, number> {
  const bySeed = grouped(members.flatMap(({ outcomes }) => outcomes), ({ seed }) => String(seed));
  return new Map([...bySeed].filter(([, outcomes]) => outcomes.length === members.length)
    .map(([seed, outcomes]) => [Number(seed), mean(outcomes.map((outcome) => of(outcome)!))]));
}
