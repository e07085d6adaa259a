import type { MeasuredPart, QueueBenchReport } from '../../../questions/bench/index.ts';
import { counted, decimal, paragraph } from '../figures.ts';
import { printable } from '../printable.ts';
import { shownText } from '../shown-text.ts';
import { shownHtml, type ShownTable } from '../../../views/report/index.ts';

/** The report of `orbweaver bench queues` for people: everything but the charts. */
export function benchText(report: QueueBenchReport): string {
  return [
    ...[circumstances(report), overload(report)]
      .filter((text) => text !== null)
      .map((text) => paragraph(printable(text))),
    ...Object.values(report.parts).flatMap(shownText),
    '',
    ...absentParts(report).map((note) => paragraph(note, '- ')),
    ...report.notes.map((note) => paragraph(printable(note), '- ')),
  ].join('\n');
}

export function circumstances(report: QueueBenchReport): string {
  return `${loadText(report)} ${counted(report.rounds, 'measured round')}, seed ${report.seed}.`;
}

type Loaded = Pick<QueueBenchReport, 'machine' | 'load'>;

export function loadText({ machine, load }: Loaded): string {
  const [start, after] = [load.before, load.after].map((busy) => decimal(busy, 1));
  return `${machine}. Load ${start} before, ${after} after, on ${counted(load.cores, 'core')}.`;
}

export function overload({ load }: Pick<Loaded, 'load'>): string | null {
  return Math.max(load.before, load.after) <= load.cores ? null
    : 'The machine was overloaded: times mean little, counts are correct.';
}

export function absentParts({ absent }: QueueBenchReport): string[] {
  return absent.map(({ name, reason }) => `Not measured: ${name}: ${reason}.`);
}

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
