import uPlot from 'uplot';
import { short } from '../../report/page/format.ts';
import { yTick, type Figure, type Series } from './figures.ts';
import { decades, isPowerOfTen } from './ticks.ts';

/** A figure drawn on a canvas, in the colours of the page's style. */
export class Plot {
  readonly #plot: uPlot;
  #figure: Figure;

  /** @param pointed gets the place of the point under the pointer, or null. */
  constructor(within: HTMLElement, figure: Figure, pointed: (at: number | null) => void) {
    this.#figure = figure;
    this.#plot = new uPlot(this.#options(within.clientWidth, pointed), data(figure), within);
  }

  /** Whether `figure` can be shown here: another one has other axes. */
  fits({ name, xLabel, series }: Figure): boolean {
    const previous = this.#figure;
    return name === previous.name && xLabel === previous.xLabel && series.length === previous.series.length;
  }

  show(figure: Figure): void {
    this.#figure = figure;
    this.#plot.setData(data(figure));
  }

  resize(width: number): void {
    if (width > 0 && width !== this.#plot.width) this.#plot.setSize({ width, height: heightPixels });
  }

  /** Draws again, in the colours of now. */
  recolour(): void {
    this.#plot.redraw(false);
  }

  remove(): void {
    this.#plot.destroy();
  }

  #options(width: number, pointed: (at: number | null) => void): uPlot.Options {
    const axis: uPlot.Axis = {
      stroke: () => colour('--soft'), font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif',
      ticks: { show: false },
    };
    return {
      width, height: heightPixels, legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false },
      scales: this.#figure.isLog === true ? {
        x: logarithmic, y: logarithmic,
      } : {
        x: { time: false, range: (_, low, high) => [0, areNumbers(low, high) ? Math.max(high, 1e-9) : 1] },
        y: { range: (_, low, high) => [0, this.#top(areNumbers(low, high) ? high : 0)] },
      },
      axes: [
        {
          ...axis, label: this.#figure.xLabel, labelSize: 18, size: 28, gap: 4, space: 70, grid: { show: false },
          values: (_, splits) => splits.map((split) => this.#tick(split, short)),
          border: { show: true, stroke: () => colour('--axis'), width: 1 },
        },
        {
          ...axis, size: 52, gap: 6,
          grid: {
            stroke: () => colour('--faint'), width: 1,
            filter: (_, splits) => splits.map((split) => (this.#hasTick(split) ? split : null)),
          },
          values: (_, splits) => splits.map((split) => this.#tick(split, (value) => yTick(this.#figure, value))),
        },
      ],
      series: [
        {},
        ...this.#figure.series.map(seriesOf),
      ],
      hooks: { setCursor: [(plot) => pointed(plot.cursor.idx ?? null)] },
    };
  }

  #tick(split: number, text: (value: number) => string): string {
    return this.#hasTick(split) ? text(split) : '';
  }

  /** On a logarithmic axis only powers of ten. */
  #hasTick(split: number): boolean {
    return this.#figure.isLog !== true || isPowerOfTen(split);
  }

  #top(highest: number): number {
    const { isShare, yTop, cut } = this.#figure;
    if (cut !== undefined) return cut;
    return isShare && yTop === 1 ? 1.02 : Math.max(yTop, 1.05 * highest);
  }
}

function seriesOf({ name, colour: colourName, style }: Series): uPlot.Series {
  const stroke = (): string => colour(colourName);
  if (style === 'dots') {
    return { label: name, stroke, paths: () => null, points: { show: true, size: 8, stroke, fill: stroke } };
  }
  return { label: name, stroke, width: 2, points: { show: false }, ...(style === 'dashed' && { dash: [6, 5] }) };
}

const heightPixels = 220;
/** uPlot exports only the types of its names for scales: 3 means logarithmic. */
const logarithmic = Object.assign<uPlot.Scale, object>(
  { time: false, range: (_, low, high) => decades(low, high) }, { distr: 3 },
);

const areNumbers = (low: unknown, high: unknown): boolean => typeof low === 'number' && typeof high === 'number';

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function data({ x, series }: Figure): uPlot.AlignedData {
  return [x, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData;
}
