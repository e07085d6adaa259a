import { duration, number, percent } from '../../../report/page/format.ts';
import { csvText } from '../../../report/page/save/index.ts';
import type { Candidate, JobBoard, Measure } from '../../../watch/contract.ts';

type Estimate = NonNullable<Candidate['estimates'][number]>;

/** A value of a measure; '' where nothing is known. */
export function valueText({ form }: Pick<Measure, 'form'>, value: number | null): string {
  if (value === null) return '';
  if (form === 'share') return percent(value);
  return form === 'seconds' ? duration(value) : significant(value);
}

/** The mean with its interval, if there are several runs. */
export function estimateText(measure: Measure, estimate: Estimate | null): string {
  if (estimate === null) return '';
  const { mean, low, high } = bounded(measure, estimate);
  const text = (value: number): string => valueText(measure, value);
  return low === null || high === null ? text(mean) : `${text(mean)} (${text(low)} to ${text(high)})`;
}

/** No measure is negative, and no share is above the whole, whatever the spread of a few runs. */
export function bounded({ form }: Pick<Measure, 'form'>, { mean, low, high }: Estimate): Estimate {
  const top = form === 'share' ? 1 : Infinity;
  return {
    mean, low: low === null ? null : Math.max(0, low), high: high === null ? null : Math.max(mean, Math.min(top, high)),
  };
}

/** What a candidate's standing means; '' where it says nothing. */
export function standingText(noun: string, standing: Candidate['standing'], isOver: boolean): string {
  if (standing === 'best') return isOver ? 'the best' : 'the best so far';
  if (noun === 'trial') return standing === 'in' ? 'holds' : 'too much';
  if (standing === 'out') return 'ruled out';
  return noun === 'set-up' && !isOver ? 'still in' : '';
}

/** All that is known of the candidates, a line for each. */
export function boardCsv({ noun, measures, candidates }: JobBoard): string {
  return csvText({
    columns: [
      noun, 'at', 'standing', 'runs', ...measures.flatMap(({ name }) => [name, `${name}, low`, `${name}, high`]),
    ],
    rows: candidates.map(({ name, at, standing, runs, estimates }) => [
      name, at, standing, runs,
      ...estimates.flatMap((estimate) => [estimate?.mean ?? null, estimate?.low ?? null, estimate?.high ?? null]),
    ]),
  });
}

/** Four digits: costs of small crawls are small. */
function significant(value: number): string {
  if (Math.abs(value) >= 1000 || Number.isInteger(value)) return number(value);
  return String(Number(value.toPrecision(4)));
}
