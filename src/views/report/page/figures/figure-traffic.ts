/** Figures 5 and 7: what processors send one another, and what passes through their queues. */
import * as Plot from '@observablehq/plot';
import { onlyRun, type ReportData, type ReportRun } from '../../data.ts';
import { nothing, runSeries, superstepAxis, timeAxis } from './axes.ts';
import { alikeRuns, maxOf, smallDrawings, type AlikeRuns } from './alike.ts';
import { bars } from '../chart/bars.ts';
import { curves, indices, type Axis, type Chart, type KeyItem } from '../chart/chart.ts';
import type { Figure, Panel } from './figure.ts';
import { number, short } from '../format.ts';
import { distinctRuns, runColours } from '../chart/palette.ts';
import * as sentences from '../sentences.ts';

type Amount = 'crossLinks' | 'pairsSent' | 'extracted' | 'stale' | 'reinserted';

export function communication(data: ReportData): Figure {
  const run = onlyRun(data);
  const totals = (height: number, { first, caption, colour }: AlikeRuns): Panel => {
    const { pairsSent, pairsReceived } = first.processors;
    return {
      size: 'third', caption,
      draw: (width) => bars({
        about: 'Pairs sent and received by each processor', width, height,
        max: maxOf(data, first, (other) => [...other.processors.pairsSent, ...other.processors.pairsReceived]),
        values: pairsSent, second: pairsReceived, colour, label: 'pairs sent', secondLabel: 'pairs received',
        tip: (p) => `processor ${p}\n${number(pairsSent[p])} pairs sent\n${number(pairsReceived[p])} received`,
      }),
    };
  };
  const about = { title: 'What processors sent one another', sentence: sentences.communication(data) };
  const groups = alikeRuns(data, (other) => [other.processors.pairsSent, other.processors.pairsReceived]);
  if (run !== undefined) {
    return {
      ...about,
      panels: [
        {
          size: 'wide',
          caption: ['per superstep, all processors'],
          draw: (width) =>
            drawAmounts(run, width, 'links or pairs per superstep', [
              ['crossLinks', 'crossing links'], ['pairsSent', 'pairs sent'],
            ]),
        },
        totals(280, { ...groups[0], caption: ['whole run: sent (bars), received (strokes)'] }),
      ],
    };
  }
  return {
    ...about,
    key: runKey(data),
    panels: [
      {
        size: 'half', caption: ['pairs sent'],
        draw: (width) => drawAmount(data, width, 'pairsSent', 'pairs per superstep'),
      },
      {
        size: 'half', caption: ['crossing links'],
        draw: (width) => drawAmount(data, width, 'crossLinks', 'links per superstep'),
      },
      { size: 'full', caption: ['Whole run, by processor: pairs sent (bars) and received (strokes)'] },
      ...smallDrawings(
        groups.filter(({ first }) => first.processors.pages.length > 1), (group) => totals(190, group),
      ),
    ],
  };
}

export function queue(data: ReportData): Figure {
  const run = onlyRun(data);
  const label = 'entries per superstep';
  const amounts = [
    ['extracted', 'entries extracted'], ['stale', 'stale, among those extracted'], ['reinserted', 'entries reinserted'],
  ] as const;
  const flows: Panel[] = run === undefined
    ? amounts.map(([amount, caption]) => ({
        size: 'third', caption: [caption], draw: (width) => drawAmount(data, width, amount, label),
      }))
    : [{
        size: 'full', caption: ['entries through the queues; extracted ones include stale ones'],
        draw: (width) => drawAmounts(run, width, label, [
          ['extracted', 'extracted'], ['reinserted', 'reinserted'], ['stale', 'stale'],
        ]),
      }];
  return {
    title: 'The queues', sentence: sentences.queue(data), ...(run === undefined ? { key: runKey(data) } : {}),
    panels: [
      { size: 'full', caption: ['pages queued, all processors'], draw: (width) => drawQueued(data, width) }, ...flows,
    ],
  };
}

function drawQueued(data: ReportData, width: number): Chart {
  const ends = data.runs.flatMap((run) => run.supersteps.endSeconds.slice(-1));
  if (ends.length === 0) return nothing();
  const { axis, placesOf } = timeAxis(data, Math.max(...ends));
  const top = Math.max(1, ...data.runs.flatMap((run) => run.supersteps.queued));
  const x = (run: ReportRun) => placesOf(run.supersteps.endSeconds);
  const only = onlyRun(data);
  return curves({
    about: 'Pages queued over time', width, height: Math.round(Math.max(220, Math.min(300, 0.3 * width))), x: axis,
    y: { label: 'pages queued', domain: [0, 1.1 * top], tick: short, full: (value) => `${number(value)} pages queued` },
    series: runSeries(data, x, (run) => run.supersteps.queued, false),
    under: only === undefined ? [] : [Plot.areaY(indices(only.supersteps.queued), {
      x: x(only), y1: 0, y2: only.supersteps.queued, fill: runColours(0, 1).line, fillOpacity: 0.12,
    })],
  });
}

/** One amount, one curve per run. */
function drawAmount(data: ReportData, width: number, amount: Amount, label: string): Chart {
  const { axis, x } = superstepAxis(data.runs);
  const top = Math.max(1, ...data.runs.flatMap((run) => run.supersteps[amount]));
  return curves({
    about: `${label}: ${amount}`, width, height: 240, x: axis, y: amountAxis(label, top),
    series: runSeries(data, x, (run) => run.supersteps[amount], false),
  });
}

/** Several amounts of one run. */
function drawAmounts(
  run: ReportRun, width: number, label: string, amounts: readonly (readonly [Amount, string])[],
): Chart {
  if (run.supersteps.lastSuperstep.length === 0) return nothing();
  const { axis, x } = superstepAxis([run]);
  const top = Math.max(1, ...amounts.flatMap(([amount]) => run.supersteps[amount]));
  const colours = ['var(--shared)', 'var(--run-0)', 'var(--run-1)'];
  return curves({
    about: label, width, height: 280, x: axis, y: amountAxis(label, top),
    series: amounts.map(([amount, name], i) => ({
      name, colour: colours[i], ink: `color-mix(in oklab, ${colours[i]}, var(--ink) 40%)`, x: x(run),
      y: run.supersteps[amount],
    })),
  });
}

function amountAxis(label: string, top: number): Axis {
  const full = (value: number): string => `${number(value, value < 10 ? 1 : 0)} ${label}`;
  return { label, domain: [0, 1.12 * top], tick: short, full };
}

function runKey(data: ReportData): KeyItem[] {
  if (data.runs.length > distinctRuns) return [];
  return data.runs.map((run, i) => ({ name: run.label, colour: runColours(i, data.runs.length).line }));
}
