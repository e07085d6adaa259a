import type { MeasuredPart, QueueBenchReport } from '../../../questions/bench/index.ts';
import type { ShownTable } from '../../../views/report/index.ts';
import { shownHtml } from '../../../views/report/index.ts';
import { absentParts, circumstances, overload } from './bench-text.ts';

/**
 * Comma-separated values with all digits. Texts are quoted if necessary, unknown values are
 * empty.
 */
export function tableCsv({ columns, rows }: ShownTable): string {
  const cell = (value: string | number | null): string =>
    typeof value === 'string'
      ? /[",\r\n]/.test(value)
        ? `"${value.replaceAll('"', '""')}"`
        : value
      : String(value ?? '');
  return [columns.map(({ name }) => name), ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('');
}

export function benchTables({ parts }: QueueBenchReport): [name: string, content: string][] {
  return Object.values(parts).flatMap(({ shown }) =>
    shown.tables.map((table): [string, string] => [`${table.name}.csv`, tableCsv(table)]),
  );
}

/** Names of the tables beside a bench.json, from its text; none if it is not a valid bench.json. */
export function benchTableNames(json: string): string[] {
  try {
    const { parts } = JSON.parse(json) as { parts: Record<string, MeasuredPart> };
    return Object.values(parts).flatMap(({ shown }) => shown.tables.map(({ name }) => `${name}.csv`));
  } catch {
    return [];
  }
}

export function benchHtml(report: QueueBenchReport, command: string): string {
  return shownHtml({
    title: 'Priority queues, measured',
    circumstances: [circumstances(report)],
    warning: overload(report),
    command,
    parts: Object.entries(report.parts).map(([name, { title, shown }]) => ({ name, title, shown })),
    notes: [...absentParts(report), ...report.notes],
  });
}
