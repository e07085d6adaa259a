/** A measurement as it draws itself in a browser, from the data beside it: sentences, charts, tables and notes, part by part. */
import type { Shown, ShownReport } from '../shown.ts';
import { element, outside } from './dom.ts';
import { keyElement, panelElement } from './figure.ts';
import { barsElement } from './shown-bars.ts';
import { drawChart, partKey, seriesLooks } from './shown-chart.ts';
import { tableElements } from './shown-table.ts';

const data = JSON.parse(document.getElementById('report-data')!.textContent) as ShownReport;

/** Paragraphs above the charts: what was measured. What the figures say in detail stands below them. */
const leadMost = 2;

function partElement(title: string, id: string, { paragraphs, charts, bars = [], tables, notes = [] }: Shown): HTMLElement {
  const looks = seriesLooks(charts);
  const drawings = charts.map((chart) => panelElement(
    { size: charts.length === 1 ? 'full' : chart.isSmall === true ? 'third' : 'half', draw: (width) => drawChart(chart, charts, looks, width) },
    [outside(chart.title), ...(chart.isSynthetic ? [element('span', { class: 'synthetic' }, ' · synthetic')] : [])]));
  const findings = paragraphs.length <= leadMost ? null : element('div', { class: 'findings' }, ...paragraphs.slice(leadMost).map(paragraph));
  const numbers = tables.filter(({ rows }) => rows.length > 0).flatMap(tableElements);
  return element('section', { class: 'measured', id },
    element('h2', {}, outside(title)),
    ...paragraphs.slice(0, leadMost).map(paragraph),
    ...bars.map(barsElement),
    ...(drawings.length === 0 ? [] : [keyElement(partKey(charts, looks)), element('div', { class: 'panels' }, ...drawings)]),
    // Where there is no chart, the tables are what the part is about.
    ...(charts.length === 0 ? [...numbers, findings] : [findings, ...numbers]),
    noteList(notes));
}

function paragraph(text: string): HTMLElement {
  return element('p', {}, outside(text));
}

function noteList(notes: readonly string[]): HTMLElement | null {
  return notes.length === 0 ? null : element('ul', { class: 'notes' }, ...notes.map((note) => element('li', {}, outside(note))));
}

const contents = data.parts.length < 2 ? null : element('ul', { class: 'contents' },
  ...data.parts.map(({ name, title }) => element('li', {}, element('a', { href: `#${name}` }, outside(title)))));

const parts = [
  element('h1', {}, outside(data.title)),
  data.command === null ? null : element('p', { class: 'lede command' }, element('code', {}, data.command)),
  ...data.circumstances.map((text) => element('p', { class: 'lede' }, outside(text))),
  data.warning === null ? null : element('p', { class: 'warning' }, outside(data.warning)),
  contents,
  ...data.parts.map(({ name, title, shown }) => partElement(title, name, shown)),
  data.notes.length === 0 ? null : element('section', {}, element('h2', {}, 'What the figures are worth'), noteList(data.notes)),
  element('footer', {}, 'Made by orbweaver. This file needs no network.'),
];
document.getElementById('report')!.replaceChildren(...parts.filter((part) => part !== null));
