/** Draws a measurement in a browser, from the data in the page, part by part. */
import type { ShownReport } from '../shown.ts';
import { element, outside } from './dom.ts';
import { openOnDemand } from './fold.ts';
import { seriesLooks } from './shown/shown-chart.ts';
import { noteList, partElement } from './shown/shown-part.ts';

const data = JSON.parse(document.getElementById('report-data')!.textContent) as ShownReport;
const looks = seriesLooks(data.parts);

/** Up to this many parts need no table of contents. */
const maxWithoutContents = 3;

const contents = data.parts.length <= maxWithoutContents ? null : element('nav',
  { class: 'contents', 'aria-label': 'Contents' },
  ...data.parts.map(({ name, title }) => element('a', { href: `#${name}` }, outside(title))));

const parts = [
  element('h1', {}, outside(data.title)),
  data.command === null ? null : element('p', { class: 'lede command' }, element('code', {}, data.command)),
  ...data.circumstances.map((text) => element('p', { class: 'lede' }, outside(text))),
  data.warning === null ? null : element('p', { class: 'warning' }, outside(data.warning)),
  contents,
  ...data.parts.map((part) => partElement(part, looks)),
  data.notes.length === 0
    ? null
    : element('section', {}, element('h2', {}, 'Notes on the figures'), noteList(data.notes)),
  element('footer', {}, 'Made by orbweaver. This file works without a network.'),
];
document.getElementById('report')!.replaceChildren(...parts.filter((part) => part !== null));
openOnDemand();
