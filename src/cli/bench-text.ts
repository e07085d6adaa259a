import type { QueueBenchReport, Shown, ShownTable } from '../bench/index.ts';
import { counted, decimal, grouped, paragraph } from './figures.ts';
import { printable } from './printable.ts';
import { headedTable, type Alignment } from './text-table.ts';

/** The report of `orbweaver bench queues` for people: everything but the charts. */
export function benchText(report: QueueBenchReport): string {
  return [
    ...circumstances(report),
    ...Object.values(report.parts).flatMap(({ title, shown }) => ['', printable(title), '═'.repeat(title.length), ...shownText(shown)]),
    '',
    ...absentParts(report).map((note) => paragraph(note, '- ')),
    ...report.notes.map((note) => paragraph(printable(note), '- ')),
  ].join('\n');
}

/** How it was run: sentences. */
export function circumstances(report: QueueBenchReport): string[] {
  const { load, machine, rounds, seed } = report;
  return [
    `${machine}. Load ${decimal(load.before, 1)} before, ${decimal(load.after, 1)} after, on ${counted(load.cores, 'core')}. ` +
      `${counted(rounds, 'round')} that ${rounds === 1 ? 'counts' : 'count'}, seed ${seed}.`,
    ...(overload(report) === null ? [] : [overload(report)!]),
  ];
}

/** What makes the times doubtful; null where nothing does. */
export function overload({ load }: QueueBenchReport): string | null {
  return Math.max(load.before, load.after) <= load.cores ? null
    : 'The machine was busy with more than its cores bear: times are worth little, counts are unharmed.';
}

export function absentParts({ absent }: QueueBenchReport): string[] {
  return absent.map(({ name, reason }) => `Not measured: ${name}: ${reason}.`);
}

function shownText({ paragraphs, tables, notes = [] }: Shown): string[] {
  return [
    ...paragraphs.flatMap((text) => ['', paragraph(printable(text))]),
    ...tables.filter(({ rows }) => rows.length > 0).flatMap((table) => ['', paragraph(printable(table.caption)), ...tableText(table)]),
    '',
    ...notes.map((note) => paragraph(printable(note), '- ')),
  ];
}

/** A table for each section, with its heading. */
function tableText({ columns, rows, sections = 0 }: ShownTable): string[] {
  const shownColumns = columns.slice(sections);
  const alignment = shownColumns.map((_, i): Alignment => (rows.some((row) => typeof row[i + sections] === 'string') ? 'left' : 'right'));
  const headingOf = (row: readonly (string | number | null)[]): string =>
    columns.slice(0, sections).map(({ name }, i) => (typeof row[i] === 'string' ? row[i] : `${name} = ${cellText(row[i], 0)}`)).join(', ');
  const bySection = new Map<string, string[][]>();
  for (const row of rows) {
    const heading = headingOf(row);
    const cells = row.slice(sections).map((cell, i) => cellText(cell, shownColumns[i].digits ?? 0));
    bySection.set(heading, [...(bySection.get(heading) ?? []), cells]);
  }
  return [...bySection].flatMap(([heading, cells]) => [
    ...(heading === '' ? [] : ['', `  ${printable(heading)}`]),
    headedTable(shownColumns.map(({ name }) => printable(name)), cells, alignment),
  ]);
}

function cellText(value: string | number | null, digits: number): string {
  if (value === null) return '-';
  if (typeof value === 'string') return printable(value);
  return digits === 0 ? grouped(value) : decimal(value, digits);
}
