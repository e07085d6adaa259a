/** The figures of the first row: tiles for one run, a table for several. */
import { endingInWords, runFigures, type RunFigureName } from '../../../../core/measure/figures/index.ts';
import { onlyRun, type ReportData, type ReportRun } from '../../data.ts';
import { element, outside, scrolling } from '../dom.ts';
import { counted, duration, figureIn, number } from '../format.ts';
import { runColours } from '../chart/palette.ts';
import { timeName } from '../sentences.ts';

export function headline(data: ReportData): HTMLElement {
  const run = onlyRun(data);
  return run !== undefined ? tiles(run) : table(data);
}

function tiles(run: ReportRun): HTMLElement {
  const { summary } = run;
  const { quality } = summary;
  const tile = (name: string, value: string, note: string | Node) =>
    element(
      'div', { class: 'tile' }, element('div', { class: 'name' }, name), element('div', { class: 'value' }, value),
      element('div', { class: 'note' }, note),
    );
  const figure = (name: RunFigureName, note: string | Node, title = runFigures[name].title) =>
    tile(title, figureIn(summary, name), note);
  const missed = summary.pagesFailed > 0 ? `, ${number(summary.pagesFailed)} failed` : '';
  const failures = summary.failures.reduce((sum, { count }) => sum + count, 0);
  const kinds = summary.failures.map(({ words, count }) => `${number(count)} ${words}`).join(', ');
  return element(
    'div',
    { class: 'tiles' },
    figure('rankGathered', rankNote(run)),
    figure('pagesFetched', `of ${number(summary.reachablePages)} within reach${missed}`),
    figure(
      'virtualSeconds',
      `ended: ${endingInWords(summary.ended)}; the slowest host or address needs at least ${duration(summary.lowerBoundSeconds)}`,
      timeName({ runs: [run] }),
    ),
    figure('pagerankArea', element(
      'span', {}, scale(run, 'var(--run-0)'),
      `from ${number(quality.random, 3)} (random order) to ${number(quality.bound, 3)} (best order)`,
    )),
    figure('normalisedGain', `${runFigures.normalisedGain.meaning}, over ${counted(quality.horizonPages, 'page')}`),
    figure('balancePages', runFigures.balancePages.meaning),
    figure('pairsPerPage', `from ${number(summary.communication.crossLinksPerPage, 2)} crossing links`),
    figure('robotsBusy', runFigures.robotsBusy.meaning),
    ...(failures === 0 ? []
      : [
          tile(
            'requests without a page', number(failures),
            `${kinds}; ${number(summary.outcomesRetried)} led to a retry`,
          ),
        ]),
  );
}

/** When most of the rank was gathered. */
function rankNote({ summary: { secondsToRank } }: ReportRun): string {
  const marks = (['50', '80', '90'] as const).flatMap((mark) => {
    const seconds = secondsToRank[mark];
    return seconds === null ? [] : [`${mark} % after ${duration(seconds)}`];
  });
  return `of the PageRank within reach${marks.length === 0 ? '' : `; ${marks.join(', ')}`}`;
}

const columns = [
  'rankGathered', 'pagesFetched', 'virtualSeconds', 'pagerankArea', 'normalisedGain', 'balancePages', 'pairsPerPage',
  'robotsBusy',
] as const satisfies RunFigureName[];

function table(data: ReportData): HTMLElement {
  const head = columns.flatMap((name) => [
    element('th', { class: 'figure' }, name === 'virtualSeconds' ? timeName(data) : runFigures[name].title),
    ...(name === 'pagerankArea' ? [element('th', {}, 'random to best order')] : []),
  ]);
  const rows = data.runs.map((run, i) => {
    const colours = runColours(i, data.runs.length);
    return element(
      'tr',
      {},
      element(
        'td',
        { class: 'run', title: run.label, style: `--run: ${colours.line}; --run-ink: ${colours.ink}` },
        outside(run.label),
      ),
      ...columns.flatMap((name) => [
        element('td', { class: 'figure' }, figureIn(run.summary, name)),
        ...(name === 'pagerankArea' ? [element('td', {}, scale(run, colours.line))] : []),
      ]),
    );
  });
  return scrolling('scroll', element('table', { class: 'headline' },
    element('thead', {}, element('tr', {}, element('th', {}, 'run'), ...head)), element('tbody', {}, ...rows)));
}

/** The area's position between a uniform order (left) and the sorted order (right). */
function scale({ summary: { quality } }: ReportRun, colour: string): SVGElement {
  const at = 6 + 84 * Math.max(-0.03, Math.min(1.03, quality.normalisedGain ?? 0));
  const made = svg('svg', { class: 'scale', width: 96, height: 16, viewBox: '0 0 96 16', role: 'img' });
  made.setAttribute('aria-label',
    `area ${number(quality.pagerankArea, 3)} between ${number(quality.random, 3)} and ${number(quality.bound, 3)}`);
  const bar = { x1: 6, y1: 8, y2: 8, 'stroke-width': 4, 'stroke-linecap': 'round' };
  made.append(
    svg('line', { ...bar, x2: 90, stroke: 'var(--faint)' }),
    ...(quality.normalisedGain === null ? [] : [
      svg('line', { ...bar, x2: Math.max(6, at), stroke: colour }),
      svg('circle', { cx: at, cy: 8, r: 5.5, fill: 'var(--raised)', stroke: colour, 'stroke-width': 2.5 }),
    ]));
  return made;
}

function svg(
  name: 'svg' | 'line' | 'circle' | 'text', attributes: Readonly<Record<string, string | number>>,
): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
