import { number, percent, short, timeUnit } from '../../report/page/format.ts';
import type { CurveColumns, RankBound } from '../../watch/contract.ts';

/** A curve of a figure. */
export interface Series {
  readonly name: string;
  /** A custom property of the style: `--run-0`. */
  readonly colour: `--run-${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}` | '--shared';
  /** Dashed: what the others are compared with. By default a line. */
  readonly style?: 'dashed' | 'dots';
  /** One for each x; null where there is none. */
  readonly values: readonly (number | null)[];
  /** What the key has for each value, where the value alone does not say it. */
  readonly texts?: readonly string[];
}

/** One picture of a run, as data: what draws it, saves it or reads it aloud starts here. */
export interface Figure {
  /** Letters and hyphens: the name of its files. */
  readonly name: string;
  readonly title: string;
  /** What the picture shows, for who does not see it. */
  readonly sentence: string;
  readonly xLabel: string;
  readonly x: readonly number[];
  readonly series: readonly Series[];
  /** The least top of the y axis. */
  readonly yTop: number;
  /** The axis ends there, whatever the values. */
  readonly isShare: boolean;
  /** The y axis ends there: the few values above it would hide all others. */
  readonly cut?: number | undefined;
  /** Shown below the title. */
  readonly note?: string | undefined;
  /** Both axes are logarithmic: all numbers are above 0. */
  readonly isLog?: boolean;
  /** What the key calls each x, where the number alone does not say it. */
  readonly places?: readonly string[];
  /** What the CSV file has, if that is not x and the values. */
  readonly table?: { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] };
}

export type Against = 'pages' | 'time';

export const yText = ({ isShare }: Pick<Figure, 'isShare'>, value: number | null): string =>
  value === null ? 'none' : isShare ? percent(value) : number(value, Math.abs(value) < 100 ? 1 : 0);

export const yTick = ({ isShare }: Pick<Figure, 'isShare'>, value: number): string =>
  isShare ? `${number(100 * value)} %` : short(value);

export interface Compared {
  /** The curves of the run that this one is a fork of. */
  readonly beside?: CurveColumns | null;
  readonly bound?: RankBound | null;
}

/** All pictures of a run. */
export function figuresOf(
  curves: CurveColumns, against: Against, { beside = null, bound = null }: Compared = {},
): Figure[] {
  const longest = Math.max(curves.seconds.at(-1) ?? 0, beside?.seconds.at(-1) ?? 0);
  const first = gathered(curves, against, longest);
  const other = beside === null ? null : gathered(beside, against, longest);
  const isAlike = other !== null && other.name === first.name;
  const bounded = first.name === 'rank-gathered' ? withBound(first, curves.pages, bound) : first;
  return [
    isAlike ? together(bounded, other) : bounded, speed(curves), work(curves), pairs(curves), comparisons(curves),
  ];
}

/** @param longest - seconds that its unit of time is for. */
function gathered(curves: CurveColumns, against: Against, longest: number): Figure {
  const { rank, pages, seconds } = curves;
  const isRank = rank.length > 0 || pages.length === 0;
  const unit = timeUnit(longest);
  const byTime = against === 'time' || !isRank;
  const values = isRank ? rank : pages;
  const last = values.at(-1);
  const end = byTime ? `${number((seconds.at(-1) ?? 0) / unit.seconds, 1)} ${unit.name}`
    : `${number(pages.at(-1) ?? 0)} pages`;
  return {
    name: isRank ? 'rank-gathered' : 'pages-fetched',
    title: isRank ? 'Rank gathered, share of the rank within reach' : 'Pages fetched',
    sentence: last === undefined ? 'No superstep has ended yet.'
      : `${isRank ? 'Rank gathered' : 'Pages fetched'} against ${byTime ? 'time' : 'pages fetched'}: ` +
        `${isRank ? percent(last) : number(last)} after ${end}.`,
    xLabel: byTime ? `time of the run, ${unit.name}` : 'pages fetched',
    x: byTime ? seconds.map((second) => second / unit.seconds) : pages,
    series: [{ name: isRank ? 'rank gathered' : 'pages', colour: '--run-0', values }],
    yTop: isRank ? 0.01 : 1,
    isShare: isRank,
  };
}

/** With what the best order and a random one would have gathered with as many pages, whatever x is. */
function withBound(figure: Figure, pages: readonly number[], bound: RankBound | null): Figure {
  if (bound === null) {
    return { ...figure, note: 'The best order is not shown: an earlier version recorded the run and did not store it.' };
  }
  const all = bound.pages.at(-1)!;
  const best = at(bound.pages, bound.rank, pages.map((count) => Math.min(count, all)));
  const random = pages.map((count) => (all === 0 ? 0 : Math.min(1, count / all)));
  const last = (values: readonly (number | null)[]): string => percent(values.at(-1) ?? 0);
  return {
    ...figure,
    sentence: pages.length === 0 ? figure.sentence
      : `${figure.sentence} With as many pages the best order has ${last(best)}, and a random order ${last(random)} ` +
        'on average.',
    series: [
      ...figure.series,
      { name: 'best order possible', colour: '--run-2', style: 'dashed', values: best },
      { name: 'random order, on average', colour: '--shared', style: 'dashed', values: random },
    ],
  };
}

