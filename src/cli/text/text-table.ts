import { pageWidth, paragraph } from './figures.ts';

export type Alignment = 'left' | 'right';

type Cells = readonly string[];

/** Words are not wrapped into a column that is narrower. */
const minWrappedWidth = 25;
const gap = 2;

/**
 * Rows as lines of aligned columns, two blanks apart, without trailing blanks. Words are wrapped where a row would pass
 * the width of a page. Widths count UTF-16 units, which is enough for ASCII and block characters.
 */
export function textTable(
  rows: readonly Cells[], alignment: readonly Alignment[], indent = '  ', room = pageWidth,
): string {
  const widths = fittingWidths(rows, alignment, indent.length, room);
  return rows.map((row) => {
    const cells = alignment.map((_, column) => {
      const cell = row[column] ?? '';
      return cell.length <= widths[column] ? [cell] : paragraph(cell, '', widths[column]).split('\n');
    });
    const height = Math.max(1, ...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, i) => indent + cells.map((lines, column) => {
      const text = lines[i] ?? '';
      return alignment[column] === 'left' ? text.padEnd(widths[column]) : text.padStart(widths[column]);
    }).join(' '.repeat(gap))).map((line) => line.trimEnd()).join('\n');
  }).join('\n');
}

/** The widths of columns; the widest columns of words shrink until the table fits. */
function fittingWidths(
  rows: readonly Cells[], alignment: readonly Alignment[], indent: number, room: number,
): number[] {
  const widths = naturalWidths(rows, alignment);
  const last = alignment.length - 1;
  const leasts = alignment.map((side, column) => {
    if (side === 'right') return widths[column];
    // A word that is too long may stand out of the last column alone.
    const words = column === last ? [] : rows.flatMap((row) => (row[column] ?? '').split(' '));
    return Math.min(widths[column], Math.max(minWrappedWidth, ...words.map(({ length }) => length)));
  });
  for (let excess = widthOf(widths, indent) - room; excess > 0; excess--) {
    const widest = widths.reduce((most, width, column) =>
      (width > leasts[column] && width > (widths[most] ?? 0) ? column : most), -1);
    if (widest < 0) break;
    widths[widest]--;
  }
  return widths;
}

function naturalWidths(rows: readonly Cells[], alignment: readonly Alignment[]): number[] {
  return alignment.map((_, column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)));
}

function widthOf(widths: readonly number[], indent: number): number {
  return widths.reduce((sum, width) => sum + width + gap, indent - gap);
}

/**
 * The same with a line of headings and a rule below it. A table of too many columns becomes several, each with the
 * first column.
 */
export function headedTable(
  headings: Cells, rows: readonly Cells[], alignment: readonly Alignment[], indent = '  ', room = pageWidth,
): string {
  const all = [headings, ...rows];
  const fits = widthOf(fittingWidths(all, alignment, indent.length, room), indent.length) <= room;
  const widths = naturalWidths(all, alignment);
  let count = widths.length;
  while (!fits && count > 2 && widthOf(widths.slice(0, count), indent.length) > room) count--;
  const part = <T>(cells: readonly T[]): T[] => cells.slice(0, count);
  const rest = <T>(cells: readonly T[]): T[] => [cells[0], ...cells.slice(count)];
  const [head, ...body] = textTable(all.map(part), part(alignment), indent, room).split('\n');
  const width = Math.max(head.length, ...body.map((line) => line.length)) - indent.length;
  const table = [head, `${indent}${'─'.repeat(width)}`, ...body].join('\n');
  if (count === widths.length) return table;
  return `${table}\n\n${headedTable(rest(headings), rows.map(rest), rest(alignment), indent, room)}`;
}
