import { csvText } from '../../report/page/save/index.ts';
import type { Figure } from './figures.ts';

/** The numbers of a picture, a line for each point; empty where there is none. */
export function csvOf({ xLabel, x, series, table }: Figure): string {
  return csvText(table ?? {
    columns: [xLabel, ...series.map(({ name }) => name)],
    rows: x.map((at, i) => [at, ...series.map(({ values }) => values[i] ?? null)]),
  });
}
