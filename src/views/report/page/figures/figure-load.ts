/** Figures 3, 4 and 6: how evenly processors are loaded, and what their robots do. */
import * as Plot from '@observablehq/plot';
import { onlyRun, robotStates, type ReportData, type ReportRun, type RobotState } from '../../data.ts';
import { curves, draw, indices, stretchTip, tipStyle, type Chart, type Series } from '../chart/chart.ts';
import { nothing, runSeries, superstepAxis, superstepsOf, timeAxis } from './axes.ts';
import type { Figure } from './figure.ts';
import { counted, duration, number, percent, short } from '../format.ts';
import { alikeRuns, maxOf, smallDrawings } from './alike.ts';
import { bars } from '../chart/bars.ts';
import { distinctRuns, runColours, type RunColours } from '../chart/palette.ts';
import * as sentences from '../sentences.ts';

const heightFor = (width: number): number => Math.round(Math.max(240, Math.min(320, 0.34 * width)));

export function balance(data: ReportData): Figure {
  const only = onlyRun(data);
  return {
    title: 'Balance, superstep by superstep',
    sentence: sentences.balance(data),
    panels: [{ size: 'full', draw: (width) => (only === undefined ? drawRatios(data, width) : drawBand(only, width)) }],
  };
}

function drawBand(run: ReportRun, width: number): Chart {
  const bins = run.supersteps;
  if (bins.lastSuperstep.length === 0) return nothing();
  const colours = runColours(0, 1);
  const { axis, x } = superstepAxis([run]);
  const top = Math.max(1, ...bins.pagesMax);
  const line = (name: string, y: readonly number[], quiet: boolean): Series =>
    ({ name, colour: quiet ? colours.pale : colours.line, ink: quiet ? 'var(--soft)' : colours.ink, x: x(run), y });
  return curves({
    about: 'Pages fetched per processor and superstep: minimum, mean and maximum',
    width, height: heightFor(width), x: axis,
    y: {
      label: 'pages fetched per processor and superstep', domain: [0, 1.12 * top], tick: short,
      full: (value) => `${number(value, 1)} pages per processor`,
    },
    series: [
      line('busiest processor', bins.pagesMax, true), line('least busy processor', bins.pagesMin, true),
      line('mean', bins.pagesMean, false),
    ],
    under: [
      Plot.areaY(indices(bins.pagesMax), {
        x: x(run), y1: bins.pagesMin, y2: bins.pagesMax, fill: colours.line, fillOpacity: 0.12,
      }),
    ],
  });
}

function drawRatios(data: ReportData, width: number): Chart {
  const { axis, x } = superstepAxis(data.runs);
  // Supersteps in which nothing was fetched have no balance.
  const workedBins = ({ supersteps: { pagesMax } }: ReportRun): number[] =>
    indices(pagesMax).filter((bin) => pagesMax[bin] > 0);
  return curves({
    about: 'Mean over maximum of the pages that processors fetched, for each superstep',
    width, height: heightFor(width), x: axis,
    y: {
      label: 'balance (mean over maximum of pages per processor)', domain: [0, 1.05],
      tick: (value) => number(value, 1), full: (value) => `balance ${number(value, 2)}`,
    },
    series: runSeries(data, (run) => workedBins(run).map((bin) => x(run)[bin]), (run) =>
      workedBins(run).map((bin) => run.supersteps.pagesMean[bin] / run.supersteps.pagesMax[bin])),
  });
}

export function robots(data: ReportData): Figure {
  const only = onlyRun(data);
  return {
    title: 'What the robots did',
    sentence: sentences.robots(data),
    panels: [
      { size: 'full', draw: (width) => (only === undefined ? drawShares(data, width) : drawStates(only, width)) },
    ],
  };
}

function stateColour(state: RobotState, colours: RunColours): string {
  return { busy: colours.line, stalled: colours.pale, noJob: 'var(--idle)', barrier: 'var(--wait)' }[state];
}

function drawStates(run: ReportRun, width: number): Chart {
  const bins = run.supersteps;
  if (bins.endSeconds.length === 0) return nothing();
  const colours = runColours(0, 1);
  const { axis, placesOf } = timeAxis({ runs: [run] }, bins.endSeconds.at(-1)!);
  const [x1, x2] = [placesOf(bins.startSeconds), placesOf(bins.endSeconds)];
  const below = bins.endSeconds.map(() => 0);
  const layers = robotStates.map((state) => {
    const y1 = [...below];
    bins[state].forEach((robotCount, i) => (below[i] += robotCount));
    return Plot.rect(indices(x1), {
      x1, x2, y1, y2: [...below], fill: stateColour(state, colours), shapeRendering: 'crispEdges',
    });
  });
  const top = Math.max(1, ...below);
  return {
    element: draw({
      about: 'Robots busy, stalled, without a job and at the barrier, over time', width, height: heightFor(width),
      x: axis,
      y: {
        label: 'robots (mean over the superstep)', domain: [0, top], tick: short, full: (value) => number(value, 1),
      },
      marks: [
        ...layers,
        ...stretchTip(x1, x2, top / 2, (i) =>
          [
            superstepsOf(bins, i),
            `${duration(bins.startSeconds[i])} to ${duration(bins.endSeconds[i])}`,
            ...robotStates.map((state) => `${number(bins[state][i], 1)} ${sentences.robotStateNames[state]}`),
          ].join('\n'),
        ),
      ],
    }),
    key: robotStates.map((state) => ({
      name: `${sentences.robotStateNames[state]}, ${percent(run.summary.robots[state])}`,
      colour: stateColour(state, colours),
    })),
    table: {
      columns: ['from (seconds)', 'to (seconds)', ...robotStates],
      rows: bins.startSeconds.map((start, i) =>
        [start, bins.endSeconds[i], ...robotStates.map((state) => bins[state][i])]),
    },
  };
}

