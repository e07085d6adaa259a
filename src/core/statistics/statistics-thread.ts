import { workerData } from 'node:worker_threads';
import { answerOwner } from '../../base/threads/index.ts';
import { GrowingStatistics } from './growing-statistics.ts';
import type { Fetched, ThreadData } from './statistics-target.ts';

// The thread of a run's statistics: supersteps in their order, then the end. It answers with the rows that are known.
const { settings, graph } = workerData as ThreadData;
const statistics = new GrowingStatistics(settings, graph);

answerOwner((fetched: Fetched | 'end') => {
  if (fetched === 'end') return statistics.end();
  const { pages, supersteps, links } = fetched;
  let next = 0;
  return supersteps.flatMap(({ superstep, end }) => {
    for (; next < end; next++)
      statistics.addPage(pages[next], links?.targets.subarray(links.offsets[next], links.offsets[next + 1]));
    return statistics.superstep(superstep);
  });
});
