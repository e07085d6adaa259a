/** Draws the report in a browser, from the data in the page. */
import type { ReportData } from '../data.ts';
import { distinctRuns } from './chart/palette.ts';
import { element, outside } from './dom.ts';
import { figureElement, said } from './figures/figure.ts';
import * as load from './figures/figure-load.ts';
import * as order from './figures/figure-order.ts';
import * as traffic from './figures/figure-traffic.ts';
import { folded, openOnDemand } from './fold.ts';
import { headline } from './figures/headline.ts';
import { hosts } from './figures/hosts.ts';
import { measured } from './figures/measures.ts';
import * as sentences from './sentences.ts';
import { seriesLooks } from './shown/shown-chart.ts';
import { partElement } from './shown/shown-part.ts';
import { limits, reproduce, settings } from './figures/settings.ts';

const data = JSON.parse(document.getElementById('report-data')!.textContent) as ReportData;
/** More runs than colours are all drawn in one colour; a single run shares its colour with its parts. */
const isColoured = data.runs.length > 1 && data.runs.length <= distinctRuns;
const looks = seriesLooks(data.parts, isColoured ? data.runs.map(({ label }) => label) : []);
const warning = sentences.synthetic(data);
const oracles = sentences.oracles(data);
/** One processor has no load to balance, and sends nothing. */
const isDivided = data.runs.some((run) => run.processors.pages.length > 1);
const figures = [
  order.rankByPages(data), order.rankBySeconds(data), load.robots(data), ...(isDivided ? [load.balance(data)] : []),
  ...(isDivided ? [traffic.communication(data), load.processors(data)] : []), traffic.queue(data),
];
const limiting = sentences.whatLimits(data).map((sentence) => element('p', { class: 'lede' }, ...said(data, sentence)));
/** More sentences than this are one line until they are opened. */
const maxUnfolded = 2;
const limitingShown = limiting.length <= maxUnfolded ? limiting : [
  element('details', { class: 'folded' }, element('summary', {}, 'What limits each run'), ...limiting),
];
const toParts = data.parts.map(({ name, title }) => element('a', { href: `#${name}` }, outside(title)));
const toFigures = figures.map(({ title }, i) =>
  element('a', { href: `#figure-${i + 1}` }, `${i + 1}. ${title}`));
const contents = element('nav', { class: 'contents', 'aria-label': 'Contents' },
  ...(data.runs.length === 1 ? [...toFigures, ...toParts] : [...toParts, ...toFigures]),
  element('a', { href: '#settings' }, 'Settings'));
const drawings = figures.map((figure, i) => figureElement(data, figure, i + 1));
/** A report of a single run shows these figures first and folds the others. */
const maxOpenFigures = 3;
const single = (): (HTMLElement | null)[] => [
  ...drawings.slice(0, maxOpenFigures),
  folded(isDivided ? 'Balance, messages and queues' : 'The queues', ...drawings.slice(maxOpenFigures)),
  ...data.parts.map((part) => folded(part.title, partElement(part, looks))),
  folded('Measures from the literature', measured(data)),
  folded('Hosts', hosts(data)),
  folded('Settings, and what the simulation leaves out', settings(data), limits(data)),
  reproduce(data),
];
const parts = [
  element('h1', {}, outside(data.title)),
  warning === null ? null : element('p', { class: 'warning' }, ...said(data, warning)),
  element('p', { class: 'lede' }, ...said(data, sentences.crawls(data))),
  oracles === null ? null : element('p', { class: 'lede' }, ...said(data, oracles)),
  // What was found about several runs answers the question; their figures follow.
  ...(data.runs.length === 1 ? [] : data.parts.map((part) => partElement(part, looks))),
  ...(data.runs.length === 1 ? [...limiting, headline(data)] : [headline(data), ...limitingShown]),
  contents,
  ...(data.runs.length === 1
    ? single()
    : [...drawings, measured(data), hosts(data), settings(data), reproduce(data), limits(data)]),
  element('footer', {}, `Made by orbweaver ${data.version}. This file works without a network.`),
];
document.getElementById('report')!.replaceChildren(...parts.filter((part) => part !== null));
openOnDemand();
