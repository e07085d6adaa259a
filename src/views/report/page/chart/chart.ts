import * as Plot from '@observablehq/plot';
import { placeLabels, type Frame, type Pixel } from '../labels.ts';
import type { Table } from '../save/index.ts';

/** A drawing, and the names for its key that have no room beside their curves. */
export interface Chart {
  readonly element: Element;
  readonly key: readonly KeyItem[];
  /** Its numbers, to be saved; undefined where there are none. */
  readonly table?: Table;
}

export interface KeyItem {
  readonly name: string;
  readonly colour: string;
  /** Marks of a reference curve; of a dashed one; of hollow points. */
  readonly quiet?: boolean;
  readonly isDashed?: boolean;
  readonly isHollow?: boolean;
}

export interface Series {
  readonly name: string;
  readonly colour: string;
  readonly ink: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** A reference curve: thin and dashed. */
  readonly quiet?: boolean;
  /** Without a name: one of too many, or named elsewhere. */
  readonly unnamed?: boolean;
  readonly faint?: boolean;
  /** Dash pattern: there are more curves than colours, or more than one reference curve. */
  readonly dash?: string;
  /** Only points, without a line; drawn by `over`. */
  readonly isScatter?: boolean;
  /** Additional text of tooltips, one per point. */
  readonly remarks?: readonly string[];
}

export interface Axis {
  readonly label: string;
  readonly domain: readonly [number, number];
  /** Text on the axis. */
  readonly tick: (value: number) => string;
  /** Text in a tooltip. */
  readonly full: (value: number) => string;
  /** Positions of its ticks; chosen automatically if omitted. */
  readonly ticks?: readonly number[];
}

export interface CurvesOptions extends Omit<DrawOptions, 'marks'> {
  readonly series: readonly Series[];
  readonly under?: readonly Plot.Markish[];
  readonly over?: readonly Plot.Markish[];
  /** Marked points, named if there is room. */
  readonly dots?: readonly Dot[];
}

export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly colour: string;
  readonly tip: string;
}

