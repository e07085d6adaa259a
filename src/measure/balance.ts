import type { Balance, SuperstepRow } from './record.ts';

/** Tells of one superstep after the other how much work all processors did, and the busiest of them. One row a processor. */
export function eachSuperstep(
  rows: readonly SuperstepRow[], processors: number, work: (row: SuperstepRow) => number, tell: (total: number, most: number) => void,
): void {
  for (let first = 0; first < rows.length; first += processors) {
    let [total, most] = [0, 0];
    for (let i = first; i < first + processors; i++) {
      const own = work(rows[i]);
      total += own;
      if (own > most) most = own;
    }
    tell(total, most);
  }
}

/**
 * Load balance as in Table 1 of Marin, Paredes & Bonacic (WIDM 2008): mean(X) / mean(Y) over supersteps, X the average and Y
 * the maximum over processors in a superstep; and mean(X/Y) over supersteps with Y > 0 beside it. 1 is even, 1/P is one
 * processor doing everything. 1 where there was no work at all.
 */
export function measureBalance(rows: readonly SuperstepRow[], processors: number): Balance {
  const ratios = (work: (row: SuperstepRow) => number): { ofMeans: number; mean: number } => {
    let averages = 0;
    let maxima = 0;
    let ratioSum = 0;
    let busy = 0;
    eachSuperstep(rows, processors, work, (total, most) => {
      averages += total / processors;
      maxima += most;
      if (most === 0) return;
      ratioSum += total / processors / most;
      busy++;
    });
    return { ofMeans: maxima === 0 ? 1 : averages / maxima, mean: busy === 0 ? 1 : ratioSum / busy };
  };
  const pages = ratios((row) => row.pages);
  const bytes = ratios((row) => row.bytes);
  const busy = ratios((row) => row.busyUs);
  const extract = ratios((row) => row.extractComparisons);
  const insert = ratios((row) => row.insertComparisons);
  return {
    pages: pages.ofMeans,
    pagesWholeRun: meanOverMaximum(pagesPerProcessor(rows, processors)),
    bytes: bytes.ofMeans,
    busy: busy.ofMeans,
    extract: extract.ofMeans,
    insert: insert.ofMeans,
    meanOfRatios: { pages: pages.mean, bytes: bytes.mean, busy: busy.mean, extract: extract.mean, insert: insert.mean },
  };
}

export function pagesPerProcessor(rows: readonly SuperstepRow[], processors: number): number[] {
  const pages = new Array<number>(processors).fill(0);
  for (const row of rows) pages[row.processor] += row.pages;
  return pages;
}

function meanOverMaximum(values: readonly number[]): number {
  const most = Math.max(...values);
  return most === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length / most;
}
