import type { Figure } from './figures.ts';

/** The numbers of a picture, a line for each point; empty where there is none. */
export function csvOf({ xLabel, x, series }: Figure): string {
  const rows = x.map((at, i) => [at, ...series.map(({ values }) => values[i] ?? '')].join(','));
  return `${[[xLabel, ...series.map(({ name }) => name)].map(quoted).join(','), ...rows].join('\n')}\n`;
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
