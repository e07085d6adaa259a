import { paragraph } from './figures.ts';

/** The alignment of a column: figures to the right, words to the left. */
export type Alignment = 'left' | 'right';

/** Words are not wrapped into a column that is narrower. */
const minWrappedWidth = 25;

/**
 * Rows as lines of aligned columns, two blanks apart, without trailing blanks. Words in the last column are wrapped
 * before column 100. Widths count UTF-16 units, which is enough for what this program prints: ASCII and block
 * characters.
 */
export function textTable(
  rows: readonly (readonly string[])[], alignment: readonly Alignment[], indent = '  ',
): string {
  const widths = alignment.map((_, column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)));
  const last = alignment.length - 1;
  const lastStart = indent.length + widths.slice(0, last).reduce((sum, width) => sum + width + 2, 0);
  const wraps = alignment[last] === 'left' && lastStart + minWrappedWidth <= 100;
  return rows
    .map((row) => {
      const cells = alignment.map((side, column) => {
        const cell = row[column] ?? '';
        if (column === last && wraps) return '';
        return side === 'left' ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
      });
      const line = `${indent}${cells.join('  ')}`;
      return (wraps && (row[last] ?? '') !== '' ? paragraph(row[last], line) : line).trimEnd();
    })
    .join('\n');
}

/** The same with a line of headings and a rule below it. */
export function headedTable(
  headings: readonly string[], rows: readonly (readonly string[])[], alignment: readonly Alignment[], indent = '  ',
): string {
  const [head, ...body] = textTable([headings, ...rows], alignment, indent).split('\n');
  const width = Math.max(head.length, ...body.map((line) => line.length)) - indent.length;
  return [head, `${indent}${'─'.repeat(width)}`, ...body].join('\n');
}