interface TipPoint {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

const margins = { top: 30, right: 18, bottom: 42, left: 52 };
const maxNameLength = 30;
export const tipStyle = {
  fontSize: 12.5, textPadding: 9, lineHeight: 1.35, fill: 'var(--raised)', stroke: 'var(--faint)',
} as const;

/** Overlaid lines, each named beside itself if there is room. Its table has a row for each point. */
export function curves(options: CurvesOptions): Chart {
  const { x, y, series, width, height } = options;
  const frame = frameOf(width, height);
  const toPixel = (px: number, py: number): Pixel => ({
    x: frame.left + (px - x.domain[0]) / (x.domain[1] - x.domain[0]) * (frame.right - frame.left),
    y: frame.bottom - (py - y.domain[0]) / (y.domain[1] - y.domain[0]) * (frame.bottom - frame.top),
  });
  const labelled = series.filter((curve) => curve.unnamed !== true);
  const names = new Map(labelled.map((curve, i) => [String(i), cut(curve.name)]));
  const lines = [
    ...labelled.map((curve, i) => ({ name: String(i), points: pixels(curve, toPixel) })),
    ...series.filter((curve) => curve.unnamed === true).map((curve) => ({ name: '', points: pixels(curve, toPixel) })),
  ];
  const loud = (id: string) => labelled[Number(id)].quiet !== true;
  const byWeight = [...names.keys()].sort((a, b) => Number(loud(b)) - Number(loud(a)));
  const placed = placeLabels(lines, byWeight, frame, (id) => textWidth(names.get(id)!));
  // Names beside some curves and others in a key would be two places to look: the key has all names except
  // the names of reference curves.
  const complete = [...names.keys()].filter(loud).every((id) => placed.some((label) => label.name === id));
  const visible = complete ? placed : placed.filter((label) => !loud(label.name));
  const labels = visible.map((label) => {
    const curve = labelled[Number(label.name)];
    return Plot.text([label], {
      x: () => x.domain[0] + (label.x - frame.left) / (frame.right - frame.left) * (x.domain[1] - x.domain[0]),
      y: () => y.domain[0] + (frame.bottom - label.y) / (frame.bottom - frame.top) * (y.domain[1] - y.domain[0]),
      text: () => names.get(label.name)!,
      textAnchor: label.anchor, fill: curve.ink, fontWeight: curve.quiet === true ? 400 : 600, fontSize: 12.5,
    });
  });
  const points: TipPoint[] = series.flatMap((curve) =>
    curve.x.map((px, i) => ({
      x: px, y: curve.y[i],
      text: [curve.name, x.full(px), y.full(curve.y[i]), curve.remarks?.[i] ?? '']
        .filter((line) => line !== '').join('\n'),
    })),
  );
  const dots = options.dots ?? [];
  const marks: Plot.Markish[] = [
    ...(options.under ?? []),
    ...series
      .filter((curve) => curve.isScatter !== true)
      .map((curve) =>
        Plot.line(indices(curve.x), {
          x: (i: number) => curve.x[i],
          y: (i: number) => curve.y[i],
          stroke: curve.colour,
          strokeWidth: curve.quiet === true ? 1.3 : 2.2,
          strokeLinejoin: 'round',
          strokeLinecap: 'round',
          ...(curve.quiet !== true && curve.dash === undefined ? {} : { strokeDasharray: curve.dash ?? '2 5' }),
          ...(curve.faint === true ? { strokeOpacity: 0.35 } : {}),
        }),
      ),
    ...dots.map((dot) =>
      Plot.dot([dot], { x: 'x', y: 'y', r: 4.5, fill: 'var(--raised)', stroke: dot.colour, strokeWidth: 2 }),
    ),
    ...(options.over ?? []),
    ...labels,
    Plot.tip(
      [...points, ...dots.map((dot) => ({ x: dot.x, y: dot.y, text: dot.tip }))],
      Plot.pointer({ x: 'x', y: 'y', title: 'text', maxRadius: 100, ...tipStyle }),
    ),
  ];
  return {
    element: draw({ about: options.about, width, height, x, y, marks }),
    table: {
      columns: ['curve', x.label, y.label],
      rows: series.flatMap((curve) => curve.x.map((px, i) => [curve.name, px, curve.y[i]])),
    },
    key: [...names.keys()]
      .filter((id) => (loud(id) ? !complete : !placed.some((label) => label.name === id)))
      .sort((a, b) => Number(loud(b)) - Number(loud(a)))
      .map((id) => labelled[Number(id)])
      .map((curve) => ({
        name: curve.name, colour: curve.colour, quiet: curve.quiet === true, isDashed: curve.dash !== undefined,
      })),
  };
}

export interface DrawOptions {
  readonly about: string;
  readonly width: number;
  readonly height: number;
  readonly x: Axis;
  readonly y: Axis;
  readonly marks: readonly Plot.Markish[];
}

/** Marks on a subtle grid between two labelled axes; a y axis without a label is left out. */
export function draw({ about, width, height, x, y, marks }: DrawOptions): Element {
  const yTicks = y.ticks === undefined ? tickCount(height) : [...y.ticks];
  return Plot.plot({
    width,
    height,
    ariaLabel: about,
    className: 'drawing',
    marginTop: margins.top,
    marginRight: margins.right,
    marginBottom: margins.bottom,
    marginLeft: margins.left,
    x: { domain: x.domain as [number, number], label: null },
    y: { domain: y.domain as [number, number], label: null, ...(y.label === '' ? { axis: null } : {}) },
    marks: [
      ...(y.label === '' ? [] : [Plot.gridY({ stroke: 'var(--faint)', strokeOpacity: 1, ticks: yTicks })]),
      Plot.axisX({
        label: x.label, tickFormat: x.tick, tickSize: 4, labelArrow: 'right', color: 'var(--faint)',
        ticks: x.ticks === undefined ? Math.max(2, Math.floor(width / 95)) : [...x.ticks], fill: 'var(--soft)',
        labelOffset: 38, fontSize: 12,
      }),
      ...(y.label === ''
        ? []
        : [
            Plot.axisY({
              label: y.label, tickFormat: y.tick, tickSize: 0, ticks: yTicks, labelArrow: 'up', fill: 'var(--soft)',
              fontSize: 12,
            }),
          ]),
      Plot.ruleY([y.domain[0]], { stroke: 'var(--axis)' }),
      ...marks,
    ],
  });
}

/** Tooltips for intervals of x: `text` of the one under the pointer. */
export function stretchTip(
  x1: readonly number[], x2: readonly number[], height: number, text: (i: number) => string,
): Plot.Markish[] {
  const middle = (i: number) => (x1[i] + x2[i]) / 2;
  const at = indices(x1);
  return [
    Plot.ruleX(at, Plot.pointerX({ x: middle, stroke: 'var(--ink)', strokeOpacity: 0.4 })),
    Plot.tip(at, Plot.pointerX({ x: middle, y: () => height, title: text, ...tipStyle })),
  ];
}

export function indices(values: readonly unknown[]): number[] {
  return values.map((_, i) => i);
}

function frameOf(width: number, height: number): Frame {
  return { left: margins.left, right: width - margins.right, top: margins.top, bottom: height - margins.bottom };
}

function tickCount(height: number): number {
  return Math.max(3, Math.floor(height / 65));
}

function pixels(curve: Series, toPixel: (x: number, y: number) => Pixel): Pixel[] {
  return curve.x.map((px, i) => toPixel(px, curve.y[i]));
}

function cut(name: string): string {
  const characters = Array.from(name);
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength - 1).join('')}…` : name;
}

let context: CanvasRenderingContext2D | null | undefined;

function textWidth(text: string): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return 8 * text.length;
  context.font = '600 12.5px system-ui, sans-serif';
  return context.measureText(text).width + 2;
}
