import { counted, number, percent, sentenceList, timeUnit } from '../../../report/page/format.ts';
import type { CurveColumns } from '../../../watch/contract.ts';
import type { Against, Figure, Series } from '../../charts/figures.ts';

/** The curves of a run, under the name that it has in a comparison. */
export interface ComparedCurves {
  readonly name: string;
  readonly curves: CurveColumns;
}

/** As many as there are colours that can be told apart. */
export const maxCompared = 8;
/** Places of the x axis. */
const places = 400;
/** Spans over which pages per second are taken. */
const spans = 60;

/** The curves of several runs, one picture each: rank gathered (pages, where one run knows no rank), and speed. */
export function comparedFigures(runs: readonly ComparedCurves[], against: Against): Figure[] {
  return [gathered(runs, against), speed(runs)];
}

function gathered(runs: readonly ComparedCurves[], against: Against): Figure {
  const isRank = runs.every(({ curves }) => curves.rank.length > 0);
  const byTime = against === 'time' || !isRank;
  const unit = timeUnit(longest(runs));
  const xOf = ({ seconds, pages }: CurveColumns): readonly number[] =>
    byTime ? seconds.map((second) => second / unit.seconds) : pages;
  const x = evenly(Math.max(0, ...runs.map(({ curves }) => xOf(curves).at(-1) ?? 0)), places);
  const yOf = ({ rank, pages }: CurveColumns): readonly number[] => (isRank ? rank : pages);
  const text = (value: number): string => (isRank ? percent(value) : counted(value, 'page'));
  const ends = runs.map(({ name, curves }) => `${name} ${text(yOf(curves).at(-1) ?? 0)}`);
  const what = isRank ? 'Rank gathered' : 'Pages fetched';
  return {
    name: isRank ? 'compared-rank' : 'compared-pages',
    title: isRank ? 'Rank gathered, share of the rank within reach' : 'Pages fetched',
    sentence: `${what} against ${byTime ? 'time' : 'pages fetched'}, at the end: ${sentenceList(ends)}.`,
    xLabel: byTime ? `time of the run, ${unit.name}` : 'pages fetched', x,
    series: runs.map(({ name, curves }, i) => series(name, i, at(xOf(curves), yOf(curves), x))),
    yTop: isRank ? 0.01 : 1, isShare: isRank,
  };
}

function speed(runs: readonly ComparedCurves[]): Figure {
  const end = longest(runs);
  const unit = timeUnit(end);
  const ends = evenly(end, spans);
  const rates = runs.map(({ curves }) => at(curves.seconds, curves.pages, ends).map((pages, i, all) => {
    const previous = i === 0 ? 0 : all[i - 1];
    // A run that ended within a span has no rate over all of it.
    const isWhole = i > 0 && ends[i] <= (curves.seconds.at(-1) ?? 0);
    return pages === null || previous === null || !isWhole ? null : (pages - previous) / (ends[i] - ends[i - 1]);
  }));
  const means = runs.map(({ name, curves }) =>
    `${name} ${number((curves.pages.at(-1) ?? 0) / Math.max(1e-9, curves.seconds.at(-1) ?? 0), 1)}`);
  return {
    name: 'compared-speed', title: 'Pages per second',
    sentence: `Pages per second of the run's clock, on average: ${sentenceList(means)}.`,
    xLabel: `time of the run, ${unit.name}`, x: ends.map((end) => end / unit.seconds),
    series: runs.map(({ name }, i) => series(name, i, rates[i])), yTop: 1, isShare: false,
  };
}

function series(name: string, i: number, values: readonly (number | null)[]): Series {
  return { name, colour: `--run-${i % maxCompared}` as Series['colour'], values };
}

function longest(runs: readonly ComparedCurves[]): number {
  return Math.max(0, ...runs.map(({ curves }) => curves.seconds.at(-1) ?? 0));
}

function evenly(end: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, i) => (end * i) / count);
}

/** A curve that begins at 0, at ascending places: a straight line between two of its points; null beyond its end. */
export function at(
  x: readonly number[], y: readonly number[], ascending: readonly number[],
): (number | null)[] {
  let next = 0;
  return ascending.map((place, i) => {
    while (next < x.length && x[next] < place) next++;
    // A run that ended between two places ends at the second.
    if (next === x.length) return i > 0 && x.length > 0 && x[x.length - 1] > ascending[i - 1] ? y[y.length - 1] : null;
    const [fromX, fromY] = next === 0 ? [0, 0] : [x[next - 1], y[next - 1]];
    return x[next] === fromX ? y[next] : fromY + ((y[next] - fromY) * (place - fromX)) / (x[next] - fromX);
  });
}