/** Both curves in one picture, at the places of either; between two points a curve is straight. */
function together(first: Figure, other: Figure): Figure {
  const x = [...new Set([...first.x, ...other.x])].sort((a, b) => a - b);
  const [lines, ...bounds] = first.series.map((series) => ({ ...series, values: at(first.x, series.values, x) }));
  const name = 'the run it is a fork of';
  return {
    ...first, x,
    sentence: `${first.sentence} The run that it is a fork of: ${other.sentence}`,
    series: [lines, { name, colour: '--run-1', values: at(other.x, other.series[0].values, x) }, ...bounds],
  };
}

/** A curve's value at each of the places, which ascend; null beyond its ends. */
function at(
  x: readonly number[], values: readonly (number | null)[], places: readonly number[],
): (number | null)[] {
  let next = 0;
  return places.map((place) => {
    while (next < x.length && x[next] < place) next++;
    if (next === x.length || (next === 0 && x[0] > place)) return null;
    const [low, high] = [values[Math.max(0, next - 1)], values[next]];
    if (x[next] === place || low === null || high === null) return values[next];
    return low + ((high - low) * (place - x[next - 1])) / (x[next] - x[next - 1]);
  });
}

/** Values of a column since the point before, per `by` since then. */
function per(of: readonly number[], by: readonly number[], start: number): (number | null)[] {
  return of.map((value, i) => {
    const span = by[i] - (i === 0 ? start : by[i - 1]);
    return span > 0 ? value / span : null;
  });
}

const since = (column: readonly number[]): number[] => column.map((value, i) => value - (i === 0 ? 0 : column[i - 1]));

/** Fewer points hide nothing. */
const fewPoints = 20;

/**
 * Where the y axis ends if the highest of some values are so rare and so high that they would hide the others: most
 * runs begin with a superstep unlike all others. Undefined: at the highest.
 */
function cutOf(values: readonly (number | null)[]): number | undefined {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  // One in a hundred may be above it, and at least one.
  const usual = sorted[Math.min(Math.floor(0.99 * sorted.length), sorted.length - 2)];
  return sorted.length >= fewPoints && usual > 0 && sorted.at(-1)! > 2 * usual ? 1.25 * usual : undefined;
}

function bySuperstep(
  { superstep }: CurveColumns, rest: Omit<Figure, 'xLabel' | 'x' | 'sentence'> & { readonly about: string },
): Figure {
  const { about, ...drawing } = rest;
  const first = drawing.series[0].values;
  const cut = drawing.isShare ? undefined : cutOf(first);
  const highest = cut === undefined ? -1 : first.indexOf(Math.max(...first.map((value) => value ?? 0)));
  const note = highest === -1 ? undefined
    : `Cut off at the top: the highest value is ${yText(drawing, first[highest])}, in superstep ${number(superstep[highest])}.`;
  const figure = { ...drawing, cut, note };
  const lasts = figure.series.map(({ name, values }) => `${name} ${yText(figure, values.at(-1) ?? null)}`);
  const sentence = superstep.length === 0 ? 'No superstep has ended yet.'
    : `${about}, by superstep; in superstep ${number(superstep.at(-1)!)}: ${lasts.join(', ')}.`;
  return { ...figure, sentence, xLabel: 'superstep', x: superstep };
}

function speed(curves: CurveColumns): Figure {
  return bySuperstep(curves, {
    name: 'pages-per-second', title: 'Pages per second of the run', about: 'Pages per second of the run', yTop: 1,
    isShare: false,
    series: [{ name: 'pages per second', colour: '--run-0', values: per(since(curves.pages), curves.seconds, 0) }],
  });
}

function work(curves: CurveColumns): Figure {
  const fetched = since(curves.pages);
  return bySuperstep(curves, {
    name: 'busy-and-balance', title: 'Robot time spent downloading, and balance of pages',
    about: 'Share of robot time spent downloading, and mean over maximum of the pages of the processors', yTop: 1,
    isShare: true,
    series: [
      { name: 'busy', colour: '--run-0', values: curves.busy },
      // If nothing was fetched, it is 1 for want of another number.
      {
        name: 'balance', colour: '--run-1',
        values: curves.balance.map((balance, i) => (fetched[i] === 0 ? null : balance)),
      },
    ],
  });
}

function pairs(curves: CurveColumns): Figure {
  return bySuperstep(curves, {
    name: 'pairs', title: 'Pairs sent between processors', about: 'Pairs sent between processors per superstep',
    yTop: 1, isShare: false,
    series: [{ name: 'pairs per superstep', colour: '--run-0', values: per(curves.pairs, curves.superstep, -1) }],
  });
}

function comparisons(curves: CurveColumns): Figure {
  const values = per(curves.comparisons, curves.superstep, -1);
  return bySuperstep(curves, {
    name: 'comparisons', title: 'Comparisons of keys in the queues', about: 'Comparisons of the queues per superstep',
    yTop: 1, isShare: false, series: [{ name: 'comparisons per superstep', colour: '--run-0', values }],
  });
}
