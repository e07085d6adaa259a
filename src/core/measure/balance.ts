import type { Balance } from './record/record.ts';
import type { SuperstepRow } from './record/events.ts';
import { superstepEnds } from './supersteps.ts';

/** Some kind of work over a whole run: sums over its supersteps. */
interface Load {
  /** The average over processors, and the maximum. */
  readonly averages: number;
  readonly maxima: number;
  /** The average over the maximum, in supersteps with any such work; and how many these are. */
  readonly ratios: number;
  readonly busy: number;
}

/**
 * Loads of several kinds of work, each computed from a row. Rows are in the order of supersteps; processors without one
 * did nothing. They are gone through once, for each pass would bring them from memory again.
 */
export function loadsOf(
  rows: readonly SuperstepRow[], processors: number, works: readonly ((row: SuperstepRow) => number)[],
): Load[] {
  const loads = works.map((work) => ({ work, averages: 0, maxima: 0, ratios: 0, busy: 0 }));
  let first = 0;
  for (const end of superstepEnds(rows)) {
    for (const load of loads) {
      let [total, most] = [0, 0];
      for (let i = first; i < end; i++) {
        const amount = load.work(rows[i]);
        total += amount;
        if (amount > most) most = amount;
      }
      load.averages += total / processors;
      load.maxima += most;
      if (most === 0) continue;
      load.ratios += total / processors / most;
      load.busy++;
    }
    first = end;
  }
  return loads;
}

/**
 * Load balance as in Table 1 of Marin, Paredes & Bonacic (WIDM 2008): mean(X) / mean(Y) over supersteps, X the average
 * and Y the maximum over processors in a superstep; and mean(X/Y) over supersteps with Y > 0 beside it. 1 is even, 1/P
 * is one processor doing everything. Null where there was no work at all.
 */
export function measureBalance(rows: readonly SuperstepRow[], processors: number): Balance {
  const [pages, bytes, busy, extract, insert] = loadsOf(rows, processors, [
    (row) => row.pages, (row) => row.bytes, (row) => row.busyUs, (row) => row.extractComparisons,
    (row) => row.insertComparisons,
  ]);
  return {
    pages: ratioOfMeans(pages),
    pagesWholeRun: meanOverMaximum(pagesPerProcessor(rows, processors)),
    bytes: ratioOfMeans(bytes),
    busy: ratioOfMeans(busy),
    extract: ratioOfMeans(extract),
    insert: ratioOfMeans(insert),
    meanOfRatios: {
      pages: meanRatio(pages), bytes: meanRatio(bytes), busy: meanRatio(busy), extract: meanRatio(extract),
      insert: meanRatio(insert),
    },
  };
}

const ratioOfMeans = ({ averages, maxima }: Load): number | null => (maxima === 0 ? null : averages / maxima);
const meanRatio = ({ ratios, busy }: Load): number | null => (busy === 0 ? null : ratios / busy);

export function pagesPerProcessor(rows: readonly SuperstepRow[], processors: number): number[] {
  const pages = new Array<number>(processors).fill(0);
  for (const row of rows) pages[row.processor] += row.pages;
  return pages;
}

function meanOverMaximum(values: readonly number[]): number | null {
  const most = Math.max(...values);
  return most === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length / most;
}
