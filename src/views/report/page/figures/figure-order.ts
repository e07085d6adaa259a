/** Figures 1 and 2: the value of the crawl order, by pages and by time. */
import * as Plot from '@observablehq/plot';
import { onlyRun, type ReportData } from '../../data.ts';
import { curves, indices, type Axis, type Dot, type Series } from '../chart/chart.ts';
import { runSeries, timeAxis } from './axes.ts';
import type { Figure } from './figure.ts';
import { counted, duration, number, percent, short } from '../format.ts';
import { distinctRuns, runColours } from '../chart/palette.ts';
import * as sentences from '../sentences.ts';

const rankAxis: Axis = {
  label: 'PageRank gathered (% of that within reach)', domain: [0, 100],
  tick: (value) => number(value), full: (value) => `${number(value, 1)} % of the PageRank within reach`,
};

const percents = (values: readonly number[]): number[] => values.map((value) => 100 * value);
const heightFor = (width: number): number => Math.round(Math.max(300, Math.min(460, 0.46 * width)));

export function rankByPages(data: ReportData): Figure {
  return {
    title: 'PageRank gathered, page by page',
    sentence: sentences.rankByPages(data),
    panels: [{ size: 'full', draw: (width) => drawRankByPages(data, width) }],
  };
}

function drawRankByPages(data: ReportData, width: number) {
  const max = Math.max(
    1, ...data.runs.flatMap((run) => [run.rankByPages.x.at(-1)!, run.summary.quality.horizonPages]),
  );
  const shared = data.bounds.length === 1;
  const references: Series[] = data.bounds.flatMap((bound, i) => {
    const run = data.runs.find((other) => other.bound === i)!;
    const horizon = run.summary.quality.horizonPages;
    const quiet = { quiet: true, colour: 'var(--soft)', ink: 'var(--soft)', unnamed: !shared, faint: !shared };
    return [
      { ...quiet, name: 'sorted order: the bound', x: bound.x, y: percents(bound.y) },
      { ...quiet, dash: '7 5', name: 'uniform order', ...uniform(horizon, run.randomRankPerPage) },
    ];
  });
  const [bound] = data.bounds;
  const [run] = data.runs;
  const between = shared
    ? [
        Plot.areaY(indices(bound.x), {
          x: (i: number) => bound.x[i], y1: (i: number) => 100 * bound.x[i] * run.randomRankPerPage,
          y2: (i: number) => 100 * bound.y[i], fill: 'var(--wash)',
        }),
      ]
    : [];
  return curves({
    about: 'Cumulative PageRank against pages fetched', width, height: heightFor(width), under: between,
    x: { label: 'pages fetched', domain: [0, max], tick: short, full: (value) => counted(Math.round(value), 'page') },
    y: rankAxis,
    series: [...references, ...runSeries(data, ({ rankByPages: { x } }) => x, ({ rankByPages: { y } }) => percents(y))],
  });
}

/** Sampled, so that its tooltip and its label have points along it. */
function uniform(horizon: number, perPage: number): { x: number[]; y: number[] } {
  const x = Array.from({ length: 41 }, (_, i) => horizon * i / 40);
  return { x, y: x.map((pages) => Math.min(100, 100 * pages * perPage)) };
}

export function rankBySeconds(data: ReportData): Figure {
  return {
    title: `PageRank gathered, against ${sentences.timeName(data)}`,
    sentence: sentences.rankBySeconds(data),
    panels: [{ size: 'full', draw: (width) => drawRankBySeconds(data, width) }],
  };
}

function drawRankBySeconds(data: ReportData, width: number) {
  const only = onlyRun(data);
  const max = Math.max(1e-3, ...data.runs.flatMap((run) => [run.summary.virtualSeconds, run.rankBySeconds.x.at(-1)!]));
  const { axis, placesOf } = timeAxis(data, max);
  const dots: Dot[] = data.runs.length > distinctRuns ? [] : data.runs.flatMap((run, i) => {
    const x = placesOf(run.milestones.map(({ seconds }) => seconds));
    return run.milestones.map(({ share, seconds, rank }, at) => ({
      x: x[at], y: 100 * rank, colour: runColours(i, data.runs.length).line,
      name: width < 600 ? share : `${share} of the pages`,
      tip: `${run.label}\n${share} of its pages\n${duration(seconds)}\n${percent(rank)} of the PageRank within reach`,
    }));
  });
  const bounds = only === undefined ? []
    : placesOf([only.summary.lowerBoundSeconds].filter((seconds) => seconds > 0 && seconds <= max));
  const nameStyle = {
    x: 'x', y: 'y', text: 'name', fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4, fontSize: 12,
  };
  const isLate = (dot: Dot): boolean => dot.x >= 0.8 * axis.domain[1];
  return curves({
    about: `Cumulative PageRank against ${sentences.timeName(data)}`, width, height: heightFor(width), dots, x: axis,
    y: rankAxis,
    series: runSeries(data, ({ rankBySeconds: { x } }) => placesOf(x), ({ rankBySeconds: { y } }) => percents(y),
      only === undefined),
    under: [
      Plot.ruleX(bounds, { stroke: 'var(--soft)', strokeDasharray: '2 5' }),
      Plot.text(bounds, {
        x: (place: number) => place, y: 4, dx: -10, rotate: -90, textAnchor: 'start', fill: 'var(--soft)', fontSize: 12,
        text: () => 'time lower bound',
      }),
    ],
    over: only === undefined ? [] : [
      Plot.text(dots, { ...nameStyle, dx: 9, dy: 13, textAnchor: 'start', filter: (dot: Dot) => !isLate(dot) }),
      Plot.text(dots, { ...nameStyle, dy: 20, textAnchor: 'end', filter: isLate }),
    ],
  });
}
