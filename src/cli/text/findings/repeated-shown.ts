import { withInterval } from '../../../study/index.ts';
import { horizonsInWords, interval, type Interval, type RunResult } from '../../../measure/index.ts';
import type { Chart, Point, Shown, ShownTable } from '../../../report/index.ts';
import { counted, decimal } from '../figures.ts';

const curvePoints = 120;

const titles = {
  rankGathered: { title: 'rank gathered', digits: 4 },
  pagerankArea: { title: 'PageRank area', digits: 4 },
  normalisedGain: { title: 'normalised gain', digits: 4 },
  virtualSeconds: { title: 'virtual time, s', digits: 1 },
  balancePages: { title: 'balance', digits: 4 },
  pairsPerPage: { title: 'pairs per page', digits: 3 },
} as const;

/** The mean of each figure; null for one that a run lacks. */
export type Intervals = Readonly<Record<keyof typeof titles, Interval | null>>;

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
    charts: runs.some(({ events }) => events.order.length === 0) ? [] : [byPages(runs), bySeconds(runs)],
  };
}

function figuresTable(intervals: Intervals): ShownTable {
  const names = Object.keys(titles) as (keyof Intervals)[];
  return {
    name: 'mean', caption: "Mean over the seeds, with its 95 % interval by Student's t",
    columns: [{ name: 'figure' }, { name: 'mean' }, { name: '95 % from' }, { name: '95 % to' }],
    rows: names.map((name) => {
      const { title, digits } = titles[name];
      const { mean, low, high } = intervals[name] ?? { mean: null, low: null, high: null };
      return [title, ...[mean, low, high].map((value) => (value === null ? null : decimal(value, digits)))];
    }),
  };
}

function byPages(runs: readonly RunResult[]): Chart {
  const end = Math.min(...runs.map(({ curves }) => curves.cumulativeRank.length));
  const count = Math.min(curvePoints, end);
  return meanChart('pages fetched', Array.from({ length: count }, (_, i) => {
    const pages = Math.round((end * (i + 1)) / count);
    return { x: pages, values: runs.map(({ curves }) => curves.cumulativeRank[pages - 1]) };
  }));
}

function bySeconds(runs: readonly RunResult[]): Chart {
  const end = Math.min(...runs.map(({ events: { times } }) => times[times.length - 1] / 1e6));
  const done = runs.map(() => 0);
  return meanChart('virtual seconds', Array.from({ length: curvePoints }, (_, i) => {
    const seconds = (end * (i + 1)) / curvePoints;
    const values = runs.map(({ events: { times }, curves }, run) => {
      while (2 * done[run] + 1 < times.length && times[2 * done[run] + 1] / 1e6 <= seconds) done[run]++;
      return done[run] === 0 ? 0 : curves.cumulativeRank[done[run] - 1];
    });
    return { x: seconds, values };
  }));
}

function meanChart(
  label: string, columns: readonly { readonly x: number; readonly values: readonly number[] }[],
): Chart {
  const points = columns.map(({ x, values }): Point => {
    const { mean, low, high } = interval(values);
    return { x, y: mean, ...(low !== null && high !== null && { band: [low, high] as const }) };
  });
  return {
    title: `PageRank gathered, by ${label}`, isSynthetic: false, x: { label, scale: 'linear' },
    y: { label: 'share of the PageRank within reach', scale: 'linear' },
    series: [{ name: 'mean', points: [{ x: 0, y: 0 }, ...points] }],
  };
}
