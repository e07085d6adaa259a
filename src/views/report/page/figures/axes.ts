/** Axes and series that several figures have. */
import type { ReportData, ReportRun, SuperstepBins } from '../../data.ts';
import type { Axis, Chart, Series } from '../chart/chart.ts';
import { distinctRuns, runColours } from '../chart/palette.ts';
import { element } from '../dom.ts';
import { duration, number, short, timeUnit } from '../format.ts';
import { timeName } from '../sentences.ts';

type Values = (run: ReportRun) => readonly number[];

/** An axis for the supersteps of all `runs`, and the positions of a run's bins on it. */
export function superstepAxis(runs: readonly ReportRun[]): { axis: Axis; x: Values } {
  const last = Math.max(1, ...runs.flatMap((run) => run.supersteps.lastSuperstep));
  return {
    axis: { label: 'superstep', domain: [0, last], tick: short, full: (value) => `superstep ${number(value)}` },
    x: ({ supersteps }) => supersteps.lastSuperstep,
  };
}

/** An axis of time from 0 to `end`, and the positions of moments on it. */
export function timeAxis(
  data: Pick<ReportData, 'runs'>, end: number,
): { axis: Axis; placesOf: (seconds: readonly number[]) => number[] } {
  const unit = timeUnit(end);
  return {
    axis: {
      label: `${timeName(data)} (${unit.name})`, domain: [0, end / unit.seconds], tick: short,
      full: (value) => duration(value * unit.seconds),
    },
    placesOf: (seconds) => seconds.map((value) => value / unit.seconds),
  };
}

/** A curve of each run in its colour; many runs are not named, and faint. */
export function runSeries({ runs }: ReportData, x: Values, y: Values, isNamed = true): Series[] {
  const faint = runs.length > distinctRuns;
  return runs.map((run, i) => {
    const { line, ink } = runColours(i, runs.length);
    return { name: run.label, colour: line, ink, faint, unnamed: faint || !isNamed, x: x(run), y: y(run) };
  });
}

export function superstepsOf(bins: SuperstepBins, i: number): string {
  const [first, last] = [bins.firstSuperstep[i], bins.lastSuperstep[i]];
  return first === last ? `superstep ${number(first)}` : `supersteps ${number(first)} to ${number(last)}`;
}

export function nothing(): Chart {
  return { element: element('p', { class: 'nothing' }, 'The run ended before its first superstep did.'), key: [] };
}
