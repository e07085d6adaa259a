import type { Figure } from './figures.ts';

/** The numbers of a picture, a line for each point; empty where there is none. */
export function csvOf({ xLabel, x, series, table }: Figure): string {
  const columns = table?.columns ?? [xLabel, ...series.map(({ name }) => name)];
  const rows = table?.rows ?? x.map((at, i) => [at, ...series.map(({ values }) => values[i] ?? '')]);
  return `${[columns, ...rows].map((row) => row.map((cell) => quoted(String(cell))).join(',')).join('\n')}\n`;
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
