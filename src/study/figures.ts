import type { RunCurve } from './run/one-run.ts';
import type { StudyOutcome } from './run/run-study.ts';

/** A figure by which runs are judged. */
export interface Figure {
  readonly name: FigureName;
  /** As people read it, with its unit; and where there is little room. */
  readonly title: string;
  readonly short: string;
  readonly better: 'more' | 'less';
  /** Digits after the point. */
  readonly digits: number;
  /** Null where the run never came so far. */
  readonly of: (outcome: Pick<StudyOutcome, 'summary' | 'curve'>) => number | null;
}

export type FigureName =
  | 'pagerankArea'
  | 'secondsToHalf'
  | 'secondsToMost'
  | 'secondsToShare'
  | 'virtualSeconds'
  | 'pairsPerPage'
  | 'balancePages';

/** How well, how fast, at what cost. All else is in the table of results. */
export const figures: readonly Figure[] = [
  {
    name: 'pagerankArea', title: 'PageRank area', short: 'area', better: 'more', digits: 3,
    of: ({ summary: { quality } }) => quality.pagerankArea,
  },
  {
    name: 'secondsToHalf', title: '50 % of the rank after, s', short: '50 % after, s', better: 'less', digits: 1,
    of: ({ summary: { quality } }) => quality.secondsToRank['50%'],
  },
  {
    name: 'secondsToMost', title: '90 % after, s', short: '90 % after, s', better: 'less', digits: 1,
    of: ({ summary: { quality } }) => quality.secondsToRank['90%'],
  },
  {
    name: 'virtualSeconds',
    title: 'virtual time, s',
    short: 'time, s',
    better: 'less',
    digits: 1,
    // To end soon without a page is no merit.
    of: ({ summary: { pagesFetched, virtualSeconds } }) => (pagesFetched === 0 ? null : virtualSeconds),
  },
  {
    name: 'pairsPerPage', title: 'pairs a page', short: 'pairs', better: 'less', digits: 2,
    of: ({ summary: { communication } }) => communication.pairsPerPage,
  },
  {
    name: 'balancePages', title: 'balance', short: 'balance', better: 'more', digits: 3,
    of: ({ summary: { balance } }) => balance.pages,
  },
];

export function figure(name: Exclude<FigureName, 'secondsToShare'>): Figure {
  return figures.find((one) => one.name === name)!;
}

/**
 * What stands for time: until half of the rank. Where not every run came so far, until half of what the worst of them
 * gathered, read from the curves; without these the whole crawl's.
 */
export function timeFigure(outcomes: readonly StudyOutcome[]): Figure {
  const half = figure('secondsToHalf');
  if (outcomes.every((outcome) => half.of(outcome) !== null)) return half;
  const least = outcomes.reduce((rank, { curve }) => Math.min(rank, curve?.rank.at(-1) ?? 0), 1);
  if (least === 0) return figure('virtualSeconds');
  const share = Number((least / 2).toPrecision(2));
  const text = `${Number((100 * share).toPrecision(2))} % `;
  return {
    name: 'secondsToShare', title: `${text}of the rank after, s`, short: `${text}after, s`, better: 'less', digits: 1,
    of: ({ curve }) => (curve === undefined ? null : secondsAt(curve, share)),
  };
}

/** When a curve reaches a share of the rank, between two of its points by a straight line. */
function secondsAt({ seconds, rank }: RunCurve, share: number): number | null {
  const after = rank.findIndex((one) => one >= share);
  if (after < 0) return null;
  const [fromRank, fromSeconds] = after === 0 ? [0, 0] : [rank[after - 1], seconds[after - 1]];
  return fromSeconds + ((share - fromRank) / (rank[after] - fromRank)) * (seconds[after] - fromSeconds);
}

export type Cell = string | number | null;

/** Every figure of a summary by its dotted name, lists left out: they have one entry a processor. */
export function flattened(value: object, prefix = ''): [name: string, value: Cell][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, Cell][] => {
    const name = prefix + key;
    if (inner === null || typeof inner === 'number' || typeof inner === 'string') return [[name, inner]];
    if (typeof inner === 'boolean') return [[name, String(inner)]];
    if (inner === undefined || Array.isArray(inner)) return [];
    return flattened(inner, `${name}.`);
  });
}
