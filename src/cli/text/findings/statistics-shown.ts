import type { RunResult, StatisticsRow } from '../../../core/measure/index.ts';
import type { Chart, Point, ShownPart } from '../../../views/report/index.ts';
import { counted, decimal, grouped, percent } from '../figures.ts';

/** Points per curve: one per superstep while there are no more. */
const maxPoints = 300;

type Figure = (row: StatisticsRow) => number | null;

/** The graph that a run fetched, as it grew: a part of its report; none without `--statistics`. */
export function statisticsParts({ run: { summary, dataset }, statistics }: RunResult): ShownPart[] {
  const last = summary.statistics;
  if (statistics === undefined || last === null) return [];
  const rows = statistics.rows.filter(({ pages }) => pages > 0);
  const { atSuperstep, pages, arcs, components, danglingPages, averageDistance, diameter, maxDiameter } = last;
  const { averageDistanceLow: low, averageDistanceHigh: high } = last;
  const interval = last.method === 'exact' ? 'exact' : `95 % interval ${decimal(low, 2)} to ${decimal(high, 2)}`;
  const longest = diameter === maxDiameter ? `${diameter}`
    : maxDiameter === null ? `at least ${diameter}` : `between ${diameter} and ${maxDiameter}`;
  const chart = (title: string, label: string, series: Chart['series']): Chart => ({
    title, isSynthetic: dataset.hostsAreSynthetic, x: { label: 'pages fetched', scale: 'linear' },
    y: { label, scale: 'linear' }, series: series.filter(({ points }) => points.length > 0),
  });
  const charts = [
    chart('Distances between the pages fetched', 'links', [
      {
        name: 'average distance',
        points: curve(rows, (row) => row.averageDistance, (row) => [row.averageDistanceLow, row.averageDistanceHigh]),
      },
      {
        name: 'effective diameter (90 %)',
        points: curve(
          rows, (row) => row.effectiveDiameter, (row) => [row.effectiveDiameterLow, row.effectiveDiameterHigh],
        ),
      },
      { name: 'diameter', points: curve(rows, (row) => row.diameter, (row) => [row.diameter, row.maxDiameter]) },
    ]),
    chart('Structure of the pages fetched', 'share of the pages fetched', [
      { name: 'largest component', points: curve(rows, shareOf((row) => row.corePages)) },
      { name: 'leads to it', points: curve(rows, shareOf((row) => row.inPages)) },
      { name: 'led to by it', points: curve(rows, shareOf((row) => row.outPages)) },
      { name: 'dangling', points: curve(rows, shareOf((row) => row.danglingPages)) },
    ]),
    chart('In-degrees', 'exponent of the power law', [
      { name: 'exponent', points: curve(rows, (row) => row.inDegreeExponent) },
    ]),
  ].filter(({ series }) => series.length > 0);
  return [{
    name: 'graph-fetched',
    title: 'The graph fetched',
    shown: {
      paragraphs: [
        `After superstep ${grouped(atSuperstep)}: ${counted(pages, 'page')}, ${counted(arcs, 'link')} between them, ` +
          `${counted(components ?? 0, 'strongly connected component')}; ${percent(danglingPages / pages)} of the pages ` +
          'link to no other page fetched.',
        ...(averageDistance === null
          ? []
          : [`The average distance is ${decimal(averageDistance, 2)} links (${interval}), the diameter ${longest}.`]),
      ],
      tables: [],
      charts,
      notes: [
        'A link counts when both its pages have been fetched. Distances are over ordered pairs of pages of which the ' +
          'first reaches the second. All figures by superstep: statistics.csv.',
      ],
    },
  }];
}

function shareOf(figure: Figure): Figure {
  return (row) => {
    const value = figure(row);
    return value === null ? null : value / row.pages;
  };
}

/** The rows that have the figure, some of them if there are many, and the last. */
function curve(
  rows: readonly StatisticsRow[], figure: Figure,
  bandOf: (row: StatisticsRow) => readonly [number | null, number | null] = () => [null, null],
): Point[] {
  const points = rows.flatMap((row) => {
    const y = figure(row);
    const [low, high] = bandOf(row);
    return y === null ? [] : [{
      x: row.pages, y, ...(low !== null && high !== null && low < high && { band: [low, high] as const }),
    }];
  });
  const step = Math.max(1, Math.ceil(points.length / maxPoints));
  return points.filter((_, i) => i % step === 0 || i === points.length - 1);
}
