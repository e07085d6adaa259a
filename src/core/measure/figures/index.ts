/**
 * The figures by which runs are judged: one table for the terminal, reports, the dashboard, studies and comparisons.
 * It imports nothing, so that pages in browsers can share it.
 */

/** How people see a figure. */
export interface RunFigure {
  /** Where the figure stands in the summary of `run.json`. */
  readonly path: string;
  /** As the figure is called in sentences and tables, without its unit, and in narrow places. */
  readonly title: string;
  readonly short: string;
  readonly form: 'share' | 'seconds' | 'number';
  /** Decimals, in seconds where the form is that. */
  readonly digits: number;
  /** Which of two runs is better by this figure; undefined if neither is. */
  readonly better?: 'more' | 'less' | undefined;
  /** Explains the figure to people who read it. */
  readonly meaning: string;
}

const table = {
  rankGathered: {
    path: 'rankGathered.ofReachable', title: 'rank gathered', short: 'rank', form: 'share', digits: 3, better: 'more',
    meaning: 'of the PageRank within reach',
  },
  secondsToHalf: {
    path: 'secondsToRank.50', title: '50 % of the rank after', short: '50 % after', form: 'seconds', digits: 1,
    better: 'less', meaning: 'until half of the PageRank within reach was gathered',
  },
  secondsToMost: {
    path: 'secondsToRank.90', title: '90 % of the rank after', short: '90 % after', form: 'seconds', digits: 1,
    better: 'less', meaning: 'until nine tenths of the PageRank within reach were gathered',
  },
  pagesFetched: {
    path: 'pagesFetched', title: 'pages fetched', short: 'pages', form: 'number', digits: 0,
    meaning: 'without redirects and failures',
  },
  virtualSeconds: {
    path: 'virtualSeconds', title: 'virtual time', short: 'time', form: 'seconds', digits: 1, better: 'less',
    meaning: 'from the first request to the end; the time of a live crawl is real',
  },
  lowerBoundSeconds: {
    path: 'lowerBoundSeconds', title: 'time lower bound', short: 'bound', form: 'seconds', digits: 1,
    meaning: 'no crawl of these pages from these hosts ends sooner',
  },
  supersteps: {
    path: 'supersteps', title: 'supersteps', short: 'supersteps', form: 'number', digits: 0,
    meaning: 'each ends with a barrier, at which processors exchange messages',
  },
  pagerankArea: {
    path: 'quality.pagerankArea', title: 'PageRank area', short: 'area', form: 'number', digits: 3, better: 'more',
    meaning: 'mean share of the PageRank gathered, over the pages of the crawl',
  },
  normalisedGain: {
    path: 'quality.normalisedGain', title: 'normalised gain', short: 'gain', form: 'number', digits: 3, better: 'more',
    meaning: 'of the order: 0 = random order, 1 = best order',
  },
  balancePages: {
    path: 'balance.pages', title: 'balance of pages', short: 'balance', form: 'number', digits: 3, better: 'more',
    meaning: 'mean over maximum, by superstep',
  },
  balanceWholeRun: {
    path: 'balance.pagesWholeRun', title: 'balance of pages, whole run', short: 'balance, whole', form: 'number',
    digits: 3, better: 'more', meaning: 'mean over maximum, which shows the effect of the partition',
  },
  balanceBytes: {
    path: 'balance.bytes', title: 'balance of bytes', short: 'bytes', form: 'number', digits: 3, better: 'more',
    meaning: 'mean over maximum, by superstep',
  },
  pairsPerPage: {
    path: 'communication.pairsPerPage', title: 'pairs per page', short: 'pairs/page', form: 'number', digits: 2,
    better: 'less', meaning: 'of a URL and its share of rank, sent to other processors',
  },
  robotsBusy: {
    path: 'robots.busy', title: 'robots busy', short: 'busy', form: 'share', digits: 3, better: 'more',
    meaning: 'of their time',
  },
} as const satisfies Record<string, RunFigure>;

/** The name of a figure, which it also has in JSON. */
export type RunFigureName = keyof typeof table;

export const runFigures: Readonly<Record<RunFigureName, RunFigure>> = table;

/** A figure of a run's summary; null if the run has none, or its record, of another version, lacks it. */
export function figureOf(summary: object | null, name: RunFigureName): number | null {
  const value = runFigures[name].path.split('.').reduce<unknown>(
    (within, key) => (within as Readonly<Record<string, unknown>> | null | undefined)?.[key], summary,
  );
  return typeof value === 'number' ? value : null;
}

/** How numbers are written: the terminal and pages put different blanks before units. */
export interface NumberForms {
  readonly number: (value: number, digits: number) => string;
  readonly percent: (share: number) => string;
  readonly duration: (seconds: number) => string;
}

/** Writes figures for people, by their form; "none" where there is none. */
export function figureWriter({ number, percent, duration }: NumberForms) {
  return (name: RunFigureName, value: number | null): string => {
    const { form, digits } = runFigures[name];
    if (value === null) return 'none';
    return form === 'share' ? percent(value) : form === 'seconds' ? duration(value) : number(value, digits);
  };
}

/** Why a run ended, for people, by `ended` of its summary; a word of another version stays as it is. */
export function endingInWords(ended: string): string {
  if (ended === 'frontier dry') return 'nothing left to fetch';
  return ended === 'no progress'
    ? 'no progress: processors crash before the next checkpoint (--checkpoint-supersteps, --crash-seconds)' : ended;
}
