import type { LabelledRun } from './gather.ts';
import { csvText } from './csv-text.ts';
import { significant, thin } from './thin.ts';

/** Points of a run at most: enough to draw its curve anew. */
const maxPoints = 600;

/**
 * `curves.csv`: the curves of runs as numbers, to be drawn by other programs. Each row is a moment of a run: the pages
 * fetched by then, the seconds, and the share of the PageRank within reach that it has gathered; beside that the share
 * that as many pages have in the sorted order and in a uniform order. At most 600 rows a run, chosen to keep its shape.
 *
 * @param runs - finished runs, each with its label.
 * @returns the text of the file.
 */
export function curvesCsv(runs: readonly LabelledRun[]): string {
  return csvText({
    columns: ['run', 'pages', 'seconds', 'rank', 'sortedRank', 'uniformRank'],
    rows: runs.flatMap(({ label, result: { events, curves } }) => {
      const { cumulativeRank, boundRank, randomRankPerPage, horizonShare } = curves;
      const { x: pages, y: ranks } =
        thin(cumulativeRank.length, maxPoints, (i) => i + 1, (i) => horizonShare * cumulativeRank[i]);
      return pages.map((page, i) => [
        label, page, significant(events.times[2 * page - 1] / 1e6), ranks[i],
        significant(horizonShare * boundRank[Math.min(page, boundRank.length) - 1]),
        significant(Math.min(1, horizonShare * randomRankPerPage * page)),
      ]);
    }),
  });
}
