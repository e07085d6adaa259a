import { counted, number } from '../../report/page/format.ts';
import type { DegreeCounts } from '../../watch/contract.ts';
import type { Figure, Series } from './figures.ts';

/** A range of numbers of links, and the pages that have so many. */
export interface DegreeRange {
  readonly from: number;
  readonly to: number;
  /** With so many links to them, and from them. */
  readonly inPages: number;
  readonly outPages: number;
}

/** 0, 1, 2 to 3, 4 to 7, ... */
export function degreeRanges({ inDegrees, outDegrees }: DegreeCounts): DegreeRange[] {
  return Array.from({ length: Math.max(inDegrees.length, outDegrees.length) }, (_, range) => ({
    from: range === 0 ? 0 : 2 ** (range - 1), to: range === 0 ? 0 : 2 ** range - 1,
    inPages: inDegrees[range] ?? 0, outPages: outDegrees[range] ?? 0,
  }));
}

export const rangeText = ({ from, to }: DegreeRange): string =>
  from === to ? number(from) : `${number(from)} to ${number(to)}`;

/**
 * How the links are spread over the pages, on logarithmic axes, where a power law is a straight line. A dot is a range:
 * it is at the middle of the range, as high as the pages of one number of links in it, on average. Pages without a link
 * have no place on such an axis; the table has them.
 */
export function degreeFigure(counts: DegreeCounts): Figure {
  const all = degreeRanges(counts);
  const ranges = all.slice(1);
  const series = (name: string, colour: Series['colour'], pagesOf: (range: DegreeRange) => number): Series => ({
    name, colour, style: 'dots',
    values: ranges.map((range) => pagesOf(range) === 0 ? null : pagesOf(range) / (range.to - range.from + 1)),
    texts: ranges.map((range) => counted(pagesOf(range), 'page')),
  });
  return {
    name: 'degrees', title: 'Pages by their number of links', xLabel: 'number of links',
    sentence: 'Pages by the number of links to them and from them, on logarithmic axes; the table has the numbers.',
    note: 'Each dot is a range of the table: its pages, divided by the numbers of links in the range.',
    x: ranges.map(({ from, to }) => Math.sqrt(from * to)),
    series: [
      series('links to the page', '--run-0', ({ inPages }) => inPages),
      series('links from the page', '--run-1', ({ outPages }) => outPages),
    ],
    yTop: 1, isShare: false, isLog: true, places: ranges.map((range) => `${rangeText(range)} links`),
    table: {
      columns: ['from', 'to', 'pages with this many links to them', 'pages with this many links from them'],
      rows: all.map(({ from, to, inPages, outPages }) => [from, to, inPages, outPages]),
    },
  };
}
