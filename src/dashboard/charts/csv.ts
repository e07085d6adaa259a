import type { Figure } from './figures.ts';

/** The numbers of a picture, a line for each point; empty where there is none. */
export function csvOf({ xLabel, x, series, table }: Figure): string {
  return csvText([
    table?.columns ?? [xLabel, ...series.map(({ name }) => name)],
    ...(table?.rows ?? x.map((at, i) => [at, ...series.map(({ values }) => values[i] ?? null)])),
  ]);
}

/** Rows as lines; null is an empty cell. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map((cell) => quoted(String(cell ?? ''))).join(',')}\n`).join('');
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
