/** A part of a measurement: sentences, charts, tables and notes. */
import type { Chart, ShownPart } from '../../shown.ts';
import type { KeyItem } from '../chart/chart.ts';
import { element, outside } from '../dom.ts';
import { keyElement, panelElement } from '../figures/figure.ts';
import { barsElement } from './shown-bars.ts';
import { drawChart, partKey, type Look } from './shown-chart.ts';
import { tableElements } from './shown-table.ts';

/** Paragraphs above the charts: what was measured. Detailed findings are below the charts. */
const maxLeadParagraphs = 2;

/** @param looks - of the series of the whole report. */
export function partElement(
  { name: id, title, shown: { paragraphs, charts, bars = [], tables, notes = [] } }: ShownPart,
  looks: ReadonlyMap<string, Look>,
): HTMLElement {
  const keyOf = ({ series }: Chart): KeyItem[] =>
    partKey(charts, looks)
      .filter(({ name, isHollow }) => isHollow === true || series.some((curve) => curve.name === name));
  const drawings = charts.map((chart) =>
    panelElement(
      {
        size: charts.length === 1 ? 'full' : chart.isSmall === true ? 'third' : 'half',
        draw: (width) => drawChart(chart, charts, looks, width),
      },
      { title: `${title}: ${chart.title}`, key: keyOf(chart) },
      [outside(chart.title), ...(chart.isSynthetic ? [element('span', { class: 'synthetic' }, ' · synthetic')] : [])],
    ),
  );
  const findings =
    paragraphs.length <= maxLeadParagraphs
      ? null
      : element('div', { class: 'findings' }, ...paragraphs.slice(maxLeadParagraphs).map(paragraph));
  const numbers = tables.filter(({ rows }) => rows.length > 0).flatMap(tableElements);
  return element(
    'section',
    { class: 'measured', id },
    element('h2', {}, outside(title)),
    ...paragraphs.slice(0, maxLeadParagraphs).map(paragraph),
    ...bars.map(barsElement),
    ...(drawings.length === 0
      ? []
      : [keyElement(partKey(charts, looks)), element('div', { class: 'panels' }, ...drawings)]),
    // Without a chart, the tables are the content of the part.
    ...(charts.length === 0 ? [...numbers, findings] : [findings, ...numbers]),
    noteList(notes),
  );
}

function paragraph(text: string): HTMLElement {
  return element('p', {}, outside(text));
}

export function noteList(notes: readonly string[]): HTMLElement | null {
  return notes.length === 0
    ? null
    : element('ul', { class: 'notes' }, ...notes.map((note) => element('li', {}, outside(note))));
}
