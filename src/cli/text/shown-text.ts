import type { Shown, ShownTable } from '../../views/report/index.ts';
import { decimal, grouped, pageWidth, paragraph } from './figures.ts';
import { printable } from './printable.ts';
import { headedTable, type Alignment } from './text-table.ts';

/** A part of the measurements as lines of text for people, without its charts. */
export function shownText({
  title, shown: { paragraphs, tables, notes = [] },
}: {
  title: string;
  shown: Shown;
}): string[] {
  return [
    '',
    paragraph(printable(title)),
    '═'.repeat(Math.min(pageWidth, title.length)),
    ...paragraphs.flatMap((text) => ['', paragraph(printable(text))]),
    ...tables
      .filter(({ rows }) => rows.length > 0)
      .flatMap((table) => ['', paragraph(printable(table.caption)), ...tableText(table)]),
    ...(notes.length === 0 ? [] : ['']),
    ...notes.map((note) => paragraph(printable(note), '- ')),
  ];
}

/** One table per section, with its heading. */
function tableText({ columns, rows, sections = 0 }: ShownTable): string[] {
  const shownColumns = columns.slice(sections);
  const alignment = shownColumns.map((_, i): Alignment =>
    (rows.some((row) => isText(row[i + sections])) ? 'left' : 'right'));
  const headingOf = (row: readonly (string | number | null)[]): string =>
    columns
      .slice(0, sections)
      .map(({ name }, i) => (typeof row[i] === 'string' ? row[i] : `${name} = ${cellText(row[i], 0)}`))
      .join(', ');
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

/** "none" counts as a figure. */
const isText = (cell: string | number | null): boolean => typeof cell === 'string' && cell !== 'none';

function cellText(value: string | number | null, digits: number): string {
  if (value === null) return '-';
  if (typeof value === 'string') return printable(value);
  return digits === 0 ? grouped(value) : decimal(value, digits);
}
