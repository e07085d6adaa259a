/** Charts of a measurement: any number of overlaid series, on linear or logarithmic axes. */
import * as Plot from '@observablehq/plot';
import type {
  Axis as ShownAxis, Chart as ShownChart, Point, Series as ShownSeries, ShownPart,
} from '../../shown.ts';
import { curves, type Axis, type Chart, type KeyItem, type Series } from '../chart/chart.ts';
import { element } from '../dom.ts';
import { number, short } from '../format.ts';
import type { Table } from '../save/index.ts';
import { distinctRuns, runColours } from '../chart/palette.ts';
import { apart, logTicks, powersOfTwo } from '../chart/ticks.ts';

/** Up to this many points of a series are marked individually. */
const maxDots = 60;

/** The style of a series in every chart of its report. */
export interface Look {
  readonly colour: string;
  readonly ink: string;
  readonly quiet: boolean;
  readonly dash?: string;
}

/**
 * A name looks the same in all charts of a report, and two names of one part never look the same: each name takes the
 * first look that no other name of its parts has. After the last colour they repeat, dashed. A reference has the colour
 * of its series.
 *
 * @param runs - labels of the runs that the report draws beside its parts: each has the colour of its number, which no
 * other name takes.
 */
export function seriesLooks(parts: readonly ShownPart[], runs: readonly string[] = []): Map<string, Look> {
  const looks = new Map<string, Look>();
  const slots = new Map(runs.map((name, i) => [name, i]));
  const series = parts.map(({ shown }) => shown.charts.flatMap((chart) => chart.series));
  const groups = series.map((all) => all.filter(({ isReference }) => isReference !== true).map(({ name }) => name));
  for (const name of new Set(groups.flat())) {
    const neighbours = [...runs, ...groups.filter((names) => names.includes(name)).flat()];
    const used = new Set(neighbours.map((other) => slots.get(other)));
    let slot = slots.get(name) ?? 0;
    while (!slots.has(name) && used.has(slot)) slot++;
    slots.set(name, slot);
    const { line, ink } = runColours(slot % distinctRuns, distinctRuns);
    looks.set(name, { colour: line, ink, quiet: false, ...(slot < distinctRuns ? {} : { dash: '8 5' }) });
  }
  const names = [...looks.keys()].sort((a, b) => b.length - a.length);
  for (const { name } of series.flat().filter(({ isReference }) => isReference === true)) {
    const { colour, ink } = looks.get(names.find((other) => name.includes(other)) ?? '') ?? soft;
    looks.set(name, { colour, ink, quiet: true });
  }
  return looks;
}

const soft = { colour: 'var(--soft)', ink: 'var(--soft)' };

/** The key above all charts of a part; a single chart names its series itself, if they are curves. */
export function partKey(charts: readonly ShownChart[], looks: ReadonlyMap<string, Look>): KeyItem[] {
  const all = charts.flatMap(({ series }) => series);
  const names = new Set(all.map(({ name }) => name));
  const isScatter = charts.every((chart) => chart.isScatter === true);
  const items = charts.length === 1 && !isScatter ? [] : [...looks].filter(([name]) => names.has(name))
    .map(([name, { colour, quiet, dash }]) => ({
      name, colour, quiet, isDashed: dash !== undefined && !isScatter, isHollow: dash !== undefined && isScatter,
    }));
  const notable = charts.find((chart) => chart.notable !== undefined)?.notable;
  return [
    ...items,
    ...(all.some(({ points }) => points.some(({ isModelled }) => isModelled === true))
      ? [{ name: 'computed, not measured', colour: 'var(--soft)', isHollow: true }]
      : []),
    ...(notable === undefined ? [] : [{ name: notable, colour: 'var(--ink)', isHollow: true }]),
  ];
}

/**
 * One of the `charts` of a part. Logarithmic axes with the same label share their range, so that charts can be compared
 * by eye.
 */
export function drawChart(
  chart: ShownChart, charts: readonly ShownChart[], looks: ReadonlyMap<string, Look>, width: number,
): Chart {
  const isNamed = charts.length === 1;
  const drawable = drawableSeries(chart);
  const valuesOn = (side: 'x' | 'y'): number[] =>
    charts
      .filter(
        (other) =>
          other === chart ||
          (chart[side].scale === 'log' && other[side].scale === 'log' && other[side].label === chart[side].label),
      )
      .flatMap(drawableSeries)
      .flatMap((series) => series.points.flatMap((point) =>
        (side === 'y' ? [point.y, ...point.band ?? []] : [point.x])));
  if (drawable.length === 0)
    return { element: element('p', { class: 'nothing' }, 'There is nothing to draw.'), key: [] };
  const height = Math.round(Math.max(250, Math.min(isNamed ? 420 : 330, 0.62 * width)));
  const isScatter = chart.isScatter === true;
  const x = axisOf(chart.x, valuesOn('x'), Math.max(2, Math.floor(width / 62)), 'x', isScatter);
  const y = axisOf(chart.y, valuesOn('y'), Math.max(3, Math.floor(height / 42)), 'y', isScatter);
  const drawing = curves({
    about: chart.title, width, height, x, y,
    series: drawable.map((series) => seriesOf(series, chart, looks.get(series.name)!, isNamed && !isScatter)),
    under: drawable.flatMap((series) => band(series, chart, looks.get(series.name)!)),
    over: drawable.flatMap((series) => dots(series, chart, looks.get(series.name)!)),
  });
  return { ...drawing, table: tableOf(chart) };
}

