import type { WebGraph } from '../../graphs/graph/index.ts';
import type { RunEvents, StatisticsResult, StatisticsRow } from '../measure/index.ts';
import type { MeasureSettings, SettledCrawl } from '../settings/index.ts';
import { GrowingStatistics } from './growing-statistics.ts';
import { beginsSuperstep } from './statistics-target.ts';

/** The statistics of recorded events, as the run would have had them. On the caller's thread. */
export function replayedStatistics(
  { statistics: method, seed }: Pick<MeasureSettings & SettledCrawl, 'statistics' | 'seed'>,
  { order, times, rows }: Pick<RunEvents, 'order' | 'times' | 'rows'>,
  { graph, maxPages }: { readonly graph: WebGraph; readonly maxPages: number },
): StatisticsResult | undefined {
  if (method === 'off') return undefined;
  const statistics = new GrowingStatistics({ method, maxPages, seed }, graph);
  const result: StatisticsRow[] = [];
  let next = 0;
  for (const [i, { superstep, barrierUs }] of rows.entries()) {
    if (!beginsSuperstep(rows, i)) continue;
    for (; next < order.length && times[2 * next + 1] <= barrierUs; next++) statistics.addPage(order[next]);
    result.push(...statistics.superstep(superstep));
  }
  return { rows: [...result, ...statistics.end()] };
}
