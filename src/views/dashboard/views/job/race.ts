import type { Candidate, JobBoard, Measure } from '../../../watch/contract.ts';
import { evenTicks } from '../../charts/ticks.ts';
import { bounded, valueText } from './board-text.ts';
import type { Drawing, Mark } from './marks.ts';

/** More rows could not be told apart; the table has the others. */
export const maxRows = 30;
/** Measures that are drawn; the table has the others. */
const maxPanels = 2;
/** Below this width names stand above their rows. */
const wide = 640;
/** What a character of a name takes, about; of a bold one. */
const [characterWidth, boldWidth] = [6.4, 7.3];
const head = 40;

interface Scale {
  readonly measure: Measure;
  readonly index: number;
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The candidates of a job as rows: for each measure a dot at the mean and a line over the interval. What is ruled out
 * is struck through and hollow.
 */
export function raceDrawing({ measures, candidates }: JobBoard, width: number): Drawing {
  const rows = candidates.slice(0, maxRows);
  const isWide = width >= wide;
  const rowHeight = isWide ? 26 : 46;
  const names = isWide ? Math.round(0.4 * width) : 0;
  const panels = measures.slice(0, maxPanels).map((measure, i, { length }) => {
    const each = (width - names) / length;
    const x = Math.round(names + i * each + 12);
    return scaleOf(measure, i, rows, [x, Math.round(names + (i + 1) * each - 14)]);
  });
  const height = head + rows.length * rowHeight + 4;
  return {
    width, height,
    marks: [
      ...panels.flatMap((panel) => axis(panel, height)),
      ...rows.flatMap((row, i) => {
        const y = head + i * rowHeight + rowHeight - 13;
        return [
          nameOf(row, isWide ? names : width, isWide ? y + 4 : y - 18),
          ...panels.flatMap((panel) => estimate(row, panel, y)),
        ];
      }),
    ],
  };
}

function scaleOf(
  measure: Measure, index: number, rows: readonly Candidate[], [left, right]: readonly [number, number],
): Scale {
  const values = rows.flatMap(({ estimates }) => {
    const interval = estimates[index];
    if (interval === null) return [];
    const { mean, low, high } = bounded(measure, interval);
    return [mean, low ?? mean, high ?? mean];
  });
  const [least, most] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
  // A share is read from 0; of other measures the differences count.
  const pad = 0.06 * (most - least) || 0.5 * most || 1;
  const [low, high] = measure.form === 'share' ? [0, most === 0 ? 1 : most] : [Math.max(0, least - pad), most + pad];
  return { measure, index, left, right, low, high };
}

function axis(panel: Scale, height: number): Mark[] {
  const { measure, left, low, high } = panel;
  const ticks = measure.form === 'share' ? evenTicks(high, 4) : [low, (low + high) / 2, high];
  return [
    { is: 'text', look: 'soft', x: left, y: 12, anchor: 'start', text: measure.name },
    ...ticks.flatMap((tick): Mark[] => {
      const x = at(panel, tick);
      return [
        { is: 'line', look: tick === 0 ? 'axis' : 'grid', points: [[x, head - 6], [x, height]] },
        {
          is: 'text', look: 'soft', x, y: head - 12, text: valueText(measure, rounded(tick, high)),
          anchor: tick === low ? 'start' : tick === high ? 'end' : 'middle',
        },
      ];
    }),
  ];
}

function estimate({ standing, estimates }: Candidate, panel: Scale, y: number): Mark[] {
  const interval = estimates[panel.index];
  if (interval === null) return [];
  const { mean, low, high } = bounded(panel.measure, interval);
  return [
    ...(low === null || high === null ? []
      : [{ is: 'line', look: standing, points: [[at(panel, low), y], [at(panel, high), y]] } as const]),
    { is: 'dot', look: standing, x: at(panel, mean), y, r: standing === 'best' ? 6 : 4.5 },
  ];
}

function nameOf({ name, standing }: Candidate, width: number, y: number): Mark {
  const most = Math.floor(width / (standing === 'best' ? boldWidth : characterWidth));
  const text = name.length > most ? `${name.slice(0, most - 1)}\u2026` : name;
  return {
    is: 'text', look: standing === 'out' ? 'gone' : standing === 'best' ? 'bold' : 'name', x: 0, y, anchor: 'start',
    text,
  };
}

function at({ left, right, low, high }: Scale, value: number): number {
  return Math.round(10 * (left + ((value - low) / (high - low)) * (right - left))) / 10;
}

/** Three digits of the greatest. */
function rounded(value: number, greatest: number): number {
  if (!(greatest > 0)) return value;
  const step = 10 ** (Math.floor(Math.log10(greatest)) - 2);
  return Number((Math.round(value / step) * step).toPrecision(12));
}
