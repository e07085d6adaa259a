import type { RunCurve } from './run/one-run.ts';
import type { StudyOutcome } from './run/run-study.ts';

/** A figure by which runs are judged. */
export interface Figure {
  readonly name: FigureName;
  /** As shown to people, with its unit; and a form for narrow places. */
  readonly title: string;
  readonly short: string;
  readonly better: 'more' | 'less';
  /** Decimals. */
  readonly digits: number;
  /** Null if the run never got that far. */
  readonly of: (outcome: Pick<StudyOutcome, 'summary' | 'curve'>) => number | null;
}

export type FigureName =
  | 'rankGathered'
  | 'pagerankArea'
  | 'secondsToHalf'
  | 'secondsToMost'
  | 'secondsToShare'
  | 'virtualSeconds'
  | 'pairsPerPage'
  | 'balancePages';

/** Quality, speed and cost. Everything else is in the table of results. */
export const figures: readonly Figure[] = [
  {
    name: 'rankGathered', title: 'rank gathered', short: 'rank', better: 'more', digits: 3,
    of: ({ summary: { rankGathered } }) => rankGathered.ofReachable,
  },
  {
    name: 'pagerankArea', title: 'PageRank area', short: 'area', better: 'more', digits: 3,
    of: ({ summary: { quality } }) => quality.pagerankArea,
  },
  {
    name: 'secondsToHalf', title: '50 % of the rank after, s', short: '50 % after, s', better: 'less', digits: 1,
    of: ({ summary: { secondsToRank } }) => secondsToRank[50],
  },
  {
    name: 'secondsToMost', title: '90 % after, s', short: '90 % after, s', better: 'less', digits: 1,
    of: ({ summary: { secondsToRank } }) => secondsToRank[90],
  },
  {
    name: 'virtualSeconds',
    title: 'virtual time, s',
    short: 'time, s',
    better: 'less',
    digits: 1,
    // A short crawl without pages is no merit.
    of: ({ summary: { pagesFetched, virtualSeconds } }) => (pagesFetched === 0 ? null : virtualSeconds),
  },
  {
    name: 'pairsPerPage', title: 'pairs per page', short: 'pairs', better: 'less', digits: 2,
    of: ({ summary: { communication } }) => communication.pairsPerPage,
  },
  {
    name: 'balancePages', title: 'balance', short: 'balance', better: 'more', digits: 3,
    of: ({ summary: { balance } }) => balance.pages,
  },
];

export function figure(name: Exclude<FigureName, 'secondsToShare'>): Figure {
  return figures.find((candidate) => candidate.name === name)!;
}

/**
 * The figure used for time: until half of the rank. If not every run got that far, until half of what the worst of them
 * gathered, read from the curves; without curves, the time of the whole crawl.
 */
export function timeFigure(outcomes: readonly StudyOutcome[]): Figure {
  const half = figure('secondsToHalf');
  if (outcomes.every((outcome) => half.of(outcome) !== null)) return half;
  const min = outcomes.reduce((rank, { curve }) => Math.min(rank, curve?.rank.at(-1) ?? 0), 1);
  if (min === 0) return figure('virtualSeconds');
  const share = Number((min / 2).toPrecision(2));
  const text = `${Number((100 * share).toPrecision(2))} % `;
  return {
    name: 'secondsToShare', title: `${text}of the rank after, s`, short: `${text}after, s`, better: 'less', digits: 1,
    of: ({ curve }) => (curve === undefined ? null : secondsAt(curve, share)),
  };
}

/** When a curve reaches a share of the rank, by linear interpolation between two of its points. */
function secondsAt({ seconds, rank }: RunCurve, share: number): number | null {
  const after = rank.findIndex((value) => value >= share);
  if (after < 0) return null;
  const [fromRank, fromSeconds] = after === 0 ? [0, 0] : [rank[after - 1], seconds[after - 1]];
  return fromSeconds + ((share - fromRank) / (rank[after] - fromRank)) * (seconds[after] - fromSeconds);
}

export type Cell = string | number | null;

/** Every figure of a summary by its dotted name, except lists, which have one entry per processor. */
export function flattened(value: object, prefix = ''): [name: string, value: Cell][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, Cell][] => {
    const name = prefix + key;
    if (inner === null || typeof inner === 'number' || typeof inner === 'string') return [[name, inner]];
    if (typeof inner === 'boolean') return [[name, String(inner)]];
    if (inner === undefined || Array.isArray(inner)) return [];
    return flattened(inner, `${name}.`);
  });
}
