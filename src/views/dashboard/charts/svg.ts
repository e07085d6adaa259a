import {
  escaped, HEAD_HEIGHT, keyLines, lightColours, svgFile, type ColourName,
} from '../../report/page/save/index.ts';
import { short } from '../../report/page/format.ts';
import { yTick, type Figure, type Series } from './figures.ts';
import { decades, evenTicks, powersOfTen } from './ticks.ts';

const [width, height] = [760, 400];
const frame = { left: 64, right: width - 20, top: HEAD_HEIGHT, bottom: height - 52 };
const colourOf = ({ colour }: Series): string => lightColours[colour.slice(2) as ColourName];

/** A picture as an SVG file: on white, with its title, axes and key; nothing in it is loaded or run. */
export function svgOf(figure: Figure): string {
  const [x, y] = figure.isLog === true ? logAxes(figure) : evenAxes(figure);
  const xOf = (value: number): number => frame.left + x.at(value) * (frame.right - frame.left);
  // What is higher than a cut ends at the top.
  const yOf = (value: number): number => frame.bottom - Math.min(1, y.at(value)) * (frame.bottom - frame.top);
  const lines = [
    ...y.ticks.flatMap((tick) => {
      const at = rounded(yOf(tick));
      return [
        `<path d="M${frame.left} ${at}H${frame.right}" stroke="${tick === y.ticks[0] ? '#9a9fa4' : '#d9d7d1'}"/>`,
        `<text x="${frame.left - 8}" y="${at + 4}" text-anchor="end">${escaped(yTick(figure, tick))}</text>`,
      ];
    }),
    ...x.ticks.map((tick) =>
      `<text x="${rounded(xOf(tick))}" y="${frame.bottom + 20}" text-anchor="middle">${escaped(short(tick))}</text>`),
    `<text x="${frame.right}" y="${height - 12}" text-anchor="end">${escaped(figure.xLabel)}</text>`,
    ...(figure.note === undefined ? [] : [`<text x="16" y="${height - 12}">${escaped(figure.note)}</text>`]),
    ...figure.series.flatMap((series) => series.style === 'dots' ? dots(figure.x, series, xOf, yOf) : [
      `<path d="${path(figure.x, series, xOf, yOf)}" fill="none" stroke="${colourOf(series)}" stroke-width="2"` +
      `${series.style === 'dashed' ? ' stroke-dasharray="6 5"' : ''} stroke-linejoin="round"/>`,
    ]),
    ...keyLines(
      figure.series.map((curve) =>
        ({ name: curve.name, colour: colourOf(curve), dash: curve.style === 'dashed' ? '6 5' : undefined })),
      width,
    ).lines,
  ];
  return svgFile({ width, height, title: figure.title, sentence: figure.sentence }, lines);
}

/** Where a value is on an axis, from 0 to 1, and which values have a text. */
interface Axis {
  at(value: number): number;
  readonly ticks: readonly number[];
}

function evenAxes(figure: Figure): [x: Axis, y: Axis] {
  const xTop = Math.max(1e-9, ...numbers(figure.x));
  const highest = figure.series.reduce((top, { values }) => Math.max(top, ...numbers(values)), figure.yTop);
  const yTop = figure.cut ?? (figure.isShare && figure.yTop === 1 ? 1 : 1.05 * highest);
  return [
    { at: (value) => value / xTop, ticks: evenTicks(xTop, 9) },
    { at: (value) => value / yTop, ticks: evenTicks(yTop, 7) },
  ];
}

function logAxes({ x, series }: Figure): [x: Axis, y: Axis] {
  const axis = (values: readonly number[]): Axis => {
    const isEmpty = values.length === 0;
    const [from, to] = decades(isEmpty ? null : Math.min(...values), isEmpty ? null : Math.max(...values));
    const length = Math.log10(to / from);
    return { at: (value) => Math.log10(value / from) / length, ticks: powersOfTen([from, to]) };
  };
  return [axis(x), axis(series.flatMap(({ values }) => numbers(values)))];
}

function dots(
  x: readonly number[], series: Series, xOf: (x: number) => number, yOf: (y: number) => number,
): string[] {
  return series.values.flatMap((value, i) => value === null ? []
    : [`<circle cx="${rounded(xOf(x[i]))}" cy="${rounded(yOf(value))}" r="4" fill="${colourOf(series)}"/>`]);
}

/** One stroke for each stretch without a gap. */
function path(
  x: readonly number[], { values }: Series, xOf: (x: number) => number, yOf: (y: number) => number,
): string {
  let isDown = false;
  return values.map((value, i) => {
    if (value === null) {
      isDown = false;
      return '';
    }
    const stroke = `${isDown ? 'L' : 'M'}${rounded(xOf(x[i]))} ${rounded(yOf(value))}`;
    isDown = true;
    return stroke;
  }).join('');
}

const numbers = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
const rounded = (value: number): number => Math.round(10 * value) / 10;
