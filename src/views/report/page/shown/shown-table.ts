/** Tables of a measurement: rounded figures, aligned right, and a heading for each section. */
import type { Column, ShownTable } from '../../shown.ts';
import { element, outside, scrolling } from '../dom.ts';
import { counted, number } from '../format.ts';

type Cell = string | number | null;

/** Texts longer than this may break. */
const maxUnbrokenLength = 48;
/** Tables with more columns are set more closely, to fit a page. */
const maxRoomyColumns = 8;
/** Tables with more rows are collapsed at first. */
const maxUnfoldedRows = 40;

export function tableElements({ caption, columns, rows, sections = 0 }: ShownTable): HTMLElement[] {
  const visible = columns.slice(sections);
  const classes = visible.map((_, i) => {
    // "none" counts as a figure.
    const texts = rows.map((row) => row[i + sections])
      .filter((cell) => typeof cell === 'string').filter((cell) => cell !== 'none');
    return texts.length === 0 ? 'figure' : texts.some((text) => text.length > maxUnbrokenLength) ? 'wrapped' : 'text';
  });
  const head = visible.map(({ name }, i) => element('th', { class: classes[i] }, outside(name)));
  const bodies = [...bySection(columns, rows, sections)].map(([heading, members]) =>
    element('tbody', {},
      heading === '' ? null : element('tr', {},
        element('th', { class: 'section', colspan: String(visible.length), scope: 'rowgroup' }, outside(heading))),
      ...members.map((row) => element('tr', {},
        ...row.slice(sections).map((cell, i) => element('td', { class: classes[i] }, cellNode(cell, visible[i])))))));
  const table = scrolling('scroll', element('table', visible.length > maxRoomyColumns ? { class: 'dense' } : {},
    element('thead', {}, element('tr', {}, ...head)), ...bodies));
  if (rows.length <= maxUnfoldedRows) return [element('p', { class: 'caption' }, outside(caption)), table];
  const summary = element('summary', { class: 'caption' }, outside(caption), ` (${counted(rows.length, 'row')})`);
  return [element('details', {}, summary, table)];
}

function bySection(
  columns: readonly Column[], rows: readonly (readonly Cell[])[], sections: number,
): Map<string, (readonly Cell[])[]> {
  const bodies = new Map<string, (readonly Cell[])[]>();
  for (const row of rows) {
    const heading = columns
      .slice(0, sections)
      .map(({ name, digits }, i) => (typeof row[i] === 'string' ? row[i] : `${name} = ${cellText(row[i], digits)}`))
      .join(', ');
    bodies.set(heading, [...(bodies.get(heading) ?? []), row]);
  }
  return bodies;
}

function cellNode(cell: Cell, { digits }: Column): Node {
  return typeof cell === 'string' ? outside(cell) : document.createTextNode(cellText(cell, digits));
}

function cellText(cell: Cell, digits = 0): string {
  return cell === null ? '–' : typeof cell === 'string' ? cell : number(cell, digits);
}