/** One stacked bar per run. */
function drawShares(data: ReportData, width: number): Chart {
  const rowHeight = data.runs.length > distinctRuns ? 18 : 40;
  const rows = data.runs.flatMap((run, index) => {
    let from = 0;
    return robotStates.map((state) => {
      const share = run.summary.robots[state];
      const row = { run, index, state, from, to: from + share, share };
      from += share;
      return row;
    });
  });
  type Row = (typeof rows)[number];
  const labelled = data.runs.length <= distinctRuns;
  const roomFor = (row: Row) => row.share * (width - 70) > 48;
  const top = data.runs.length;
  const element = draw({
    about: 'Shares of robot time for each run', width, height: 72 + rowHeight * data.runs.length,
    x: {
      label: 'share of robot time (%)', domain: [0, 100], tick: (value) => number(value),
      full: (value) => `${number(value)} %`,
    },
    y: { label: '', domain: [0, top], tick: () => '', full: () => '' },
    marks: [
      Plot.rect(rows, {
        x1: (row: Row) => 100 * row.from, x2: (row: Row) => 100 * row.to,
        y1: (row: Row) => top - row.index - (labelled ? 0.46 : 0.1),
        y2: (row: Row) => top - row.index - 1 + (labelled ? 0.06 : 0.1),
        fill: (row: Row) => stateColour(row.state, runColours(row.index, top)),
      }),
      ...(labelled
        ? [
            Plot.text(data.runs, {
              x: 0, y: (_: ReportRun, i: number) => top - i - 0.24, text: (run: ReportRun) => run.label,
              textAnchor: 'start', fontWeight: 600, fontSize: 12.5,
              fill: (_: ReportRun, i: number) => runColours(i, top).ink,
            }),
            Plot.text(rows.filter(roomFor), {
              x: (row: Row) => 100 * row.to, y: (row: Row) => top - row.index - 0.7, dx: -6,
              text: (row: Row) => percent(row.share), textAnchor: 'end', fontSize: 12,
              fill: (row: Row) => (row.state === 'busy' ? runColours(row.index, top).on : 'var(--ink)'),
            }),
          ]
        : []),
      Plot.tip(
        rows,
        Plot.pointer({
          x: (row: Row) => 50 * (row.from + row.to), y: (row: Row) => top - row.index - 0.7,
          title: (row: Row) => `${row.run.label}\n${percent(row.share)} ${sentences.robotStateNames[row.state]}`,
          ...tipStyle,
        }),
      ),
    ],
  });
  return {
    element,
    key: [
      { name: 'busy (full colour)', colour: 'var(--soft)' },
      {
        name: 'stalled: jobs pending, none ready (pale)',
        colour: 'color-mix(in oklab, var(--soft) 38%, var(--raised))',
      },
      { name: 'no job', colour: 'var(--idle)' }, { name: 'barrier', colour: 'var(--wait)' },
    ],
    table: {
      columns: ['run', ...robotStates],
      rows: data.runs.map(({ label, summary }) => [label, ...robotStates.map((state) => summary.robots[state])]),
    },
  };
}

export function processors(data: ReportData): Figure {
  const groups = alikeRuns(data, (run) => run.processors.pages);
  return {
    title: 'Pages of each processor over the whole run',
    sentence: sentences.processors(data),
    panels: [
      { size: 'full', caption: ['Dotted: the mean over processors.'] },
      ...smallDrawings(groups, ({ first, caption, colour }) => ({
        size: groups.length === 1 ? 'full' : 'third',
        ...(data.runs.length === 1 ? {} : { caption }),
        draw: (width) => bars({
          about: 'Pages fetched by each processor', width, height: groups.length === 1 ? 260 : 190,
          max: maxOf(data, first, (run) => run.processors.pages),
          values: first.processors.pages, colour, label: 'pages fetched', mean: true,
          tip: (i) => `processor ${i}\n${counted(first.processors.pages[i], 'page')}`,
        }),
      })),
    ],
  };
}
