import type { Balance, SuperstepRow } from './record.ts';

/** Rows of one superstep after the other, each with one row a processor. */
export function bySuperstep(rows: readonly SuperstepRow[], processors: number): SuperstepRow[][] {
  const supersteps: SuperstepRow[][] = [];
  for (let first = 0; first < rows.length; first += processors) supersteps.push(rows.slice(first, first + processors));
  return supersteps;
}

/**
 * Load balance as in Table 1 of Marin, Paredes & Bonacic (WIDM 2008): mean(X) / mean(Y) over supersteps, X the average and Y
 * the maximum over processors in a superstep; and mean(X/Y) over supersteps with Y > 0 beside it. 1 is even, 1/P is one
 * processor doing everything. 1 where there was no work at all.
 */
export function measureBalance(rows: readonly SuperstepRow[], processors: number): Balance {
  const supersteps = bySuperstep(rows, processors);
  const ratios = (work: (row: SuperstepRow) => number): { ofMeans: number; mean: number } => {
    let averages = 0;
    let maxima = 0;
    let ratioSum = 0;
    let busy = 0;
    for (const superstep of supersteps) {
      const total = superstep.reduce((sum, row) => sum + work(row), 0);
      const most = Math.max(...superstep.map(work));
      averages += total / processors;
      maxima += most;
      if (most === 0) continue;
      ratioSum += total / processors / most;
      busy++;
    }
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
