import { withInterval } from '../../../questions/study/index.ts';
import { runFigures, type RunFigureName } from '../../../core/measure/figures/index.ts';
import { horizonsInWords, interval, type Interval, type RunResult } from '../../../core/measure/index.ts';
import type { Chart, Point, Shown, ShownTable } from '../../../views/report/index.ts';
import { counted, decimal } from '../figures.ts';

const curvePoints = 120;

/** The figures that get an interval. */
export const repeatedFigures = [
  'rankGathered', 'pagerankArea', 'normalisedGain', 'virtualSeconds', 'balancePages', 'pairsPerPage',
] as const satisfies RunFigureName[];

/** The interval of each figure; null if a run lacks the figure. */
export type Intervals = Readonly<Record<(typeof repeatedFigures)[number], Interval | null>>;

/** Decimals of a mean: one more than a run has. */
export function meanDigits(name: RunFigureName): number {
  const { digits, form } = runFigures[name];
  return form === 'seconds' ? digits : digits + 1;
}

/** Runs that differ in their seed, none interrupted: the mean of each figure and of both curves, with its interval. */
export function repeatedShown(runs: readonly RunResult[], intervals: Intervals): Shown {
  const horizons = horizonsInWords(runs.map(({ run }) => run.summary.quality.horizonPages));
  const area = intervals.pagerankArea;
  return {
    paragraphs: [
      `${counted(runs.length, 'run')}, each with another network` +
        (area === null ? '.' : `: PageRank area ${withInterval(area, 4) ?? ''} (mean ± half of the 95 % interval).`),
      'Curves are means over the seeds, up to the end of the shortest run; bands are 95 % intervals of the mean.',
      ...(horizons === undefined ? [] : [horizons]),
    ],
    tables: [figuresTable(intervals)],
    charts: runs.some(({ events }) => events.order.length === 0) ? [] : meanCurves([{ name: 'mean', runs }]),
  };
}

function figuresTable(intervals: Intervals): ShownTable {
  return {
    name: 'mean', caption: "Mean over the seeds, with its 95 % interval by Student's t",
    columns: [{ name: 'figure' }, { name: 'mean' }, { name: '95 % from' }, { name: '95 % to' }],
    rows: repeatedFigures.map((name) => {
      const { title, form } = runFigures[name];
      const { mean, low, high } = intervals[name] ?? { mean: null, low: null, high: null };
      return [
        form === 'seconds' ? `${title}, s` : title,
        ...[mean, low, high].map((value) => (value === null ? null : decimal(value, meanDigits(name)))),
      ];
    }),
  };
}

/** Runs that differ in their seed alone, drawn as one curve. */
export interface RepeatedRuns {
  readonly name: string;
  readonly runs: readonly RunResult[];
}

/** More curves could not be told apart in one chart: each has its own. */
const maxCurves = 8;

/** The mean curves by pages and by time, each with the 95 % interval of the mean; of many groups, a chart for each. */
export function meanCurves(groups: readonly RepeatedRuns[]): Chart[] {
  const axes = [['pages fetched', byPages], ['virtual seconds', bySeconds]] as const;
  return axes.flatMap(([label, curveOf]): Chart[] => {
    const chart = {
      title: `PageRank gathered, by ${label}`, isSynthetic: false, x: { label, scale: 'linear' as const },
      y: { label: 'share of the PageRank within reach', scale: 'linear' as const },
    };
    const series = groups.map(({ name, runs }) => ({ name, points: [{ x: 0, y: 0 }, ...curveOf(runs)] }));
    return series.length <= maxCurves
      ? [{ ...chart, series }]
      : series.map((own) => ({ ...chart, title: `${own.name}, by ${label}`, series: [own], isSmall: true as const }));
  });
}

function byPages(runs: readonly RunResult[]): Point[] {
  const end = Math.min(...runs.map(({ curves }) => curves.cumulativeRank.length));
  const count = Math.min(curvePoints, end);
  return Array.from({ length: count }, (_, i) => {
    const pages = Math.round((end * (i + 1)) / count);
    return meanPoint(pages, runs.map(({ curves }) => curves.horizonShare * curves.cumulativeRank[pages - 1]));
  });
}

function bySeconds(runs: readonly RunResult[]): Point[] {
  const end = Math.min(...runs.map(({ events: { times } }) => times[times.length - 1] / 1e6));
  const counts = runs.map(() => 0);
  return Array.from({ length: curvePoints }, (_, i) => {
    const seconds = (end * (i + 1)) / curvePoints;
    return meanPoint(seconds, runs.map(({ events: { times }, curves }, run) => {
      while (2 * counts[run] + 1 < times.length && times[2 * counts[run] + 1] / 1e6 <= seconds) counts[run]++;
      return counts[run] === 0 ? 0 : curves.horizonShare * curves.cumulativeRank[counts[run] - 1];
    }));
  });
}

function meanPoint(x: number, values: readonly number[]): Point {
  const { mean, low, high } = interval(values);
  return { x, y: mean, ...(low !== null && high !== null && { band: [low, high] as const }) };
}
