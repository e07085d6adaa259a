/** The alignment of a column: figures to the right, words to the left. */
export type Alignment = 'left' | 'right';

/**
 * Rows as lines of aligned columns, two blanks apart, without trailing blanks. Widths count UTF-16 units, which
 * is enough for what this program prints: ASCII and block characters.
 */
export function textTable(
  rows: readonly (readonly string[])[], alignment: readonly Alignment[], indent = '  ',
): string {
  const widths = alignment.map((_, column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) => {
      const cells = alignment.map((side, column) => {
        const cell = row[column] ?? '';
        return side === 'left' ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
      });
      return `${indent}${cells.join('  ')}`.trimEnd();
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
