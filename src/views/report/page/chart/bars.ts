import * as Plot from '@observablehq/plot';
import { draw, indices, stretchTip, type Chart } from './chart.ts';
import { number, short } from '../format.ts';

export interface BarsOptions {
  readonly about: string;
  readonly width: number;
  readonly height: number;
  readonly values: readonly number[];
  /** Ticks across the bars. */
  readonly second?: readonly number[];
  readonly max: number;
  readonly label: string;
  /** Of `second`, in its table. */
  readonly secondLabel?: string;
  readonly colour: string;
  /** Whether a dotted line marks their mean. */
  readonly mean?: boolean;
  readonly tip: (processor: number) => string;
}

/** One bar per processor. */
export function bars(
  { about, width, height, values, second, max, label, secondLabel = '', colour, mean, tip }: BarsOptions,
): Chart {
  const starts = values.map((_, i) => i - 0.5);
  const right = values.map((_, i) => i + 0.5);
  const room = (width - 70) / values.length;
  const inset = room > 12 ? Math.min(10, 0.14 * room) : room > 4 ? 0.5 : 0;
  const average = values.reduce((sum, value) => sum + value, 0) / values.length;
  const step = Math.max(1, Math.ceil(values.length / Math.max(2, Math.floor(width / 45))));
  return {
    element: draw({
      about,
      width,
      height,
      x: {
        label: 'processor',
        domain: [-0.5, values.length - 0.5],
        full: (value) => `processor ${number(value)}`,
        tick: (value) => (Number.isInteger(value) ? number(value) : ''),
        ticks: values.map((_, i) => i).filter((i) => i % step === 0),
      },
      y: { label, domain: [0, 1.06 * max], tick: short, full: (value) => number(value) },
      marks: [
        Plot.rect(indices(values), {
          x1: (i: number) => starts[i], x2: (i: number) => right[i], y1: 0, y2: (i: number) => values[i], fill: colour,
          fillOpacity: 0.85, insetLeft: inset, insetRight: inset,
        }),
        ...(second === undefined
          ? []
          : [
              Plot.link(indices(second), {
                x1: (i: number) => starts[i] + 0.08, x2: (i: number) => right[i] - 0.08, y1: (i: number) => second[i],
                y2: (i: number) => second[i], stroke: 'var(--ink)', strokeWidth: 2,
              }),
            ]),
        ...(mean === true ? [Plot.ruleY([average], { stroke: 'var(--ink)', strokeDasharray: '2 5' })] : []),
        ...stretchTip(starts, right, max / 2, tip),
      ],
    }),
    key: [],
    table: {
      columns: ['processor', label, ...(second === undefined ? [] : [secondLabel])],
      rows: values.map((value, i) => [i, value, ...(second === undefined ? [] : [second[i]])]),
    },
  };
}
