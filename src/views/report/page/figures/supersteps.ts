import type { ReportRun, SuperstepBins } from '../../data.ts';
import type { Axis, Chart } from '../chart/chart.ts';
import { element } from '../dom.ts';
import { number, short } from '../format.ts';

/** An axis for the supersteps of all `runs`, and the positions of a run's bins on it. */
export function superstepAxis(runs: readonly ReportRun[]): { axis: Axis; x: (run: ReportRun) => readonly number[] } {
  const last = Math.max(1, ...runs.flatMap((run) => run.supersteps.lastSuperstep));
  return {
    axis: { label: 'superstep', domain: [0, last], tick: short, full: (value) => `superstep ${number(value)}` },
    x: ({ supersteps }) => supersteps.lastSuperstep,
  };
}

export function superstepsOf(bins: SuperstepBins, i: number): string {
  const [first, last] = [bins.firstSuperstep[i], bins.lastSuperstep[i]];
  return first === last ? `superstep ${number(first)}` : `supersteps ${number(first)} to ${number(last)}`;
}

export function nothing(): Chart {
  return { element: element('p', { class: 'nothing' }, 'The run ended before its first superstep did.'), key: [] };
}
