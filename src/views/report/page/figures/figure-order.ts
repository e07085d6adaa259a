/** Figures 1 and 2: the value of the crawl order, by pages and by time. */
import * as Plot from '@observablehq/plot';
import { onlyRun, type ReportData } from '../../data.ts';
import { curves, indices, type Axis, type Dot, type Series } from '../chart/chart.ts';
import type { Figure } from './figure.ts';
import { counted, duration, number, percent, short, timeUnit } from '../format.ts';
import { distinctRuns, manyRuns, runColours } from '../chart/palette.ts';
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
    const run = data.runs.find((one) => one.bound === i)!;
    const horizon = run.summary.quality.horizonPages;
    const quiet = { quiet: true, colour: 'var(--soft)', ink: 'var(--soft)', unnamed: !shared, faint: !shared };
    return [
      { ...quiet, name: 'sorted order: the bound', x: bound.x, y: percents(bound.y) },
      { ...quiet, dash: '7 5', name: 'uniform order', ...uniform(horizon, run.randomRankPerPage) },
    ];
  });
  const runs: Series[] = data.runs.map((run, i) => {
    const colours = runColours(i, data.runs.length);
    return {
      name: run.label, colour: colours.line, ink: colours.ink, ...manyRuns(data),
      x: run.rankByPages.x, y: percents(run.rankByPages.y),
    };
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
    y: rankAxis, series: [...references, ...runs],
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
  const unit = timeUnit(max);
  const series: Series[] = data.runs.map((run, i) => {
    const colours = runColours(i, data.runs.length);
    return {
      name: run.label, colour: colours.line, ink: colours.ink, ...manyRuns(data),
      ...(only === undefined ? {} : { unnamed: true }), x: run.rankBySeconds.x.map((seconds) => seconds / unit.seconds),
      y: percents(run.rankBySeconds.y),
    };
  });
  const dots: Dot[] =
    data.runs.length > distinctRuns
      ? []
      : data.runs.flatMap((run, i) =>
          run.milestones.map((mark) => ({
            x: mark.seconds / unit.seconds,
            y: 100 * mark.rank,
            colour: runColours(i, data.runs.length).line,
            name: width < 600 ? mark.share : `${mark.share} of the pages`,
            tip: `${run.label}\n${mark.share} of its pages\n${duration(mark.seconds)}\n${percent(mark.rank)} of the PageRank within reach`,
          })),
        );
  const bound =
    only === undefined ? [] : [only.summary.lowerBoundSeconds].filter((seconds) => seconds > 0 && seconds <= max);
  return curves({
    about: `Cumulative PageRank against ${sentences.timeName(data)}`,
    width,
    height: heightFor(width),
    dots,
    x: {
      label: `${sentences.timeName(data)} (${unit.name})`,
      domain: [0, max / unit.seconds],
      tick: short,
      full: (value) => duration(value * unit.seconds),
    },
    y: rankAxis,
    series,
    under: [
      Plot.ruleX(bound, {
        x: (seconds: number) => seconds / unit.seconds, stroke: 'var(--soft)', strokeDasharray: '2 5',
      }),
      Plot.text(bound, {
        x: (seconds: number) => seconds / unit.seconds, y: 4, dx: -10, rotate: -90, textAnchor: 'start',
        fill: 'var(--soft)', fontSize: 12, text: () => 'time lower bound',
      }),
    ],
    over:
      only === undefined
        ? []
        : [
            Plot.text(dots, {
              x: 'x', y: 'y', text: 'name', dx: 9, dy: 13, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4,
              fontSize: 12, textAnchor: 'start', filter: (dot: Dot) => dot.x * unit.seconds < 0.8 * max,
            }),
            Plot.text(dots, {
              x: 'x', y: 'y', text: 'name', dy: 20, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 4,
              fontSize: 12, textAnchor: 'end', filter: (dot: Dot) => dot.x * unit.seconds >= 0.8 * max,
            }),
          ],
  });
}
