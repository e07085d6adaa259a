import type { ListedPage, PageNeighbourhood } from '../../../../service/dashboard/graph/api.ts';
import { csvText, escaped, svgFile } from '../../../../report/page/save/index.ts';
import { printed, processorColour } from '../picture/colours.ts';

/** Pixels. */
const ROW = 17;
const MARGIN = 14;
/** A character, about. */
const CHARACTER = 6.9;

/** A page in the picture of a neighbourhood: on the left those that link to the one in the middle. */
export interface Dot {
  readonly page: ListedPage;
  readonly side: 'left' | 'middle' | 'right';
  readonly x: number;
  readonly y: number;
  /** As much of its name as there is room for; '' in the middle. */
  readonly label: string;
}

export interface Neighbours {
  readonly width: number;
  readonly height: number;
  readonly middle: Dot;
  readonly dots: readonly Dot[];
}

/** Where the pages around a page are drawn. */
export function neighboursOf({ page, from, to }: PageNeighbourhood, width: number): Neighbours {
  const height = 2 * MARGIN + ROW * Math.max(3, from.length, to.length);
  const room = Math.floor((0.36 * width - 20) / CHARACTER);
  const column = (pages: readonly ListedPage[], side: 'left' | 'right'): Dot[] => pages.map((page, i) => ({
    page, side, x: Math.round((side === 'left' ? 0.36 : 0.64) * width),
    y: Math.round(height / 2 + ROW * (i - (pages.length - 1) / 2)), label: shortened(page.name, room),
  }));
  return {
    width, height, middle: { page, side: 'middle', x: Math.round(width / 2), y: Math.round(height / 2), label: '' },
    dots: [...column(from, 'left'), ...column(to, 'right')],
  };
}

/** A link between the middle and a dot, as the path of an SVG. */
export function curve({ x, y }: Dot, { x: toX, y: toY }: Dot): string {
  const half = (x + toX) / 2;
  return `M${x} ${y}C${half} ${y} ${half} ${toY} ${toX} ${toY}`;
}

/** The end of a URL says more than its middle. */
export function shortened(name: string, room: number): string {
  if (name.length <= room) return name;
  const end = Math.ceil(0.6 * (room - 1));
  return room < 4 ? '' : `${name.slice(0, room - 1 - end)}…${name.slice(-end)}`;
}

export function neighboursSvg(around: PageNeighbourhood, sentence: string): string {
  const top = 60;
  const { width, height, middle, dots } = neighboursOf(around, 1000);
  const colourOf = ({ page }: Dot): string => processorColour(printed, page.processor);
  const circle = (dot: Dot, radius: number): string =>
    `<circle cx="${dot.x}" cy="${dot.y}" r="${radius}" stroke="${colourOf(dot)}" stroke-width="1.5" ` +
    `fill="${dot.page.state === 'fetched' ? colourOf(dot) : '#ffffff'}"/>`;
  return svgFile({ width, height: height + top, title: around.page.name, sentence }, [
    '<text x="16" y="46">Left: pages that link to it; right: pages that it links to. Colour: processor; filled: fetched.</text>',
    `<g transform="translate(0 ${top})">`,
    ...dots.map((dot) => `<path d="${curve(dot, middle)}" fill="none" stroke="#c4c7ca"/>`),
    ...dots.map((dot) =>
      `${circle(dot, 4.5)}<text x="${dot.side === 'left' ? dot.x - 10 : dot.x + 10}" y="${dot.y + 4}" ` +
      `text-anchor="${dot.side === 'left' ? 'end' : 'start'}">${escaped(dot.label)}</text>`),
    circle(middle, 9), '</g>',
  ]);
}

export function neighboursCsv({ from, to }: PageNeighbourhood): string {
  const rowsOf = (side: string, pages: readonly ListedPage[]): (string | number | null)[][] =>
    pages.map(({ page, name, processor, state, superstep, linksIn, linksOut }) =>
      [side, page, name, processor, state, superstep, linksIn, linksOut]);
  return csvText({
    columns: ['side', 'page', 'name', 'processor', 'state', 'superstep', 'links in', 'links out'],
    rows: [...rowsOf('links to it', from), ...rowsOf('linked from it', to)],
  });
}