/** All its points, also those that its axes cannot show; with their intervals and remarks where it has any. */
function tableOf({ x, y, series, notable }: ShownChart): Table {
  const points = series.flatMap(({ name, points }) => points.map((point) => ({ name, ...point })));
  const hasBands = points.some((point) => point.band !== undefined);
  const hasRemarks = points.some((point) => point.remark !== undefined);
  return {
    columns: [
      'series', x.label, y.label, ...(hasBands ? ['low', 'high'] : []), ...(hasRemarks ? ['remark'] : []),
      ...(notable === undefined ? [] : [notable]),
    ],
    rows: points.map(({ name, x, y, band, remark, isNotable }) => [
      name, x, y, ...(hasBands ? band ?? [null, null] : []), ...(hasRemarks ? [remark ?? null] : []),
      ...(notable === undefined ? [] : [isNotable === true ? 'yes' : 'no']),
    ]),
  };
}

/** Its series without the points that its axes cannot show. */
function drawableSeries({ x, y, series }: ShownChart): ShownSeries[] {
  const isOnBoth = (point: Point): boolean => isOn(x, point.x) && isOn(y, point.y);
  return series.map((curve) => ({ ...curve, points: curve.points.filter(isOnBoth) }))
    .filter(({ points }) => points.length > 0);
}

function seriesOf(
  { name, points }: ShownSeries, chart: ShownChart, { colour, ink, quiet, dash }: Look, isNamed: boolean,
): Series {
  const sorted = [...points].sort((a, b) => a.x - b.x);
  return {
    name, colour, ink, quiet, unnamed: !isNamed, ...(dash === undefined ? {} : { dash }),
    x: sorted.map((point) => at(chart.x, point.x)), y: sorted.map((point) => at(chart.y, point.y)),
    ...(chart.isScatter === true && { isScatter: true }),
    remarks: sorted.map(({ isModelled, remark }) => remark ?? (isModelled === true ? 'computed, not measured' : '')),
  };
}

/**
 * A dot for each measured point, hollow if it was computed; none on a reference or a dense curve, unless it is a single
 * point. Where lines cannot be dashed, dots are hollow instead. Notable points have a ring.
 */
function dots({ points, isReference }: ShownSeries, chart: ShownChart, { colour, dash }: Look): Plot.Markish[] {
  if (points.length > (isReference === true ? 1 : maxDots) && chart.isScatter !== true) return [];
  const place = { x: (point: Point) => at(chart.x, point.x), y: (point: Point) => at(chart.y, point.y) };
  const isHollow = (point: Point): boolean =>
    point.isModelled === true || (chart.isScatter === true && dash !== undefined);
  return [
    Plot.dot(
      points.filter(({ isNotable }) => isNotable === true),
      { ...place, r: 7, stroke: 'var(--ink)', strokeWidth: 1.2, fill: 'none' },
    ),
    Plot.dot([...points], {
      ...place, r: 3.2, stroke: colour, strokeWidth: 1.6,
      fill: (point: Point) => (isHollow(point) ? 'var(--raised)' : colour),
    }),
  ];
}

/** The interval around a curve, where it has one. */
function band({ points }: ShownSeries, chart: ShownChart, { colour }: Look): Plot.Markish[] {
  const banded = points.filter((point) => point.band?.every((value) => isOn(chart.y, value)));
  return banded.length === 0 ? [] : [
    Plot.areaY(banded, {
      x: (point: Point) => at(chart.x, point.x), y1: (point: Point) => at(chart.y, point.band![0]),
      y2: (point: Point) => at(chart.y, point.band![1]), fill: colour, fillOpacity: 0.22,
    }),
  ];
}

function isOn({ scale }: ShownAxis, value: number): boolean {
  return Number.isFinite(value) && (scale === 'linear' || value > 0);
}

/** The position of a value on its axis; logarithmic axes are linear in decades. */
function at({ scale }: ShownAxis, value: number): number {
  return scale === 'log' ? Math.log10(value) : value;
}

/** 10 to the power of `decades`, without the rounding error of the logarithm. */
function undone(decades: number): number {
  return Number((10 ** decades).toPrecision(10));
}

function axisOf(
  axis: ShownAxis, values: readonly number[], maxTicks: number, side: 'x' | 'y', isScatter: boolean,
): Axis {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  // "N, entries held" on the axis is N in a tooltip.
  const name = axis.label.split(',')[0];
  const full = (value: number): string => `${name}: ${significant(value)}`;
  if (axis.scale === 'log') {
    const [low, high] = [Math.log10(min), Math.log10(max)];
    const air = Math.max(0.06 * (high - low), 0.02);
    const ticks =
      (side === 'x' ? powersOfTwo(values, maxTicks) : undefined) ??
      logTicks(10 ** (low - air), 10 ** (high + air), maxTicks);
    return {
      label: axis.label, domain: [low - air, high + air], ticks: ticks.map(Math.log10),
      tick: (value) => short(undone(value)), full: (value) => full(undone(value)),
    };
  }
  // Bars start at 0; positions of points need not.
  const low = (side === 'y' && !isScatter) || min < 0.4 * max ? Math.min(0, min) : min;
  const air = 0.05 * (max - low || 1);
  return {
    label: axis.label, domain: [low === 0 ? 0 : low - air, max + air], tick: short, full,
    ...(side === 'x' ? measuredTicks(values, maxTicks) : {}),
  };
}

/** If there are few values, such as numbers of threads, they are the ticks. */
function measuredTicks(values: readonly number[], maxTicks: number): { ticks?: readonly number[] } {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  return distinct.length > 12
    ? {}
    : { ticks: apart(distinct, (distinct[distinct.length - 1] - distinct[0]) / (1.5 * maxTicks)) };
}

/** Three significant digits. */
function significant(value: number): string {
  const magnitude = Math.abs(value);
  return Number.isInteger(value) || magnitude >= 100 ? number(value) : number(value, magnitude >= 10 ? 1 : 2);
}
